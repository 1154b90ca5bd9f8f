"""Formulas of logic: `\\exists x\\,\\neg P(x)`, `p \\to \\neg q`, read into one spelling of each.

The order of what is joined by "and" or "or", double negations and the names of bound variables do not matter.
Whether two formulas that are written otherwise say the same is told by the truth of each for all values of their
atoms (`says_the_same`): `p \\to q` and `\\neg p \\lor q` do, where the question is not about the writing itself.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

_SPELLINGS: Final = {
    "∃": "exists", "\\exists": "exists", "∀": "forall", "\\forall": "forall",
    "¬": "not", "\\neg": "not", "\\lnot": "not", "~": "not", "∼": "not", "!": "not", "not": "not", "NOT": "not",
    "∧": "and", "\\land": "and", "\\wedge": "and", "and": "and", "AND": "and", "&": "and",
    "∨": "or", "\\lor": "or", "\\vee": "or", "or": "or", "OR": "or",
    "→": "to", "⇒": "to", "⟹": "to", "\\to": "to", "\\rightarrow": "to", "\\Rightarrow": "to", "\\implies": "to",
    "\\Longrightarrow": "to", "->": "to", "=>": "to",
    "↔": "iff", "⇔": "iff", "⟺": "iff", "\\leftrightarrow": "iff", "\\Leftrightarrow": "iff", "\\iff": "iff",
    "⊕": "xor", "\\oplus": "xor",
}  # fmt: skip
_SIGNS: Final = {
    "≤": "<=", "\\le": "<=", "\\leq": "<=", "≥": ">=", "\\ge": ">=", "\\geq": ">=", "≠": "!=", "\\ne": "!=",
    "\\neq": "!=", "∈": "in", "\\in": "in", "∉": "notin", "\\notin": "notin",
}  # fmt: skip
_OPPOSITE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "!=", "!=": "=", "in": "notin", "notin": "in"}
_ORDER: Final = frozenset({"<", ">", "<=", ">="})
_RELATIONS: Final = frozenset(_OPPOSITE)
_TOKEN: Final = re.compile(r"\\[A-Za-z]+|->|=>|<=|>=|[A-Za-z]{2,}(?=\s|\()|[A-Za-zα-ω]'?|\d+(?:\.\d+)?|\S")
_GAPS: Final = re.compile(
    r"\\(?:[,;:! ]|q?quad(?![A-Za-z])|left(?![A-Za-z])|right(?![A-Za-z])|text|mathrm|[bB]igg?[lr]?(?![A-Za-z]))|\$"
)
_SETS: Final = re.compile(r"\\math(?:bb|bf)\s*\{?\s*([RNZQC])\s*\}?")
_NUMBER_SETS: Final = dict(zip("RNZQC", "ℝℕℤℚℂ", strict=True))
_POWERS: Final = str.maketrans({"²": "^2", "³": "^3", "′": "'", "−": "-"})
_LEVELS: Final = ("iff", "to", "xor", "or", "and")
_JOINED: Final = frozenset(_LEVELS)
_ATOM: Final = re.compile(r"[A-Za-zα-ω]'?|\\[a-z]{2,10}")
_CONNECTIVE: Final = re.compile(
    r"[∃∀¬∧∨→⇒⟹↔⇔⟺⊕]|\\(?:exists|forall|l?neg|lnot|land|lor|wedge|vee|oplus|to|implies|iff)(?![A-Za-z])"
    r"|\\(?:long|Long)?(?:left)?(?:r|R)ightarrow(?![A-Za-z])"
)
_MAY_JOIN: Final = re.compile("|".join(re.escape(each) for each in sorted({*_SPELLINGS, *_SPELLINGS.values()})))
"""What stands in every formula that is read: most golds are none."""
_LETTER: Final = re.compile(r"[A-Za-z]'?|[A-Z] \( .* \)")
_PROPOSITION: Final = re.compile(r"[A-Zp-t]'?|[A-Z] \( .* \)")
"""What "and" joins in logic: of small letters `u \\wedge v` is a product of vectors."""
_LONGEST, _DEEPEST = 200, 30
_MOST_ATOMS: Final = 6
_WRITING: Final = re.compile(
    r"contrapositive|converse|\binverse\b|normal\s+form|\b[CDN]NF\b|simplif|De\s*Morgan|\bonly\b|without|in\s+terms\s+of|rewrit|expand|distribut"
    r"|equivalent|minimal|truth\s+table",
    re.IGNORECASE,
)
"""What asks for a formula in one writing: another that says the same is no answer to it."""
_SURE: Final = re.compile(r"[∃∀¬]|\\(?:exists|forall|neg|lnot)(?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class Formula:
    """A connective, a quantifier (with its variable and range as the first part) or, with no parts, an atom."""

    head: str
    parts: tuple["Formula", ...] = ()


class _UnreadError(Exception):
    pass


@lru_cache(maxsize=256)
def formula(text: str) -> Formula | None:
    """The formula that all of a text is; None of a text that has no connective or cannot be read."""
    if len(text) > _LONGEST or _MAY_JOIN.search(text) is None:
        return None
    bare = _GAPS.sub(" ", text.strip().rstrip("."))
    bare = _SETS.sub(lambda found: f" {_NUMBER_SETS[found[1]]} ", bare.translate(_POWERS))
    bare = re.sub(r"\{(\w)\}", r"\1", bare)
    bare = bare if "\\" not in bare else re.sub(r"(?<=[\w)}])~", " ", bare)
    tokens = [_SPELLINGS.get(mark) or _SIGNS.get(mark) or mark for mark in _TOKEN.findall(bare)]
    tokens = [{"{": "(", "}": ")", "[": "(", "]": ")"}.get(mark, mark) for mark in tokens]
    if not {*tokens} & {*_JOINED, "not", "exists", "forall"}:
        return None
    try:
        reader = _Reader(tokens)
        found = reader.joined(0)
    except (_UnreadError, IndexError):
        return None
    return _renamed(found, {}) if reader.place == len(tokens) else None


def is_logic(text: str) -> bool:
    """Whether a formula can be one of logic: its connectives are signs, and its letters no forms or vectors."""
    found = formula(text)
    if found is None or _CONNECTIVE.search(text) is None:
        return False
    return is_certain(text) or all(map(_PROPOSITION.fullmatch, _atoms(found)))


def _atoms(found: Formula) -> list[str]:
    return [atom for part in found.parts for atom in _atoms(part)] if found.parts else [found.head]


def is_certain(text: str) -> bool:
    """Whether a formula is certainly one of logic: with a quantifier or a sign of negation, or an implication."""
    found = formula(text)
    if found is None or _SURE.search(text) is not None:
        return found is not None
    return found.head in ("to", "iff") and all(map(_LETTER.fullmatch, _atoms(found)))


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = self.depth = 0

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]

    def joined(self, level: int) -> Formula:
        """Parts joined by the connectives of a level; implications lean to the right."""
        if level == len(_LEVELS):
            return self.single()
        sign = _LEVELS[level]
        found = [self.joined(level + 1)]
        while self.peek() == sign:
            self.take()
            found.append(self.joined(level if sign == "to" else level + 1))
        return found[0] if len(found) == 1 else Formula(sign, tuple(found))

    def single(self) -> Formula:
        """A negation, a quantified formula, a group or an atom."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _UnreadError
        found = self._single()
        self.depth -= 1
        return found

    def _single(self) -> Formula:
        mark = self.peek()
        if mark == "not":
            self.take()
            return _negated(self.single())
        if mark in ("exists", "forall"):
            return self._quantified()
        if mark == "(" and self._is_group():
            self.take()
            inner = self.joined(0)
            if self.take() != ")":
                raise _UnreadError
            return inner
        return self._atom()

    def _is_group(self) -> bool:
        """Whether a bracket holds a formula: behind it stands no relation."""
        depth = 0
        for place in range(self.place, len(self.tokens)):
            depth += (self.tokens[place] == "(") - (self.tokens[place] == ")")
            if not depth:
                return place + 1 == len(self.tokens) or self.tokens[place + 1] in _JOINED | {")", ","}
        raise _UnreadError

    def _quantified(self) -> Formula:
        sign, name = self.take(), self.take()
        if _ATOM.fullmatch(name) is None:
            raise _UnreadError
        limits: list[str] = []
        if self.peek() in _RELATIONS:
            limits = [self.take(), self.take()]
            while self.peek() not in ("", ",", ":", "(", "exists", "forall", "not") and not self._predicate():
                limits.append(self.take())
        while self.peek() in (",", ":", "|") or (self.peek() == "." and self.place):
            self.take()
        scope = Formula("") if self.peek() in ("", ")") else self.joined(0)
        return Formula(sign, (Formula(name), Formula(" ".join(limits)), scope))

    def _predicate(self) -> bool:
        """Whether a letter before a bracket stands here: `P(x)`."""
        return self.peek()[:1].isupper() and self.tokens[self.place + 1 : self.place + 2] == ["("]

    def _atom(self) -> Formula:
        found: list[str] = []
        depth = 0
        while self.peek() and (depth or self.peek() not in _JOINED | {")", ",", "exists", "forall", "not"}):
            mark = self.take()
            depth += (mark == "(") - (mark == ")")
            found.append(mark)
        if not found or len([mark for mark in found if mark in _RELATIONS]) > 1:
            raise _UnreadError
        if any(len(mark) > 1 and mark.isalpha() and mark not in _RELATIONS and mark != found[0] for mark in found):
            raise _UnreadError
        letters = [mark for mark in found if mark not in "()"]
        if len(letters) > 1 and found[1] != "(" and not {*found} & _RELATIONS:
            raise _UnreadError
        return Formula(" ".join(found))


