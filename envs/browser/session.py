"""A session's tabs: what opens, asks, downloads, hangs or dies in them."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from playwright.async_api import BrowserContext, Dialog, Download, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from envs.base import InfrastructureError
from envs.browser import chromium, timeouts
from envs.browser.errors import ActionFailed, PageFault
from envs.browser.gateway import Gateway, Site
from envs.browser.options import Options
from envs.browser.page_functions import page_function
from envs.browser.tab import Tab
from envs.browser.tree import Window

BLANK = "about:blank"
# A page that asks or navigates without end is as ready as it gets.
MOST_ROUNDS = 20
TRIES = 3
CLOSING_SECONDS = 120.0
FLOODED = "the page opened window after window; every tab was closed"


class BrowserSession:
    """One participant's browser: a context of the shared Chromium behind a gateway of its own.

    `sites` are the hosts that exist for it: a name and an asynchronous handler of requests each, called in this
    process; `other` answers every other host. `browser` is another holder than this event loop's. `notes` collects
    what happened besides the action asked for, until an observation tells it.
    """

    def __init__(
        self,
        sites: Mapping[str, Site],
        other: Site | None = None,
        options: Options | None = None,
        browser: chromium.Chromium | None = None,
    ) -> None:
        self.options = options or Options()
        self._browser = browser
        self.gateway = Gateway(sites, other, self.options.limits)
        self.tabs: list[Tab] = []
        self.current = 0
        self.notes: list[str] = []
        self._offered: list[str] = []
        self.dialog: Dialog | None = None
        self.script_errors = 0
        self._unanswered: set[Dialog] = set()
        self._asked = asyncio.Event()
        self._stuck: asyncio.Task[Any] | None = None
        self._context: BrowserContext | None = None
        self._opening: set[asyncio.Task[None]] = set()
        self._announced = 0
        self._adopting = 0
        self._adoption = asyncio.Condition()
        self._windows: Counter[str] = Counter()
        self._flooded = asyncio.Event()
        self._over: asyncio.Task[None] | None = None
        self.crashed = False
        self._crash = asyncio.Event()
        self._counted = 0
        conditions = " && ".join(f"({one})" for one in self.options.ready) or "true"
        self._script = f"({page_function('ready')})()".replace("CONDITIONS", conditions)

    async def open(self) -> None:
        """Start a context behind the gateway, with one empty tab. Raises InfrastructureError."""
        self._browser = self._browser or chromium.shared()
        await self._begin(self._browser, self.options.storage_state)

    async def _begin(self, browser: chromium.Chromium, storage_state: Mapping[str, Any] | None) -> None:
        options = self.options
        self._context = await browser.context(
            self.gateway,
            viewport={"width": options.width, "height": options.height},
            device_scale_factor=1,
            ignore_https_errors=True,
            service_workers="block",
            accept_downloads=False,
            locale="en-US",
            timezone_id="UTC",
            reduced_motion="reduce",
            storage_state=storage_state,
        )
        self._context.on("page", self._page_opened)
        try:
            await self.run(self._context.add_init_script(page_function("silence")))
            if options.now:
                await self.run(self._context.clock.set_fixed_time(options.now))
            await self.new_tab()
        except ActionFailed as error:
            # Nobody has done anything yet: it is the browser's fault.
            raise InfrastructureError(f"the browser gave no page: {error}") from error

    async def storage_state(self) -> dict[str, Any]:
        """The context's cookies and storage. Raises InfrastructureError."""
        if self._context is None:
            raise InfrastructureError("the session is closed")
        return dict(await self.run(self._context.storage_state()))

    async def close(self) -> None:
        """Let go of the context and the gateway; never raises."""
        if self._stuck:
            self._stuck.cancel()
        if self._over:
            await asyncio.wait({self._over})
        context, self._context = self._context, None
        if context and self._browser:
            await self._browser.release(context, left=bool(self._unanswered))
        await self.gateway.close()

    @property
    def tab(self) -> Tab:
        """The tab in front."""
        if not self.alive():
            raise InfrastructureError("the browser died")
        if not self.tabs:
            raise ActionFailed("no tab is open; use new_tab")
        return self.tabs[min(self.current, len(self.tabs) - 1)]

    @property
    def page(self) -> Page:
        """The page in front."""
        return self.tab.page

    def number(self, node: int) -> int:
        """The number by which observations call a node of the page in front.

        The browser's own ids differ from run to run; these are counted as they are shown, so that a replay of the
        same actions gives the same numbers. They are never used twice in a session.
        """
        return self.numbering()(node)

    def number_shown(self, node: int) -> int | None:
        """The number of a node that an observation has shown or passed by; None for others."""
        return self.tab.numbers.get(node)

    def numbering(self) -> Callable[[int], int]:
        """`number` for many nodes: whether the browser runs is asked once."""
        tab = self.tab

        def number(node: int) -> int:
            if node not in tab.numbers:
                self._counted += 1
                tab.numbers[node] = self._counted
                tab.elements[self._counted] = node
            return tab.numbers[node]

        return number

    def window(self, whole: bool = False) -> Window:
        """What part of the page an observation shows."""
        return Window(self.options.width, self.options.height, whole, self.options.published_lines)

    def notes_now(self) -> list[str]:
        """The notes of an observation made now. A download and a dialog that begin together come in either order, so
        downloads are told when no dialog is open."""
        return [*([] if self.dialog else self._offered), *self.notes]

    def forget_notes(self, shown: list[str]) -> None:
        """These are in an observation."""
        for note in shown:
            (self._offered if note in self._offered else self.notes).remove(note)

    async def new_tab(self) -> None:
        """Open an empty tab in front."""
        if self._context is None:
            raise InfrastructureError("the session is closed")
        if len(self.tabs) >= self.options.tabs:
            raise ActionFailed(f"at most {self.options.tabs} tabs may be open; close one with tab_close")
        page = await self.run(self._context.new_page())
        await self._adopted()
        front = [index for index, tab in enumerate(self.tabs) if tab.page is page]
        if not front:
            raise InfrastructureError("the browser opened a page and lost it")
        self.current = front[0]

    async def close_tab(self) -> None:
        """Close the tab in front; the last one is replaced by an empty one."""
        tab = self.tab
        self.tabs.remove(tab)
        await self.run(tab.page.close())
        self.current = max(0, len(self.tabs) - 1)
        if not self.tabs:
            await self.new_tab()

    async def run(self, operation: Awaitable[Any]) -> Any:
        """Await something the browser does, for at most `timeout` seconds, until a dialog stops it, a flood of windows
        comes, or the browser dies.

        Raises ActionFailed for what the participant can act on, PageFault for a page that hangs and InfrastructureError
        for a crash. Returns None when a dialog opened meanwhile; the operation goes on once the dialog is answered.
        """
        task = asyncio.ensure_future(operation)
        flood = asyncio.ensure_future(self._flooded.wait())
        events = {flood, *(asyncio.ensure_future(event.wait()) for event in (self._asked, self._crash))}
        try:
            await timeouts.first({task, *events}, self.options.timeout)
        finally:
            for event in events:
                event.cancel()
        if flood.done() and not flood.cancelled():
            task.cancel()
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise ActionFailed(FLOODED)
        if not task.done() and self.dialog is not None:
            self._stuck = task
            return None
        return await self._result(task)

    async def _result(self, task: "asyncio.Future[Any]") -> Any:
        if not task.done():
            task.cancel()
            await self._replace_hung_tab()
            raise PageFault("the page did not answer and was closed")
        try:
            return task.result()
        except PlaywrightTimeout as error:
            raise PageFault(f"the page was not ready: {error.message.splitlines()[0]}") from error
        except PlaywrightError as error:
            self.check_alive(error)
            raise ActionFailed(error.message.splitlines()[0]) from error

    def alive(self) -> bool:
        """Whether the browser runs and no page of the session has crashed."""
        if self._over:
            return True
        if self._context is None or self._browser is None:
            return False
        return self._browser.alive(self._context) and not self.crashed

    async def close_crashed_tabs(self) -> bool:
        """Close the pages that crashed; False when it is the browser that died."""
        self.crashed = False
        self._crash.clear()
        if not self.alive():
            return False
        self.dialog, self._stuck = None, None
        self._asked.clear()
        for tab in [tab for tab in self.tabs if tab.crashed]:
            await self._close_page(tab)
        self.notes.append("The page crashed and was closed.")
        await self.ensure_tab()
        return True

    async def ensure_tab(self) -> None:
        """An empty tab in front when the last one has gone, by itself or because it had to be closed."""
        if self._over:
            await asyncio.shield(self._over)
            self._over = None
        await self._adopted()
        if not self.tabs and not self.dialog and self.alive():
            await self.new_tab()

    def check_alive(self, error: PlaywrightError) -> None:
        """Raises InfrastructureError if the error means that the browser or the page has died."""
        if not self.alive() or "crashed" in error.message:
            raise InfrastructureError(f"the browser died: {error.message.splitlines()[0]}") from error

    async def _replace_hung_tab(self) -> None:
        if not self.alive():
            raise InfrastructureError("the browser died")
        if self.tabs:
            tab = self.tab
            self.tabs.remove(tab)
            self.notes.append("The page did not answer and was closed.")
            try:
                await asyncio.wait_for(tab.page.close(), CLOSING_SECONDS)
            except (PlaywrightError, TimeoutError) as error:
                raise InfrastructureError("the browser hangs") from error
        if not self.tabs:
            await self.new_tab()

    async def answer_dialog(self, accept: bool, text: str) -> None:
        """Accept or dismiss the open dialog; what it stopped goes on."""
        dialog, self.dialog = self.dialog, None
        if dialog is None:
            raise ActionFailed("no dialog is open")
        self._asked.clear()
        self._unanswered.discard(dialog)
        stuck, self._stuck = self._stuck, None
        await self.run(dialog.accept(text) if accept and dialog.type == "prompt" else _answer(dialog, accept))
        if stuck:
            await self.run(stuck)

    async def wait_until_loaded(self) -> None:
        """Wait until the page in front, and those that it opened, are ready by what they say: nothing loads, nothing
        that was asked for is unanswered, nothing changes. Raises PageFault where that is not so in the end."""
        await self.ensure_tab()
        if self.dialog or not self.tabs:
            return
        try:
            await self._wait()
        finally:
            self._windows.clear()

    async def _wait(self) -> None:
        events = (self._ready(), self._asked.wait(), self._crash.wait(), self._flooded.wait())
        waiting = {asyncio.ensure_future(one) for one in events}
        done = await timeouts.first(waiting, self.options.load_timeout)
        for task in waiting:
            task.cancel()
        if self._over:
            await self.ensure_tab()
            return
        if not done:
            self.notes.append("The page is still loading.")
            for tab in self.tabs:
                tab.give_up()
            raise PageFault("the page was not ready")
        for ended in done:
            ended.result()

    async def _ready(self) -> None:
        for _ in range(MOST_ROUNDS):
            # The renderer announces a window before the browser shows it.
            async with self._adoption:
                await self._adoption.wait_for(lambda: self._announced <= 0)
            waited = [tab for tab in self.tabs if tab is self.tab or not tab.settled]
            counted = {id(tab): tab.activity for tab in waited}
            for tab in waited:
                await self._still(tab)
            if self._announced <= 0 and not any(tab.busy or tab.activity != counted[id(tab)] for tab in waited):
                for tab in waited:
                    tab.settled = True
                return

    async def _still(self, tab: Tab) -> None:
        """Wait until nothing loads in a tab and its page is still; a page that goes away meanwhile is no failure."""
        if tab.busy and tab in self.tabs:
            await tab.quiet.wait()
        with contextlib.suppress(PlaywrightError):
            await tab.evaluate(self._script)
        await self._catch_up(tab)

    async def _catch_up(self, tab: Tab) -> None:
        """Playwright hears of a navigation after us, and acts on the document that it knows of."""
        for _ in range(TRIES):
            if not tab.ahead or tab not in self.tabs:
                return
            tab.ahead = False
            try:
                await tab.page.evaluate("1")
            except PlaywrightError:
                tab.ahead = True

    async def _adopted(self) -> None:
        # A dialog of its opener may keep a page from opening until it is answered.
        while self._opening and not self.dialog and not self._flooded.is_set():
            events = {asyncio.ensure_future(event.wait()) for event in (self._asked, self._flooded)}
            done = await timeouts.first({*self._opening, *events}, self.options.timeout)
            for event in events:
                event.cancel()
            if not done:
                raise PageFault("a new tab did not open")

    async def _arrived(self) -> None:
        async with self._adoption:
            self._announced = max(0, self._announced - 1)
            self._adoption.notify_all()

    def _announce(self, page: Page) -> None:
        if page.context is self._context:
            self._announced += 1
            self._count("announced")

    def _page_opened(self, page: Page) -> None:
        if page.context is self._context:
            self._spawn(self._adopt(page))
            self._count("there")

    def _count(self, what: str) -> None:
        """A window is announced, or there: a page that hangs announces some that never come, and what a refused one
        opens is not announced."""
        self._windows[what] += 1
        if self._windows[what] > self.options.windows and self._over is None:
            self._flooded.set()
            self._over = asyncio.ensure_future(self._start_over())

    async def _start_over(self) -> None:
        """Go on in an empty tab with the cookies that there are: what such a page opened opens more, and any of it may
        hang, so that nothing of it can stay."""
        context, self._context = self._context, None
        for tab in self.tabs:
            tab.gone()
        self.tabs.clear()
        if context is None or self._browser is None:
            raise InfrastructureError("the session is closed")
        try:
            cookies = await asyncio.wait_for(context.cookies(), CLOSING_SECONDS)
        except (PlaywrightError, TimeoutError) as error:
            raise InfrastructureError("the browser hangs") from error
        finally:
            await self._browser.release(context, left=bool(self._unanswered))
        for task in [*self._opening, *filter(None, [self._stuck])]:
            task.cancel()
        self._opening.clear()
        self._unanswered.clear()
        self._offered.clear()
        self.dialog, self._stuck, self.current, self._announced, self.crashed = None, None, 0, 0, False
        # What else was noted differs from run to run: how many windows came depends on the machine.
        self.notes[:] = [f"The page opened more than {self.options.windows} windows; every tab was closed."]
        for event in (self._asked, self._crash, self._flooded):
            event.clear()
        self._windows.clear()
        kept = {**(self.options.storage_state or {}), "cookies": cookies}
        await self._begin(self._browser, kept)

    async def _adopt(self, page: Page) -> None:
        self._adopting += 1
        try:
            if len(self.tabs) + self._adopting > self.options.tabs:
                self.notes.append(f"A new tab was refused: at most {self.options.tabs} may be open.")
                await page.close()
            elif self._context is not None and self._browser is not None:
                protocol, drivers = await self._browser.protocol(self._context, page)
                tab = Tab(page, protocol, drivers, endless=set(self.options.endless))
                self._listen(tab)
                await tab.follow()
                if page.context is not self._context:
                    return
                if self.tabs:
                    self.notes.append(f"Tab {len(self.tabs)} was opened.")
                tab.adopted = True
                self.tabs.append(tab)
        except PlaywrightError:
            return  # the page was gone before it could be shown
        finally:
            self._adopting -= 1
            await self._arrived()

    def _listen(self, tab: Tab) -> None:
        page, cdp = tab.page, tab.cdp
        page.on("dialog", lambda dialog: self._dialog_opened(tab, dialog))
        page.on("download", self._download_offered)
        page.on("pageerror", lambda _error: self._script_failed())
        page.on("crash", lambda _page: self._page_crashed(tab))
        page.on("close", lambda _page: self._page_closed(tab))
        cdp.on("Page.windowOpen", lambda _event: self._announce(page))

    def _script_failed(self) -> None:
        self.script_errors += 1

    def _page_crashed(self, tab: Tab) -> None:
        if tab.page.context is not self._context:
            return
        self.crashed = tab.crashed = True
        self._crash.set()

    def _page_closed(self, tab: Tab) -> None:
        tab.gone()
        if tab in self.tabs:
            self.tabs.remove(tab)
            self.notes.append("A tab closed itself.")

    def _download_offered(self, download: Download) -> None:
        self._offered.append(f"A download was offered and refused: {download.suggested_filename}")

    def _dialog_opened(self, tab: Tab, dialog: Dialog) -> None:
        if tab.page.context is not self._context:
            return
        tab.dialogs += 1
        if dialog.type == "beforeunload":
            self._spawn(_answer(dialog, accept=True))
            return
        self._unanswered.add(dialog)
        if tab.adopted and tab not in self.tabs:
            return
        if tab.dialogs > self.options.dialogs:
            self.notes.append(f"The page opened more than {self.options.dialogs} dialogs and was closed.")
            # Its dialog stays open (see `Chromium.release`), so that it does nothing more.
            self.tabs.remove(tab)
            tab.leave()
        else:
            self.dialog = dialog
            self._asked.set()

    def _spawn(self, operation: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(operation)
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _close_page(self, tab: Tab) -> None:
        if tab in self.tabs:
            self.tabs.remove(tab)
        tab.gone()
        try:
            await tab.page.close()
        except PlaywrightError:
            return  # gone already


async def _answer(dialog: Dialog, accept: bool) -> None:
    await (dialog.accept() if accept else dialog.dismiss())
