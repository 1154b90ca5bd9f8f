"""A page is read when it says that it is ready; one that never is, is a fault at first and told the second time."""

import asyncio
from dataclasses import replace

import pytest

from envs.base import Action, InfrastructureError
from envs.browser.actions import from_text
from envs.browser.errors import PageFault
from envs.browser.gateway import Site
from envs.browser.http1 import Request, Response
from envs.browser.observe import observe
from envs.browser.perform import perform
from envs.web_forms.environment import WebForms
from tests.browser.conftest import PATIENT, Opener
from tests.browser.test_session import act, number

pytestmark = pytest.mark.browser
BUTTON = "<title>Desk</title><p id=said>before</p><button onclick='{}'>Go</button>"

PICTURE = """said.innerHTML = "<img>"; said.firstChild.onerror = () => said.textContent = "late";
  said.firstChild.src = "/picture" """
CHAIN = """const chain = n => n ? setTimeout(() => { said.dataset.n = n; chain(n - 1) })
  : said.textContent = "over"; chain(9)"""
FLAG = """const root = document.documentElement; root.dataset.heldoutReady = "false";
  setTimeout(() => { said.textContent = "flagged"; root.dataset.heldoutReady = "true" }, 600)"""
LATE = "<title>App</title><p id=said>loading</p><script>setTimeout(() => {app = 1; said.textContent = 'loaded'}, 600)"
MOVING = """<title>t</title><p id=p>x</p><script>
  (function f() { p.dataset.n = Math.random(); requestAnimationFrame(f) })()</script>"""


def slow(page: str, seconds: float = 0.7) -> dict[str, Site]:
    """A site whose root is the page at once, and whose other paths take their time."""

    async def answer(request: Request) -> Response:
        if request.path == "/":
            return Response.html(f"<!doctype html>{page}")
        await asyncio.sleep(seconds)
        return Response.html(f"<title>{request.path}</title><p>came from {request.path}</p>")

    return {"site.test": answer}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        # What was asked for, what follows from the answer, and what that asks for in its turn.
        ('fetch("/slow").then(r => r.text()).then(t => said.innerHTML = t)', "came from /slow"),
        ('fetch("/slow").then(() => fetch("/again")).then(() => said.textContent = "twice")', "twice"),
        ('fetch("/slow").then(() => location.assign("/next"))', "came from /next"),
        # An image and a script that a page puts in, and a chain of plans.
        (PICTURE, "late"),
        (CHAIN, "over"),
        (FLAG, "flagged"),
    ],
    ids=["request", "two requests", "request and page", "image", "plans", "flag"],
)
async def test_what_follows_from_an_action_is_there_when_the_page_is_read(
    opener: Opener, script: str, expected: str
) -> None:
    session = await opener(slow(BUTTON.format(script)))
    seen = await act(session, "goto [http://site.test/]")
    assert expected in await act(session, f"click [{number(seen, 'Go')}]")


async def test_an_owners_condition_is_waited_for(opener: Opener) -> None:
    session = await opener(slow(f"{LATE}</script>"), replace(PATIENT, ready=("window.app === 1",)))
    assert "'loaded'" in await act(session, "goto [http://site.test/]")


async def test_a_dialog_that_a_page_opens_by_itself_is_there_when_the_page_is_read(opener: Opener) -> None:
    session = await opener(slow("<title>t</title><script>setTimeout(() => confirm('Really?'))</script>"))
    for _ in range(3):
        assert "A dialog is open (confirm): 'Really?'" in await act(session, "goto [http://site.test/]")
        await act(session, "dialog [dismiss]")


async def test_a_window_that_opens_slowly_is_there_when_the_page_is_read(opener: Opener) -> None:
    session = await opener(slow(BUTTON.format('window.open("/wide"); said.textContent = "opened"')))
    seen = await act(session, "goto [http://site.test/]")
    seen = await act(session, f"click [{number(seen, 'Go')}]")
    assert "Tab 0 (current): Desk | Tab 1: /wide" in seen


async def test_a_page_that_never_stops_moving_is_as_ready_as_it_gets(opener: Opener) -> None:
    session = await opener(slow(MOVING))
    assert "StaticText 'x'" in await act(session, "goto [http://site.test/]")


async def test_a_page_that_asks_without_end_is_as_ready_as_it_gets(opener: Opener) -> None:
    asking = "<title>t</title><p>x</p><script>setInterval(() => fetch('/'), 120)</script>"
    session = await opener(slow(asking))
    assert "StaticText 'x'" in await act(session, "goto [http://site.test/]")


async def test_what_a_page_asks_for_on_leaving_is_not_waited_for(opener: Opener) -> None:
    page = """<title>Desk</title><a href="/next">Next</a><script>
      addEventListener("click", () => fetch("/never", {method: "POST"}))</script>"""
    asked = asyncio.Event()

    async def answer(request: Request) -> Response:
        if request.path == "/never":
            asked.set()
            await asyncio.Event().wait()
        return Response.html(page if request.path == "/" else "<title>Next</title><p>here</p>")

    session = await opener({"site.test": answer}, replace(PATIENT, load_timeout=30.0))
    seen = await act(session, "goto [http://site.test/]")
    await act(session, f"click [{number(seen, 'Next')}]")
    await asyncio.wait_for(asked.wait(), 60)
    assert "here" in (await observe(session)).text


async def test_an_answer_that_never_ends_is_a_fault_once_and_then_not_waited_for(opener: Opener) -> None:
    session = await opener(slow(BUTTON.format('fetch("/poll")'), seconds=600), replace(PATIENT, load_timeout=4.0))
    seen = await act(session, "goto [http://site.test/]")
    go = number(seen, "Go")
    with pytest.raises(PageFault, match="was not ready"):
        await perform(session, from_text(f"click [{go}]"))
    assert "The page is still loading." in (await observe(session)).text
    assert "still loading" not in await act(session, f"click [{go}]")
    known = await opener(
        slow(BUTTON.format('fetch("/poll")'), seconds=600),
        replace(PATIENT, load_timeout=30.0, endless=frozenset({"/poll"})),
    )
    seen = await act(known, "goto [http://site.test/]")
    assert "still loading" not in await act(known, f"click [{number(seen, 'Go')}]")


async def test_a_page_that_is_never_ready_is_replayed_once_and_then_told(has_chromium: None) -> None:
    never = "document.documentElement.dataset.heldoutReady = `false`; said.textContent = `after`"
    for again in (False, True):
        world = WebForms()
        try:
            seen = await world.reset({"template": BUTTON.format(never), "timeout": 10.0, "whole_page": True}, 0)
            click = Action(text=f"click [{number(seen.text, 'Go')}]")
            if again:
                result = await world.step(click)
                assert result.error == "the page was not ready"
                assert "The page is still loading." in result.observation.text
                assert "'after'" in result.observation.text
            else:
                with pytest.raises(InfrastructureError):
                    await world.step(click)
        finally:
            await world.close()