def _negated(inner: Formula) -> Formula:
    if inner.head == "not":
        return inner.parts[0]
    tokens = inner.head.split()
    signs = [place for place, mark in enumerate(tokens) if mark in _RELATIONS]
    if not inner.parts and len(signs) == 1:
        tokens[signs[0]] = _OPPOSITE[tokens[signs[0]]]
        return Formula(" ".join(tokens))
    return Formula("not", (inner,))


def _renamed(found: Formula, names: dict[str, str]) -> Formula:
    """Bound variables by their depth, and the parts of what has no order sorted."""
    if found.head in ("exists", "forall") and found.parts:
        name, limits, scope = found.parts
        inner = {**names, name.head: f"#{len(names)}"}
        return Formula(found.head, (_renamed(limits, inner), _renamed(scope, inner)))
    if not found.parts:
        return Formula(" ".join(names.get(mark, mark) for mark in found.head.split()))
    parts = tuple(_renamed(part, names) for part in found.parts)
    if found.head in ("to", "not"):
        return Formula(found.head, parts)
    flat = [each for part in parts for each in (part.parts if part.head == found.head else (part,))]
    return Formula(found.head, tuple(sorted(flat, key=repr)))


def says_the_same(gold: Formula, given: Formula, question: str) -> bool:
    """Whether a formula written otherwise is the gold's for all values of its atoms, and the question leaves it so.

    An implication turned round is another one, whatever its truth; what negates as a whole undoes no negation that
    was asked for.
    """
    if _WRITING.search(question) is not None:
        return False
    if gold.head == given.head == "to":
        turned = [_truth(Formula("not", (part,))) for part in reversed(given.parts)]
        if turned == [_truth(part) for part in gold.parts]:
            return False
    undone = given.head == "not" and bool(given.parts[0].parts)
    if undone and gold.head != "not" and re.search(r"\b(?:negat|den(?:y|ial))", question, re.IGNORECASE):
        return False
    truths = _truth(gold), _truth(given)
    return truths[0] is not None and truths[0] == truths[1]


