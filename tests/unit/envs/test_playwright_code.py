"""WebArena's second action set as text: what it means, and what is refused because it would have to be executed."""

import warnings

import pytest

from envs.base import Action
from envs.browser.actions import ActionSyntaxError, parse
from envs.browser.playwright_code import Link, locator_chain
from envs.browser.rules import Referee, Rules
from envs.browser.verbs import Command, Value, tools

SAVE = "page.get_by_role('button', name='Save')"
FIELD = "page.get_by_label('Q')"


def meant(text: str) -> tuple[str, dict[str, Value]]:
    command = parse(Action(text=text))
    return command.verb, command.arguments


@pytest.mark.parametrize(
    ("text", "verb", "arguments"),
    [
        ('page.get_by_role("button", name="Save").click()', "locator_click", {"locator": SAVE}),
        (f"```{SAVE}.hover()```", "locator_hover", {"locator": SAVE}),
        (f"I will save. ```{SAVE}.dclick()```", "locator_double_click", {"locator": SAVE}),
        (f"{SAVE}.click(timeout=5, force=True)", "locator_click", {"locator": SAVE}),
        (f"{SAVE}.press('Enter')", "locator_press", {"locator": SAVE, "keys": "Enter"}),
        (f"{FIELD}.fill('a (b). c')", "locator_fill", {"locator": FIELD, "text": "a (b). c"}),
        ("page.get_by_label('Q').type(text='x')", "locator_type", {"locator": "page.get_by_label('Q')", "text": "x"}),
        (
            "page.locator('#s').select_option(label='Large')",
            "locator_select",
            {"locator": "page.locator('#s')", "option": "Large"},
        ),
        (
            "page.locator('#s').select_option(['a', 'b'])",
            "locator_select",
            {"locator": "page.locator('#s')", "option": "a|b"},
        ),
        ("page.get_by_text('x').first.click()", "locator_click", {"locator": "page.get_by_text('x').first"}),
        ("page.locator('li').nth(2).check()", "locator_check", {"locator": "page.locator('li').nth(2)"}),
        (
            "page.get_by_role('row').filter(has_text='Ada').get_by_role('link').click()",
            "locator_click",
            {"locator": "page.get_by_role('row').filter(has_text='Ada').get_by_role('link')"},
        ),
        ("page.click('text=Cart')", "locator_click", {"locator": "page.locator('text=Cart')"}),
        ("page.fill('#q', 'tea')", "locator_fill", {"locator": "page.locator('#q')", "text": "tea"}),
        ('page.goto("http://shop.test/x")', "goto", {"url": "http://shop.test/x"}),
        ("page.press('Control+a')", "press", {"keys": "Control+a"}),
        ("page.scroll(down)", "scroll", {"direction": "down"}),
        ("page.scroll('up')", "scroll", {"direction": "up"}),
        ("page.page_focus(1)", "tab_focus", {"index": 1}),
        ("page.new_tab()", "new_tab", {}),
        ("page.go_back()", "go_back", {}),
        ("page.page_close()", "tab_close", {}),
        ('page.stop("42")', "stop", {"answer": "42"}),
        ("page.stop()", "stop", {"answer": ""}),
    ],
)
def test_a_line_means_a_command(text: str, verb: str, arguments: dict[str, Value]) -> None:
    assert meant(text) == (verb, arguments)


@pytest.mark.parametrize(
    "text",
    [
        "page.evaluate('1')",
        "page.get_by_role('button').evaluate('x => x')",
        "page.context.new_page()",
        "page.locator('a').page.goto('file:///etc/passwd')",
        "page.__class__.click()",
        "page.locator('a').__getattribute__('page').click()",
        "page.locator(open('/etc/passwd').read()).click()",
        "page.locator('a' + 'b').click()",
        "page.locator(f'{x}').click()",
        "page.locator(*['a']).click()",
        "page.locator(**{'selector': 'a'}).click()",
        "page.locator('a', has=page.locator('b')).click()",
        "page.locator('a').click",
        "page.locator('a')",
        "page.locator().click()",
        "page.locator('a').click() or page.goto('x')",
        "page.locator('a').click(); page.goto('x')",
        "page.(",
        "page.get_by_role('button', onclick='x').click()",
        "page.locator('a')" + ".locator('b')" * 30 + ".click()",
        "page.page_focus('1')",
        "page.goto()",
        "page.route('**', 'x')",
        "(" * 500,
    ],
)
def test_what_is_no_line_of_the_action_set_is_refused(text: str) -> None:
    with pytest.raises(ActionSyntaxError):
        parse(Action(text=text))


def test_an_escape_that_python_warns_of_stands_as_it_is() -> None:
    with warnings.catch_warnings(action="error"):
        assert meant(r"page.get_by_text('\d').fill('\w')") == meant(r"page.get_by_text('\\d').fill('\\w')")
        assert meant(r'modify_text("q", "\d")') == meant(r'modify_text("q", "\\d")')


def test_a_locator_is_a_chain_of_names_and_plain_values() -> None:
    assert locator_chain("page.get_by_role('row', name='a', exact=True).first") == (
        Link("get_by_role", ("row",), (("name", "a"), ("exact", True))),
        Link("first"),
    )


def test_two_elements_are_two_actions_to_the_rule_of_repetition() -> None:
    referee = Referee(Rules(steps=0, repeats=2))
    clicks = [parse(Action(text=f"page.get_by_text('{name}').click()")) for name in ("a", "b", "a", "a")]
    assert [referee.after(click) is not None for click in clicks] == [False, False, False, True]


def test_locators_are_no_tools() -> None:
    assert not any(tool.name.startswith("locator") for tool in tools(forms=True))
    with pytest.raises(ActionSyntaxError):
        parse(Action(text="locator_click [page]"))
    assert Command("noop").arguments == {}
