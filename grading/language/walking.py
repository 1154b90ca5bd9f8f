"""Walks a tree, and finds the words in it."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar

from grading.language import names
from grading.language.tree import Bound, Constant, NamedSet, Node, Power, Ratio, Relation, SetOperation, Symbol

_FIELDS: dict[type[Node], tuple[str, ...]] = {}
_GREEK_LIKE = frozenset({*names.GREEK.values(), "AA", "pi"})
_FINITE_GROUP = re.compile(r"[SADQ]_\d{1,3}")
_Fact = TypeVar("_Fact")
_Part = TypeVar("_Part", bound=Node)
_UNKNOWN: Any = object()


def fields_of(kind: type[Node]) -> tuple[str, ...]:
    """Names of the fields in which a kind of node has parts, asked for once."""
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(field.name for field in fields(kind) if "Node" in str(field.type))
    return found


def children(node: Node) -> list[Node]:
    """Direct parts of a node, in order."""
    found: list[Node] = []
    for name in fields_of(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            _collect(value, found)
    return found


def _collect(values: tuple[object, ...], found: list[Node]) -> None:
    for value in values:
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            _collect(value, found)


def walk(node: Node) -> list[Node]:
    """The node and all its parts; looked for without recursion, and once."""
    below: tuple[Node, ...] | None = getattr(node, "below", None)
    if below is None:
        found: list[Node] = []
        stack = children(node)
        while stack:
            current = stack.pop()
            found.append(current)
            stack += children(current)
        below = tuple(found)
        object.__setattr__(node, "below", below)
    return [node, *below]


def parts(node: Node, kind: type[_Part]) -> Sequence[_Part]:
    """The parts of one kind, the node itself among them, in the order of `walk`; sorted by kind once."""
    by_kind: dict[type[Node], Any] | None = getattr(node, "sorted", None)
    if by_kind is None:
        by_kind = {}
        for part in walk(node)[1:]:
            by_kind.setdefault(type(part), []).append(part)
        object.__setattr__(node, "sorted", by_kind)
    below: Sequence[_Part] = by_kind.get(kind, ())
    return [node, *below] if type(node) is kind else below


def is_deeper(node: Node, height: int) -> bool:
    """Whether some part stands within more than `height` others."""
    if len(walk(node)) <= height:
        return False
    level, depth = [node], 0
    while level and depth <= height:
        level, depth = [part for each in level for part in children(each)], depth + 1
    return bool(level)


def kept(function: Callable[[Node], _Fact]) -> Callable[[Node], _Fact]:
    """A function of a tree whose value is kept with the tree. The value must not hold the tree itself."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def fact(node: Node) -> _Fact:
        facts: dict[str, Any] | None = getattr(node, "facts", None)
        if facts is None:
            facts = {}
            object.__setattr__(node, "facts", facts)
        value: _Fact = facts.get(name, _UNKNOWN)
        if value is _UNKNOWN:
            value = facts[name] = function(node)
        return value

    return fact


@kept
def is_calculated(node: Node) -> bool:
    """Whether an integral, an endless sum or product, or a limit takes part, of which digits are lost."""
    return any(part.kind != "derivative" and not is_finite(part) for part in parts(node, Bound))


def is_finite(part: Bound) -> bool:
    """Whether a sum or product has as many terms as its ends say, which are added one by one."""
    ends = (part.lower, part.upper)
    written = all(end is not None and not any(c.name == "inf" for c in parts(end, Constant)) for end in ends)
    return part.kind in ("sum", "product") and written


def first_word(node: Node) -> str | None:
    """A symbol made of a word that is no label of an equation, if there is one."""
    if not any(is_wordy(part.name) for part in parts(node, Symbol)):
        return None
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


def is_group(node: Node) -> bool:
    """Whether a node is a group by its writing: `Z`, `Z_n`, and powers, direct sums and free products of such."""
    base = node.base if isinstance(node, Power) else node
    if isinstance(base, SetOperation):
        return base.operation in ("plus", "free")
    return isinstance(base, NamedSet) or (isinstance(base, Symbol) and base.name.startswith("bb:"))


def are_groups(factors: Iterable[Node]) -> bool:
    """Whether factors are all groups, at least one of them written as nothing else is (`Z_2 \\times S_3`)."""
    known = [
        (is_group(factor), isinstance(factor, Symbol) and _FINITE_GROUP.fullmatch(factor.name)) for factor in factors
    ]
    return any(group for group, _ in known) and all(group or named for group, named in known)
