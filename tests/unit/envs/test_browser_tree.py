"""A page as lines: numbers that are known, dashes for the rest, and what a set of marks marks."""

import msgspec

from envs.browser.protocol_types import AXNode
from envs.browser.snapshot import Box, DomNode, Snapshot
from envs.browser.tree import Accessible, Window, html_lines


def node(backend: int, role: str, name: str, *children: int, focusable: bool = False) -> AXNode:
    """An accessibility node as the browser tells it."""
    properties = [{"name": "focusable", "value": {"type": "booleanOrUndefined", "value": True}}] if focusable else []
    told = {
        "nodeId": str(backend),
        "backendDOMNodeId": backend,
        "role": {"value": role},
        "name": {"value": name},
        "childIds": [str(child) for child in children],
        "properties": properties,
        **({} if backend == 1 else {"parentId": "1"}),
    }
    return msgspec.convert(told, AXNode)


TREE = [
    node(1, "RootWebArea", "Desk", 2, 3, 4, focusable=True),
    node(2, "StaticText", "hello"),
    node(3, "button", "Go"),
    node(4, "generic", "card", focusable=True),
]
PAGE = Snapshot(
    nodes=[DomNode(3, 1, "BUTTON", "", {"style": "", "class": "a"}, 1, Box(0, 0, 9, 9))],
    boxes={number: Box(0, 10 * number, 50, 9) for number in range(1, 5)},
    trees={0: TREE},
)


def test_only_what_can_be_used_is_marked() -> None:
    assert Accessible(PAGE).lines(Window(), lambda backend: backend).usable == [3, 4]


def test_a_node_without_a_number_has_a_dash() -> None:
    lines = Accessible(PAGE).lines(Window(), {1: 7, 3: 8}.get).lines
    assert lines == ["[7] RootWebArea 'Desk'", "\t[-] StaticText 'hello'", "\t[8] button 'Go'", "\t[-] generic 'card'"]


def test_styles_that_a_picture_left_behind_are_not_shown() -> None:
    assert html_lines(PAGE, Window(), lambda backend: backend).lines == ['[3] <BUTTON class="a">']


def test_lines_of_text_as_published() -> None:
    tree = [
        node(1, "RootWebArea", "Desk", 2, 3, 4, 5, 6),
        node(2, "ListMarker", "• "),
        node(3, "StaticText", " "),
        node(4, "StaticText", "$12"),
        node(5, "link", "for $12 each"),
        node(6, "StaticText", "2"),
    ]
    page = Snapshot(boxes={number: Box(0, 10 * number, 50, 9) for number in range(1, 7)}, trees={0: tree})
    shown = [
        [line.strip() for line in Accessible(page).lines(Window(published=published), lambda backend: backend).lines]
        for published in (False, True)
    ]
    assert shown[1] == ["[1] RootWebArea 'Desk'", "[4] StaticText '$12'", "[5] link 'for $12 each'"]
    assert set(shown[0]) == {*shown[1], "[2] ListMarker '• '", "[3] StaticText ' '", "[6] StaticText '2'"}
