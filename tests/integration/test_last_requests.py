"""The end of a web process: what reached it before is answered, what comes after is refused without being read."""

import asyncio
import shutil
import socket
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import uvloop

from tests.support.external_postgres import free_port
from tests.support.listening import port_of, serving
from tests.support.proxy import proxied

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


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed: make test-packages")
async def test_the_proxy_asks_a_process_that_has_just_come_back() -> None:
    with tempfile.TemporaryDirectory(prefix="hld", dir="/tmp") as made:
        first, second = free_port(), free_port()
        async with AsyncExitStack() as stack:
            one = await stack.enter_async_context(AsyncExitStack())
            await one.enter_async_context(serving(_app, first))
            client = await stack.enter_async_context(proxied([first, second], Path(made)))
            # Each is asked while it is away, and then is the only one that is there.
            for port in (second, first, second):
                assert [(await client.post("/")).status_code for _ in range(4)] == [200] * 4
                other = AsyncExitStack()
                await other.enter_async_context(serving(_app, port))
                await one.aclose()
                one = await stack.enter_async_context(other)
