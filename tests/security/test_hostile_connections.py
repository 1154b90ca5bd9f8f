"""What a client, a proxy or a host may send over a socket: smuggled requests, floods of channels, half-open ones."""

import asyncio
import base64
import contextlib
import json
import struct
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import uvicorn

from api.core.channel_protocol import ChannelProtocol
from api.core.settings import Settings
from api.hosting.models import SessionHost
from api.hosting.server import Host
from api.processes import SERVING
from tests.support.listening import listening
from tests.support.loopback import loopback
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql

PATIENCE = 60.0
_JSON = b"Content-Type: application/json\r\n"
_SECOND = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
# Two readers of these bytes may disagree where the first request ends. Whoever stands before us has read one request.
SMUGGLED = {
    "length and chunks": b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + _SECOND,
    "chunks and length": b"Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n" + _SECOND,
    "two lengths": b"Content-Length: 0\r\nContent-Length: 39\r\n\r\n" + _SECOND,
    "a list of lengths": b"Content-Length: 0, 39\r\n\r\n" + _SECOND,
    "a signed length": b"Content-Length: +0\r\n\r\n" + _SECOND,
    "a hexadecimal length": b"Content-Length: 0x0\r\n\r\n" + _SECOND,
    "space before the colon": b"Content-Length : 0\r\n\r\n" + _SECOND,
    "a folded header": b"X-A: b\r\n Content-Length: 39\r\n\r\n" + _SECOND,
    "chunks by another name": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + _SECOND,
    "chunks not last": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + _SECOND,
    "chunks twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + _SECOND,
    "a vertical tab": b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + _SECOND,
    "a zero byte": b"X-A: a\x00b\r\nContent-Length: 0\r\n\r\n" + _SECOND,
    "a chunk's size that overflows": b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n" + _SECOND,
    "a chunk's size with a sign": b"Transfer-Encoding: chunked\r\n\r\n-1\r\n" + _SECOND,
    "a bare line feed": b"X-A: b\nContent-Length: 39\r\n\r\n" + _SECOND,
}


@pytest.fixture
async def port(service: Service) -> AsyncIterator[int]:
    async with listening(service.app) as number:
        yield number


