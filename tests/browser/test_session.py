"""A browser session: actions, observations, and what happens besides."""

import asyncio
import base64
import io
import re
from dataclasses import replace

import pytest
from PIL import Image

from envs.browser.actions import from_text
from envs.browser.errors import ActionFailed
from envs.browser.http1 import Request, Response
from envs.browser.observe import observe
from envs.browser.perform import perform
from envs.browser.session import BrowserSession
from tests.browser.conftest import PATIENT, Opener

pytestmark = pytest.mark.browser

PAGE = """<title>Desk</title><style>body{margin:8px}</style>
<label for=n>Name</label> <input id=n name=n value=old> <input type=checkbox aria-label=Agree checked>
<select aria-label=Size><option value=s>Small<option value=l selected>Large</select>
<iframe title=inner srcdoc="<button onclick='parent.document.title=&quot;inside&quot;'>In</button>"></iframe>
<a href=/two>Two</a> <a href=/three target=_blank>Elsewhere</a>
<button onclick="said.textContent=prompt('Who?','me')">Ask</button>
<form method=post action=/send><input name=q aria-label=Query> <button>Send</button></form><p id=said>nothing</p>
<input type=file aria-label=File onchange="said.textContent=this.files[0].name+this.files[0].size">
<div style="height:3000px"></div><p>The very end</p>"""


def number(text: str, label: str) -> int:
    """The id on the line that holds the label."""
    found = re.search(rf"\[(\d+)\] \w+ '{label}'", text)
    assert found, f"no {label} in:\n{text}"
    return int(found[1])


async def act(session: BrowserSession, text: str) -> str:
    """Do it and look."""
    await perform(session, from_text(text))
    return (await observe(session)).text


async def until(session: BrowserSession, words: str) -> str:
    """Look until `words` are seen: a page that is navigated to on a busy machine takes its time."""
    for _ in range(600):
        seen = (await observe(session)).text
        if words in seen:
            return seen
        await asyncio.sleep(0.1)
    raise AssertionError(f"{words!r} was not seen within a minute: {seen}")


async def test_a_page_is_seen_and_used_by_its_ids(opener: Opener) -> None:
    session = await opener(PAGE)
    seen = await act(session, "goto [http://site.test/]")
    assert seen.startswith("Tab 0 (current): Desk\nAddress: http://site.test/\nScrolled to 0 of ")
    assert "checkbox 'Agree' checked: true" in seen
    assert "value: 'Large'" in seen
    assert "options: ['Small', 'Large']" in seen
    assert "The very end" not in seen
    seen = await act(session, f"fill [{number(seen, 'Name')}] [Ada]")
    assert "textbox 'Name' value: 'Ada'" in seen
    seen = await act(session, f"type [{number(seen, 'Name')}] [ L] [0]")
    assert "value: 'Ada L'" in seen
    seen = await act(session, f"select_option [{number(seen, 'Size')}] [Small]")
    assert "value: 'Small'" in seen
    await act(session, f"click [{number(seen, 'In')}]")
    seen = await until(session, "Tab 0 (current): inside")
    await act(session, f"type [{number(seen, 'Query')}] [a&b] [1]")
    await until(session, "sent {'q': 'a&b'}")
    await act(session, "go_back")
    await until(session, "button 'Send'")


async def test_tabs_open_and_close(opener: Opener) -> None:
    session = await opener(PAGE)
    seen = await act(session, "goto [site.test]")
    seen = await act(session, f"click [{number(seen, 'Elsewhere')}]")
    assert "Tab 0 (current): Desk | Tab 1: /three" in seen
    assert "Tab 1 was opened." in seen
    seen = await act(session, "tab_focus [1]")
    assert "this is /three" in seen
    seen = await act(session, "tab_close")
    assert seen.startswith("Tab 0 (current): Desk\n")
    with pytest.raises(ActionFailed, match="there is no tab 5"):
        await act(session, "tab_focus [5]")
    for _ in range(PATIENT.tabs - 1):
        await act(session, "new_tab")
    with pytest.raises(ActionFailed, match="at most 8 tabs"):
        await act(session, "new_tab")


async def test_a_dialog_is_shown_and_answered(opener: Opener) -> None:
    session = await opener(PAGE)
    seen = await act(session, "goto [site.test]")
    ask = number(seen, "Ask")
    seen = await act(session, f"click [{ask}]")
    assert seen.startswith("A dialog is open (prompt): 'Who?'")
    with pytest.raises(ActionFailed, match="answer it with"):
        await act(session, f"click [{ask}]")
    assert "'Grace'" in await act(session, "dialog [accept] [Grace]")
    with pytest.raises(ActionFailed, match="no dialog is open"):
        await act(session, "dialog [accept]")


