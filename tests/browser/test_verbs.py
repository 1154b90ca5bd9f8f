"""Every verb does what its tool says, on one page."""

import pytest

from envs.base import Action, ToolCall
from envs.browser.actions import from_text, parse
from envs.browser.observe import observe
from envs.browser.perform import perform
from envs.browser.session import BrowserSession
from tests.browser.conftest import Opener
from tests.browser.test_session import number

pytestmark = pytest.mark.browser
PAGE = """<title>Verbs</title><style>body{margin:0} #pad{width:400px;height:200px;background:#eee}</style>
<div id=pad role=button aria-label=Pad onclick="say('clicked',event)" onmousemove="over.textContent='over'"
 onmousedown="say('down',event)" onmouseup="say('up',event)"></div>
<p id=over>-</p><p id=said>-</p><input id=a name=a aria-label=Word onkeydown="keys.textContent+=event.key+' '">
<p id=keys></p><textarea name=b aria-label=Text>old</textarea>
<script>const say = (what, e) => said.textContent += ` ${what} ${e.clientX},${e.clientY}`</script>
<div style="height:2000px"></div><input name=far aria-label=Far>"""


async def act(session: BrowserSession, text: str) -> str:
    """Do it and look."""
    await perform(session, from_text(text))
    return (await observe(session, whole=True)).text


async def test_pointer_and_keys(opener: Opener) -> None:
    session = await opener(PAGE)
    seen = await act(session, "goto [site.test]")
    assert "'over'" in await act(session, f"hover [{number(seen, 'Pad')}]")
    # WebArena's points are shares of the window; pixels are understood, too.
    assert "clicked 320,180" in await act(session, "mouse_click [0.25] [0.25]")
    assert "clicked 30,40" in await act(session, "mouse_click(30, 40)")
    assert "down 10,10" in (said := await act(session, "mouse_drag [10] [10] [90] [60]"))
    assert "up 90,60" in said
    await act(session, "mouse_hover [600] [600]")
    await act(session, f"click [{number(seen, 'Word')}]")
    assert "value: 'two words'" in await act(session, "keyboard_type [two words]")
    assert "Control a" in await act(session, "press [Meta+a]")
    assert "value: 'new'" in await act(session, "keyboard_type [new]")
    assert "textbox 'Text' value: 'old'" in seen
    assert "value: 'old'" not in await act(session, f"clear [{number(seen, 'Text')}]")


async def test_going_about(opener: Opener) -> None:
    session = await opener(PAGE)
    await act(session, "goto [site.test]")
    await act(session, "goto [http://site.test/second]")
    assert "Address: http://site.test/\n" in await act(session, "go_back")
    assert "Address: http://site.test/second\n" in await act(session, "go_forward")
    assert "no page to go forward to" in await act(session, "go_forward")
    await act(session, "go_back")
    assert "Scrolled to 720 of" in await act(session, "scroll down")
    assert "Scrolled to 0 of" in await act(session, "scroll up")


async def test_the_library_of_forms(opener: Opener) -> None:
    session = await opener(PAGE)
    await act(session, "goto [site.test]")
    assert "Scrolled to 0 of" not in await act(session, 'scroll_to_element("far")')
    for text in ("noop", "wait(0.1)", "maximize()", 'wait_for_element("a")', "get_html()", "capture_screen()", "stop"):
        assert "Tab 0 (current): Verbs" in await act(session, text)
    call = ToolCall(name="modify_text", arguments={"name": "a", "value": "by tool"})
    await perform(session, parse(Action(tool=call)))
    assert "value: 'by tool'" in (await observe(session, whole=True)).text
