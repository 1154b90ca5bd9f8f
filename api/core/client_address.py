"""The network address that a request came from. What a client says of itself counts for nothing.

`X-Forwarded-For` is read only where the connection came from an address in `HELDOUT_TRUSTED_PROXIES`, from the right:
each proxy appends the address it was called from, so the first one that is no trusted proxy is the client's.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.requests import HTTPConnection

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
# Whoever has an IPv6 address has as many as this prefix leaves free.
_ONE_SUBSCRIBER = 64


def client_address(connection: HTTPConnection) -> str:
    """The client's address, or `unknown` on a connection that has none (a local socket without a trusted proxy)."""
    trusted: tuple[Network, ...] = connection.app.state.settings.trusted_proxies
    found = _read(connection.client.host) if connection.client else None
    for hop in _hops(connection) if trusted else ():
        if found is None or not _within(found, trusted):
            break
        if (before := _read(hop)) is None:
            # A proxy that is trusted passed on what is no address: what stands before it is the client's own claim.
            break
        found = before
    return str(found) if found else "unknown"


def throttled_address(address: str) -> str:
    """What a limit for each address counts: an IPv4 address, or the network of one IPv6 subscriber."""
    found = _read(address)
    if not isinstance(found, IPv6Address):
        return address
    return str(ip_network((found, _ONE_SUBSCRIBER), strict=False))


def within(address: str, networks: Sequence[str]) -> bool:
    """Whether an address, as `client_address` gives it, is in one of the networks; one that is unknown is in none."""
    found = _read(address)
    return found is not None and _within(found, tuple(ip_network(one, strict=False) for one in networks))


def _hops(connection: HTTPConnection) -> Iterator[str]:
    """The addresses in X-Forwarded-For, the nearest first; a header may stand there more than once."""
    for line in reversed(connection.headers.getlist("x-forwarded-for")):
        yield from reversed(line.split(","))


@lru_cache(maxsize=4096)
def _read(text: str) -> Address | None:
    """An address, with or without a port; an IPv4 address written as IPv6 is the IPv4 address."""
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        # A zone names an interface of another machine.
        found = ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _within(address: Address, networks: tuple[Network, ...]) -> bool:
    return any(address in network for network in networks)
