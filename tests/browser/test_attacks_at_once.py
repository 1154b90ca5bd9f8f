"""Pages that fill the browser, all at once, beside sessions that work: these end with the verdicts that are right."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import psutil
import pytest
from playwright.async_api import Error as PlaywrightError

from envs.base import Action
from envs.browser import chromium
from envs.browser.gateway import Site
from envs.browser.http1 import Request, Response
from envs.browser.session import BrowserSession
from envs.browser.watch import RENDERER, Bounds, Watch
from envs.web_forms.environment import WebForms
from tests.browser.conftest import Opener
from tests.browser.hostile_pages import PAGES, SILENT
from tests.browser.test_attacks import eventually, titled
from tests.browser.test_attacks_verdict import FORM, GOLD, score

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]
ROUNDS = 2
AT_ONCE = 2
# Of processor time that the browser takes between two rounds: a busy machine takes longer for it, and has done as much.
SECONDS = 10.0


class Taken:
    """What the processes of a browser have taken and hold; those that ended count with what they had."""

    def __init__(self, browser: int) -> None:
        self._browser = psutil.Process(browser)
        self._seconds: dict[psutil.Process, float] = {}
        self.shared = 0

    def seconds(self) -> float:
        """Processor seconds until now. `shared` are the bytes then of what no page has for itself."""
        self.shared = 0
        for process in [self._browser, *self._browser.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                self._seconds[process] = sum(process.cpu_times()[:2])
                self.shared += 0 if RENDERER in process.cmdline() else process.memory_info().rss
        return sum(self._seconds.values())


def site(page: str) -> Site:
    """A site whose root is the page."""

    async def answer(request: Request) -> Response:
        return Response.html(f"<!doctype html><title>t</title>{page if request.path == '/' else ''}")

    return answer


async def visit(session: BrowserSession) -> None:
    """Go there, ready or not: a page that came before may end it, or keep it from an answer."""
    with contextlib.suppress(PlaywrightError):
        await session.tab.navigate("http://site.test/")


async def play(world: WebForms) -> list[float | None]:
    """The verdict before and after the actions that are right."""
    before = await score(world)
    for text in GOLD:
        assert (await world.step(Action(text=text))).error is None
    return [before, await score(world)]


async def test_pages_that_fill_the_browser_change_no_verdict_of_others(
    opener: Opener, episode: Callable[[str], Any]
) -> None:
    worlds = [await episode(FORM) for _ in range(ROUNDS * AT_ONCE)]
    running = chromium.shared()._running
    assert running
    assert running.watch
    sessions = [await opener({"site.test": site(page)}) for page in PAGES.values()]
    await asyncio.gather(*map(visit, sessions))
    taken = Taken(running.watch.browser)
    for number in range(ROUNDS):
        until = taken.seconds() + SECONDS
        while taken.seconds() < until:
            await asyncio.sleep(0.5)
        mine = worlds[number * AT_ONCE : (number + 1) * AT_ONCE]
        assert await asyncio.gather(*map(play, mine)) == [[0.0, 1.0]] * AT_ONCE
        assert taken.shared < 2 * Bounds().shared
    assert running.alive()


@pytest.mark.parametrize(
    ("name", "bounds"),
    [("a loop", Bounds(shared=1)), ("buffers", Bounds(page=400_000_000))],
    ids=["others'", "its own"],
)
async def test_the_page_that_fills_memory_is_ended_and_no_other(opener: Opener, name: str, bounds: Bounds) -> None:
    calm, hostile = await opener("<title>calm</title>"), await opener({"site.test": site(PAGES[name])})
    await asyncio.gather(*map(visit, (calm, hostile)))
    running = chromium.shared()._running
    assert running
    assert running.watch
    watch = Watch(running.watch.browser, bounds)
    while not watch.ended:
        watch.look()
        await asyncio.sleep(0.2)
    await eventually(lambda: hostile.crashed, "the crash")
    assert not calm.crashed
    # A browser that was full serves those whom it has.
    running.watch.worn = watch.worn
    another = await opener("<title>next</title>")
    assert (chromium.shared()._running is running) == (name == "buffers")
    assert running.alive()
    for session, title in ((calm, "calm"), (another, "next")):
        await visit(session)
        await titled(session, title)


async def test_no_console_of_a_page_says_anything(opener: Opener) -> None:
    session = await opener(SILENT)
    await session.tab.navigate("http://site.test/")
    said = await titled(session, "done")
    assert said.count("silent") == 8
    assert "native" not in said
