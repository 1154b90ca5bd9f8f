"""A time limit that costs nothing where there is nothing to wait for."""

import asyncio
from collections.abc import Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def in_time(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """What `work` gives. Raises TimeoutError, and cancels it, where it waits for longer than `seconds`.

    As `asyncio.timeout`, whose timer is set and taken back for 5 µs: here only once `work` waits for something.
    """
    try:
        awaited = work.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    async with asyncio.timeout(seconds):
        return await _rest(work, awaited)


@coroutine
def _rest(work: Coroutine[Any, Any, T], awaited: Any) -> Generator[Any, Any, T]:
    """Go on with `work`, which waits for `awaited`, as `await` would."""
    while True:
        try:
            sent = yield awaited
        except GeneratorExit:
            work.close()
            raise
        except BaseException as error:  # noqa: BLE001 - it is the work's
            going_on = partial(work.throw, error)
        else:
            going_on = partial(work.send, sent)
        try:
            awaited = going_on()
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
