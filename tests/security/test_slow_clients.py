"""Finding 19 of the review: clients that send headers or a body slowly, or never."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from api.core import slow_clients
from tests.support.listening import listening
from tests.support.service import Service, choice_pack

# Whatever this machine is doing: without the clocks none of these connections is ever closed.
PATIENCE = 60.0
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def port(service: Service, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    monkeypatch.setattr(slow_clients, "HEADER_SECONDS", 0.5)
    monkeypatch.setattr(slow_clients, "PIECE_SECONDS", 0.5)
    async with listening(service.app) as number:
        yield number


async def _rest(stream: Stream) -> bytes:
    """What the service says until it closes the connection."""
    reader, writer = stream
    async with asyncio.timeout(PATIENCE):
        said = await reader.read()
    writer.close()
    return said


async def _half_open(port: int, sent: bytes) -> Stream:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    return reader, writer


@pytest.mark.parametrize(
    "sent", [b"", b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ", b"POST /v1/sub"]
)
async def test_half_open_requests_are_closed(port: int, sent: bytes) -> None:
    assert await _rest(await _half_open(port, sent)) == b""


async def test_six_hundred_of_them_keep_nobody_out(service: Service, port: int) -> None:
    await service.publish(choice_pack())
    streams = await asyncio.gather(*(_half_open(port, b"GET /b/quiz HTTP/1.1\r\nHost: a\r\nX-") for _ in range(600)))
    honest = await _half_open(port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert b"200 OK" in await _rest(honest)
    assert set(await asyncio.gather(*(_rest(stream) for stream in streams))) == {b""}


async def test_a_byte_now_and_then_wins_no_time(port: int) -> None:
    stream = await _half_open(port, b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")

    async def drip() -> None:
        while not stream[1].is_closing():
            stream[1].write(b"x")
            await asyncio.sleep(0.05)

    dripping = asyncio.create_task(drip())
    with contextlib.suppress(ConnectionError):
        assert await _rest(stream) == b""
    dripping.cancel()


async def test_the_second_request_of_a_connection_has_a_clock_of_its_own(port: int) -> None:
    stream = await _half_open(port, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost")
    assert (await _rest(stream)).count(b"200 OK") == 1


async def test_a_body_that_does_not_come_is_a_408(service: Service, port: int) -> None:
    ada = await service.reader()
    paths = ["/v1/submissions", "/v1/sessions/ses_0/steps", "/v1/keys"]
    for path in paths:
        head = f"POST {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {ada.key}\r\n"
        more = 'Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"benchmark": '
        said = await _rest(await _half_open(port, (head + more).encode()))
        assert said.startswith(b"HTTP/1.1 408 "), (path, said)
        assert b'"request_timeout"' in said
        assert b"x-request-id" in said.lower()


async def test_a_body_in_small_pieces_has_an_end_in_all(
    service: Service, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_clients, "BODY_SECONDS", 1.0)
    ada = await service.reader()
    head = f"POST /v1/submissions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {ada.key}\r\n"
    stream = await _half_open(port, (head + "Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n").encode())

    async def drip() -> Any:
        while not stream[1].is_closing():
            stream[1].write(b" ")
            await asyncio.sleep(0.05)

    dripping = asyncio.create_task(drip())
    said = await _rest(stream)
    dripping.cancel()
    assert said.startswith(b"HTTP/1.1 408 ")


async def test_a_body_that_comes_is_taken_whatever_time_the_service_needs(service: Service, port: int) -> None:
    await service.publish(choice_pack())
    ada = await service.reader()
    body = b'{"benchmark": "quiz", "split": "dev", "model": {"name": "m"}, "items": []}'
    head = (
        f"POST /v1/submissions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {ada.key}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    stream = await _half_open(port, head.encode() + body[:20])
    await asyncio.sleep(0.1)
    stream[1].write(body[20:])
    assert (await _rest(stream)).startswith(b"HTTP/1.1 202 ")
