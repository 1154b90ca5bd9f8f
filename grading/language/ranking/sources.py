"""Where else a sentence may say its value: at the end of a formula, in plain type too; as a share, a time, a vector."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from grading.language.numerals import number_of
from grading.language.ranking.sorts import TIME
from grading.language.responses.segments import MARK, Response

_RELATION: Final = re.compile(r"=|≈|≡|\\(?:approx|simeq|equiv)(?![A-Za-z])")
_MODULO: Final = re.compile(r"\\p?mod\b.*$|\\bmod\b.*$|\(\s*(?:\\?mod|\\bmod)\b.*$", re.DOTALL)
_IMPLICIT: Final = re.compile(r"[-+]|\d\s*[A-Za-z]|\^|\\frac")
"""A left side that is no name: `4y` of `4y = x^2`."""
_HOLDS: Final = r"[^,=]{0,24}(?:[<>≤≥≠]|\\(?:[lg]e?[tq]?|neq?|in|ge|le)(?![A-Za-z]))"
_CONDITION: Final = re.compile(
    r"(?:[,;]?\s*\\q?quad\s*(?:[A-Z]_\w,\s*)*|(?<!\\),\s*(?:\\[,;! ]\s*)*)"
    rf"(?:\(|\\left|\\text|\\mathrm|\\operatorname|{_HOLDS}).*$",
    re.DOTALL,
)
"""What a display ends in: where its value holds (`\\qquad (n\\ge 0)`, `, \\quad s>3`)."""
_EQUATION_NAME: Final = r"\\?[A-Za-z]+(?:_\w|_\{\w+\})?(?:\([^()=]{0,12}\))?(?=\s*=)"
_FIRST_NAME: Final = re.compile(rf"\s*(?P<name>{_EQUATION_NAME})")
_NEXT_EQUATION: Final = re.compile(
    r"(?:(?:[,;]\s*)?\\q?quad\s*(?:\\text\s*\{\s*(?:where|with|so|hence|thus)\b[^{}]*\}\s*)?|(?<!\\)[,;]\s*(?:\\[,;:\s]\s*)*)"
    rf"(?P<name>{_EQUATION_NAME})"
)
"""Between two equations of one formula: `i(t) = I(1 - e^{-t/\\tau}), \\quad \\tau = L/R`."""
_ALIGNED: Final = re.compile(
    r"\\(?:begin|end)\{(?:aligned|align|alignat|split|gathered|gather|eqnarray)\*?\}(?:\{\d\})?"
)
_OTHER_ROWS: Final = re.compile(r"\\begin\{(?!(?:aligned|align|alignat|split|gathered|gather|eqnarray)\b)")
"""The beginning of a matrix, or of the branches of a function."""
_ROW_ENDS: Final = re.compile(r"\\\\(?:\[[^\[\]]*\])?")
_LEADS_ON: Final = re.compile(r"(?:\\(?:implies|iff|(?:Long)?(?:left)?[Rr]ightarrow|to)(?![A-Za-z])|[⟹⇒⟺⇔→])\s*$")
"""An arrow, behind which the next equation follows from the one before."""
ONE_VALUE: Final = frozenset({"number", "quantity", "expression", "order", "ratio"})
"""Sorts of which an equation says one, and another equation beside it another."""
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
_MAPS: Final = re.compile(r"^\s*[a-z]\s*(?:\\mapsto(?![A-Za-z])|↦)\s*(?P<value>[^=]+)$")
"""What a function makes of its letter: `x \\mapsto 2x + 1`."""
_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_TAIL_ENDS: Final = re.compile(r"[;:?!…]|,\s|\.\s|\.$|\s[—–]\s|\s-\s|\((?=[^()]*[A-Za-z]{4})")
_OUT_OF: Final = re.compile(
    r"(?<![\w.])(?P<over>\d+)\s+(?:(?:times|chances?)\s+)?(?:out\s+of|in)\s+(?P<under>\d+)(?!\w|\.\d)"
)
_ONE_OF: Final = re.compile(
    r"(?<!about\s)(?<!roughly\s)(?<!around\s)(?<!nearly\s)(?<!almost\s)(?<!under\s)(?<!over\s)(?<!than\s)\b(?:one|once)(?:-|\s+)(?:(?!in\b|of\b|out\b)[a-z]+\s+)?(?:out\s+of|in|of)(?:-|\s+)(?:every\s+)?(?P<under>\d+|[a-z]+)\b",
    re.IGNORECASE,
)
"""`one time in 6`, `a one-in-six chance`, `once in 13 tries`"""
_SHARE_OF: Final = re.compile(
    rf"(?<![\w.])(?P<share>\d+/\d+|0\.\d+)\s+of\s+(?:the\s+)?(?P<what>{MARK}|[A-Za-zα-ωΑ-Ω](?![\w'’]))(?=\s*(?:[.,;:()]|$)|\s[a-z]{{2}})"
)
"""`one third of L`, its number in figures."""
_GROUPED: Final = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\w])")
_MEMBER: Final = re.compile(r"(?:\\in(?![A-Za-z])|∈)\s*(?P<value>.+)$", re.DOTALL)
_MEMBER_ALONE: Final = re.compile(r"\s*\\?[A-Za-z]+\s*(?:\\in(?![A-Za-z])|∈)\s*(?P<set>[^=]+)")
_IN_TUPLE: Final = rf"(?:[^\W_]|[-−+*/^·. ²³⁴½√π]|{MARK}|\([^()\n]{{1,20}}\)){{1,40}}"
_TUPLE: Final = re.compile(rf"\({_IN_TUPLE}(?:,{_IN_TUPLE}){{1,5}}\)")
_END: Final = r"[-−]?(?:\d+(?:\.\d+)?(?:/\d+)?|√\d+|π(?:/\d+)?|∞)"
_CHAIN: Final = re.compile(
    rf"(?<![\w.])(?:{_END}\s?[<≤]\s?[a-z]\s?[<≤]\s?{_END}|[a-z]\s?[<>≤≥]\s?{_END})(?![\w/^²]|\.\d)"
)
"""`-5 ≤ x < -2`, `x > 3`"""
_VECTOR: Final = re.compile(r"<(?P<inner>[-−\d.,/ ]{3,60})>|⟨(?P<terms>[^⟨⟩|\n]{1,60}(?:,[^⟨⟩|,\n]{1,60}){1,3})⟩")
_SUBSTANCE: Final = re.compile(r"(?<![\w(])(?=[A-Za-z()]*[\d₀-₉])(?:\(?[A-Z][a-z]?[\d₀-₉]*\)?[\d₀-₉]*){1,8}(?![\w])")
_NO_LETTERS: Final = r"(?!(?:a|I|is|at|of|in|to|we|so|or|by|if|as|be|it|on)\b)"
_LIMIT: Final = re.compile(
    r"^.{4,}?(?:(?:\\to|\\(?:long)?rightarrow|→)(?![A-Za-z])|\\xrightarrow(?:\[[^\[\]]*\])?\{[^{}]*\})(?:\s|\\[,;:!\s])*"
    r"(?P<value>(?:(?!\\(?:q?quad|text)|,\s)[^=≈]){1,40}+)",
    re.DOTALL,
)
"""What a formula goes to: `\\frac{\\sin x - x}{x^3} \\to -\\frac16`."""
_TOKEN: Final = rf"(?:{MARK}|\d[\d.,]*\d|\d|(?<![A-Za-z]){_NO_LETTERS}[A-Za-z]{{1,2}}(?![A-Za-z])|[²³⁴'′()+\-−*/^·|])"
_EQUATION: Final = re.compile(rf"{_TOKEN}(?:\s?{_TOKEN}){{0,40}}+\s?=\s?{_TOKEN}(?:\s?{_TOKEN}){{0,40}}+")
_MIXED: Final = re.compile(r"(?<![\w.])[-−]?(?:\d+\s?)?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")


_PATTERNS: Final = (
    (("number", "quantity"), _OUT_OF, "out of"),
    (("number", "quantity"), _ONE_OF, "one of"),
    (("expression",), _SHARE_OF, "share of"),
    (("number", "quantity"), _GROUPED, "grouped"),
    (("number", "quantity"), _MIXED, "mixed"),
    (("expression",), _SUBSTANCE, "substance"),
    (("tuple",), _TUPLE, "tuple"),
    (("range", "set"), _CHAIN, "chain"),
    (("tuple", "range", "set"), _VECTOR, "vector"),
)
"""For which sorts what is looked for, and as which source it counts."""
_LIKE: Final = {"one of": "out of", "share of": "plain"}
"""Sources that count as others."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value of a sentence as it is compared, between two places of its text. `how` is the source that has it."""

    text: str
    start: int
    end: int
    how: str
    name: str = ""
    """The left side of its equation, where that is another one than its sentence begins with."""


