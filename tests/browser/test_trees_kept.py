"""A tree is taken over from the look before where nothing was changed that it follows from, and read anew otherwise."""

from collections import Counter

import pytest

from envs.browser.actions import from_text
from envs.browser.line import Session
from envs.browser.observe import observe
from envs.browser.perform import perform
from envs.browser.session import BrowserSession
from tests.browser.conftest import Opener

pytestmark = pytest.mark.browser
TREE = "Accessibility.getFullAXTree"

PAGE = """<title>Desk</title><style>header{position:fixed;top:0} p{margin:300px} b:hover i{visibility:visible}
i{visibility:hidden}</style><header><button>Menu</button></header><div id=room></div>
<input aria-label=Name> <input type=checkbox aria-label=Agree> <b>over<i>inside</i></b>
<select aria-label=Size><option>Small<option>Large</select>
<p>one</p><p>two</p><p>three</p><p>four</p><p>five</p>
<script>room.attachShadow({mode: 'open'}).innerHTML = '<button>first</button><button>second</button>'</script>"""
CHANGES = {
    "focus": "document.querySelector('input').focus()",
    "focus in a shadow": "room.shadowRoot.querySelectorAll('button')[1].focus()",
    "value": "document.querySelector('input').value = 'Ada'",
    "checked": "document.querySelector('[type=checkbox]').checked = true",
    "neither": "document.querySelector('[type=checkbox]').indeterminate = true",
    "chosen": "document.querySelector('select').value = 'Large'",
    "visible": "document.styleSheets[0].insertRule('i { visibility: visible !important }', 4)",
    "there": "document.styleSheets[0].insertRule('header { display: none }', 4)",
    "said": "document.querySelector('header button').firstChild.data = 'Other'",
    "named": "document.querySelector('input').ariaLabel = 'Surname'",
    "titled": "document.title = 'Table'",
    "smaller": "document.styleSheets[0].insertRule('p { height: 0; overflow: hidden }', 4)",
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the browser was asked for what."""
    count: Counter[str] = Counter()
    ask = Session.ask

    async def counted(protocol: Session, method: str, parameters: dict[str, object], kind: type) -> object:
        count[method] += 1
        return await ask(protocol, method, parameters, kind)

    monkeypatch.setattr(Session, "ask", counted)
    return count


async def anew(session: BrowserSession) -> str:
    """What is seen by somebody who has not looked before."""
    session.tab.observed = None
    return (await observe(session, whole=True)).text


async def test_a_page_that_is_only_scrolled_has_the_same_tree(opener: Opener, asked: Counter[str]) -> None:
    session = await opener(PAGE)
    await perform(session, from_text("goto [site.test]"))
    before = (await observe(session)).text
    count = asked[TREE]
    await perform(session, from_text("scroll [down]"))
    below = (await observe(session)).text
    assert asked[TREE] == count
    assert "button 'Menu'" in below
    assert "one" in before
    assert "one" not in below
    assert "three" in below
    session.tab.observed = None
    assert (await observe(session)).text == below
    assert asked[TREE] == count + 1


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
async def test_what_changes_is_seen(opener: Opener, asked: Counter[str], change: str) -> None:
    session = await opener(PAGE)
    await perform(session, from_text("goto [site.test]"))
    before = (await observe(session, whole=True)).text
    await session.tab.evaluate(change)
    after = (await observe(session, whole=True)).text
    assert after != before
    assert after == await anew(session)


async def test_what_is_visible_under_the_pointer_is_seen(opener: Opener) -> None:
    session = await opener(PAGE)
    await perform(session, from_text("goto [site.test]"))
    assert "inside" not in (await observe(session, whole=True)).text
    await perform(session, from_text(f"hover [{number(session, 'over')}]"))
    after = (await observe(session, whole=True)).text
    assert "inside" in after
    assert after == await anew(session)


def number(session: BrowserSession, words: str) -> int:
    """The number of the text that says so."""
    assert session.tab.observed
    nodes = session.tab.observed.snapshot.trees[0]
    found = next(node.backend for node in nodes if node.role.value == "StaticText" and node.name.value == words)
    assert found
    return session.number(found)


async def test_frames_are_read_each_time(opener: Opener, asked: Counter[str]) -> None:
    session = await opener("<iframe srcdoc='<button>In</button>'></iframe>")
    await perform(session, from_text("goto [site.test]"))
    await observe(session)
    count = asked[TREE]
    assert "button 'In'" in (await observe(session)).text
    assert asked[TREE] == count + 2


async def test_a_page_that_does_not_let_itself_be_asked_is_read_each_time(opener: Opener, asked: Counter[str]) -> None:
    session = await opener("<button>Go</button><script>document.hasFocus = () => { throw 1 }</script>")
    await perform(session, from_text("goto [site.test]"))
    await observe(session)
    count = asked[TREE]
    assert "button 'Go'" in (await observe(session)).text
    assert asked[TREE] == count + 1
