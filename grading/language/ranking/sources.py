"""Where else a sentence may say its value: at the end of a formula, in plain type too; as a share, a time, a vector."""

import itertools
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
    r"(?:[,;]?\s*\\q?quad\s*(?:[A-Z]_\w,\s*)*|,\s*(?:\\[,;! ]\s*)*)"
    rf"(?:\(|\\left|\\text|\\mathrm|\\operatorname|{_HOLDS}).*$",
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
_MOST_EQUATIONS: Final = 8
_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_TAIL_ENDS: Final = re.compile(r"[;:?!…]|,\s|\.\s|\.$|\s[—–]\s|\s-\s|\((?=[^()]*[A-Za-z]{4})")
_OUT_OF: Final = re.compile(
    r"(?<![\w.])(?P<over>\d+)\s+(?:(?:times|chances?)\s+)?(?:out\s+of|in)\s+(?P<under>\d+)(?!\w|\.\d)"
)
_GROUPED: Final = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\w])")
_MEMBER: Final = re.compile(r"(?:\\in(?![A-Za-z])|∈)\s*(?P<set>.+)$", re.DOTALL)
_IN_TUPLE: Final = rf"(?:[^\W_]|[-−+*/^·. ²³⁴½√π]|{MARK}|\([^()\n]{{1,20}}\)){{1,40}}"
_TUPLE: Final = re.compile(rf"\({_IN_TUPLE}(?:,{_IN_TUPLE}){{1,5}}\)")
_END: Final = r"[-−]?(?:\d+(?:\.\d+)?(?:/\d+)?|√\d+|π(?:/\d+)?|∞)"
_CHAIN: Final = re.compile(
    rf"(?<![\w.])(?:{_END}\s?[<≤]\s?[a-z]\s?[<≤]\s?{_END}|[a-z]\s?[<>≤≥]\s?{_END})(?![\w/^²]|\.\d)"
)
"""`-5 ≤ x < -2`, `x > 3`"""
_VECTOR: Final = re.compile(r"[⟨<](?P<inner>[-−\d.,/ ]{3,60})[⟩>]")
_SUBSTANCE: Final = re.compile(r"(?<![\w(])(?=[A-Za-z()]*[\d₀-₉])(?:\(?[A-Z][a-z]?[\d₀-₉]*\)?[\d₀-₉]*){1,8}(?![\w])")
_NO_LETTERS: Final = r"(?!(?:a|I|is|at|of|in|to|we|so|or|by|if|as|be|it|on)\b)"
_LIMIT: Final = re.compile(
    r"^.{4,}?(?:\\to|\\(?:long)?rightarrow|→)(?![A-Za-z])\s*(?P<limit>(?:(?!\\(?:q?quad|text)|,\s)[^=≈]){1,40}+)",
    re.DOTALL,
)
"""What a formula goes to: `\\frac{\\sin x - x}{x^3} \\to -\\frac16`."""
_TOKEN: Final = rf"(?:{MARK}|\d[\d.,]*\d|\d|(?<![A-Za-z]){_NO_LETTERS}[A-Za-z]{{1,2}}(?![A-Za-z])|[²³⁴'′()+\-−*/^·|])"
_EQUATION: Final = re.compile(rf"{_TOKEN}(?:\s?{_TOKEN}){{0,40}}+\s?=\s?{_TOKEN}(?:\s?{_TOKEN}){{0,40}}+")
_MIXED: Final = re.compile(r"(?<![\w.])[-−]?(?:\d+\s?)?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")


_PATTERNS: Final = (
    (("number", "quantity"), _OUT_OF, "out of"),
    (("number", "quantity"), _GROUPED, "grouped"),
    (("number", "quantity"), _MIXED, "mixed"),
    (("expression",), _SUBSTANCE, "substance"),
    (("tuple",), _TUPLE, "tuple"),
    (("range", "set"), _CHAIN, "chain"),
    (("tuple", "range", "set"), _VECTOR, "vector"),
)
"""For which sorts what is looked for, and as which source it counts."""


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
    for kinds, pattern, how in _PATTERNS:
        for match in pattern.finditer(text) if kind in kinds else ():
            yield Found(_as_written(response, match, how), match.start(), match.end(), how)


def _as_written(response: Response, match: re.Match[str], how: str) -> str:
    """What a pattern found, as the answer language writes it."""
    if how == "out of":
        return f"{match['over']}/{match['under']}"
    if how == "grouped":
        return re.sub(r"\s", "", match[0])
    if how == "vector":
        return f"({match['inner']})"
    return response.undelimited(match[0])


def equations(response: Response, text: str) -> Iterator[Found]:
    """The equations of a sentence in plain type or of formulas side by side, whole."""
    for match in itertools.islice(_EQUATION.finditer(text), _MOST_EQUATIONS):
        written = response.undelimited(match[0])
        yield Found(written, match.start(), match.end(), "equation")


def _of_formulas(response: Response, text: str) -> Iterator[Found]:
    """The last members of the equations of each formula, the exact one before a rounded one too."""
    for match in re.finditer(MARK, text):
        whole = response.formula(match[0]).strip()
        member = _MEMBER.search(whole)
        if member is not None:
            yield Found(f"${member['set'].strip(' .,')}$", match.start(), match.end(), "member")
        limit = _LIMIT.search(whole)
        if limit is not None:
            yield Found(f"${limit['limit'].strip(' .,')}$", match.start(), match.end(), "limit")
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
            written = response.undelimited(said)
            start = sign.end() + tail.find(said[0])
            yield Found(written, start, start + len(said), "plain")
