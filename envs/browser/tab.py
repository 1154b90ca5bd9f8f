"""A tab: its page, the numbers by which its elements are called, and whether something loads in it."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import CDPSession, Page

from envs.browser.errors import ActionFailed


@dataclass
class Tab:
    """A page, what its frames are doing (`asked`, `planned` or `loading`), and how many dialogs it has opened.

    `filled` is the name of the field that was filled in by its name last.
    """

    page: Page
    cdp: CDPSession
    loading: set[tuple[str, str]] = field(default_factory=set)
    quiet: asyncio.Event = field(default_factory=asyncio.Event)
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

    def navigated(self, frame: dict[str, Any]) -> None:
        """A frame has another document, so that the old one's plans are void; in the page, the nodes are others."""
        self.end(frame["id"], "asked", "planned")
        if "parentId" not in frame:
            self.numbers.clear()
            self.elements.clear()
            self.filled = ""

    def begin(self, frame: str, what: str) -> None:
        """A frame has asked for a document, plans to, or has begun to load it."""
        self.loading.add((frame, what))
        self.quiet.clear()

    def starts(self, event: dict[str, Any], what: str) -> None:
        """As `begin`, but for a page that will be loaded again in minutes, and for one that another tab is to load."""
        if event.get("delay", 0) < 1 and event.get("disposition", "currentTab") == "currentTab":
            self.begin(event["frameId"], what)

    def end(self, frame: str, *what: str) -> None:
        """A frame no longer does these things. A plan ends when it is carried out, which is no end of loading."""
        self.loading -= {(frame, one) for one in what}
        if (frame, "loading") not in self.loading:
            self.loading.discard((frame, "asked"))
        if not self.loading:
            self.quiet.set()

    def follow(self) -> None:
        """Take notice of what the frames do from now on."""
        begun = {"RequestedNavigation": "asked", "ScheduledNavigation": "planned", "StartedLoading": "loading"}
        for name, what in begun.items():
            self.cdp.on(f"Page.frame{name}", lambda event, what=what: self.starts(event, what))
        ended = {"ClearedScheduledNavigation": ("planned",), "StoppedLoading": ("asked", "loading")}
        for name, these in (ended | {"Detached": ("asked", "planned", "loading")}).items():
            self.cdp.on(f"Page.frame{name}", lambda event, these=these: self.end(event["frameId"], *these))
        self.cdp.on("Page.frameNavigated", lambda event: self.navigated(event["frame"]))
