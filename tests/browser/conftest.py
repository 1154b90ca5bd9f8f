"""One Chromium for the tests of a process, and sessions on small sites of our own."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio

from envs.browser import chromium
from envs.browser.gateway import Site
from envs.browser.http1 import Request, Response
from envs.browser.options import Options
from envs.browser.session import BrowserSession
from envs.web_forms.environment import WebForms
from envs.web_sites import process
from envs.web_sites.environment import WebSites
from tests.browser.site_play import begin

# Loaded machines are slow: what a test waits for gets a minute and more, never a fixed pause.
PATIENT = Options(timeout=180.0, load_timeout=120.0)
Opener = Callable[..., Awaitable[BrowserSession]]
EpisodeOpener = Callable[..., Awaitable[WebSites]]


@pytest.fixture(scope="session")
def has_chromium() -> None:
    """Skip where no Chromium is installed."""
    if chromium.executable() is None:
        pytest.skip("no Chromium on this machine; install chromium-headless-shell")


@pytest_asyncio.fixture(scope="session")
async def shared_browser(has_chromium: None) -> AsyncIterator[chromium.Chromium]:
    holder = chromium.shared()
    yield holder
    await holder.close()


@pytest_asyncio.fixture
async def opener(shared_browser: chromium.Chromium) -> AsyncIterator[Opener]:
    """Opens sessions on sites given as a handler by host name, or as one page for the host `site.test`."""
    opened: list[BrowserSession] = []

    async def start(sites: dict[str, Site] | str, options: Options = PATIENT) -> BrowserSession:
        session = BrowserSession(page_site(sites) if isinstance(sites, str) else sites, options=options)
        opened.append(session)
        await session.open()
        return session

    yield start
    for session in opened:
        await session.close()


@pytest_asyncio.fixture
async def episode(shared_browser: chromium.Chromium) -> AsyncIterator[Callable[[str], Any]]:
    """Starts episodes on forms and closes them."""
    running: list[WebForms] = []

    async def begin(template: str) -> WebForms:
        world = WebForms()
        running.append(world)
        spec = {"template": template, "timeout": 180.0, "whole_page": True, "characters": 20_000}
        await world.reset(spec, 0)
        return world

    yield begin
    for world in running:
        await world.close()


@pytest_asyncio.fixture(scope="module")
async def browser(shared_browser: chromium.Chromium) -> AsyncIterator[None]:
    """A browser, and sites' processes that end with the module."""
    yield
    await process.shared().close()


@pytest_asyncio.fixture
async def opened(browser: None) -> AsyncIterator[EpisodeOpener]:
    """Starts episodes on the small content of sites and closes them."""
    running: list[WebSites] = []

    async def start(*names: str, **spec: Any) -> WebSites:
        world = await begin(*names, **spec)
        running.append(world)
        return world

    yield start
    for world in running:
        await world.close()


def page_site(page: str) -> dict[str, Site]:
    """A site whose root is the page, whose other paths say their name, and which takes forms."""

    async def answer(request: Request) -> Response:
        if request.method == "POST":
            return Response.html(f"<title>sent</title><p>sent {dict(request.form())}</p>")
        if request.path == "/":
            return Response.html(f"<!doctype html>{page}")
        return Response.html(f"<title>{request.path}</title><p>this is {request.path}</p>")

    return {"site.test": answer}
