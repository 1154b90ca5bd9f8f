"""A time limit whose timer is set only for what waits."""

import asyncio
from typing import Any

import pytest

from api.admission.in_time import in_time

SOON, NEVER = 0.01, 600.0


async def test_what_ends_at_once_sets_no_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once() -> int:
        return 3

    monkeypatch.setattr(asyncio, "timeout", lambda _: pytest.fail("a timer was set"))
    assert await in_time(NEVER, at_once()) == 3


async def test_what_waits_gets_what_it_waits_for_again_and_again() -> None:
    async def twice() -> list[Any]:
        loop, told = asyncio.get_running_loop(), []
        for number in range(2):
            future: asyncio.Future[int] = loop.create_future()
            loop.call_soon(future.set_result, number)
            told.append(await future)
        return told

    assert await in_time(NEVER, twice()) == [0, 1]


@pytest.mark.parametrize("waits", [False, True])
async def test_its_fault_is_the_callers(waits: bool) -> None:
    async def faulty() -> None:
        if waits:
            await asyncio.sleep(0)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await in_time(NEVER, faulty())


async def test_a_fault_of_what_it_waits_for_can_be_caught_by_it() -> None:
    async def careful() -> str:
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(future.set_exception, ValueError("no"))
        try:
            await future
        except ValueError as error:
            await asyncio.sleep(0)
            return str(error)
        return ""

    assert await in_time(NEVER, careful()) == "no"


async def test_what_waits_for_too_long_is_cancelled_and_cleans_up() -> None:
    cleaned = False

    async def slow() -> None:
        nonlocal cleaned
        try:
            await asyncio.sleep(NEVER)
        finally:
            await asyncio.sleep(0)
            cleaned = True

    with pytest.raises(TimeoutError):
        await in_time(SOON, slow())
    assert cleaned


async def test_a_cancelled_caller_cancels_it() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        begun.set()
        try:
            await asyncio.sleep(NEVER)
        finally:
            ended.set()

    task = asyncio.create_task(in_time(NEVER, slow()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_a_limit_of_its_own_that_was_set_before_it_waited_holds() -> None:
    async def inner() -> str:
        try:
            async with asyncio.timeout(SOON):
                await asyncio.sleep(NEVER)
        except TimeoutError:
            return "its own"
        return ""

    assert await in_time(NEVER, inner()) == "its own"
