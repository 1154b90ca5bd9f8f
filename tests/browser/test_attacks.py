"""What a participant or a page may try against the machine, other sessions and the grader: refused or contained."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from unittest import mock

import psutil
import pytest
from playwright.async_api import Download

from envs.base import InfrastructureError
from envs.browser.actions import from_text
from envs.browser.errors import ActionFailed, PageFault
from envs.browser.gateway import Limits
from envs.browser.http1 import Request, Response
from envs.browser.observe import observe
from envs.browser.perform import perform
from envs.browser.session import BrowserSession
from tests.browser.conftest import PATIENT, Opener, page_site

pytestmark = pytest.mark.browser
LONG = 180.0


async def eventually(holds: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    deadline = asyncio.get_running_loop().time() + LONG
    while not holds():
        assert asyncio.get_running_loop().time() < deadline, f"never seen: {what}"
        await asyncio.sleep(0.05)


async def titled(session: BrowserSession, start: str) -> str:
    """The page's title once a script has set it to something that begins so."""
    await session.page.wait_for_function("start => document.title.startsWith(start)", arg=start, timeout=LONG * 1000)
    return await session.page.title()


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "FILE:///proc/self/environ",
        "view-source:file:///etc/passwd",
        "view-source:http://site.test/",
        "data:text/html,<script>1</script>",
        "javascript:document.title='x'",
        "javascript://site.test/%0adocument.title='x'",
        "ftp://site.test/",
        "chrome://version",
        "chrome:crash",
        "devtools://devtools/bundled/inspector.html",
        "http://169.254.169.254/latest/meta-data",
        "http://127.0.0.1:8000/",
        "http://localhost/",
        "http://site.test@evil.example/",
        "http://site.test:22/",
        "https://example.com",
        "http://[::1]/",
    ],
)
async def test_addresses_outside_the_session_are_refused(opener: Opener, address: str) -> None:
    session = await opener("<title>home</title>")
    await perform(session, from_text("goto [site.test]"))
    with pytest.raises(ActionFailed, match=r"refused|not a site of this session"):
        await perform(session, from_text(f"goto [{address}]"))
    assert session.page.url == "http://site.test/"


