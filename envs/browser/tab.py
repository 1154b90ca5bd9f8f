"""A tab: its page, the numbers by which its elements are called, and whether something loads in it."""

import asyncio
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import CDPSession, Page

from envs.browser.errors import ActionFailed

# What a page asks for without ever needing an answer, or gets one that never ends.
UNANSWERED = frozenset(("EventSource", "WebSocket", "Ping", "Prefetch", "Media", "CSPViolationReport"))


@dataclass
class Tab:
    """A page, what its frames are doing (`asked`, `planned` or `loading`), what it has asked its sites for (`pending`:
    path and document of each request without an answer), and how many dialogs it has opened.

    `activity` counts what began in it: navigations and requests. `settled` says that it was ready, and nothing began
    since. `endless` are paths whose answers are not waited for. `filled` is the name of the field that was filled in by
    its name last.
    """

    page: Page
    cdp: CDPSession
    loading: set[tuple[str, str]] = field(default_factory=set)
    pending: dict[str, tuple[str, str]] = field(default_factory=dict)
    endless: set[str] = field(default_factory=set)
    quiet: asyncio.Event = field(default_factory=asyncio.Event)
    activity: int = 0
    settled: bool = False
    dialogs: int = 0
    crashed: bool = False
    numbers: dict[int, int] = field(default_factory=dict)
    elements: dict[int, int] = field(default_factory=dict)
    filled: str = ""

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
            document = frame.get("loaderId")
            self.pending = {name: asked for name, asked in self.pending.items() if asked[1] == document}
            self._ended()
            self.numbers.clear()
            self.elements.clear()
            self.filled = ""

    def begin(self, frame: str, what: str) -> None:
        """A frame has asked for a document, plans to, or has begun to load it."""
        self.loading.add((frame, what))
        self._began()

    def starts(self, event: dict[str, Any], what: str) -> None:
        """As `begin`, but for a page that will be loaded again in minutes, and for one that another tab is to load."""
        if event.get("delay", 0) < 1 and event.get("disposition", "currentTab") == "currentTab":
            self.begin(event["frameId"], what)

    def end(self, frame: str, *what: str) -> None:
        """A frame no longer does these things. A plan ends when it is carried out, which is no end of loading."""
        self.loading -= {(frame, one) for one in what}
        if (frame, "loading") not in self.loading:
            self.loading.discard((frame, "asked"))
        self._ended()

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
            self.cdp.on(f"Page.frame{name}", lambda event, what=what: self.starts(event, what))
        ended = {"ClearedScheduledNavigation": ("planned",), "StoppedLoading": ("asked", "loading")}
        for name, these in (ended | {"Detached": ("asked", "planned", "loading")}).items():
            self.cdp.on(f"Page.frame{name}", lambda event, these=these: self.end(event["frameId"], *these))
        self.cdp.on("Page.frameNavigated", lambda event: self.navigated(event["frame"]))
        self.cdp.on("Network.requestWillBeSent", self.asks)
        for name in ("loadingFinished", "loadingFailed"):
            self.cdp.on(f"Network.{name}", self.answered)
        await self.cdp.send("Page.enable")
        await self.cdp.send("Performance.enable")
        await self.cdp.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