_Truth = tuple[tuple[str, ...], tuple[bool, ...]]
"""Atoms, and whether the formula holds for each choice of their truth; no atom is among them that changes nothing."""


def _truth(found: Formula) -> _Truth | None:
    """Of a quantified part the atom is its range and the truth of its scope: it is one of them with `forall`."""
    values: dict[Formula, str] = {}
    if not _named_atoms(found, values) or len({*values.values()}) > _MOST_ATOMS:
        return None
    atoms = tuple(sorted({name.lstrip("-") for name in values.values()}))
    rows = list(product((False, True), repeat=len(atoms)))
    holds = [_holds(found, values, dict(zip(atoms, row, strict=True))) for row in rows]
    kept = [place for place in range(len(atoms)) if _matters(rows, holds, place)]
    first = {tuple(row[place] for place in kept): value for row, value in zip(rows, holds, strict=True)}
    return tuple(atoms[place] for place in kept), tuple(first[row] for row in sorted(first))


def _matters(rows: list[tuple[bool, ...]], holds: list[bool], place: int) -> bool:
    """Whether turning one atom round changes the truth somewhere."""
    known = dict(zip(rows, holds, strict=True))
    return any(known[row] != known[(*row[:place], not row[place], *row[place + 1 :])] for row in rows)


def _named_atoms(found: Formula, values: dict[Formula, str]) -> bool:
    """Give each atom of a formula a name, with a minus where it is the opposite of it; False where one has none."""
    if found.head in ("exists", "forall") and found.parts:
        limits, scope = found.parts
        inner = _truth(scope)
        if inner is None:
            return False
        atoms, holds = inner
        turned = found.head == "exists"
        kept = tuple(value != turned for value in holds)
        values[found] = f"{'-' if turned else ''}forall {limits.head} {atoms} {kept}"
        return True
    if found.parts:
        return all(_named_atoms(part, values) for part in found.parts)
    tokens = found.head.split()
    signs = [place for place, mark in enumerate(tokens) if mark in _RELATIONS]
    name, minus = found.head, False
    if len(signs) == 1:
        left, sign, right = tokens[: signs[0]], tokens[signs[0]], tokens[signs[0] + 1 :]
        if sign in (">", "<="):
            left, right, minus = right, left, sign == "<="
        elif sign in (">=", "!=", "notin"):
            minus = True
        kind = "<" if sign in _ORDER else sign.replace("!", "").replace("not", "")
        sides = [" ".join(left), " ".join(right)]
        name = f" {kind} ".join(sorted(sides) if kind == "=" else sides)
    values[found] = f"{'-' if minus else ''}{name}"
    return True


def _holds(found: Formula, values: dict[Formula, str], atoms: dict[str, bool]) -> bool:
    if found in values:
        name = values[found]
        return atoms[name.lstrip("-")] != name.startswith("-")
    parts = [_holds(part, values, atoms) for part in found.parts]
    match found.head:
        case "not":
            return not parts[0]
        case "and":
            return all(parts)
        case "or":
            return any(parts)
        case "to":
            return not parts[0] or parts[1]
        case "iff":
            return len({*parts}) == 1
    return sum(parts) % 2 == 1
