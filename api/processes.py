"""The long-running processes of an instance: `python -m api.processes serve|worker|host`.

Each imports what it needs and no more, so that a process that died is back at once.
"""

import argparse
import asyncio
import gc
import signal
import sys
from typing import Any

if __name__ == "__main__":
    # All that is imported stays: looking through it again and again is a fifth of a process's start. Only where this
    # is the process: whoever merely imports this module (`up`, the tests) would never collect anything again.
    gc.disable()

from api.core import logging, telemetry
from api.core.settings import Settings

# An idle connection is kept for longer than clients and proxies keep theirs (httpx 5 s, aiohttp 15, nginx 60): it is
# they who close it, and none of them sends a request into a connection that is just being closed.
KEEP_ALIVE_SECONDS = 75
# New objects before a collection of the young, and such collections before one of the older.
_COLLECT = (10_000, 20, 50)
# An opening waits half a minute for a sandbox before it is told to come again; a step that is cut off is asked again.
_GRACE_SECONDS = 60
# What comes over a channel is small and often secret: neither worth nor fit to be compressed.
# Who may say where a request came from is `Settings.trusted_proxies`, read by `api.core.client_address` alone.
SERVING: dict[str, Any] = {
    "ws": "api.core.channel_protocol:ChannelProtocol",
    "ws_per_message_deflate": False,
    "http": "api.core.slow_clients:TimedHttpProtocol",
    "proxy_headers": False,
    "timeout_keep_alive": KEEP_ALIVE_SECONDS,
}


def freeze_imports() -> None:
    """Leave what was imported out of every later collection: it is large and stays, none of it is garbage."""
    gc.freeze()
    gc.set_threshold(*_COLLECT)
    gc.enable()


def serve(settings: Settings, descriptor: int | None = None, *, wait: bool = False) -> None:
    """The API and the pages; on an inherited listening socket when `descriptor` is given.

    `wait`: everything is imported, and then nothing done before a line comes on standard input.
    """
    import uvicorn

    from api.app import create_app
    from api.core import serving
    from api.warming import warm

    if wait and not sys.stdin.readline():
        return
    app = create_app(settings)
    telemetry.expose(settings, "serve")
    freeze_imports()
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        fd=descriptor,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws_max_size=settings.max_body_bytes,
        **SERVING,
    )
    serving.run(config, lambda: warm(app))


def work(settings: Settings) -> None:
    """Grading jobs."""
    import uvloop

    uvloop.run(_work(settings))


async def _work(settings: Settings) -> None:
    from api.worker.app import run
    from api.worker.state import Worker

    telemetry.expose(settings, "worker")
    freeze_imports()
    state = Worker.build(settings)
    try:
        await run(state)
    finally:
        await state.close()


def hold(settings: Settings, *, lifeline: bool = False) -> None:
    """Live environments, until SIGTERM or the end of standard input (`lifeline`): then others take the sessions."""
    import uvloop

    uvloop.run(_hold(settings, lifeline))


async def _hold(settings: Settings, lifeline: bool) -> None:
    from api.hosting.server import Host

    telemetry.expose(settings, "host")
    freeze_imports()
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    if lifeline:
        # Nobody writes to it: readable means that its other end is gone.
        loop.add_reader(sys.stdin.fileno(), stopping.set)
    async with Host.running(settings):
        await stopping.wait()


def main() -> None:
    """Run the process that the arguments name, with settings from the environment."""
    parser = argparse.ArgumentParser()
    parser.add_argument("process", choices=["serve", "worker", "host"])
    parser.add_argument("--descriptor", type=int)
    parser.add_argument("--wait", action="store_true", help="serve when a line has come on standard input")
    parser.add_argument("--lifeline", action="store_true", help="a host ends with its standard input")
    chosen = parser.parse_args()
    settings = Settings()
    logging.configure(settings.log_level)
    if chosen.process == "serve":
        serve(settings, chosen.descriptor, wait=chosen.wait)
    elif chosen.process == "host":
        hold(settings, lifeline=chosen.lifeline)
    else:
        work(settings)


if __name__ == "__main__":
    main()