async def test_the_rest_of_the_page_is_a_scroll_or_a_word_away(opener: Opener) -> None:
    session = await opener(PAGE)
    await act(session, "goto [site.test]")
    whole = await observe(session, whole=True)
    assert "The very end" in whole.text
    for _ in range(5):
        seen = await act(session, "scroll [down]")
    assert "The very end" in seen
    assert "textbox 'Name'" not in seen
    html = await observe(session, "html", whole=True, limit=600)
    assert '<INPUT id="n" name="n" value="old"' in html.text
    assert re.search(r"\[cut: \d+ of \d+ lines are not shown\]$", html.text)
    assert html.data["cut"] != 0


async def test_screenshots_are_pictures_of_the_viewport_with_marks_on_demand(opener: Opener) -> None:
    session = await opener(PAGE)
    await act(session, "goto [site.test]")
    sizes, pictures = [], []
    for whole, marked in ((False, False), (False, True), (True, False)):
        picture = base64.b64decode((await observe(session, "screenshot", whole, marked)).images["screenshot"])
        pictures.append(picture)
        sizes.append(Image.open(io.BytesIO(picture)).size)
    assert sizes[0] == sizes[1] == (1280, 720)
    assert sizes[2][1] > 3000
    assert pictures[0] != pictures[1]


async def test_a_file_of_the_session_is_uploaded(opener: Opener) -> None:
    session = await opener(PAGE, replace(PATIENT, files={"cat.txt": b"meow"}))
    seen = await act(session, "goto [site.test]")
    field = number(seen, "File")
    assert "cat.txt4" in await act(session, f"upload [{field}] [cat.txt]")
    with pytest.raises(ActionFailed, match=r"the session's files are: cat\.txt"):
        await act(session, f"upload [{field}] [/etc/passwd]")


async def test_actions_that_cannot_be_done_tell_why(opener: Opener) -> None:
    session = await opener("<title>t</title><p hidden id=h>x</p><button>B</button>")
    seen = await act(session, "goto [site.test]")
    for text, told in [
        ("click [999]", "there is no element \\[999\\]"),
        (f"select_option [{number(seen, 'B')}] [x]", "is not a list of options"),
        (f"clear [{number(seen, 'B')}]", "is not a field that takes text"),
        ("press [Hyper]", "there is no key 'Hyper'"),
        ("mouse_click [5000] [1]", "outside the viewport"),
        ("modify_text('q', 'a')", 'there is no field named "q"'),
        ("wait_for_element('q')", "there is no field named 'q'"),
    ]:
        with pytest.raises(ActionFailed, match=told):
            await act(session, text)


async def test_numbers_of_elements_are_the_same_in_a_replay(opener: Opener) -> None:
    texts = []
    for _ in range(2):
        session = await opener(PAGE)
        seen = await act(session, "goto [site.test]")
        seen += await act(session, f"click [{number(seen, 'Elsewhere')}]")
        seen += await act(session, "tab_focus [1]")
        texts.append(seen + await act(session, "tab_focus [0]"))
    assert texts[0] == texts[1]


async def test_the_clock_stands_still_and_is_told_by_us(opener: Opener) -> None:
    session = await opener("<title>t</title><p id=p></p><script>p.textContent=new Date().toISOString()</script>")
    assert "2026-01-15T12:00:00.000Z" in await act(session, "goto [site.test]")


async def test_https_addresses_of_the_sessions_sites_are_answered(opener: Opener) -> None:
    async def site(request: Request) -> Response:
        return Response.html(f"<title>t</title><p>safe {request.host}</p>")

    session = await opener({"shop.test": site})
    assert "safe shop.test" in await act(session, "goto [https://shop.test/]")


async def test_things_are_dragged(opener: Opener) -> None:
    page = """<title>t</title><div id=a draggable=true role=button aria-label=Card style="width:90px;height:40px"
      ondragstart="event.dataTransfer.setData('text','card')">Card</div>
      <div role=button aria-label=Box style="width:200px;height:90px;margin-top:99px"
      ondragover="event.preventDefault()"
      ondrop="event.preventDefault();document.title='dropped '+event.dataTransfer.getData('text')">Box</div>"""
    session = await opener(page)
    seen = await act(session, "goto [site.test]")
    assert "dropped card" in await act(session, f"drag [{number(seen, 'Card')}] [{number(seen, 'Box')}]")


