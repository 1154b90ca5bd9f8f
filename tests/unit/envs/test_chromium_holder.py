"""The shared browser is not stopped while it gives somebody a context."""

import asyncio
from typing import Any, cast

import pytest
from playwright.async_api import Browser, BrowserContext, Playwright
from playwright.async_api import Error as PlaywrightError

from envs.base import InfrastructureError
from envs.browser import chromium
from envs.browser.errors import ActionFailed
from envs.browser.gateway import Gateway
from envs.browser.session import BrowserSession


class Stuck:
    """A context that does not close."""

    async def close(self) -> None:
        raise PlaywrightError("it is stuck")


class Slow:
    """A browser that gives a context when it is let."""

    def __init__(self) -> None:
        self.asked, self.let = asyncio.Event(), asyncio.Event()

    def is_connected(self) -> bool:
        return True

    async def new_context(self, **_: Any) -> str:
        self.asked.set()
        await self.let.wait()
        return "context"


async def test_a_browser_with_a_context_on_its_way_is_retired_and_not_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[Any] = []

    async def stop(running: Any) -> None:
        stopped.append(running)

    monkeypatch.setattr(chromium, "_stop", stop)
    holder, browser, stuck = chromium.Chromium(), Slow(), cast("BrowserContext", Stuck())
    running = chromium._Running(cast("Playwright", None), cast("Browser", browser))
    running.contexts[stuck] = ""
    holder._running = running
    gateway = Gateway({})
    coming = asyncio.ensure_future(holder.context(gateway))
    await browser.asked.wait()
    leaving = asyncio.ensure_future(holder.release(stuck))
    for _ in range(10):
        await asyncio.sleep(0)
    browser.let.set()
    assert cast("object", await coming) == "context"
    await leaving
    await gateway.close()
    assert stopped == []
    assert holder._retired == [running]


async def test_a_page_that_cannot_be_had_at_the_start_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        async def set_fixed_time(self, _now: object) -> None:
            raise ActionFailed("Target page, context or browser has been closed")

    class Context:
        clock = Clock()

        def on(self, *_: object) -> None:
            pass

        async def add_init_script(self, _script: str) -> None:
            pass

    class Holder:
        async def context(self, *_: object, **__: object) -> Context:
            return Context()

    session = BrowserSession({}, browser=cast("chromium.Chromium", Holder()))
    with pytest.raises(InfrastructureError, match="gave no page"):
        await session.open()
