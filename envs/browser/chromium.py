"""One Chromium for all sessions of an event loop, found on the machine, started on demand, replaced when worn.

Sites are handlers in this process (see `gateway.Site`): a handler may pass a request on to a site's own process over
any socket, by the host name in the request. The browser itself reaches its sessions' gateways and nothing else.
"""

import asyncio
import os
import secrets
import shutil
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import Browser, BrowserContext, Page, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from envs.base import InfrastructureError
from envs.browser import confine
from envs.browser.confine import Door, Handed
from envs.browser.gateway import Gateway
from envs.browser.http1 import HEAD_LIMIT
from envs.browser.line import Line, ProtocolError, Session
from envs.browser.watch import Watch

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
DEBIAN_SHELL = Path("/usr/lib/chromium/chromium-headless-shell")
NETWORK = "HELDOUT_BROWSER_NETWORK"
NETWORKS = OWN, SHARED = "own", "shared"
SESSIONS_OF_ONE_BROWSER = 100
LAUNCH_MILLISECONDS = 120_000

# No name resolves, no datagram leaves, nothing is fetched that no page asked for. Frames share their page's process,
# so that one snapshot covers them all; contexts still have processes of their own. Nothing of a page stays painted
# while the next one loads (PaintHolding), which costs frames that nobody sees. A page takes over the frame of the one
# before it (RenderDocument makes one anew): the pointer is taken off it, see `Tab.navigated`.
DISABLED_FEATURES = "IsolateOrigins,site-per-process,Translate,OptimizationHints,MediaRouter,DnsOverHttps"
DISABLED_FEATURES += ",PaintHolding,RenderDocument"
FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*",
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
    f"--disable-features={DISABLED_FEATURES}",
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
    """A browser, its contexts, and the gateways of its sessions by their loopback addresses in its own network."""

    driver: Playwright
    browser: Browser
    door: Door | None = None
    line: Line | None = None
    watch: Watch | None = None
    server: asyncio.Server | None = None
    opened: int = 0
    contexts: dict[BrowserContext, str] = field(default_factory=dict)
    gateways: dict[str, Gateway] = field(default_factory=dict)

    def alive(self) -> bool:
        """Whether the browser and its driver run: Playwright takes a browser for connected whose driver has ended."""
        return self.browser.is_connected() and not (self.line and self.line.closed)

    def worn(self) -> bool:
        """Whether it should serve nobody new."""
        return self.opened >= SESSIONS_OF_ONE_BROWSER or bool(self.watch and self.watch.worn)

    async def proxy(self, gateway: Gateway) -> str:
        """Where the session's context finds its gateway: in the browser's network, or on this machine's loopback."""
        if self.server is None:
            return f"127.0.0.1:{await gateway.start()}"
        # Nobody who serves pages should find a neighbour's by counting.
        address = f"127.{secrets.randbelow(254) + 1}.{secrets.randbelow(256)}.{secrets.randbelow(254) + 1}"
        if address in self.gateways:
            return await self.proxy(gateway)
        self.gateways[address] = gateway
        return f"{address}:{confine.PORT}"

    def forget(self, context: BrowserContext) -> None:
        """A context is over."""
        self.gateways.pop(self.contexts.pop(context, "").partition(":")[0], None)

    async def accept(self, listener: socket.socket) -> None:
        """Take the connections that the browser makes in its network to the gateway of their address."""

        async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            gateway = self.gateways.get(writer.get_extra_info("sockname")[0])
            if gateway is None:
                writer.close()
                return
            await gateway.serve(reader, writer)

        self.server = await asyncio.start_server(client, sock=listener, limit=HEAD_LIMIT)


