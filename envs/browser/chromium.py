"""One Chromium for all sessions of an event loop, found on the machine, started on demand, replaced when worn."""

import asyncio
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import Browser, BrowserContext, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from envs.base import InfrastructureError

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
DEBIAN_SHELL = Path("/usr/lib/chromium/chromium-headless-shell")
SESSIONS_OF_ONE_BROWSER = 100
LAUNCH_MILLISECONDS = 120_000

# No name resolves, no datagram leaves, nothing is fetched that no page asked for. Frames share their page's process,
# so that one snapshot covers them all; contexts still have processes of their own.
FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,Translate,OptimizationHints,MediaRouter,DnsOverHttps",
    "--js-flags=--max-old-space-size=512",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-pings",
)


def executable() -> Path | None:
    """The Chromium to use: `HELDOUT_CHROMIUM`, Debian's headless shell, or the machine's Chromium; None if absent."""
    named = os.environ.get("HELDOUT_CHROMIUM")
    candidates = [named] if named else [shutil.which(name) for name in NAMES] + [str(DEBIAN_SHELL)]
    return next((Path(item) for item in candidates if item and Path(item).exists()), None)


@dataclass
class _Running:
    driver: Playwright
    browser: Browser
    opened: int = 0
    contexts: set[BrowserContext] = field(default_factory=set)


class Chromium:
    """Hands out browser contexts from one shared browser; a dead or worn browser is replaced by a fresh one."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._running: _Running | None = None
        self._retired: list[_Running] = []

    async def context(self, **options: Any) -> BrowserContext:
        """A fresh context with Playwright's `options`. Raises InfrastructureError when no browser can be had."""
        async with self._lock:
            running = await self._usable()
            try:
                context = await running.browser.new_context(**options)
            except PlaywrightError as error:
                raise InfrastructureError(f"the browser gave no context: {error.message}") from error
            running.opened += 1
            running.contexts.add(context)
            return context

    async def release(self, context: BrowserContext) -> None:
        """Close a context; a retired browser goes with its last context."""
        try:
            await asyncio.wait_for(context.close(), 30)
        except (PlaywrightError, TimeoutError):
            await self._discard_owner(context)
        for running in [*self._retired, *filter(None, [self._running])]:
            running.contexts.discard(context)
        for worn in [item for item in self._retired if not item.contexts]:
            self._retired.remove(worn)
            await _stop(worn)

    async def close(self) -> None:
        """Stop every browser of this holder."""
        async with self._lock:
            everything = [*self._retired, *filter(None, [self._running])]
            self._retired, self._running = [], None
            for running in everything:
                await _stop(running)

    def process(self) -> Browser | None:
        """The browser that serves new contexts, if one runs."""
        return self._running.browser if self._running else None

    async def _discard_owner(self, context: BrowserContext) -> None:
        # A context that does not close belongs to a browser that is dead or stuck: nobody should get it again.
        if self._running and context in self._running.contexts:
            self._retired.append(self._running)
            self._running = None

    async def _usable(self) -> _Running:
        current = self._running
        if current and current.browser.is_connected() and current.opened < SESSIONS_OF_ONE_BROWSER:
            return current
        if current and current.browser.is_connected() and current.contexts:
            self._retired.append(current)
        elif current:
            await _stop(current)
        self._running = await _launch()
        return self._running


async def _launch() -> _Running:
    path = executable()
    if path is None:
        raise InfrastructureError("no Chromium on this machine: install chromium-headless-shell or chromium")
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else list(FLAGS)
    driver = await async_playwright().start()
    try:
        browser = await driver.chromium.launch(
            executable_path=path,
            args=flags,
            timeout=LAUNCH_MILLISECONDS,
            env={"HOME": "/nonexistent", "PATH": "/usr/bin"},
        )
    except PlaywrightError as error:
        await driver.stop()
        raise InfrastructureError(f"Chromium did not start: {error.message}") from error
    return _Running(driver, browser)


async def _stop(running: _Running) -> None:
    try:
        await asyncio.wait_for(running.browser.close(), 30)
    except (PlaywrightError, TimeoutError):
        pass  # it is dead already; the driver's end takes its processes with it
    finally:
        await running.driver.stop()


_HOLDERS: WeakKeyDictionary[asyncio.AbstractEventLoop, Chromium] = WeakKeyDictionary()


def shared() -> Chromium:
    """The holder of this event loop; a browser belongs to the loop it was started in."""
    return _HOLDERS.setdefault(asyncio.get_running_loop(), Chromium())
