"""What frames of a page may try: they come and go while it is read, and ask without end. No other session is hurt."""

from dataclasses import replace

import pytest

from envs.browser import snapshot
from envs.browser.actions import from_text
from envs.browser.http1 import Request, Response
from envs.browser.line import ProtocolError, Session
from envs.browser.observe import observe
from envs.browser.perform import perform
from tests.browser.conftest import PATIENT, Opener
from tests.browser.test_attacks import eventually

pytestmark = pytest.mark.browser
FRAME = "<title>t</title><p>outside</p><iframe srcdoc='<p>inside</p>{}'></iframe>"


async def test_a_frame_that_goes_while_the_page_is_read_is_left_out(
    opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await opener(FRAME.format(""))
    await perform(session, from_text("goto [site.test]"))
    assert "inside" in (await observe(session)).text
    ask = Session.ask

    async def taken_out_first(protocol: Session, method: str, parameters: dict[str, object], kind: type) -> object:
        if "frameId" in parameters:
            await session.page.evaluate("() => document.querySelector('iframe')?.remove()")
        return await ask(protocol, method, parameters, kind)

    monkeypatch.setattr(Session, "ask", taken_out_first)
    seen = (await observe(session)).text
    assert "outside" in seen
    assert "inside" not in seen
    with pytest.raises(ProtocolError, match=snapshot.GONE):
        await session.tab.cdp.send("Accessibility.getFullAXTree", {"frameId": "0" * 32})


@pytest.mark.parametrize("most", [2, 20])
async def test_dialogs_of_a_frame_end_and_no_other_session_is_hurt(opener: Opener, most: int) -> None:
    calm = await opener("<title>calm</title><button>wait</button>")
    await perform(calm, from_text("goto [site.test]"))
    # The second session ends with a dialog open, the first with too many of them.
    session = await opener(FRAME.format("<script>for (;;) confirm(1)</script>"), replace(PATIENT, dialogs=most))
    await perform(session, from_text("goto [site.test]"))
    for _ in range(3):
        await eventually(lambda: session.dialog or not session.tabs or "more than" in str(session.notes), "a dialog")
        if session.dialog:
            await perform(session, from_text("dialog [dismiss]"))
    if most == 2:
        await eventually(lambda: "more than 2 dialogs" in str(session.notes), "the end of the dialogs")
        assert "Address: about:blank" in (await observe(session)).text
    await session.close()
    assert calm.alive()
    await perform(calm, from_text("noop"))
    assert "button 'wait'" in (await observe(calm)).text
    another = await opener("<title>next</title>")
    await perform(another, from_text("goto [site.test]"))
    assert "next" in (await observe(another)).text


FLOODS = {
    "from a timer": "<script>setInterval(() => open('/w'), 1)</script>",
    "from a page that hangs": "<script>for (;;) open('/w')</script>",
    "closed again": "<script>setInterval(() => open('/w').close(), 1)</script>",
    "empty ones": "<script>function f() { open('about:blank').eval(f + '; f()') } f()</script>",
}


@pytest.mark.parametrize("page", FLOODS.values(), ids=FLOODS.keys())
async def test_windows_without_end_are_closed_and_the_session_goes_on(opener: Opener, page: str) -> None:
    async def answer(request: Request) -> Response:
        if request.path == "/calm":
            return Response(200, b"<title>calm</title>", {"Content-Type": "text/html"}, ("who=me; Path=/",))
        return Response.html(page if request.path == "/" else f"<p>{request.headers.get('cookie')}</p>")

    session = await opener({"site.test": answer})
    await perform(session, from_text("goto [site.test/calm]"))
    await perform(session, from_text("goto [site.test]"))
    seen = await observe(session)
    assert "Address: about:blank\nThe page opened more than 20 windows; every tab was closed.\n\n" in seen.text
    assert len(session.tabs) == 1
    # Nothing of it is left, and the cookies are.
    await perform(session, from_text("goto [site.test/said]"))
    assert "StaticText 'who=me'" in (await observe(session)).text
    assert len(session.tabs) == 1


async def test_windows_that_ask_before_they_are_tabs_are_answered_like_others(opener: Opener) -> None:
    async def answer(request: Request) -> Response:
        again = "<script>setInterval(() => open('/asks'), 20)</script>"
        return Response.html(again if request.path == "/" else "<script>alert(7)</script>")

    session = await opener({"site.test": answer})
    await perform(session, from_text("goto [site.test]"))
    seen = (await observe(session)).text
    assert "A dialog is open (alert): '7'" in seen or "every tab was closed" in seen
