"""What every service in a test process is made of alike, and what is slow to make: it is made once."""

import asyncio
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from functools import cache
from typing import Any

from fastapi import FastAPI
from starlette.routing import BaseRoute

from api.app import create_app
from api.core.settings import Settings
from grading.answer import Answer
from grading.pool import GradingPool, PoolClosedError
from grading.reference import Reference
from grading.verdict import Verdict

_kept: dict[int, tuple[FastAPI, list[BaseRoute]]] = {}
_PATH = tuple(sys.path)


def application(settings: Settings) -> FastAPI:
    """`create_app` with the routes and the document of the first application that was made: what each route takes and
    returns takes half a second to work out, the document one, and settings say in it how large a body may be alone."""
    app = create_app(settings)
    routes = app.router.routes
    first, kept = _kept.setdefault(settings.max_body_bytes, (app, list(routes)))
    app.__dict__["openapi"] = first.openapi
    for place, (mine, other) in enumerate(zip(routes, kept, strict=True)):
        # Routers that were included alone: a document or a mount belongs to its application.
        if (router := getattr(mine, "original_router", None)) is not None:
            assert router is getattr(other, "original_router", None)
            routes[place] = other
    return app


def grading_pool(settings: Settings) -> GradingPool:
    """The processes that all services here grade with; some of its own for a service that knows further kinds."""
    count = settings.grading_processes
    return _Shared(count) if tuple(sys.path) == _PATH else GradingPool(count)


class _Shared(GradingPool):
    """One service's use of them. They keep nothing of what they graded, and end with the process of the tests."""

    async def start(self) -> None:
        """Wait until they are ready."""
        await asyncio.shield(asyncio.wrap_future(_ready(self._count)))
        self._open = True

    async def grade_timed(self, answer: Answer, reference: Reference | Mapping[str, Any]) -> tuple[Verdict, float]:
        """As any pool does."""
        if not self._open:
            raise PoolClosedError("the pool is not open")
        grading = _pool(self._count).grade_timed(answer, reference)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(grading, _loop()))


@cache
def _pool(count: int) -> GradingPool:
    return GradingPool(count)


@cache
def _ready(count: int) -> "Future[None]":
    return asyncio.run_coroutine_threadsafe(_pool(count).start(), _loop())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """A loop in a thread of its own, since some tests have one each."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="graders", daemon=True).start()
    return loop