async def _said(port: int, sent: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    writer.write_eof()
    async with asyncio.timeout(PATIENCE):
        said = await reader.read()
    writer.close()
    return said


@pytest.mark.parametrize("name", SMUGGLED)
async def test_no_request_is_smuggled(port: int, name: str) -> None:
    """Refused, and the connection closed: nothing that follows is taken for a request."""
    for method in (b"POST /v1/submissions", b"GET /healthz"):
        said = await _said(port, method + b" HTTP/1.1\r\nHost: a\r\n" + _JSON + SMUGGLED[name])
        assert said.startswith(b"HTTP/1.1 4"), said
        assert said.count(b"HTTP/1.1 ") == 1, said
        assert b"smuggled" not in said


async def test_two_honest_requests_of_one_connection_are_two(port: int) -> None:
    first = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    assert (await _said(port, first + _SECOND)).count(b"HTTP/1.1 ") == 2


@pytest.mark.parametrize(
    "heavy",
    [
        b"".join(b"X-%d: %s\r\n" % (number, b"a" * 1000) for number in range(3000)),
        b"X-A: " + b"a" * 3_000_000,
        b"X-A: " + b"a" * 100_000 + b"\r\n",
    ],
)
async def test_headers_without_end_are_refused(port: int, heavy: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    said = b""
    with contextlib.suppress(ConnectionError):
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: a\r\n" + heavy + b"\r\n")
        async with asyncio.timeout(PATIENCE):
            said = await reader.read()
    writer.close()
    assert said == b"" or said.startswith(b"HTTP/1.1 400 ")
    assert b"200 OK" in await _said(port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")


async def test_a_body_is_no_header(service: Service, port: int) -> None:
    ada = await service.reader()
    body = b'{"benchmark": "' + b"a" * 3_000_000 + b'"}'
    head = f"POST /v1/submissions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {ada.key}\r\nConnection: close\r\n"
    sent = head.encode() + _JSON + b"Content-Length: %d\r\n\r\n" % len(body) + body
    assert (await _said(port, sent)).startswith(b"HTTP/1.1 422 ")


def _handshake(path: str, key: str | None) -> bytes:
    nonce = base64.b64encode(b"0123456789abcdef").decode()
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: a",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
    ]
    lines += [f"Sec-WebSocket-Key: {nonce}"] + ([f"Authorization: Bearer {key}"] if key else [])
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _upgraded(port: int, path: str, key: str | None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_handshake(path, key))
    async with asyncio.timeout(PATIENCE):
        head = await reader.readuntil(b"\r\n\r\n")
    return reader, writer, head


async def _rest(reader: asyncio.StreamReader) -> None:
    """Read until the service closes the connection."""
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionError):
            await reader.read()


async def test_a_flood_of_channels_leaves_the_newest_of_each_session(
    settings: Settings, service: Service, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # None of these clients answers when it is told that its channel closes: for that the server waits ten seconds.
    monkeypatch.setattr(ChannelProtocol, "close_timeout", property(lambda _: 1.0, lambda _, __: None), raising=False)
    await service.publish(echo_pack())
    player = Player(await service.reader())
    async with Host.running(settings):
        session = (await player.opened((await player.episodes())[0]))["id"]
        path = f"/v1/sessions/{session}/steps"
        refused = await asyncio.gather(*(_upgraded(port, path, None) for _ in range(100)))
        assert {head.partition(b"\r\n")[0] for _, _, head in refused} == {b"HTTP/1.1 401 Unauthorized"}
        flood = await asyncio.gather(*(_upgraded(port, path, player.caller.key) for _ in range(60)))
        assert all(head.startswith(b"HTTP/1.1 101 ") for _, _, head in flood)
        assert len(service.app.state.channels._open) == 1
        closed = [asyncio.create_task(_rest(reader)) for reader, _, _ in flood]
        done, left = await asyncio.wait(closed, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        while len(done) < len(flood) - 1:
            more, left = await asyncio.wait(left, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            assert more, "an older channel was left open"
            done |= more
        assert [task.exception() for task in done] == [None] * len(done), "an older channel was left open"
        assert (await player.say(session, 1, "still here")).status_code == 200
        for task in left:
            task.cancel()
        for _, writer, _ in (*flood, *refused):
            writer.close()


async def test_a_channel_whose_client_is_gone_is_closed(settings: Settings, service: Service) -> None:
    """The client answers no ping, as one whose machine was unplugged."""
    await service.publish(echo_pack())
    player = Player(await service.reader())
    chosen: dict[str, Any] = SERVING | {"ws_ping_interval": 0.3, "ws_ping_timeout": 0.3}
    config = uvicorn.Config(service.app, port=0, log_level="error", lifespan="off", **chosen)
    assert (uvicorn.Config("x").ws_ping_interval, uvicorn.Config("x").ws_ping_timeout) == (20.0, 20.0), "as served"
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    try:
        async with Host.running(settings), asyncio.timeout(PATIENCE):
            while not server.started:
                await asyncio.sleep(0.02)
            port = int(server.servers[0].sockets[0].getsockname()[1])
            session = (await player.opened((await player.episodes())[0]))["id"]
            reader, writer, head = await _upgraded(port, f"/v1/sessions/{session}/steps", player.caller.key)
            assert head.startswith(b"HTTP/1.1 101 ")
            await _rest(reader)
            while service.app.state.channels._open:
                await asyncio.sleep(0.02)
            writer.close()
    finally:
        server.should_exit = True
        await serving


Serving = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]


async def _read(reader: asyncio.StreamReader) -> dict[str, Any]:
    (length,) = struct.unpack(">I", await reader.readexactly(4))
    found: dict[str, Any] = json.loads(await reader.readexactly(length))
    return found


def _answering(reply: bytes | None) -> Serving:
    """A host that answers whatever it is asked with these bytes; None: it hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await _read(reader)
            # Whatever it is asked, and not the first question alone, which may be one that waits for no answer.
            while asked := await _read(reader):
                if reply is None:
                    break
                writer.write(reply.replace(b"ID", b"%2d" % asked.get("id", 0)))
                await writer.drain()
        writer.close()

    return serve


def _frame(body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + body


HOSTS = {
    "noise": b"\xff" * 4096,
    "a frame without end": struct.pack(">I", 2**31) + b"{}",
    "no JSON": _frame(b"nothing"),
    "another shape": _frame(b'{"id": "one", "step": []}'),
    "too deep": _frame(b'{"id": 1, "observation": ' + b'{"a":' * 5000 + b"1" + b"}" * 5001),
    "a code nobody knows": _frame(b'{"id": ID, "refused": "<script>alert(1)</script>"}'),
    "hangs up": None,
}


@pytest.mark.parametrize("name", HOSTS)
async def test_a_hostile_host_ends_in_a_clear_error_and_costs_nothing(service: Service, name: str) -> None:
    await service.publish(echo_pack(problems_per_day=9))
    player = Player(await service.reader())
    service.app.state.host_client.timeout = 0.5
    async with loopback(_answering(HOSTS[name])) as port:
        async with service.admin.session() as session:
            session.add(SessionHost(address=f"127.0.0.1:{port}", token="t", slots=4))
        async with asyncio.timeout(PATIENCE):
            refused = await player.open((await player.episodes("test"))[0])
        assert refused.status_code == 503, refused.text
        assert refused.headers["content-type"] == "application/problem+json"
        assert "script" not in refused.text
    async with service.admin.session() as session:
        assert (await sql(session, "select coalesce(sum(used), 0) from daily_budget")).scalar_one() == 0
        assert (await sql(session, "select count(*) from live_session where outcome is not null")).scalar_one() == 0
