"""The only way out of a session's browser: a proxy that answers for the session's own hosts and for nothing else.

Each session has a gateway with an address of its own, and its browser context knows no other way. A host the session
does not have is refused here, whatever the page or the participant does; nothing is ever sent on to the Internet.
"""

import asyncio
import contextlib
import datetime
import functools
import ssl
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from envs.browser.http1 import HEAD_LIMIT, BadRequest, Request, Response, encode, read_body, read_head, request_of

Site = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Limits:
    """Bytes of one response, of one request body, and of all responses of a session; requests of a session."""

    response: int = 25_000_000
    request: int = 10_000_000
    session: int = 300_000_000
    requests: int = 20_000


@dataclass(frozen=True)
class Exchange:
    """One line of the gateway's log. `refused` says why nothing was served."""

    method: str
    host: str
    path: str
    status: int
    size: int
    refused: str = ""


@functools.cache
def tls_context() -> ssl.SSLContext:
    """Our own certificate for https addresses of a session's hosts. The browser is told not to check it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "session gateway")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=9000))
    signed = builder.not_valid_after(now + datetime.timedelta(days=36500)).sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pair.pem"
        path.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
        context.load_cert_chain(path)
    return context


class Gateway:
    """Serves `sites` (host name to handler) to one session. `other` answers hosts that are not listed, if given.

    `log` holds what was asked and what became of it, oldest first.
    """

    def __init__(self, sites: Mapping[str, Site], other: Site | None = None, limits: Limits | None = None) -> None:
        self.sites = dict(sites)
        self.limits = limits or Limits()
        self.log: list[Exchange] = []
        self.served = 0
        self._other = other
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.StreamWriter] = set()

    async def start(self) -> int:
        """Listen on a free port of the machine's loopback interface; returns the port. See `serve` for the other way.

        Needed only where the browser has no network of its own.
        """
        self._server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=HEAD_LIMIT)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stop listening and drop every connection."""
        if self._server:
            self._server.close()
        for writer in list(self._clients):
            writer.close()

    def refusals(self) -> list[Exchange]:
        """What was asked for and not served."""
        return [exchange for exchange in self.log if exchange.refused]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection, wherever it was accepted, and close it."""
        self._clients.add(writer)
        try:
            await self._converse(reader, writer)
        except (BadRequest, ConnectionError, ssl.SSLError, asyncio.IncompleteReadError, TimeoutError):
            pass  # a client that does not speak HTTP, or has gone, gets a closed connection
        finally:
            self._clients.discard(writer)
            writer.close()
            with contextlib.suppress(ConnectionError, ssl.SSLError, TimeoutError):
                await writer.wait_closed()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        tunnel = None
        if head and head.method == "CONNECT":
            tunnel, _, port = head.target.lower().rpartition(":")
            tunnel = tunnel if port == "443" else f"{tunnel}:{port}"
            if tunnel.endswith(":80") or not self._site(tunnel):
                await self._send(writer, self._refuse(Request("CONNECT", tunnel, "")))
                return
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await writer.drain()
            await writer.start_tls(tls_context())
            head = await read_head(reader)
        if head:
            body = await read_body(reader, head, self.limits.request)
            await self._send(writer, await self.answer(request_of(head, body, tunnel)))

    async def _send(self, writer: asyncio.StreamWriter, response: Response) -> None:
        writer.write(encode(response))
        await writer.drain()

    def _site(self, host: str) -> Site | None:
        return self.sites.get(host) or self._other

    def _refuse(self, request: Request, why: str = "this host is not part of the session") -> Response:
        self.log.append(Exchange(request.method, request.host, request.path, 403, 0, why))
        return Response.html(f"<title>Refused</title><p>Refused: {why}.</p>", 403)

    async def answer(self, request: Request) -> Response:
        """What the session's site says to a request, or why it says nothing; logged and held to the limits."""
        site = self._site(request.host)
        if site is None:
            return self._refuse(request)
        if len(self.log) >= self.limits.requests or self.served >= self.limits.session:
            return self._refuse(request, "the session's budget of requests or bytes is used up")
        response = await site(request)
        if len(response.body) > self.limits.response:
            why = f"the answer is larger than {self.limits.response} bytes"
            self.log.append(Exchange(request.method, request.host, request.path, 413, 0, why))
            return Response.html(f"<title>Too large</title><p>Refused: {why}.</p>", 413)
        self.served += len(response.body)
        size, status = len(response.body), response.status
        self.log.append(Exchange(request.method, request.host, request.path, status, size))
        return response