class Chromium:
    """Hands out browser contexts from one shared browser; a dead or worn browser is replaced by a fresh one.

    `confined` says whether the browser gets a network of its own: None takes one where the machine can give it (see
    `confine`) and `HELDOUT_BROWSER_NETWORK` does not say `shared`; where that says `own`, there is no browser without.
    """

    def __init__(self, confined: bool | None = None) -> None:
        self._lock = asyncio.Lock()
        self._running: _Running | None = None
        self._retired: list[_Running] = []
        self._confined = confined

    async def context(self, gateway: Gateway, **options: Any) -> BrowserContext:
        """A fresh context with Playwright's `options` whose only way out is `gateway`.

        Raises InfrastructureError when no browser can be had.
        """
        async with self._lock:
            running = await self._usable()
            proxy = await running.proxy(gateway)
            try:
                context = await running.browser.new_context(
                    proxy={"server": f"http://{proxy}", "bypass": "<-loopback>"}, **options
                )
            except PlaywrightError as error:
                running.gateways.pop(proxy.partition(":")[0], None)
                raise InfrastructureError(f"the browser gave no context: {error.message}") from error
            running.opened += 1
            running.contexts[context] = proxy
            return context

    async def protocol(self, context: BrowserContext, page: Page) -> tuple[Session, Session]:
        """A session of our own with a page of a context, and the one of Playwright's driver. Playwright's errors pass
        through, ProtocolError among them."""
        owner = self._owner(context)
        if owner is None or owner.line is None:
            raise ProtocolError("the browser is gone")
        known = await context.new_cdp_session(page)
        target = (await known.send("Target.getTargetInfo"))["targetInfo"]["targetId"]
        await known.detach()
        return await owner.line.attach(target), owner.line.drivers(target)

    def alive(self, context: BrowserContext) -> bool:
        """Whether the browser of a context runs, and its driver."""
        owner = self._owner(context)
        return owner is not None and owner.alive()

    async def release(self, context: BrowserContext, left: bool = False) -> None:
        """Close a context; a retired browser goes with its last context. One that is `left` as it is takes its browser
        out of service: Chromium 156 crashes, with all sessions in it, when a page is closed in whose frame a dialog is
        open."""
        stuck = left
        try:
            if not left:
                await asyncio.wait_for(context.close(), 30)
        except (PlaywrightError, TimeoutError):
            stuck = True
        # Under the lock: a browser that is giving somebody a context at this moment is not without contexts.
        async with self._lock:
            if stuck:
                self._discard_owner(context)
            for running in self._everything():
                running.forget(context)
            worn = [item for item in self._retired if not item.contexts]
            self._retired = [item for item in self._retired if item.contexts]
        for item in worn:
            await _stop(item)

    async def close(self) -> None:
        """Stop every browser of this holder."""
        async with self._lock:
            everything = self._everything()
            self._retired, self._running = [], None
            for running in everything:
                await _stop(running)

    def process(self) -> Browser | None:
        """The browser that serves new contexts, if one runs."""
        return self._running.browser if self._running else None

    def _owner(self, context: BrowserContext) -> _Running | None:
        return next((one for one in self._everything() if context in one.contexts), None)

    def _everything(self) -> list[_Running]:
        return [*self._retired, *filter(None, [self._running])]

    def _discard_owner(self, context: BrowserContext) -> None:
        # A context that does not close belongs to a browser that is dead or stuck: nobody should get it again.
        if self._running and context in self._running.contexts:
            self._retired.append(self._running)
            self._running = None

    async def _usable(self) -> _Running:
        current = self._running
        if current and current.alive() and not current.worn():
            return current
        if current and current.alive() and current.contexts:
            self._retired.append(current)
        elif current:
            await _stop(current)
        self._running = await _launch(await self._own_network())
        return self._running

    async def _own_network(self) -> bool:
        wanted = os.environ.get(NETWORK, "") if self._confined is None else (OWN if self._confined else SHARED)
        if wanted == SHARED:
            return False
        found = await asyncio.to_thread(confine.obstacle)
        if found and wanted == OWN:
            raise InfrastructureError(f"the browser must have a network of its own, and cannot: {found}")
        return found is None


async def _launch(own_network: bool) -> _Running:
    path = executable()
    if path is None:
        raise InfrastructureError("no Chromium on this machine: install chromium-headless-shell or chromium")
    driver = await async_playwright().start()
    door = Door(own_network)
    try:
        return await _started(driver, path, door)
    except (PlaywrightError, TimeoutError, OSError) as error:
        await driver.stop()
        door.close()
        raise InfrastructureError(f"Chromium did not start: {str(error).splitlines()[0]}") from error


async def _started(driver: Playwright, path: Path, door: Door) -> _Running:
    file = door.wrapper(path)
    # Chromium's own sandbox wants an ordinary user, which the browser is inside in any case.
    chosen: list[bool] = [True, False] if door.own_network or os.geteuid() else [False]
    for walls in chosen:
        coming = asyncio.ensure_future(_through(door))
        try:
            browser = await driver.chromium.launch(
                executable_path=file,
                args=list(FLAGS),
                timeout=LAUNCH_MILLISECONDS,
                chromium_sandbox=walls,
                env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"},
            )
            line, handed = await coming
            watch = Watch(handed.process)
            running = _Running(driver, browser, door, line, watch)
            if handed.listener:
                await running.accept(handed.listener)
            watch.begin()
            return running
        except (PlaywrightError, TimeoutError, OSError) as error:
            if not coming.cancel() and not coming.exception():
                coming.result()[0].close()
            if walls is chosen[-1] or not isinstance(error, PlaywrightError):
                raise
    raise AssertionError("one of the ways was tried")


async def _through(door: Door) -> tuple[Line, Handed]:
    """The line to the browser that starts, which its driver waits for, and what was handed out besides."""
    handed = await door.handed()
    return Line(*handed.pipes), handed


async def _stop(running: _Running) -> None:
    if running.server:
        running.server.close()
    if running.watch:
        running.watch.stop()
    try:
        await asyncio.wait_for(running.browser.close(), 30)
    except (PlaywrightError, TimeoutError):
        pass  # it is dead already; the driver's end takes its processes with it
    finally:
        await running.driver.stop()
        if running.line:
            running.line.close()
        if running.door:
            await asyncio.to_thread(running.door.close)


_HOLDERS: WeakKeyDictionary[asyncio.AbstractEventLoop, Chromium] = WeakKeyDictionary()


def shared() -> Chromium:
    """The holder of this event loop; a browser belongs to the loop it was started in."""
    return _HOLDERS.setdefault(asyncio.get_running_loop(), Chromium())
