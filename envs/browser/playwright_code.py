"""WebArena's second action set, lines such as `page.get_by_role("button", name="Save").click()`.

A line is parsed and never executed: names come from the lists below, arguments are plain values, and what is built of
them is a command like any other.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from envs import python_text
from envs.browser.verbs import Command, Value

EXACT = frozenset({"exact"})
TEXTS = frozenset({"has_text", "has_not_text"})
LOCATORS: dict[str, frozenset[str]] = {
    "get_by_role": EXACT
    | {"name", "checked", "disabled", "expanded", "include_hidden", "level", "pressed", "selected"},
    "get_by_text": EXACT,
    "get_by_label": EXACT,
    "get_by_placeholder": EXACT,
    "get_by_alt_text": EXACT,
    "get_by_title": EXACT,
    "get_by_test_id": frozenset(),
    "filter": TEXTS | {"visible"},
    "locator": TEXTS,
    "frame_locator": frozenset(),
    "nth": frozenset(),
}
PROPERTIES = frozenset({"first", "last"})
# What is done to an element: our command, and the name of its text where it takes one.
ELEMENT_ACTIONS: dict[str, tuple[str, str]] = {
    "click": ("locator_click", ""),
    "dclick": ("locator_double_click", ""),
    "dblclick": ("locator_double_click", ""),
    "hover": ("locator_hover", ""),
    "focus": ("locator_focus", ""),
    "check": ("locator_check", ""),
    "uncheck": ("locator_uncheck", ""),
    "fill": ("locator_fill", "text"),
    "type": ("locator_type", "text"),
    "press_sequentially": ("locator_type", "text"),
    "press": ("locator_press", "keys"),
    "select_option": ("locator_select", "option"),
}
# What is done to the page, and the argument it takes.
PAGE_ACTIONS: dict[str, tuple[str, str]] = {
    "goto": ("goto", "url"),
    "press": ("press", "keys"),
    "scroll": ("scroll", "direction"),
    "page_focus": ("tab_focus", "index"),
    "new_tab": ("new_tab", ""),
    "go_back": ("go_back", ""),
    "go_forward": ("go_forward", ""),
    "page_close": ("tab_close", ""),
    "close": ("tab_close", ""),
    "stop": ("stop", "answer"),
}
LONGEST_CHAIN = 20
WRITTEN = 'a line of this action set is written as `page.get_by_role("button", name="Save").click()`'


class CodeError(ValueError):
    """The line is not of this action set; the message says why."""


@dataclass(frozen=True)
class Link:
    """One link of a chain: a locator's name and its arguments, in order and by name."""

    name: str
    arguments: tuple[JsonValue, ...] = ()
    keywords: tuple[tuple[str, JsonValue], ...] = ()


def parse_code(line: str) -> Command:
    """The command that a line means. Raises CodeError."""
    try:
        tree = python_text.expression(line.strip())
    except ValueError as error:
        raise CodeError(f"{WRITTEN}; this one is no expression") from error
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute)):
        raise CodeError(f"{WRITTEN}; this one calls nothing")
    inner, action = tree.func.value, _link(tree.func.attr, tree)
    if isinstance(inner, ast.Name):
        _chain(inner)
        return _page_action(action)
    _chain(inner)
    return _element_action(action, ast.unparse(inner), action.arguments)


def locator_chain(code: str) -> tuple[Link, ...]:
    """The links of a locator as a command holds it. Raises CodeError."""
    return _chain(python_text.expression(code))


def _page_action(action: Link) -> Command:
    given = [*action.arguments, *(value for _, value in action.keywords)]
    if action.name in PAGE_ACTIONS and not (action.name == "press" and len(given) > 1):
        verb, parameter = PAGE_ACTIONS[action.name]
        if not parameter:
            return Command(verb)
        if parameter == "index":
            return Command(verb, {parameter: _whole(given)})
        text = str(given[0]) if given else ""
        if parameter == "direction":
            return Command(verb, {parameter: "up" if "up" in text else "down"})
        if not text and verb != "stop":
            raise CodeError(f"`page.{action.name}` needs one argument")
        return Command(verb, {parameter: text})
    if action.name in ELEMENT_ACTIONS and given and isinstance(given[0], str):
        # The short form, in which the page's method takes the selector first.
        code = ast.unparse(python_text.expression(f"page.locator({given[0]!r})"))
        return _element_action(action, code, action.arguments[1:])
    raise CodeError(f"`page.{action.name[:40]}` is no action; there are: {', '.join(sorted(PAGE_ACTIONS))}")


def _element_action(action: Link, code: str, arguments: tuple[JsonValue, ...]) -> Command:
    if action.name not in ELEMENT_ACTIONS:
        known = ", ".join(sorted(ELEMENT_ACTIONS))
        raise CodeError(f"`{action.name[:40]}` is no action on an element; there are: {known}")
    verb, parameter = ELEMENT_ACTIONS[action.name]
    found: dict[str, Value] = {"locator": code}
    if parameter:
        named = {
            name: value for name, value in action.keywords if name not in ("timeout", "force", "delay", "no_wait_after")
        }
        values = [*arguments, *named.values()]
        if not values:
            raise CodeError(f"`{action.name}` needs its {parameter}")
        found[parameter] = "|".join(map(str, values[0])) if isinstance(values[0], list) else str(values[0])
    return Command(verb, found)


def _whole(given: list[JsonValue]) -> int:
    if len(given) == 1 and isinstance(given[0], int) and not isinstance(given[0], bool) and given[0] >= 0:
        return given[0]
    raise CodeError("`page.page_focus` takes the number of a tab, from 0")


def _chain(node: ast.expr) -> tuple[Link, ...]:
    links = list(_outwards(node))
    if len(links) > LONGEST_CHAIN:
        raise CodeError(f"a chain has at most {LONGEST_CHAIN} links")
    return tuple(reversed(links))


def _outwards(node: ast.expr) -> Iterator[Link]:
    """The links from the last to the first, which stands on `page`."""
    while not (isinstance(node, ast.Name) and node.id == "page"):
        if isinstance(node, ast.Attribute) and node.attr in PROPERTIES:
            yield Link(node.attr)
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield _locator(_link(node.func.attr, node))
            node = node.func.value
        else:
            raise CodeError(f"{WRITTEN}; a chain starts with `page.`")


def _locator(link: Link) -> Link:
    if link.name not in LOCATORS:
        raise CodeError(f"`{link.name[:40]}` finds no elements; there are: {', '.join(sorted(LOCATORS))}")
    unknown = sorted({name for name, _ in link.keywords} - LOCATORS[link.name])
    if unknown:
        raise CodeError(f"`{link.name}` has no argument {unknown[0][:40]!r}")
    positions = 0 if link.name == "filter" else 1
    if len(link.arguments) != positions or not all(isinstance(value, str | int) for value in link.arguments):
        raise CodeError(f"`{link.name}` takes {positions or 'no'} argument by position")
    return link


def _link(name: str, call: ast.Call) -> Link:
    if any(keyword.arg is None for keyword in call.keywords):
        raise CodeError("arguments are given one by one")
    keywords = tuple((str(keyword.arg), _literal(keyword.value)) for keyword in call.keywords)
    return Link(name, tuple(map(_literal, call.args)), keywords)


def _literal(node: ast.expr) -> JsonValue:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool | None):
        return node.value
    if isinstance(node, ast.Name) and node.id in ("up", "down"):
        return node.id  # as published: page.scroll(down)
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(item) for item in node.elts]
    raise CodeError("arguments are plain texts and numbers; nothing is computed")