def found_in(response: Response, text: str, kind: str) -> Iterator[Found]:
    """Further values of a sentence; `kind` is the sort that is asked for."""
    if kind == "time":
        for match in TIME.finditer(text):
            yield Found(match[0], match.start(), match.end(), "time")
        return
    yield from _of_formulas(response, text, kind)
    yield from _plain_tails(response, text)
    for kinds, pattern, how in _PATTERNS:
        for match in pattern.finditer(text) if kind in kinds else ():
            if written := _as_written(response, match, how):
                yield Found(written, match.start(), match.end(), _LIKE.get(how, how))


def _as_written(response: Response, match: re.Match[str], how: str) -> str:
    """What a pattern found, as the answer language writes it."""
    if how == "out of":
        return f"{match['over']}/{match['under']}"
    if how == "one of":
        under = match["under"] if match["under"].isdigit() else number_of(match["under"])
        return f"1/{under}" if under is not None else ""
    if how == "share of":
        what = response.undelimited(match["what"]).strip()
        return (
            f"\\frac{{{match['share'].replace('/', '}{')}}} {what}"
            if "/" in match["share"]
            else f"{match['share']} {what}"
        )
    if how == "grouped":
        return re.sub(r"\s", "", match[0])
    if how == "vector":
        return f"({response.undelimited(match['inner'] or match['terms'])})"
    return response.undelimited(match[0])


