"""Where else a sentence may say its value: at the end of a formula, in plain type too; as a share, a time, a vector."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from grading.language.ranking.sorts import TIME
from grading.language.responses.segments import MARK, Response

_RELATION: Final = re.compile(r"=|≈|≡|\\(?:approx|simeq|equiv)(?![A-Za-z])")
_MODULO: Final = re.compile(r"\\p?mod\b.*$|\\bmod\b.*$|\(\s*(?:\\?mod|\\bmod)\b.*$", re.DOTALL)
_IMPLICIT: Final = re.compile(r"[-+]|\d\s*[A-Za-z]|\^|\\frac")
"""A left side that is no name: `4y` of `4y = x^2`."""
_HOLDS: Final = r"[^,=]{0,24}(?:[<>≤≥≠]|\\(?:[lg]e?[tq]?|neq?|in|ge|le)(?![A-Za-z]))"
_CONDITION: Final = re.compile(
    rf"(?:[,;]?\s*\\q?quad\s*|,\s*(?:\\[,;! ]\s*)*)(?:\(|\\left|\\text|\\mathrm|\\operatorname|{_HOLDS}).*$",
    re.DOTALL,
)
"""What a display ends in: where its value holds (`\\qquad (n\\ge 0)`, `, \\quad s>3`)."""
_PLAIN: Final = re.compile(r"[=≈→⇒⟹↦]|\\(?:approx|to|mapsto)(?![A-Za-z])")
_KNOWN_WORDS: Final = frozenset(
    [
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "log",
        "exp",
        "sqrt",
        "arctan",
        "arcsin",
        "arccos",
        "sinh",
        "cosh",
        "tanh",
        "max",
        "min",
        "mol",
        "kPa",
        "MPa",
        "GPa",
        "kHz",
        "MHz",
        "GHz",
        "kmol",
        "rad",
        "deg",
        "ohm",
        "atm",
        "bar",
        "kWh",
        "min",
        "kcal",
        "alpha",
        "beta",
        "gamma",
        "theta",
        "lambda",
        "omega",
        "sigma",
        "pi",
        "mu",
        "rho",
        "tau",
        "phi",
        "psi",
        "eps",
        "delta",
    ]
)
_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_TAIL_ENDS: Final = re.compile(r"[;:?!…]|,\s|\.\s|\.$|\s[—–]\s|\s-\s|\((?=[^()]*[A-Za-z]{4})")
_OUT_OF: Final = re.compile(
    r"(?<![\w.])(?P<over>\d+)\s+(?:(?:times|chances?)\s+)?(?:out\s+of|in)\s+(?P<under>\d+)(?!\w|\.\d)"
)
_GROUPED: Final = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\w])")
_MEMBER: Final = re.compile(r"(?:\\in(?![A-Za-z])|∈)\s*(?P<set>.+)$", re.DOTALL)
_VECTOR: Final = re.compile(r"[⟨<](?P<inner>[-−\d.,/ ]{3,60})[⟩>]")
_SUBSTANCE: Final = re.compile(r"(?<![\w(])(?=[A-Za-z()]*[\d₀-₉])(?:\(?[A-Z][a-z]?[\d₀-₉]*\)?[\d₀-₉]*){1,8}(?![\w])")
_MIXED: Final = re.compile(r"(?<![\w.])[-−]?(?:\d+\s?)?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")


@dataclass(frozen=True, slots=True)
class Found:
    """A value of a sentence as it is compared, between two places of its text. `how` is the source that has it."""

    text: str
    start: int
    end: int
    how: str


def found_in(response: Response, text: str, kind: str) -> Iterator[Found]:
    """Further values of a sentence; `kind` is the sort that is asked for."""
    if kind == "time":
        for match in TIME.finditer(text):
            yield Found(match[0], match.start(), match.end(), "time")
        return
    yield from _of_formulas(response, text)
    yield from _plain_tails(response, text)
    if kind in ("number", "quantity"):
        for match in _OUT_OF.finditer(text):
            yield Found(f"{match['over']}/{match['under']}", match.start(), match.end(), "out of")
        for match in _GROUPED.finditer(text):
            yield Found(re.sub(r"\s", "", match[0]), match.start(), match.end(), "grouped")
        for match in _MIXED.finditer(text):
            yield Found(match[0], match.start(), match.end(), "mixed")
    if kind == "expression":
        for match in _SUBSTANCE.finditer(text):
            yield Found(match[0], match.start(), match.end(), "substance")
    if kind in ("tuple", "range", "set"):
        for match in _VECTOR.finditer(text):
            yield Found(f"({match['inner']})", match.start(), match.end(), "vector")


def _of_formulas(response: Response, text: str) -> Iterator[Found]:
    """The last members of the equations of each formula, the exact one before a rounded one too."""
    for match in re.finditer(MARK, text):
        whole = response.formula(match[0]).strip()
        member = _MEMBER.search(whole)
        if member is not None:
            yield Found(f"${member['set'].strip(' .,')}$", match.start(), match.end(), "member")
        formula = _CONDITION.sub("", whole)
        members = [_MODULO.sub("", side).strip(" ,.;") for side in _RELATION.split(formula)]
        if len(members) < 2 and formula == whole:
            continue
        if len(members) == 2 and _IMPLICIT.search(members[0]):
            yield Found(f"${formula.strip(' .,;')}$", match.start(), match.end(), "equation")
        for side in dict.fromkeys(members[-2:] if len(members) > 2 else members[-1:]):
            if side:
                yield Found(f"${side}$", match.start(), match.end(), "formula")


def _plain_tails(response: Response, text: str) -> Iterator[Found]:
    """What stands behind a sign of equality up to the next one or to a word."""
    signs = [*_PLAIN.finditer(text)]
    for place, sign in enumerate(signs):
        until = signs[place + 1].start() if place + 1 < len(signs) else len(text)
        tail = text[sign.end() : until]
        ends = _TAIL_ENDS.search(tail)
        tail = tail[: ends.start()] if ends is not None else tail
        for word in _WORD.finditer(tail):
            if word[0] not in _KNOWN_WORDS:
                tail = tail[: word.start()]
                break
        said = re.sub(r"\s+(?:or|so|is|as|of|in|to|at|by|we|it|if)\s*$", "", tail.rstrip(" (—–-")).strip(" .,*_$")
        if said and re.search(rf"[\w{MARK[1:-1]}]", said):
            written = re.sub(MARK, lambda mark: response.formula(mark[0]).strip(), said)
            start = sign.end() + tail.find(said[0])
            yield Found(written, start, start + len(said), "plain")
