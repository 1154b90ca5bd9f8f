"""A tab: its page, the numbers by which its elements are called, and whether something loads in it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Page

from envs.browser.errors import ActionFailed
from envs.browser.line import ProtocolError, Session
from envs.browser.tree import Accessible

# What a page asks for without ever needing an answer, or gets one that never ends.
UNANSWERED = frozenset(("EventSource", "WebSocket", "Ping", "Prefetch", "Media", "CSPViolationReport"))
SMALL_BUFFERS = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}


@dataclass
class Tab:
    """A page, what its frames are doing (`asked`, `planned` or `loading`), what it has asked its sites for (`pending`:
    path and document of each request without an answer), and how many dialogs it has opened.

    `activity` counts what began in it: navigations and requests. `settled` says that it was ready, and nothing began
    since, `adopted` that it is one of the session's. `endless` are paths whose answers are not waited for. `filled` is
    the name of the field that was filled in by its name last. `url` is where the page is; `ahead` says that Playwright
    may not have heard of it yet. `observed` is what was looked at last.
    """

    page: Page
    cdp: Session
    drivers: Session
    loading: set[tuple[str, str]] = field(default_factory=set)
    pending: dict[str, tuple[str, str]] = field(default_factory=dict)
    endless: set[str] = field(default_factory=set)
    quiet: asyncio.Event = field(default_factory=asyncio.Event)
    activity: int = 0
    settled: bool = False
    adopted: bool = False
    dialogs: int = 0
    crashed: bool = False
    numbers: dict[int, int] = field(default_factory=dict)
    elements: dict[int, int] = field(default_factory=dict)
    filled: str = ""
    url: str = ""
    ahead: bool = False
    observed: Accessible | None = None
    _main: str = ""

    def element(self, number: int) -> int:
        """The browser's node for a number of the observations. Raises ActionFailed."""
        if number not in self.elements:
            raise ActionFailed(f"there is no element [{number}] on this page; take the ids of the last observation")
        return self.elements[number]

    @property
    def busy(self) -> bool:
        """Whether something loads or is waited for."""
        return bool(self.loading or self.pending)

    def navigated(self, frame: dict[str, Any]) -> None:
        """A frame has another document, so that the old one's plans are void; in the page, the nodes are others, and of
        what the old one asked for on leaving nobody says any more that it was answered."""
        self.end(frame["id"], "asked", "planned")
        if "parentId" not in frame:
            self._main, self.url = frame["id"], frame["url"] + frame.get("urlFragment", "")
            self.ahead = True
            document = frame.get("loaderId")
            self.pending = {name: asked for name, asked in self.pending.items() if asked[1] == document}
            self._ended()
            self._point_nowhere()
            self.numbers.clear()
            self.elements.clear()
            self.observed = None
            self.filled = ""

    def _point_nowhere(self) -> None:
        """The pointer rests on a document that is about to go, or has gone; on the new one it is nowhere until somebody
        moves it."""
        away = {"type": "mouseMoved", "button": "none", "buttons": 0, "x": -1, "y": -1}
        sent = asyncio.ensure_future(self.cdp.send("Input.dispatchMouseEvent", away))
        sent.add_done_callback(lambda done: done.cancelled() or done.exception())

    def moved(self, event: dict[str, Any]) -> None:
        """A frame is elsewhere in the same document."""
        if event["frameId"] == self._main:
            self.url, self.ahead = event["url"], True

    def begin(self, frame: str, what: str) -> None:
        """A frame has asked for a document, plans to, or has begun to load it."""
        self.loading.add((frame, what))
        self._began()

    def starts(self, event: dict[str, Any], what: str) -> None:
        """As `begin`, but for a page that will be loaded again in minutes, and for one that another tab is to load."""
        if event.get("delay", 0) < 1 and event.get("disposition", "currentTab") == "currentTab":
            if what == "asked" and event["frameId"] == self._main:
                self._point_nowhere()
            self.begin(event["frameId"], what)

    def end(self, frame: str, *what: str) -> None:
        """A frame no longer does these things. A plan ends when it is carried out, which is no end of loading."""
        self.loading -= {(frame, one) for one in what}
        if (frame, "loading") not in self.loading:
            self.loading.discard((frame, "asked"))
        self._ended()

    def _ends(self, event: dict[str, Any], these: tuple[str, ...]) -> None:
        self.end(event["frameId"], *these)

    def asks(self, event: dict[str, Any]) -> None:
        """The page has asked a site for something. Documents are waited for as frames that load."""
        url = event["request"]["url"]
        path = urlsplit(url).path
        if event.get("type") in UNANSWERED | {"Document"} or not url.startswith("http") or path in self.endless:
            return
        self.pending[event["requestId"]] = (path, event.get("loaderId", ""))
        self._began()

    def answered(self, event: dict[str, Any]) -> None:
        """What the page has asked for is there, or will never be."""
        if self.pending.pop(event["requestId"], None) is not None:
            self._ended()

    def give_up(self) -> None:
        """What is pending now is never waited for again in this tab: it was not answered in the longest time."""
        self.endless |= {path for path, _ in self.pending.values()}
        self.pending.clear()
        self._ended()

    def gone(self) -> None:
        """The page is no more: there is nothing to wait for."""
        self.loading.clear()
        self.pending.clear()
        self.quiet.set()

    def leave(self) -> None:
        """Nobody waits for the page any more, which stands still."""
        self.gone()
        self.cdp.end()
        self.drivers.end()

    def _began(self) -> None:
        self.activity += 1
        self.settled = False
        self.quiet.clear()

    def _ended(self) -> None:
        if not self.busy:
            self.quiet.set()

    async def follow(self) -> None:
        """Take notice of what the frames and their requests do from now on."""
        begun = {"RequestedNavigation": "asked", "ScheduledNavigation": "planned", "StartedLoading": "loading"}
        for name, what in begun.items():
            self.cdp.on(f"Page.frame{name}", partial(self.starts, what=what))
        ended = {"ClearedScheduledNavigation": ("planned",), "StoppedLoading": ("asked", "loading")}
        for name, these in (ended | {"Detached": ("asked", "planned", "loading")}).items():
            self.cdp.on(f"Page.frame{name}", partial(self._ends, these=these))
        self.cdp.on("Page.frameNavigated", lambda event: self.navigated(event["frame"]))
        self.cdp.on("Page.navigatedWithinDocument", self.moved)
        self.cdp.on("Network.requestWillBeSent", self.asks)
        for name in ("loadingFinished", "loadingFailed"):
            self.cdp.on(f"Network.{name}", self.answered)
        await self.cdp.send("Page.enable")
        frame = (await self.cdp.send("Page.getFrameTree"))["frameTree"]["frame"]
        self._main, self.url = frame["id"], frame["url"] + frame.get("urlFragment", "")
        await self.cdp.send("Performance.enable")
        await self.cdp.send("Network.enable", SMALL_BUFFERS)
        await self.drivers.send("Network.disable")
        await self.drivers.send("Log.disable")

    @contextlib.asynccontextmanager
    async def reporting(self) -> AsyncIterator[None]:
        """Within this, Playwright hears what the page asks for. Otherwise it does not: nobody there needs to know, and
        telling it costs as much as telling us."""
        await self.drivers.send("Network.enable", SMALL_BUFFERS)
        try:
            yield
        finally:
            with contextlib.suppress(ProtocolError):
                await self.drivers.send("Network.disable")

    async def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript, what it promises included. Playwright's errors pass through, also
        for one that throws."""
        asked = {"expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": True}
        reply = await self.cdp.send("Runtime.evaluate", asked)
        if problem := reply.get("exceptionDetails"):
            raise ProtocolError(str(problem.get("exception", {}).get("description") or problem["text"]))
        return reply["result"].get("value")

    async def navigate(self, url: str) -> None:
        """Go there; done as soon as its document begins. Playwright's errors pass through."""
        self._point_nowhere()
        reply = await self.cdp.send("Page.navigate", {"url": url, "referrerPolicy": "unsafeUrl"})
        if reply.get("isDownload"):
            raise ProtocolError("Page.goto: Download is starting")
        if reply.get("errorText"):
            raise ProtocolError(f"Page.goto: {reply['errorText']} at {url}")

    async def click(self, point: tuple[float, float]) -> None:
        """Press and let go of the left button there, as Playwright's mouse does."""
        at = {"x": point[0], "y": point[1], "modifiers": 0}
        pressed = {**at, "type": "mousePressed", "button": "left", "buttons": 1, "clickCount": 1, "force": 0.5}
        released = {**at, "type": "mouseReleased", "button": "left", "buttons": 0, "clickCount": 1}
        moved = {**at, "type": "mouseMoved", "button": "none", "buttons": 0, "force": 0}
        await asyncio.gather(*(self.cdp.send("Input.dispatchMouseEvent", one) for one in (moved, pressed, released)))
