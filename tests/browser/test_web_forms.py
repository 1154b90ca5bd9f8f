"""A crowdsourcing page: filled, submitted, and seen from outside."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from envs.base import Action, Evidence, FinishReason, Probe, SpecError
from envs.browser import chromium
from envs.web_forms.environment import WebForms
from envs.web_forms.page import document, filled

pytestmark = pytest.mark.browser

TEMPLATE = """<p>Rate: ${text}</p>
<label><input type=radio name=mood value=good>Good</label><label><input type=radio name=mood value=bad>Bad</label>
<input type=checkbox name=tags value=a><input type=checkbox name=tags value=b><input type=checkbox name=tags value=c>
<select name=size><option value="">-<option value=s>Small<option value=l>Large</select>
<input type=range name=score min=0 max=10 value=5><textarea name=why>because</textarea><input name=word required>
<button type=button onclick="extra.style.display='block'">More</button>
<div id=extra style="display:none"><input name=late></div><img src="https://pictures.example/cat.png">
<script src="https://scripts.example/x.js"></script>"""
PROBE = [Probe(name="form", type="form")]
Start = Callable[..., Any]


@pytest_asyncio.fixture
async def start(shared_browser: chromium.Chromium) -> AsyncIterator[Start]:
    """Starts episodes on the page and closes them."""
    running: list[WebForms] = []

    async def begin(**spec: Any) -> WebForms:
        world = WebForms()
        running.append(world)
        given = {"template": TEMPLATE, "inputs": {"text": "<b>rain</b>"}, "timeout": 180.0} | spec
        await world.reset(given, 0)
        return world

    yield begin
    for world in running:
        await world.close()


async def evidence(world: WebForms) -> dict[str, Any]:
    """What the probe sees."""
    seen: list[Evidence] = await world.probe(PROBE)
    assert seen[0].error is None
    assert isinstance(seen[0].value, dict)
    return seen[0].value


async def test_a_form_is_filled_and_its_submission_is_the_evidence(start: Start) -> None:
    world = await start()
    before = await evidence(world)
    assert before["submitted"] is None
    assert before["seen"]["why"] == "because"
    assert "late" not in before["visible"]
    assert before["pictures"] == {"pictures.example": 1}
    assert before["missing"] == {"scripts.example": 1}
    for text in (
        'modify_radio("mood", "bad")',
        'modify_checkbox("tags", "a|c")',
        'modify_select("size", "l")',
        'modify_range("score", "7")',
        'modify_text("why", "two\\nlines & more")',
    ):
        result = await world.step(Action(text=text))
        assert result.error is None, text
    early = await world.step(Action(text="submit"))
    assert early.finish is None
    assert "not complete" in (early.error or "")
    await world.step(Action(text='modify_text("word", "it")'))
    last = await world.step(Action(text="submit"))
    assert last.finish is FinishReason.COMPLETED
    after = await evidence(world)
    sent = {name: value for name, value in after["submitted"].items() if name != "late"}
    assert sent.pop("why").replace("\r\n", "\n") == "two\nlines & more"
    assert sent == {"mood": "bad", "tags": ["a", "c"], "size": "l", "score": "7", "word": "it"}
    assert after["seen"]["tags"] == ["a", "c"]


async def test_fields_appear_after_a_click(start: Start) -> None:
    world = await start(whole_page=True)
    seen = (await world.step(Action(text="noop"))).observation.text
    button = seen.split("button 'More'")[0].rsplit("[", 1)[1].split("]")[0]
    hidden = await world.step(Action(text='modify_text("late", "x")'))
    assert "hidden" in (hidden.error or "")
    await world.step(Action(text=f"click [{button}]"))
    assert (await world.step(Action(text='modify_text("late", "x")'))).error is None
    assert "late" in (await evidence(world))["visible"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('modify_radio("mood", "great")', "it has: good | bad"),
        ('modify_checkbox("tags", "a|z")', 'no box "z"'),
        ('modify_select("size", "xl")', "no option"),
        ('modify_range("score", "99")', "the slider went to 10"),
        ('modify_text("mood", "x")', "is not a text field"),
        ('modify_text("nothing", "x")', "no field named"),
    ],
)
async def test_a_field_that_does_not_take_a_value_tells_why(start: Start, text: str, told: str) -> None:
    world = await start()
    result = await world.step(Action(text=text))
    assert told in (result.error or "")
    assert result.finish is None


async def test_a_wrong_specification_names_the_field(shared_browser: chromium.Chromium) -> None:
    world = WebForms()
    with pytest.raises(SpecError, match="'template'"):
        await world.reset({"template": ""}, 0)
    await world.close()


def test_inputs_are_put_in_as_they_are_and_a_button_is_added_once() -> None:
    assert filled("${a} ${b} ${a}", {"a": "<i>1</i>"}) == "<i>1</i> ${b} <i>1</i>"
    assert 'type="submit"' in document("<p>x</p>", {}, "t")
    assert document("<button type=submit>go</button>", {}, "t").count("submit") == 2


def test_a_copy_of_another_version_is_not_refused_for_its_digest() -> None:
    page = document('<script src="x.js" integrity="sha384-AA"></script><p>integrity="kept"', {}, "Task")
    assert '<script src="x.js"></script>' in page
    assert 'integrity="kept"' in page
