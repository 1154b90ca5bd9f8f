"""Servers of a test's own on loopback."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def loopback(serve: Serve) -> AsyncIterator[int]:
    """The port of a server that takes no connection more at the end.

    It is not waited for: from Python 3.12 on that lasts until the last connection ends, and a peer may keep one.
    """
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
