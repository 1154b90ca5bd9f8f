"""An application on a real socket, for what ASGI in this process cannot show."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

from api.core.serving import DrainingServer
from api.processes import SERVING


@asynccontextmanager
async def serving(app: Any, port: int = 0, **chosen: Any) -> AsyncIterator[DrainingServer]:
    """A server for `app`, whose lifespan is somebody else's, which ends with the context at the latest.

    `chosen`: uvicorn's settings in the place of those of a web process.
    """
    # No pings: a machine that stands still for half a minute is no lost connection.
    settings = SERVING | {"ws_ping_interval": None} | chosen
    config = uvicorn.Config(app, port=port, log_level="error", access_log=False, lifespan="off", **settings)
    server = DrainingServer(config)
    task = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(120):
            while not server.started:
                assert not task.done()
                await asyncio.sleep(0.02)
        yield server
    finally:
        server.should_exit = True
        async with asyncio.timeout(120):
            await task


@asynccontextmanager
async def listening(app: Any) -> AsyncIterator[int]:
    """The port of such a server."""
    async with serving(app) as server:
        yield port_of(server)


def port_of(server: uvicorn.Server) -> int:
    """Where a started server listens."""
    return int(server.servers[0].sockets[0].getsockname()[1])