async def test_a_pages_own_requests_reach_nothing_but_the_sessions_sites(opener: Opener) -> None:
    reached: list[bytes] = []

    async def canary(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.append(await reader.read(100))
        writer.close()

    server = await asyncio.start_server(canary, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    tries = ["http://evil.example/", "https://evil.example/", f"http://127.0.0.1:{port}/", f"http://localhost:{port}/"]
    tries += ["http://other.test/", "file:///etc/passwd"]
    page = f"""<title>t</title><script>
      const one = u => fetch(u, {{mode: 'no-cors'}}).then(r => r.text())
        .then(t => u + ' got ' + t, () => u + ' failed');
      const socket = new Promise(done => {{ const s = new WebSocket('ws://127.0.0.1:{port}/');
        s.onopen = () => done('socket got'); s.onerror = () => done('socket failed') }});
      Promise.all([...{tries}.map(one), socket]).then(all => document.title = 'done ' + all.join('; '))</script>"""
    session = await opener(page)
    await opener({"other.test": page_site("<p>secret</p>")["site.test"]})
    await perform(session, from_text("goto [site.test]"))
    title = await titled(session, "done")
    assert "secret" not in title
    assert "root:" not in title
    assert title.count(" failed") + title.count(" got") == len(tries) + 1
    assert reached == []
    assert {exchange.host for exchange in session.gateway.refusals()} >= {"evil.example", "other.test"}
    server.close()


async def test_a_page_cannot_go_to_files_by_itself(opener: Opener) -> None:
    page = """<title>t</title><script>try { open('file:///etc/passwd') } catch (e) {}
      try { location = 'file:///etc/passwd' } catch (e) {}
      setTimeout(() => document.title = 'still here')</script><p>mine</p>
      <iframe src="file:///etc/passwd"></iframe>"""
    session = await opener(page)
    await perform(session, from_text("goto [site.test]"))
    await titled(session, "still here")
    seen = (await observe(session, whole=True)).text
    assert "mine" in seen
    assert "root:" not in seen
    assert all(not tab.page.url.startswith("file:") for tab in session.tabs)


async def test_cookies_and_storage_of_one_session_are_unknown_to_another(opener: Opener) -> None:
    page = "<title>t</title><script>document.title='had '+document.cookie+localStorage.s;"
    page += "document.cookie='a=1';localStorage.s='kept'</script>"
    first, second = await opener(page), await opener(page)
    for session in (first, second):
        await perform(session, from_text("goto [site.test]"))
        assert await titled(session, "had") == "had undefined"


async def test_no_service_worker_stays_behind(opener: Opener) -> None:
    page = """<title>t</title><script>const s = navigator.serviceWorker;
      (s ? s.register('/w.js').then(() => s.getRegistrations()).then(l => l.length) : Promise.resolve('none'))
      .then(n => document.title = 'workers ' + n, () => document.title = 'workers refused')</script>"""

    async def site(request: Request) -> Response:
        if request.path == "/w.js":
            return Response(
                200, b"onfetch = e => e.respondWith(new Response('mine'))", {"Content-Type": "text/javascript"}
            )
        return Response.html(page)

    # Workers need a secure context: a name below localhost is one, and its certificate is not asked for.
    session = await opener({"site.localhost": site})
    await perform(session, from_text("goto [http://site.localhost/]"))
    assert await titled(session, "workers") in ("workers 0", "workers refused")
    await perform(session, from_text("goto [http://site.localhost/again]"))
    await titled(session, "workers")
    assert "mine" not in (await observe(session)).text


async def test_a_loop_of_dialogs_ends(opener: Opener) -> None:
    session = await opener("<title>t</title><script>while (true) alert('again')</script>", replace(PATIENT, dialogs=3))
    await perform(session, from_text("goto [site.test]"))
    for _ in range(3):
        await eventually(lambda: session.dialog or "more than" in str(session.notes), "a dialog")
        with contextlib.suppress(ActionFailed):
            if session.dialog:
                await perform(session, from_text("dialog [accept]"))
    await eventually(lambda: "more than 3 dialogs" in str(session.notes), "the end of the dialogs")
    assert "Address: about:blank" in (await observe(session)).text


async def test_a_download_heard_of_before_its_dialog_is_told_after_it(opener: Opener) -> None:
    session = await opener("<title>t</title><script>setTimeout(() => confirm('Really?'))</script>")
    await perform(session, from_text("goto [site.test]"))
    # After a pause of the machine the one is heard of before the other; usually it is the other way round.
    session._download_offered(mock.Mock(suggested_filename="bomb.exe"))
    assert "bomb.exe" not in (await observe(session)).text
    await perform(session, from_text("dialog [dismiss]"))
    assert "bomb.exe" in (await observe(session)).text
    assert "bomb.exe" not in (await observe(session)).text


async def test_a_hundred_megabytes_are_cut_at_the_gateway(opener: Opener) -> None:
    async def site(request: Request) -> Response:
        del request
        return Response(200, b"x" * 100_000_000, {"Content-Type": "text/html"})

    session = await opener({"site.test": site})
    await perform(session, from_text("goto [site.test]"))
    await eventually(lambda: [exchange.status for exchange in session.gateway.refusals()] == [413], "the refusal")
    await session.page.wait_for_function("() => document.title === 'Too large'", timeout=LONG * 1000)
    assert "larger than 25000000 bytes" in (await observe(session)).text


async def test_the_sessions_budget_of_requests_is_held(opener: Opener) -> None:
    session = await opener("<title>home</title>", replace(PATIENT, limits=Limits(requests=4)))
    for _ in range(6):
        await perform(session, from_text("goto [site.test]"))
    await eventually(lambda: session.gateway.refusals(), "a refusal")
    assert "budget" in session.gateway.refusals()[0].refused


async def test_ten_thousand_nodes_are_shown_in_part(opener: Opener) -> None:
    # Each button is three nodes of the tree.
    page = "<title>t</title>" + "".join(f"<button>B{number}</button>" for number in range(3_400))
    session = await opener(page)
    await perform(session, from_text("goto [site.test]"))
    seen = await observe(session, whole=True, limit=5000)
    assert len(seen.text) < 5200
    assert "lines are not shown]" in seen.text


async def test_a_download_is_told_and_refused(opener: Opener) -> None:
    async def site(request: Request) -> Response:
        if request.path == "/":
            return Response.html("<title>t</title><a href=/bomb>get</a>")
        headers = {"Content-Type": "application/zip", "Content-Disposition": "attachment; filename=bomb.zip"}
        return Response(200, b"0" * 20_000_000, headers)

    session = await opener({"site.test": site})
    await perform(session, from_text("goto [site.test]"))
    offered: list[Download] = []
    session.page.on("download", lambda download: offered.append(download))
    await session.page.evaluate("() => document.querySelector('a').click()")
    await eventually(lambda: "bomb.zip" in str(session.notes_now()), "the download")
    assert await offered[0].failure(), "it was kept"
    assert "download was offered and refused: bomb.zip" in (await observe(session)).text


async def test_a_page_that_hangs_is_closed_and_told(opener: Opener) -> None:
    session = await opener("<title>t</title><button onclick='for(;;);'>Hang</button>")
    await perform(session, from_text("goto [site.test]"))
    session.options = replace(session.options, timeout=10.0)
    await session.page.evaluate("() => setTimeout(() => { for (;;); }, 0)")
    with pytest.raises(PageFault, match="did not answer"):
        await session.run(session.page.evaluate("() => 1"))
    session.options = replace(session.options, timeout=LONG)
    assert "did not answer and was closed" in (await observe(session)).text


async def test_a_crashed_page_is_a_fault_of_ours_and_the_next_session_works(opener: Opener) -> None:
    session = await opener("<title>home</title>")
    await perform(session, from_text("goto [site.test]"))
    crash = asyncio.ensure_future(session.page.goto("chrome://crash"))
    await eventually(lambda: session.crashed, "the crash")
    with pytest.raises(InfrastructureError):
        await observe(session)
    crash.cancel()
    await asyncio.gather(crash, return_exceptions=True)
    again = await opener("<title>home</title>")
    await perform(again, from_text("goto [site.test]"))
    assert "Tab 0 (current): home" in (await observe(again)).text


@pytest.mark.parametrize("program", ["chrom", "playwright"])
async def test_a_killed_browser_or_driver_is_a_fault_of_ours_and_is_replaced(opener: Opener, program: str) -> None:
    session = await opener("<title>home</title>")
    await perform(session, from_text("goto [site.test]"))
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if program in "".join(process.cmdline()[:1]):  # a zombie has no command line
                process.kill()
    await eventually(lambda: not session.alive(), "the end of the browser")
    with pytest.raises(InfrastructureError):
        await observe(session)
    again = await opener("<title>home</title>")
    await perform(again, from_text("goto [site.test]"))
    assert "Tab 0 (current): home" in (await observe(again)).text
