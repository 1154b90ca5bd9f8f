"""The end of a web process: what reached it before is answered, what comes after is refused without being read."""

import asyncio
import socket
import time
from typing import Any

import pytest
import uvloop

from tests.support.listening import port_of, serving

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
HELD = 40


async def _app(scope: Any, receive: Any, send: Any) -> None:
    if scope["path"] == "/block":
        # The loop stands still: what connects meanwhile waits in the kernel's queue.
        time.sleep(0.5)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"answered"})


async def _ask(port: int, request: bytes = REQUEST) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    try:
        return await reader.read()
    finally:
        writer.close()


async def test_a_connection_whose_request_is_under_way_is_answered() -> None:
    async with serving(_app) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server))
        while not server.server_state.connections:
            await asyncio.sleep(0.01)
        server.should_exit = True
        await asyncio.sleep(0.5)
        writer.write(REQUEST)
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        writer.close()


async def _connections_that_wait() -> None:
    async with serving(_app) as server:
        port = port_of(server)

        def connect() -> list[socket.socket]:
            found = [socket.create_connection(("127.0.0.1", port)) for _ in range(HELD)]
            for one in found:
                one.sendall(REQUEST)
            return found

        blocked = asyncio.create_task(_ask(port, REQUEST.replace(b"GET /", b"GET /block")))
        made = asyncio.get_running_loop().run_in_executor(None, connect)
        server.should_exit = True
        for one in await made:
            with one:
                one.settimeout(20)
                assert (await asyncio.to_thread(one.recv, 4096)).startswith(b"HTTP/1.1 200")
        assert (await blocked).startswith(b"HTTP/1.1 200")


def test_connections_that_wait_to_be_accepted_are_answered() -> None:
    # The loop of the web processes, which looks at its clocks before it accepts.
    uvloop.run(_connections_that_wait())


async def test_nothing_new_is_taken_while_the_last_are_answered() -> None:
    async with serving(_app) as server:
        port = port_of(server)
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        while not server.server_state.connections:
            await asyncio.sleep(0.01)
        server.should_exit = True
        await asyncio.sleep(0.5)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 0.3)
        writer.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)
