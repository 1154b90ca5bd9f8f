"""Waiting by time in which this process ran: a machine that stood still is no page that did not answer."""

import asyncio
from collections.abc import Collection
from typing import Any

PARTS = 10


async def first(tasks: Collection["asyncio.Future[Any]"], seconds: float) -> set["asyncio.Future[Any]"]:
    """Those that are done as soon as one is; none after `seconds`.

    A clock goes on while the process is paused, frozen or starved. Then every timer is due at once, also where what was
    waited for is on its way; so the time is counted in parts, and a pause, as long as it may be, is one of them.
    """
    for _ in range(PARTS):
        done, _left = await asyncio.wait(tasks, timeout=seconds / PARTS, return_when=asyncio.FIRST_COMPLETED)
        if done:
            return done
    return set()
