"""Actions are parsed, never executed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.base import Action, FinishReason, ToolCall
from envs.browser.actions import ActionSyntaxError, from_text, parse
from envs.browser.rules import Referee, Rules
from envs.browser.verbs import VERBS, Command, tools


@pytest.mark.parametrize(
    ("text", "verb", "arguments"),
    [
        ("click [12]", "click", {"element": 12}),
        ("I think so. In summary, the next action I will perform is ```click [7]```", "click", {"element": 7}),
        ("type [3] [Pittsburgh]", "type", {"element": 3, "text": "Pittsburgh", "enter": True}),
        ("type [3] [a [b] c] [0]", "type", {"element": 3, "text": "a [b] c", "enter": False}),
        ("type [3] [two\nlines] [1]", "type", {"element": 3, "text": "two\nlines", "enter": True}),
        ("press [Ctrl+a]", "press", {"keys": "Ctrl+a"}),
        ("scroll [down]", "scroll", {"direction": "down"}),
        ("scroll up", "scroll", {"direction": "up"}),
        ("goto [http://site.test/a?b=[1]]", "goto", {"url": "http://site.test/a?b=[1]"}),
        ("tab_focus [1]", "tab_focus", {"index": 1}),
        ("close_tab", "tab_close", {}),
        ("stop", "stop", {"answer": ""}),
        ("stop [N/A]", "stop", {"answer": "N/A"}),
        ("mouse_click [0.5] [300]", "mouse_click", {"x": 0.5, "y": 300.0}),
        ("dialog [accept] [my name]", "dialog", {"decision": "accept", "text": "my name"}),
        ("dialog [dismiss]", "dialog", {"decision": "dismiss", "text": ""}),
        ("observe [html]", "observe", {"mode": "html", "whole_page": False, "marks": False}),
        ('self.actions.modify_text("q", "a (b) c")', "modify_text", {"name": "q", "value": "a (b) c"}),
        ("modify_checkbox(name='q', value='a|b')", "modify_checkbox", {"name": "q", "value": "a|b"}),
        ("modify_range('q', 3.0)", "modify_range", {"name": "q", "value": "3"}),
        ("modify_range('q', -2)", "modify_range", {"name": "q", "value": "-2"}),
        ("click('12')", "click", {"element": 12}),
        ("send_msg_to_user('done')", "stop", {"answer": "done"}),
        ("report_infeasible('no such thing')", "stop", {"answer": "N/A"}),
    ],
)
def test_texts_become_commands(text: str, verb: str, arguments: dict[str, object]) -> None:
    assert from_text(text) == Command(verb, arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "starts with its name"),
        ("fly [12]", "there is no action 'fly'"),
        ("click", "written as `click [element]`"),
        ("click [the button]", "written as `click [element]`"),
        ("scroll [sideways]", "one of: up, down"),
        ("modify_text('q', open('/etc/passwd').read())", "nothing is computed"),
        ("modify_text('q', *['a'])", "nothing is computed"),
        ("modify_text('q', 'a'); import os", "one line"),
        ("modify_text('q')", "needs `value`"),
        ("modify_text('q', 'a', 'b')", "takes 2 arguments"),
        ("__import__('os')", "there is no action"),
        ("click(" + "(" * 5000 + ")" * 5000 + ")", "one line"),
        ("mouse_click [1e999] [2]", "written as"),
        ("click [" + "9" * 60_000 + "]", "at most"),
    ],
)
def test_other_texts_are_refused_with_a_reason(text: str, told: str) -> None:
    with pytest.raises(ActionSyntaxError, match=told.replace("[", r"\[").replace("(", r"\(")):
        from_text(text)


@given(st.text(max_size=200))
def test_any_text_is_a_command_or_an_explained_refusal(text: str) -> None:
    try:
        verb = from_text(text).verb
    except ActionSyntaxError:
        return
    assert verb in {verb.name for verb in VERBS}


def test_tool_calls_mean_the_same_as_texts() -> None:
    call = ToolCall(name="type", arguments={"element": 3, "text": "x", "enter": False})
    assert parse(Action(tool=call)) == from_text("type [3] [x] [0]")
    with pytest.raises(ActionSyntaxError, match="has no argument 'colour'"):
        parse(Action(tool=ToolCall(name="click", arguments={"element": 3, "colour": "red"})))
    with pytest.raises(ActionSyntaxError, match="one value"):
        parse(Action(tool=ToolCall(name="click", arguments={"element": [3]})))


def test_every_verb_is_a_tool_with_a_closed_schema() -> None:
    offered = {tool.name: tool.parameters for tool in tools(forms=True)}
    assert set(offered) == {verb.name for verb in VERBS}
    assert all(schema["additionalProperties"] is False for schema in offered.values())
    assert offered["click"]["required"] == ["element"]
    assert "modify_text" not in {tool.name for tool in tools()}
    assert json.dumps(offered)


def test_the_published_rules_end_loops_and_can_be_switched_off() -> None:
    strict, lenient = Referee(Rules.published()), Referee(Rules())
    command = from_text("click [4]")
    assert [strict.after(command) for _ in range(2)] == [None, None]
    ended = strict.after(command)
    assert ended is not None
    assert ended[0] is FinishReason.INVALID_ACTION
    assert [lenient.after(command) for _ in range(29)] == [None] * 29
    last = lenient.after(command)
    assert last is not None
    assert last[0] is FinishReason.TASK_LIMIT


def test_typing_counts_anywhere_only_as_published() -> None:
    published, own = Referee(Rules.published()), Referee(Rules(repeats=3))
    texts = ["type [1] [a]", "click [2]", "type [1] [b]", "click [3]", "type [1] [c]"]
    assert published.after(from_text(texts[0])) is None
    for referee in (published, own):
        ends = [referee.after(from_text(text)) for text in texts[1:]]
        assert (ends[-1] is not None) == (referee is published)


def test_three_texts_in_a_row_that_are_no_actions_end_the_episode() -> None:
    referee = Referee(Rules())
    assert [referee.after(None), referee.after(None), referee.after(from_text("noop"))] == [None] * 3
    assert [referee.after(None), referee.after(None)] == [None] * 2
    ended = referee.after(None)
    assert ended is not None
    assert ended[0] is FinishReason.INVALID_FORMAT
