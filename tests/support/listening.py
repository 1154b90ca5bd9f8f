"""An application on a real socket, for what ASGI in this process cannot show."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

from api.processes import SERVING


@asynccontextmanager
async def listening(app: Any) -> AsyncIterator[int]:
    """The port of a server for `app`, whose lifespan is somebody else's."""
    # No pings: a machine that stands still for half a minute is no lost connection.
    chosen = SERVING | {"ws_ping_interval": None}
    config = uvicorn.Config(app, port=0, log_level="error", access_log=False, lifespan="off", **chosen)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(120):
            while not server.started:
                assert not serving.done()
                await asyncio.sleep(0.02)
        yield int(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        async with asyncio.timeout(120):
            await serving