async def test_the_answer_of_a_form_is_waited_for_when_its_plan_is_over(opener: Opener) -> None:
    async def site(request: Request) -> Response:
        if request.method == "POST":
            # A slow site: the browser tells that the plan is carried out long before it has answered.
            await asyncio.sleep(1)
            return Response.html("<title>Kept</title><p>It was kept.</p>")
        return Response.html("<title>Form</title><form method=post><button>Keep</button></form>")

    session = await opener({"site.test": site})
    text = await act(session, "goto [http://site.test/]")
    text = await act(session, f"click [{number(text, 'Keep')}]")
    assert "It was kept." in text


async def test_a_page_that_will_be_loaded_again_in_minutes_is_not_waited_for(opener: Opener) -> None:
    session = await opener("<title>News</title><meta http-equiv=refresh content=300><p>all quiet</p>")
    text = await act(session, "goto [http://site.test/]")
    assert "all quiet" in text
    assert "still loading" not in text
    assert session.tab.loading == set()


async def test_submit_sends_the_form_whose_field_was_modified_last(opener: Opener) -> None:
    form = "<form method=post action=/send><input name={0} value=old><button>Send</button></form>"
    session = await opener(form.format("first") + form.format("second"))
    await act(session, "goto [http://site.test/]")
    await act(session, 'modify_text("second", "new")')
    assert "sent {'second': 'new'}" in await act(session, "submit")
    # On a fresh page nothing has been filled in, and the first form is meant, as published.
    await act(session, "goto [http://site.test/]")
    assert "sent {'first': 'old'}" in await act(session, "submit")


async def test_lines_of_the_second_action_set_do_what_they_say(opener: Opener) -> None:
    session = await opener(PAGE)
    seen = await act(session, 'page.goto("http://site.test/")')
    assert "value: 'Ada'" in await act(session, 'page.get_by_label("Name").fill("Ada")')
    assert "value: 'Ada L'" in await act(session, 'page.get_by_label("Name").type(" L")')
    assert "value: 'Small'" in await act(session, 'page.get_by_label("Size").select_option("Small")')
    assert "checked: false" in await act(session, 'page.get_by_label("Agree").uncheck()')
    assert "checked: true" in await act(session, 'page.get_by_label("Agree").check()')
    seen = await act(session, 'page.frame_locator("iframe").get_by_role("button", name="In").click()')
    assert "Tab 0 (current): inside" in seen
    for line, why in (
        ('page.get_by_role("button", name="Nowhere").click()', "no element matches"),
        ('page.locator("input").click()', "elements match"),
        ('page.get_by_label("Name").select_option("x")', "is not a list of options"),
        ('page.get_by_role("no role").click()', "Error while parsing selector"),
        ('page.frame_locator("iframe").click()', "no action|names a frame"),
    ):
        with pytest.raises(ActionFailed, match=why):
            await act(session, line)
    await act(session, 'page.get_by_label("Query").fill("tea")')
    assert "sent {'q': 'tea'}" in await act(session, 'page.get_by_label("Query").press("Enter")')


HOVERED = """<title>{}</title>
<style>a{{display:block;height:300px}} p{{display:none}} a:hover + p{{display:block}}</style>
<a href=/{}>Go</a><p>The menu</p><script>
seen = []; for (const kind of ["mouseover", "mousemove"]) addEventListener(kind, (e) => seen.push(e.clientX), true)
</script>"""


async def test_the_pointer_rests_on_no_page_that_it_was_not_moved_over(opener: Opener) -> None:
    async def site(request: Request) -> Response:
        return Response.html(HOVERED.format(request.path, "two" if request.path == "/" else ""))

    session = await opener({"site.test": site})
    seen = await act(session, "goto [http://site.test/]")
    for _ in range(2):
        seen = await act(session, f"click [{number(seen, 'Go')}]")
        assert "The menu" not in seen
        assert await session.tab.evaluate("seen.filter((x) => x > 0)") == []
    await act(session, f"hover [{number(seen, 'Go')}]")
    assert "The menu" in (await observe(session)).text


async def test_playwright_hears_of_no_request_but_while_it_goes_through_history(opener: Opener) -> None:
    session = await opener(PAGE)
    heard: list[str] = []
    session.page.on("request", lambda request: heard.append(request.url))
    await act(session, "goto [http://site.test/]")
    await act(session, "goto [http://site.test/two]")
    assert heard == []
    await act(session, "go_back")
    await act(session, "goto [http://site.test/two]")
    assert heard == ["http://site.test/"]
