"""What pages may take of the browser that others share: one that fills it is ended before the browser is.

Some of what pages do is kept for them elsewhere: messages on their way to the browser's process, pictures in the one
that paints, requests in the one that has the network. These are everybody's, and a page can fill them faster than they
are emptied. Whose it is cannot be seen there; but who fills them always has something to do, and others rarely have. A
page whose process is ended has crashed: its episode is replayed, and where that happens a second time it goes on as
after any other crash.
"""

import asyncio
import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path

import psutil

LOOK_SECONDS = 1.0
# Of what was seen at each look before: who was busy for long counts more than who acts at this moment.
KEPT = 0.95
# At so many looks at least it had something to do: nobody is ended for what was seen of him at one moment.
BUSY = 4.0
# Who is nearly as busy as the busiest may be the one as well: to end one after the other takes too long.
ALIKE = 0.8
PAINTING = "--type=gpu-process"
RENDERER = "--type=renderer"
# Lower than any other process of the machine: who computes without end does so in what the others leave.
LAST = 19


@dataclass(frozen=True)
class Bounds:
    """Bytes: of all processes that are everybody's but for the one that paints, of that, of one page's process, and of
    all pages'. By `growth` what is everybody's may still grow when a page was ended, for what is on its way. Seconds
    of processor time after which a page's process gives way to the others."""

    shared: int = 1_500_000_000
    painting: int = 1_000_000_000
    page: int = 1_500_000_000
    pages: int = 3_500_000_000
    growth: float = 1.02
    seconds: float = 30.0


@dataclass
class _Page:
    """What is known of a page's process: at how many looks its threads had something to do, of late, bytes that are its
    own, and whether it is ended already: it may stay for a while."""

    process: psutil.Process
    busy: float = 0.0
    size: int = 0
    ended: bool = False


@dataclass
class Watch:
    """Looks at the processes below a browser's. `ended` counts the pages that were ended; `worn` says that the browser
    has held more than it should, and should serve nobody new."""

    browser: int
    bounds: Bounds = field(default_factory=Bounds)
    ended: int = 0
    worn: bool = False
    shared: int = 0
    _pages: dict[psutil.Process, _Page] = field(default_factory=dict)
    _allowed: float = 0.0
    _task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Look from now on."""
        self._task = asyncio.ensure_future(self._go_on())

    def stop(self) -> None:
        """Look no more."""
        if self._task:
            self._task.cancel()

    async def _go_on(self) -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                await asyncio.to_thread(self.look)

    def look(self) -> None:
        """See what each process has, and end the page that has too much or makes others have it. Raises
        psutil.NoSuchProcess when the browser has ended."""
        self._see()
        if self.shared <= self.bounds.shared:
            self._allowed = self.bounds.shared
        pages = [page for page in self._pages.values() if not page.ended]
        largest = max(pages, key=lambda page: page.size, default=None)
        busiest = max(pages, key=lambda page: page.busy, default=None)
        if largest and (largest.size > self.bounds.page or sum(page.size for page in pages) > self.bounds.pages):
            self._end(largest)
        if self.shared > self._allowed:
            self.worn = True
            if busiest and busiest.busy > BUSY:
                self._allowed = self.shared * self.bounds.growth
                for page in pages:
                    if page.busy > max(BUSY, ALIKE * busiest.busy):
                        self._end(page)

    def _see(self) -> None:
        browser, shared = psutil.Process(self.browser), 0
        pages: dict[psutil.Process, _Page] = {}
        # Nobody needs to know who is busy while there is room.
        near = self.shared > self.bounds.shared / 2
        for process in [browser, *browser.children(recursive=True)]:
            with contextlib.suppress(psutil.Error, OSError):
                # A process is another one's copy before it says that it is a page's.
                if process not in self._pages and RENDERER not in (words := process.cmdline()):
                    size = process.memory_info().rss
                    if PAINTING in words and size > self.bounds.painting:
                        # Who fills it waits for it most of the time. It begins anew, and pages paint again.
                        process.kill()
                        self.worn = True
                    shared += 0 if PAINTING in words else size
                    continue
                page = pages[process] = self._pages.get(process) or _Page(process)
                # The program is in the memory of each, and once in the machine's.
                memory = process.memory_info()
                page.size = memory.rss - memory.shared
                page.busy = page.busy * KEPT + (near and _runs(process.pid))
                if sum(process.cpu_times()[:2]) > self.bounds.seconds and process.nice() < LAST:
                    _last(process.pid)
        self.shared, self._pages = shared, pages

    def _end(self, page: _Page) -> None:
        with contextlib.suppress(psutil.Error):
            page.process.kill()
            page.ended = True
            self.ended += 1


def _threads(process: int) -> list[Path]:
    return list(Path(f"/proc/{process}/task").iterdir())


def _runs(process: int) -> bool:
    """Whether a thread of it runs or would, if there were a processor for it: on a machine that is busy with others
    that tells more than what it has taken."""
    return any((one / "stat").read_text().rpartition(")")[2].split()[0] == "R" for one in _threads(process))


def _last(process: int) -> None:
    # Each thread has a priority of its own.
    for thread in _threads(process):
        os.setpriority(os.PRIO_PROCESS, int(thread.name), LAST)
