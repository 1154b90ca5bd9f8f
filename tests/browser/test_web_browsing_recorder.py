"""Traces of tasks: what is written down of a page and of each use of an element, and ways over a site's own links."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from urllib.parse import urljoin

import pytest
import pytest_asyncio

from envs.browser import chromium
from envs.browser.episode import BrowserEpisode
from envs.web_browsing.dom import Page
from envs.web_browsing.generator.captured import capture
from envs.web_browsing.generator.recorder import Recorder
from envs.web_browsing.generator.ways import Ask, Follow, Scout
from envs.web_forms.environment import WebForms
from envs.web_sites.environment import WebSites
from tests.browser.site_play import SEED, ready

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

FORM = """<p>Order the blue box.</p><p style="display:none">secret</p><div><div><a href="#top">Top</a></div></div>
<label><input type=radio name=colour value=blue>Blue</label><label><input type=radio name=colour value=red>Red</label>
<label for=n>Your name</label><input id=n name=word placeholder="a name">
<select name=size><option value="">-<option value=l>Large</select><script>1</script><button disabled>Off</button>
<input type=hidden name=token value=x>"""


def call(verb: str, **arguments: str) -> dict[str, Any]:
    return {"tool": {"name": verb, "arguments": arguments}}


@pytest_asyncio.fixture
async def world(shared_browser: chromium.Chromium) -> AsyncIterator[WebForms]:
    held = WebForms()
    yield held
    await held.close()


async def recorded(world: BrowserEpisode, spec: Mapping[str, Any], oracle: Sequence[Mapping[str, Any]]) -> Recorder:
    async def nobody() -> Scout:
        raise AssertionError("no address is gone to")

    recorder = Recorder(world, nobody)
    recorder.first_page = await recorder.play(spec, 0, oracle) or recorder.first_page
    return recorder


async def test_every_use_of_an_element_is_written_down(world: WebForms) -> None:
    spec = {"template": FORM, "whole_page": True, "timeout": 180.0}
    oracle = [
        call("modify_radio", name="colour", value="blue"),
        call("modify_text", name="word", value="Ada Byron"),
        call("modify_select", name="size", value="l"),
        call("submit"),
    ]
    recorder = await recorded(world, spec, oracle)
    assert world.site.submitted == {"colour": "blue", "word": "Ada Byron", "size": "l", "token": "x"}
    assert [(step.operation, step.value) for step in recorder.steps] == [
        ("CLICK", ""),
        ("TYPE", "Ada Byron"),
        ("SELECT", "Large"),
        ("CLICK", ""),
    ]
    assert recorder.done == [
        "[radio]  Blue -> CLICK",
        "[textbox]  Your name -> TYPE: Ada Byron",
        "[combobox]  size -> SELECT: Large",
        "[button]  Submit -> CLICK",
    ]
    assert [step.previous for step in recorder.steps] == [tuple(recorder.done[:number]) for number in range(4)]
    assert recorder.first_page == "Order the blue box."
    first, last = Page(recorder.steps[0].page), Page(recorder.steps[-1].page)
    tags = [first.node(one).tag for one in recorder.steps[0].candidates]
    assert tags == ["p", "a", "input", "input", "input", "select", "input"]
    assert [first.node(one).attributes["value"] for one in recorder.steps[0].right] == ["blue"]
    assert not [word for word in ("secret", "token", "script") if word in recorder.steps[0].page]
    fields = [last.node(one).attributes for one in recorder.steps[-1].candidates]
    assert ["input_checked" in one for one in fields[2:4]] == [True, False]
    assert fields[4]["input_value"] == "Ada Byron"
    # Wrappers that say nothing are taken out.
    assert "<div" not in recorder.steps[0].page


async def test_a_trace_ends_where_no_element_is_used(world: WebForms) -> None:
    spec = {"template": FORM, "whole_page": True, "timeout": 180.0}
    oracle = [call("modify_text", name="word", value="Ada"), {"text": "press [Tab]"}, call("submit")]
    recorder = await recorded(world, spec, oracle)
    assert recorder.first_page == "'press' uses no element"
    assert [step.value for step in recorder.steps] == ["Ada"]
    assert world.site.submitted is None


async def test_ways_go_over_links_and_forms_of_the_site(shared_browser: chromium.Chromium) -> None:
    await ready("shop")
    spec = {"sites": ["shop"], "seed": SEED, "size": "small", "whole_page": True, "timeout": 300.0}
    spec["signed_in"] = {"shop": "customer"}
    played, seen = WebSites(), WebSites()
    try:
        await played.reset(spec, 0)
        await seen.reset(spec, 0)
        scout, start = Scout(seen), played.session.page.url
        root = urljoin(start, "/")
        target = f"{root}accounts/orders/"
        way = await scout.way(start, target)
        assert way is not None
        assert isinstance(way[-1], Follow)
        assert way[-1].url == target
        barred = await scout.way(start, target, {target})
        assert barred is None or barred[-1] != way[-1]
        assert await scout.way(start, f"{root}nowhere/") is None
        search = await scout.way(start, f"{root}search/?q=lamp")
        assert search == [Ask({"q": "lamp"}, f"{root}search/?q=lamp")]

        async def found() -> Scout:
            return scout

        recorder = Recorder(played, found)
        oracle = [{"text": "goto [{{site shop}}/search/?q=lamp]"}, {"text": "goto [{{site shop}}/accounts/orders/]"}]
        assert await recorder.play(spec, 0, oracle) == ""
        assert played.session.page.url == target
        assert [step.operation for step in recorder.steps][:2] == ["TYPE", "CLICK"]
        page = await capture(played.session.tab.cdp, target)
        assert page.links(start)
        assert all(one.tag == "a" and one.shown for one in page.links(start))
    finally:
        await played.close()
        await seen.close()
