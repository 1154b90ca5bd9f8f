"""Walks a tree, and finds the words in it."""

from collections.abc import Iterator
from dataclasses import fields

from grading.language import names
from grading.language.tree import Node, Ratio, Relation, Symbol

_FIELDS: dict[type[Node], tuple[str, ...]] = {}
_GREEK_LIKE = frozenset({*names.GREEK.values(), "AA", "pi"})


def children(node: Node) -> Iterator[Node]:
    """Direct parts of a node, in order."""
    for name in _names(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from _nodes(value)


def _names(kind: type[Node]) -> tuple[str, ...]:
    """Names of the fields of a kind of node, asked for once."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind))
    return _FIELDS[kind]


def _nodes(values: tuple[object, ...]) -> Iterator[Node]:
    for value in values:
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from _nodes(value)


def walk(node: Node) -> Iterator[Node]:
    """The node and all its parts, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(children(current))


def first_word(node: Node) -> str | None:
    """A symbol made of a word that is no label of an equation, if there is one."""
    labels: set[int] = set()
    for part in walk(node):
        if isinstance(part, Relation) and part.operators[0] == "=":
            labels.update(id(label) for label in walk(part.operands[0]))
        if isinstance(part, Ratio):
            labels.update(id(label) for label in walk(part.parts[0]))
        if isinstance(part, Symbol) and id(part) not in labels and is_wordy(part.name):
            return part.name
    return None


def is_wordy(name: str) -> bool:
    """Whether a symbol's name is a word of several letters and no Greek letter."""
    head = name.partition("_")[0]
    return len(head) > 1 and head.isalpha() and ":" not in head and head not in _GREEK_LIKE