def rows_of(formula: str) -> list[str]:
    """The rows of an aligned formula, a row that begins with a relation with the one that it goes on with."""
    if "\\\\" not in formula or _OTHER_ROWS.search(formula):
        return [formula]
    rows: list[str] = []
    for row in _ROW_ENDS.split(_ALIGNED.sub("", formula)):
        plain = row.replace("&", " ").strip()
        if rows and _RELATION.match(plain):
            rows[-1] = f"{rows[-1]} {plain}"
        elif plain:
            rows.append(plain)
    return rows or [formula]


def equations_of(formula: str) -> list[str]:
    """The equations of a formula that has several, each of another name; else the formula."""
    first = _FIRST_NAME.match(formula)
    found = [*_NEXT_EQUATION.finditer(formula)] if first is not None else []
    found = [each for each in found if not _LEADS_ON.search(formula, 0, each.start())]
    names = [first["name"] if first is not None else "", *(each["name"] for each in found)]
    if not found or len({re.sub(r"_.*|\(.*", "", each) for each in names}) < len(names):
        return [formula]
    starts = [0, *(each.start("name") for each in found)]
    ends = [*(each.start() for each in found), len(formula)]
    return [formula[start:end] for start, end in zip(starts, ends, strict=True)]


def set_of(formula: str) -> str:
    """The set of which a formula says that a letter is in it; other formulas as they are."""
    member = _MEMBER_ALONE.fullmatch(formula)
    return member["set"] if member is not None else formula


def equations(response: Response, text: str) -> Iterator[Found]:
    """The equations of a sentence in plain type or of formulas side by side, whole."""
    for match in itertools.islice(_EQUATION.finditer(text), _MOST_EQUATIONS):
        written = response.undelimited(match[0])
        yield Found(written, match.start(), match.end(), "equation")


def _of_formulas(response: Response, text: str, kind: str) -> Iterator[Found]:
    """The sets, limits and values of each formula, and what its equations come to."""
    for match in re.finditer(MARK, text):
        whole = response.formula(match[0]).strip()
        for pattern, how in ((_MEMBER, "member"), (_MAPS, "formula"), (_LIMIT, "limit")):
            inner = pattern.search(whole)
            if inner is not None:
                yield Found(f"${inner['value'].strip(' .,')}$", match.start(), match.end(), how)
        *above, last = rows_of(whole)
        parts = [*above, *(equations_of(last) if kind in ONE_VALUE else (last,))]
        for place, part in enumerate(parts):
            own = _FIRST_NAME.match(part) if place else None
            for each, how in _of_equation(part):
                yield Found(f"${each}$", match.start(), match.end(), how, own["name"] if own is not None else "")


def _of_equation(formula: str) -> Iterator[tuple[str, str]]:
    """The last members of a chain of equations, the exact one before a rounded one too, with the source of each."""
    stated = _CONDITION.sub("", formula)
    members = [_MODULO.sub("", side).strip(" ,.;") for side in _RELATION.split(stated)]
    if len(members) < 2 and stated == formula:
        return
    if len(members) == 2 and _IMPLICIT.search(members[0]):
        yield stated.strip(" .,;"), "equation"
    for side in dict.fromkeys(members[-2:] if len(members) > 2 else members[-1:]):
        if side:
            yield side, "formula"


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
