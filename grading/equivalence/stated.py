"""What an answer states beside its value: index sets, conditions on its letters, definitions of them."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from grading.equivalence.definitions import definition_of, value_of
from grading.equivalence.evaluate import evaluate, satisfied
from grading.equivalence.everywhere import asks_for_all
from grading.equivalence.exactly import exact, is_infinite
from grading.equivalence.expressions import Domain, points, symbols
from grading.equivalence.finding import Finding, different, unknown
from grading.equivalence.indexes import Index, between, declared_in_words, index_of, listed
from grading.equivalence.numbers import has_imaginary, is_constant, to_fraction
from grading.equivalence.numbers import value_of as constant_value
from grading.equivalence.point import Point, UndefinedError, UnsupportedError, context
from grading.equivalence.signs import substituted
from grading.language.limits import LanguageError
from grading.language.statement import Statements
from grading.language.tokens import tokenize
from grading.language.tree import (
    Bound,
    Builder,
    Ellipsis,
    Interval,
    Listing,
    Node,
    Number,
    PlusMinus,
    Relation,
    SetOf,
    Symbol,
    Tuple,
)

_SIGNS = frozenset({"<", ">", "<=", ">=", "!="})
_COUNTING = frozenset("ijklmn")
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}
_MAX_TEXT = 200
_REACH = 40
_FEW = 2
_DECLARES = re.compile(r"(?:where|with|for)\W+([A-Za-z])\W*?(?:=|\\in\b|\\[gl]eq?\b|[<>])")
_CONDITIONAL = frozenset({"if", "when", "unless", "provided", "otherwise", "else", "for"})
"""Words that begin a condition; after "where", "with" and "as" may stand an explanation."""


_ONLY = re.compile(r"(?<![A-Za-z\\])(?:only|alone|exclusively)(?![A-Za-z])")
_BY_CHANCE = re.compile(r"with\W+(?:an?\s+)?(?:probability|chance|likelihood|odds)\b")
_CONDITIONAL_WORD = re.compile(rf"(?:{'|'.join(sorted(_CONDITIONAL))})\b")


@dataclass(frozen=True, slots=True)
class Stated:
    """A value with what was stated of its letters. `unread` is what stands in words that were not understood."""

    node: Node
    indexes: dict[str, Index] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()
    definitions: tuple[tuple[str, Node], ...] = ()
    unread: str = ""


def split(node: Node, text: str) -> Stated:
    """The value of an answer apart from what stands after it, in formulas or in words (`text`)."""
    found = Stated(node)
    if isinstance(node, Builder):
        found = _of_builder(node)
    elif isinstance(node, Listing):
        found = _of_listing(node)
    return _with_words(found, text) if text else found


def _of_builder(node: Builder) -> Stated:
    """`{value | k in Z}`: its members are the values; a set of the letter itself (`{x | x > 2}`) stays what it is."""
    if isinstance(node.term, Symbol | Relation):
        return Stated(node)
    values = SetOf(node.term.items) if isinstance(node.term, Tuple) and _several(node.term) else node.term
    found, left = _side(list(node.conditions), symbols(node.term), Stated(values))
    found = found if found.indexes else _counted_through(found)
    return found if not left and found.indexes else Stated(node)


def _counted_through(found: Stated) -> Stated:
    """`{2^k : k >= 0}`: a letter of counting from a whole number on, of which nobody says more."""
    letters = symbols(found.node)
    name = next(iter(letters)) if len(letters) == 1 else ""
    index = as_index(name, found.relations) if name in _COUNTING else None
    if index is None or index.low is None:
        return found
    return replace(found, indexes={name: index}, relations=())


def _several(term: Tuple) -> bool:
    return term.bracket == "()" and len(term.items) > 1 and all(symbols(item) for item in term.items)


def _of_listing(node: Listing) -> Stated:
    items = list(node.items)
    for place in range(1, len(items)):
        values, rest = items[:place], items[place:]
        if not all(_has_value(value) for value in values):
            break
        letters = frozenset(name for value in values for name in symbols(value_of(value)))
        main = values[0] if place == 1 else Listing(tuple(values), node.joiner)
        found, left = _side(rest, letters, Stated(main))
        if not left and not (found.definitions and any(map(_is_summed, values))):
            return found
    return Stated(node)


def _is_summed(node: Node) -> bool:
    """Whether a member of a list is the value of a sum, an integral or a limit."""
    return isinstance(node, Relation) and set(node.operators) == {"="} and isinstance(node.operands[0], Bound)


def _has_value(node: Node) -> bool:
    """Whether a member of a list can be an answer beside which conditions stand: a value, or `name = value`."""
    if not isinstance(node, Relation):
        return not isinstance(node, Ellipsis | PlusMinus)
    return _is_summed(node) or definition_of(node) is not None


def _side(items: list[Node], letters: frozenset[str], found: Stated) -> tuple[Stated, list[Node]]:
    """Take what states something of the letters off the front; what is left was not understood."""
    while items:
        taken = _index(items, letters) or _condition(items[0], letters) or _definition(items[0], letters)
        if taken is None:
            return found, items
        count, part = taken
        if {name for name, _ in part.definitions} & {name for name, _ in found.definitions}:
            return found, items  # A letter with two values is defined by neither.
        found = _joined(found, part)
        letters |= frozenset(name for _, value in part.definitions for name in symbols(value))
        items = items[count:]
    return found, []


def _joined(found: Stated, part: Stated) -> Stated:
    indexes = dict(found.indexes)
    for name, index in part.indexes.items():
        indexes[name] = indexes[name].met(index) if name in indexes else index
    return replace(
        found,
        indexes=indexes,
        relations=(*found.relations, *part.relations),
        definitions=(*found.definitions, *part.definitions),
    )


def _index(items: list[Node], letters: frozenset[str]) -> tuple[int, Stated] | None:
    """`k in Z`, `k, n in Z`, `n = 0, 1, 2, ...`, the number of items they take, and the sets."""
    names: list[str] = []
    for count, item in enumerate(items, 1):
        if isinstance(item, Symbol):
            names.append(item.name)
            continue
        if not isinstance(item, Relation) or len(item.operands) != 2:
            return None
        left, right = item.operands
        heads = [left] if not isinstance(left, Tuple) else list(left.items)
        if not all(isinstance(head, Symbol) for head in heads):
            return None
        names.extend(head.name for head in heads if isinstance(head, Symbol))
        if not names or not set(names) <= letters:
            return None
        if item.operators == ("in",):
            index = index_of(right)
            return (count, Stated(right, dict.fromkeys(names, index))) if index is not None else None
        if item.operators == ("=",):
            run = [right, *_run(items[count:])]
            index = listed(run) if any(isinstance(part, Ellipsis) for part in run) or len(run) > 1 else None
            taken = count + len(run) - 1
            return (taken, Stated(right, dict.fromkeys(names, index))) if index is not None else None
        return None
    return None


def _run(items: list[Node]) -> list[Node]:
    """Numbers, their signs and dots that go on from `n = 1`."""
    run: list[Node] = []
    for item in items:
        if not isinstance(item, Number | Ellipsis | PlusMinus):
            break
        run.append(item)
    return run


def _condition(item: Node, letters: frozenset[str]) -> tuple[int, Stated] | None:
    """`x > 0`, `0 < a < b`, `t in [0, 1]`: about letters of the value alone."""
    item = _of_interval(item)
    if not isinstance(item, Relation) or not set(item.operators) <= _SIGNS:
        return None
    names = symbols(item)
    if not names or not names <= letters:
        return None
    return 1, Stated(item, relations=(item,))


def _of_interval(item: Node) -> Node:
    """`t in [0, 1]` as `0 <= t <= 1`; any other node as it is."""
    match item:
        case Relation(
            operands=(Symbol() as letter, Tuple(items=(low, high), bracket="()" | "[]" as ends)), operators=("in",)
        ):
            signs = ("<=" if ends == "[]" else "<",) * 2
        case Relation(operands=(Symbol() as letter, Interval() as ends), operators=("in",)):
            low, high = ends.lower, ends.upper
            signs = ("<=" if ends.lower_closed else "<", "<=" if ends.upper_closed else "<")
        case _:
            return item
    if is_infinite(high):
        return Relation((low, letter), signs[:1])
    return Relation((letter, high), signs[1:]) if is_infinite(low) else Relation((low, letter, high), signs)


def _definition(item: Node, letters: frozenset[str]) -> tuple[int, Stated] | None:
    """`gamma = 1/sqrt(1 - v^2/c^2)` where the value speaks of gamma."""
    if not isinstance(item, Relation) or not isinstance(item.operands[0], Symbol):
        return None
    defined = definition_of(item)
    if defined is None or defined.arguments or defined.name not in letters or defined.name in symbols(defined.value):
        return None
    if "->" in item.operators:
        return 1, Stated(item)  # `as n -> oo` says where it holds, and puts nothing in the letter's place.
    return 1, Stated(item, definitions=((defined.name, defined.value),))


def _with_words(found: Stated, text: str) -> Stated:
    """What stands after "where", "for", "if": declarations, relations, definitions; or what was not understood."""
    declared = declared_in_words(text) if len(text) <= _MAX_TEXT else None
    if declared is not None:
        return _joined(found, Stated(found.node, indexes=declared))
    letters = symbols(found.node) | {name for _, value in found.definitions for name in symbols(value)}
    items = formulas_in(text) if _ONLY.search(text) is None else []
    if items:
        said, left = _side(items, letters, found)
        if not left and not (_CONDITIONAL_WORD.match(text) and _fixed(said)):
            return said
    return replace(found, unread=text)


def _fixed(said: Stated) -> bool:
    """Whether a value is said for one number in the place of its only letter (`x^2` for x = 1)."""
    letters = symbols(value_of(said.node))
    return len(letters) == 1 and any(name in letters and is_constant(value) for name, value in said.definitions)


def formulas_in(text: str) -> list[Node]:
    """The relations of a text after its first word; none where other words stand there."""
    from grading.language.names import CONDITIONS

    bare = text.replace("}", "", text.count("}") - text.count("{")) if text.count("}") > text.count("{") else text
    if len(bare) > _MAX_TEXT:
        return []
    bare = re.sub(r"^([a-z]+)\s*(?:that|all|any|every|each)\b", r"\1 ", bare)
    bare = re.sub(r"(?<!\\)\bin(?=\s+(?:\\mathbb|[ZNRQC]\b))", r"\\in", bare)
    try:
        tokens = tokenize(bare)
    except LanguageError:
        return []
    while tokens and tokens[0].kind == "word" and tokens[0].text in CONDITIONS:
        tokens = tokens[1:]
    parser = Statements(tokens)
    try:
        node = parser.answer()
    except LanguageError:
        return []
    if parser.token.kind != "end":
        return []
    if isinstance(node, Listing) and node.joiner == "or" and any(map(definition_of, node.items)):
        return []
    return list(node.items) if isinstance(node, Listing) else [node]


def defined_before(found: Stated) -> Stated:
    """`k = m w^2, E = k A^2 / 2` as `E` with `k` defined, where the last one speaks of all the others."""
    items = found.node.items if isinstance(found.node, Listing) else ()
    defined = [definition_of(item) for item in items]
    if len(items) < 2 or found.definitions or any(item is None or item.arguments for item in defined):
        return found
    known = [(item.name, item.value) for item in defined[:-1] if item is not None]
    spoken = symbols(value_of(items[-1]))
    if not {name for name, _ in known} <= spoken:
        return found
    return replace(found, node=items[-1], definitions=tuple(known))


def with_definitions(found: Stated, known: Iterable[str]) -> Node:
    """The value with its own definitions put in, save of letters that the other side leaves open."""
    node, kept = found.node, set(known)
    for _ in found.definitions:
        for name, value in found.definitions:
            if name not in kept and name in symbols(value_of(node)):
                node = _put_in(node, name, value)
    return node


def _put_in(node: Node, name: str, value: Node) -> Node:
    if isinstance(node, Relation) and definition_of(node) is not None:
        head, *rest = node.operands
        return Relation((head, *(substituted(part, name, value) for part in rest)), node.operators)
    return substituted(node, name, value)


def as_index(name: str, relations: Iterable[Relation]) -> Index | None:
    """Bounds in whole numbers that relations put on a letter (`n >= 1`, `1 <= n <= 5`); None where they put none."""
    found: Index | None = None
    for relation in relations:
        pairs = zip(relation.operands, relation.operators, relation.operands[1:], strict=False)
        for left, sign, right in pairs:
            turned = right == Symbol(name)
            bound = left if turned else right if left == Symbol(name) else None
            part = _beside(_FLIPPED[sign] if turned else sign, bound) if bound is not None else None
            if part is not None:
                found = part if found is None else found.met(part)
    return found


def _beside(sign: str, bound: Node) -> Index | None:
    """Whole numbers on one side of a constant; None where it has no real value."""
    size = exact(bound)
    if size is None and is_constant(bound):
        try:
            value = constant_value(bound)
        except (UndefinedError, UnsupportedError):
            return None
        size = None if context().im(value) else to_fraction(value)
    if size is None or size.denominator == 1 or sign == "!=":
        return between(sign, int(size)) if size is not None and size.denominator == 1 else None
    return between(">", math.floor(size)) if sign in (">", ">=") else between("<=", math.floor(size))


_ALTERNATIVES = re.compile(r"=[^=]{1,60}?\bor\b[^=]{1,60}=")
"""`c = 1 or c = 2`: what a letter stands for is left open."""


def conditional(gold: Stated, given: Stated) -> Finding | None:
    """Refuses a value for which words state a condition that was not understood and that the gold does not state."""
    if not given.unread or gold.unread:
        return None
    first = re.match(r"[A-Za-z]+", given.unread)
    unsettled = _BY_CHANCE.match(given.unread) or _ALTERNATIVES.search(given.unread)
    if first is not None and (first[0] in _CONDITIONAL or unsettled is not None):
        return different(f"not understood after the answer: '{given.unread[:60]}'")
    return None


def narrowed(gold: Stated, given: Stated, question: str) -> Finding | None:
    """Refuses an answer for fewer values of its letters than the gold declares for them, or the question asks for."""
    if gold.relations or gold.unread or not given.relations:
        return None
    letters = symbols(value_of(gold.node)) - set(gold.indexes)
    if _beyond(value_of(gold.node), given.relations):
        return different("the answer is stated for values at which the gold has none")
    if asks_for_all(question) and any(symbols(part) <= letters for part in given.relations):
        return different("the answer is given for some of the values that were asked for")
    for name, index in gold.indexes.items():
        for part in given.relations:
            # Bounds on whole numbers are compared with the members.
            bounded = not index.other and as_index(name, (part,)) is not None
            if symbols(part) == {name} and not bounded and not _holds(part, name, index):
                return different(f"{name} runs through a smaller set")
    return None


def _beyond(node: Node, relations: tuple[Relation, ...]) -> bool:
    """Whether an expression has real values, but none where relations with signs of order hold (`ln x` for x < 0)."""
    if any("=" in part.operators or "!=" in part.operators for part in relations) or has_imaginary(node):
        return False
    within = beside = 0
    for point in points(Domain(positive=False, integers=frozenset(), real_roots=True)):
        held = valued = False
        try:
            held = all(satisfied(part, point) for part in relations)
            valued = not context().im(evaluate(node, point))
        except UndefinedError:
            pass
        except UnsupportedError:
            return False
        if held and valued:
            return False
        within, beside = within + held, beside + valued
    return within > _FEW and beside > _FEW


def _holds(part: Relation, name: str, index: Index) -> bool:
    """Whether a relation about one letter is true of members of a set, small and large."""
    ctx = context()
    members = [ctx.mpf(member) for member in index.members(_REACH)]
    if index.other:
        members += [member + ctx.mpf(1) / 3 for member in members]
    far = [sign * ctx.mpf(10) ** power for power in (3, 6, 12) for sign in (1, -1)]
    within = [value for value in far if (index.low is None or value > 0) and (index.high is None or value < 0)]
    try:
        return all(satisfied(part, Point("member", 0, 1, given={name: member})) for member in members + within)
    except (UndefinedError, UnsupportedError):
        return True


def conflict(gold: Stated, given: Stated) -> Finding | None:
    """Where both state conditions, others are a difference, or a doubt where they are words."""
    known = symbols(value_of(gold.node)) - {name for name, _ in gold.definitions}
    if any(name in known and is_constant(value) for name, value in given.definitions):
        return different("the answer is given for one number in the place of a letter")
    for name, index in given.indexes.items():
        stated = gold.indexes.get(name)
        if stated is None and len(gold.indexes) == len(given.indexes) == 1:
            stated = next(iter(gold.indexes.values()))
        if stated is not None and not set(stated.readings()) & set(index.readings()):
            return different(f"{name} runs through another set")
    if gold.relations and given.relations and not _same_relations(gold.relations, given.relations):
        return different("the conditions stated with the answers differ")
    letter = _DECLARES.match(given.unread) if gold.indexes and not given.indexes else None
    if letter is not None and letter[1] not in symbols(given.node):
        return different(f"'{letter[1]}', for which values are stated, is no letter of the answer")
    return _other_words(gold.unread, given.unread)


def _same_relations(gold: tuple[Relation, ...], given: tuple[Relation, ...]) -> bool:
    """Whether each relation of either side about the same letters is one of the other's."""
    shared = {name for part in gold for name in symbols(part)} & {name for part in given for name in symbols(part)}
    sides = [[_upright(part) for part in side if symbols(part) <= shared] for side in (gold, given)]
    return all(part in sides[1] for part in sides[0]) and all(part in sides[0] for part in sides[1])


