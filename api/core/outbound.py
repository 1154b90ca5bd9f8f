"""Requests to addresses that participants name: none reaches a private network, however its name resolves.

A name is resolved once for each request, every address of it is checked, and the connection is made to the address that
was checked: a name that changes between the check and the connection changes nothing. Redirects are not followed,
compressed replies are refused (they may swell), and a reply has a most of bytes and of seconds.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit, urlunsplit

import httpx2

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
# All that is routed on the open Internet is in here; IPv4 in IPv6, NAT64, site-local and unassigned networks are not.
_UNICAST = IPv6Network("2000::/3")
# In it, but carrying an IPv4 address, which may be a private one: Teredo, 6to4.
_TRANSLATED = (IPv6Network("2001::/32"), IPv6Network("2002::/16"))
# The same for names of our own network and for names that nobody has: else anybody could read which there are.
_NOWHERE = "{} leads to no address on the open Internet"


class OutboundError(Exception):
    """Base; the message may be shown to whoever named the address."""


class AddressRefusedError(OutboundError):
    """Nothing may be sent there."""


class UnreachableError(OutboundError):
    """Nobody answered, or not in time."""


class ReplyRefusedError(OutboundError):
    """What came is too large, compressed, or sends us elsewhere."""


@dataclass(frozen=True)
class OutboundReply:
    """Status, headers by their lower-case names, and the whole body."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class Target:
    """Where an address leads: `url` names the checked IP address, `host` is what the server is called."""

    url: str
    host: str
    authority: str


async def resolved(host: str, port: int) -> Sequence[str]:
    """The addresses of a name, as this machine resolves it."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def public(address: Address) -> bool:
    """Whether an address is one of the open Internet."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return public(address.ipv4_mapped)
        if address not in _UNICAST or any(address in network for network in _TRANSLATED):
            return False
    return address.is_global and not address.is_multicast


class Outbound:
    """Sends requests; `allowed` networks may be reached although they are private, and over plain HTTP."""

    def __init__(
        self,
        allowed: Sequence[Network] = (),
        *,
        seconds: float = 120.0,
        most_bytes: int = 1_000_000,
        resolver: Resolver = resolved,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed = tuple(allowed)
        self._seconds, self._most = seconds, most_bytes
        self._resolver = resolver
        # No proxy of the environment: it would resolve names anew.
        self._client = httpx2.AsyncClient(
            follow_redirects=False, trust_env=False, timeout=seconds, verify=context or ssl.create_default_context()
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def target(self, url: str) -> Target:
        """Where `url` leads now. Raises AddressRefusedError, UnreachableError for a name that nobody knows."""
        try:
            parts = urlsplit(url)
            port = parts.port or {"https": 443, "http": 80}[parts.scheme]
            # As it travels in headers; raises for labels that are empty or too long.
            host = (parts.hostname or "").encode("idna").decode()
        except (KeyError, ValueError):
            raise AddressRefusedError("write the address as https://host/path") from None
        if not host or parts.username is not None or parts.password is not None or parts.fragment:
            raise AddressRefusedError("write the address as https://host/path, without a user and without '#'")
        addresses = [ip_address(text.split("%")[0]) for text in await self._resolve(host, port)]
        private = [address for address in addresses if not public(address) and not self._is_allowed(address)]
        if private:
            raise AddressRefusedError(_NOWHERE.format(host))
        if parts.scheme == "http" and not all(self._is_allowed(address) for address in addresses):
            raise AddressRefusedError("the key would travel unencrypted; use https")
        chosen = addresses[0]
        pinned = f"[{chosen}]" if isinstance(chosen, IPv6Address) else str(chosen)
        there = urlunsplit((parts.scheme, f"{pinned}:{port}", parts.path, parts.query, ""))
        named = f"[{host}]" if ":" in host else host
        return Target(there, host, f"{named}:{parts.port}" if parts.port else named)

    async def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> OutboundReply:
        """Send JSON. Raises AddressRefusedError, UnreachableError, ReplyRefusedError."""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._post(await self.target(url), content, headers)
        except TimeoutError:
            raise UnreachableError(f"no whole reply came within {self._seconds:g} s") from None
        except httpx2.HTTPError as error:
            raise UnreachableError(f"the connection failed ({type(error).__name__})") from error

    async def _post(self, target: Target, content: bytes, headers: Mapping[str, str]) -> OutboundReply:
        sent = dict(headers) | {"host": target.authority, "accept-encoding": "identity"}
        request = self._client.build_request(
            "POST", target.url, content=content, headers=sent, extensions={"sni_hostname": target.host}
        )
        response = await self._client.send(request, stream=True)
        try:
            if response.is_redirect:
                raise ReplyRefusedError("it redirects; name the address that it redirects to")
            if response.headers.get("content-encoding", "identity") != "identity":
                raise ReplyRefusedError("its reply is compressed although none was asked to be")
            parts, size = [], 0
            async for part in response.aiter_raw():
                size += len(part)
                if size > self._most:
                    raise ReplyRefusedError(f"its reply is longer than {self._most} bytes")
                parts.append(part)
            return OutboundReply(response.status_code, dict(response.headers), b"".join(parts))
        finally:
            await response.aclose()

    async def _resolve(self, host: str, port: int) -> Sequence[str]:
        try:
            found = await self._resolver(host, port)
        except OSError:
            found = ()
        if not found:
            raise UnreachableError(_NOWHERE.format(host))
        return found

    def _is_allowed(self, address: Address) -> bool:
        return any(address in network for network in self._allowed)
