"""The browser's network holds its sessions' gateways and nothing else, whatever its own rules say."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio
from playwright.async_api import Error as PlaywrightError

from envs.base import InfrastructureError
from envs.browser import chromium, confine, doctor
from envs.browser.actions import from_text
from envs.browser.observe import observe
from envs.browser.perform import perform
from envs.browser.session import BrowserSession
from tests.browser.conftest import PATIENT, Opener, page_site

pytestmark = pytest.mark.browser


@pytest.fixture
def own_network(has_chromium: None) -> None:
    """Skip where the machine cannot give the browser a network of its own."""
    if found := confine.obstacle():
        pytest.skip(f"no network of its own here: {found}")


def browsers() -> list[psutil.Process]:
    """The browser's living processes among this test's children, in whatever namespace."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if process.name().startswith("chrom") and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


class Canary:
    """A server on this machine's loopback interface that notes who comes."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.port = 0
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> "Canary":
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server
        self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heard.append(await reader.read(1000))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhome")
        await writer.drain()
        writer.close()


async def visit(holder: chromium.Chromium, address: str) -> str:
    """What a context sees that was given no proxy: as if every rule of ours had failed."""
    browser = holder.process()
    assert browser is not None
    context = await browser.new_context()
    try:
        page = await context.new_page()
        await page.goto(address, timeout=120_000)
        return str(await page.content())
    except PlaywrightError as error:
        return f"refused: {error.message.splitlines()[0]}"
    finally:
        await context.close()


@pytest_asyncio.fixture
async def holder(has_chromium: None) -> AsyncIterator[Any]:
    """Makes browsers of a test's own and stops them."""
    made: list[chromium.Chromium] = []

    async def make(confined: bool) -> chromium.Chromium:
        one = chromium.Chromium(confined)
        made.append(one)
        session = BrowserSession(page_site("<title>home</title>"), options=PATIENT, browser=one)
        await session.open()
        await perform(session, from_text("goto [site.test]"))
        assert "Tab 0 (current): home" in (await observe(session)).text
        return one

    yield make
    for one in made:
        await one.close()


@pytest.fixture
def secret() -> Iterator[str]:
    """The address of a file that everybody on this machine may read."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder) / "secret.txt"
        file.write_text("canary in a file")
        yield file.as_uri()


async def test_without_its_proxy_the_browser_reaches_nothing_on_this_machine(
    own_network: None, holder: Any, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELDOUT_CANARY", "canary in the environment")
    confined = await holder(True)
    for address in (secret, "file:///etc/passwd", "file:///etc/hostname"):
        assert (await visit(confined, address)).startswith("refused")
    for process in ("self", "1"):
        assert "canary" not in await visit(confined, f"file:///proc/{process}/environ")
    async with Canary() as canary:
        for address in (f"http://127.0.0.1:{canary.port}/", f"http://localhost:{canary.port}/"):
            assert (await visit(confined, address)).startswith("refused")
        assert canary.heard == []


async def test_without_a_network_of_its_own_it_would(holder: Any, secret: str) -> None:
    shared = await holder(False)
    assert "canary in a file" in await visit(shared, secret)
    async with Canary() as canary:
        assert "home" in await visit(shared, f"http://127.0.0.1:{canary.port}/")
        assert len(canary.heard) == 1


async def test_every_process_of_the_browser_sees_one_interface_and_no_route(
    own_network: None, shared_browser: chromium.Chromium, opener: Opener
) -> None:
    session = await opener("<title>home</title>")
    await perform(session, from_text("goto [site.test]"))
    mine, looked_at = Path("/proc/self/ns/net").readlink(), 0
    for process in browsers():
        place = Path("/proc") / str(process.pid)
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, psutil.NoSuchProcess):
            assert (place / "ns/net").readlink() != mine
            lines = (place / "net/dev").read_text().splitlines()[2:]
            assert {line.split(":")[0].strip() for line in lines} <= {"lo"}
            assert (place / "net/route").read_text().count("\n") <= 1
            assert process.uids().effective != 0
            looked_at += 1
    assert looked_at >= 3


async def test_where_there_must_be_one_and_cannot_there_is_no_browser(
    has_chromium: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confine, "obstacle", lambda: "bubblewrap is not installed")
    monkeypatch.setenv(chromium.NETWORK, "own")
    session = BrowserSession(page_site(""), browser=chromium.Chromium())
    with pytest.raises(InfrastructureError, match="must have a network of its own"):
        await session.open()
    assert any(line.startswith("  off:") for line in doctor.report())
    monkeypatch.setenv(chromium.NETWORK, "")
    assert any("weaker: only the proxy" in line and "not installed" in line for line in doctor.report())