def _upright(relation: Relation) -> Relation:
    """The relation read from its smaller side."""
    if all(sign in (">", ">=") for sign in relation.operators):
        signs = tuple(_FLIPPED[sign] for sign in reversed(relation.operators))
        return Relation(tuple(reversed(relation.operands)), signs)
    return relation


def unread_beside(gold: Node, gold_words: str, node: Node, text: str) -> str | None:
    """A condition in words behind a value that is not understood, where the gold states one of its own."""
    expected = split(gold, gold_words)
    if not (expected.indexes or expected.relations) or split(node, text.replace("$", "")).unread == "":
        return None
    return f"not understood after the answer: '{text[:60]}'"


def _other_words(first: str, second: str) -> Finding | None:
    if not first or not second:
        return None
    expected, found = _bare(first), _bare(second)
    if expected == found:
        return None
    if [len(token) for token in expected] == [len(token) for token in found]:
        return different("the conditions stated with the answers differ")
    return unknown("the conditions stated with the answers differ")


def _bare(text: str) -> list[str]:
    """Letters, numbers and signs of a condition, its words and LaTeX dress dropped."""
    bare = re.sub(r"\\(?:text|mathrm|mathbb|left|right|ldots|dots|quad)\b", " ", text)
    return [token for token in re.findall(r"[A-Za-z]+|\d+|[<>=]", bare) if len(token) == 1 or not token.isalpha()]
