"""A machine that stands still uses up no timeout."""

import asyncio
from unittest import mock

from envs.browser import timeouts


async def test_time_in_which_the_process_stood_still_does_not_count() -> None:
    loop = asyncio.get_running_loop()
    answered = loop.create_future()
    waiting = asyncio.ensure_future(timeouts.first({answered}, 3600))
    await asyncio.sleep(0)
    with mock.patch.object(loop, "time", return_value=loop.time() + 7200):
        # The timer is due, and the answer has not been read yet.
        for _ in range(20):
            await asyncio.sleep(0)
        assert not waiting.done()
        answered.set_result(None)
        assert await waiting == {answered}


async def test_what_never_comes_is_given_up() -> None:
    never = asyncio.get_running_loop().create_future()
    assert await timeouts.first({never}, 0.01) == set()
    assert not never.done()
