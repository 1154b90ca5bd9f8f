"""A command that is interrupted does not wait for a thread that waits for what has ended."""

import asyncio
import threading

import pytest

from api.cli.common import abandonable


async def test_what_a_thread_gives_or_raises_is_passed_on() -> None:
    assert await abandonable(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await abandonable(divmod, 7, 0)


def test_a_thread_that_never_ends_is_left_behind() -> None:
    never, begun = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        never.wait()

    async def interrupted() -> None:
        task = asyncio.ensure_future(abandonable(wait))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    # Ends: asyncio.run waits for the threads of its executor, and this is none of them.
    asyncio.run(interrupted())
    never.set()
