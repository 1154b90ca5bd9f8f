"""The values of a response that may be its answer, each with the words around it."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from grading.language.ranking.pieces import pieces
from grading.language.ranking.sorts import Asked, agreement, agreement_of, sort_of
from grading.language.ranking.sources import ONE_VALUE, Found, equations, equations_of, found_in, rows_of, set_of
from grading.language.responses.clauses import VALUE, noun_of
from grading.language.responses.segments import MARK, Response, Sentence
from grading.language.responses.sizes import Size, same, size_of
from grading.language.responses.workings import NAME, SHARE, in_working
from grading.language.unitnames import is_unit

EQUALITY: Final = re.compile(r"=|≈|\\approx(?![A-Za-z])")
"""Between the sides of an equation as a commitment is written."""
_EQUALS: Final = re.compile(r"=|≈|\\(?:approx|simeq)(?![A-Za-z])")
_NEARLY: Final = re.compile(r"(?:≈|\\(?:approx|simeq)(?![A-Za-z]))(?!.*(?:=|≈|\\approx|\\simeq))", re.DOTALL)
_IMPLIES: Final = re.compile(r"\\(?:implies|iff|(?:Long)?(?:left)?[Rr]ightarrow)(?![A-Za-z])|[⟹⇒⟺⇔]")
_MEMBERS: Final = re.compile(rf"{_EQUALS.pattern}|{_IMPLIES.pattern}")
_WITH_UNIT: Final = re.compile(r"\\(?:text|mathrm|rm|,)|\\%|[%°]")
_NUMBERED: Final = re.compile(
    r"(?:\b(?:steps?|routes?|cases?|methods?|parts?|ways?|figures?|tables?|equations?|sections?|chapters?|types?|levels?|rounds?|days?|questions?|problems?|examples?|approach|options?|stages?|phases?|rules?|theorem|lemma|exercises?|law)|no\.|[§#^])\s*$",
    re.IGNORECASE,
)
"""Before a number that only names something: `Step 3`."""
_UPRIGHT: Final = re.compile(r"\\(?:text|mathrm|rm)\s*\{[^{}]*\}(?:\^\{?[-−]?\d\}?)?|\\[,;: ]")
"""The unit of a formula."""
_AT_END: Final = re.compile(r"(?:\\[,;: ]|\s)*\\(?:text|mathrm|rm)\s*\{[^{}]*\}(?:\^\{?[-−]?\d\}?)?\s*$")
_NAMED_CONSTANT: Final = re.compile(r"\\(?:[dt]?frac|sqrt|pi|ln|log|times|cdot|left|right)(?![A-Za-z])")
_UNIT_OF_NUMBER: Final = re.compile(
    r"^([-−+]?[$€£]?\d[\d.,]*(?:\s?(?:×|\\times)\s?10\S*)?)\s?(?!million|billion|thousand|hundred)[A-Za-zµΩ°][\w/²³⁻¹·°^.-]*(?:\s(?:per\s)?[a-z]+)?$"
)
_FURTHER: Final = re.compile(r"\s+(?:and\s+)?\d+(?:\.\d+)?\s?(?:[a-z]+|″|′|\")(?![\w/])")
"""What a quantity of two units goes on with: `2 hours 24 minutes`."""
_POINTS: Final = re.compile(r"(?:that|this|the|each|every|one|a|an|next|last)\s", re.IGNORECASE)
"""A word before what is no unit behind a value: `$40 that day`."""
_EXACT: Final = re.compile(r"\\(?:sqrt|pi|ln|log|[dt]?frac)(?![A-Za-z])|[√π/A-Za-z]")
_LETTERED: Final = re.compile(r"(?<![\\A-Za-z{])[a-z](?![A-Za-z])")
"""A variable, as no decimals have."""
_WORKED: Final = re.compile(r"\d\.\d|\\times|\\cdot\s*\d|×")
_CUT: Final = re.compile(rf"(?:[^\W_]|[∂∇²³)\]}}+−-]|{MARK}|[·×/*^]\s?|\\(?:cdot|times)\s?)$")
"""Before a letter that is a factor of what stands there, and no name."""
_FACTOR: Final = re.compile(r"(?:i|π|[a-zα-ω](?=\W))(?![\w'’])")
"""A letter that stands at a number without space."""
_PART: Final = re.compile(r"\s*d[a-zθφ](?![\w'’])|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")
"""What a value is only a part of: an integrand, the whole of a mixed number."""
_DIFFERENTIAL: Final = re.compile(r"\s*d[a-zθφ]\s*=")
_LONGEST: Final = 700
_MOST_OF_SENTENCE: Final = 40
_MOST: Final = 80
"""Values of a response, of more the last."""


@dataclass(slots=True, eq=False)
class Candidate:
    """A value at one place. `members` are the members of its equation; `text` is what is compared with the gold.

    `place` counts sentences, `order` the values of a sentence, of which there are `count`; `arrives` is whether it ends
    a chain of equations.
    """

    place: int
    sentence: Sentence
    order: int
    count: int
    lead: str
    rest: str
    written: str
    members: list[str]
    text: str
    size: Size | None
    arrives: bool
    displayed: bool
    formula: bool
    measured: bool
    bold: bool
    agreement: float
    how: str = "value"

    @property
    def name(self) -> str:
        """The left side of its equation, without dress; empty where it has none."""
        return bare(self.members[0]) if len(self.members) > 1 else ""

    @property
    def value(self) -> str:
        """The right side as it is written."""
        return self.members[-1]

    def repeats(self, other: "Candidate") -> bool:
        """Whether both say one value."""
        return self is other or (self.size is not None and other.size is not None and same(self.size, other.size))

    def says(self, text: str) -> bool:
        """Whether it is what a text says, or the last side of its equation."""
        size = measure_of(EQUALITY.split(text)[-1])
        if self.text.strip("$ .") == text.strip("$ ."):
            return True
        return size is not None and self.size is not None and same(size, self.size)


def measure_of(text: str) -> Size | None:
    """The size of a value in its own unit."""
    return size_of(_UNIT_OF_NUMBER.sub(r"\1", _UPRIGHT.sub("", text).strip(" .$")))


def bare(formula: str) -> str:
    """A formula without dress and spaces."""
    return re.sub(r"\\(?:mathrm|text|mathbf|boldsymbol|left|right|[,;!])|[{}\s$*\\]", "", formula)


def candidates(response: Response, asked: Asked) -> list[Candidate]:
    """The values of the asked sort that are no part of a working, in their order."""
    found: list[Candidate] = []
    for place in range(len(response.sentences) - 1, -1, -1):
        here = [each for each in _of_sentence(response, place, asked) if each.agreement > 0]
        if asked.sort.equation:
            here = _with_equations(response, place, asked, here)
        found[:0] = _in_order([*here, *_further(response, place, asked, here)])
        if len(found) > _MOST:
            break
    return found


def _of_sentence(response: Response, place: int, asked: Asked) -> Iterator[Candidate]:
    sentence = response.sentences[place]
    text = sentence.text[:_LONGEST]
    values = list(VALUE.finditer(text))[:_MOST_OF_SENTENCE]
    until = 0
    for order, value in enumerate(values):
        lead, rest = text[: value.start()], text[value.end() :]
        if value.start() < until or _PART.match(rest):
            continue
        written = response.undelimited(value[0])
        formula = re.search(MARK, value[0]) is not None
        if formula:
            written = rows_of(written)[-1]
            written = equations_of(written)[0] if asked.sort.kind in ONE_VALUE else set_of(written)
        if _is_cut(written, lead):
            written = _MEMBERS.split(written, maxsplit=1)[1].strip()
        if (NAME.fullmatch(written) and sort_of(written).kind not in ("order", "number")) or (
            not formula and _only_names(written, lead, rest)
        ):
            continue
        members = _MEMBERS.split(written)
        unit, behind = _unit(value[0], rest, formula=formula and not re.fullmatch(r"[-−]?\d[\d.,]*", written))
        unit, behind = _further_unit(value[0], unit, behind)
        if not formula and not unit and (letter := _FACTOR.match(rest)) is not None:
            # `2i` and `3x` are no number.
            unit, behind = letter[0], rest[letter.end() :]
        until = len(text) - len(behind)
        arrives, inner = in_working(value[0], members, lead, behind)
        if inner and not arrives:
            continue
        text_of = _said(response, value[0], written, unit, asked)
        yield Candidate(
            place=place,
            sentence=sentence,
            order=order,
            count=len(values),
            lead=lead,
            rest=rest,
            written=written,
            members=members,
            text=text_of,
            size=size_of(_UPRIGHT.sub("", members[-1])),
            arrives=arrives,
            displayed=any(response.is_display(mark) for mark in re.findall(MARK, value[0])),
            formula=formula,
            measured=bool(unit) or _WITH_UNIT.search(written) is not None,
            bold=any(value[0] in part for part in sentence.bold),
            agreement=agreement_of(asked, text_of),
        )


def _said(response: Response, value: str, written: str, unit: str, asked: Asked) -> str:
    """What a value of a sentence says with its unit; `written` is it without what it is cut out of."""
    members = _MEMBERS.split(written)
    shown, whole = value, response.undelimited(value).strip()
    if re.search(MARK, value) is None:
        named = written != whole or (len(members) > 1 and not asked.sort.equation)
        shown = members[-1].strip() if named else value
    elif len(members) > 1:
        shown = _shown(written, asked)
    elif written != whole:
        shown = f"${written.strip()}$"
    # What a tuple is counted in is no part of it.
    several = response.undelimited(shown).lstrip("$\\lef").startswith(("(", "[", "{"))
    return response.written(shown if several else f"{shown}{unit}").strip()


def _is_cut(written: str, lead: str) -> bool:
    """Whether the letter before a sign of equality ends a working: `R = …` behind `(μ₀I/4πR²)·2π`."""
    if _EQUALS.search(written) is None or not re.match(r"\s*\\?[A-Za-zα-ω]", written):
        return False
    return _CUT.search(lead) is not None or _DIFFERENTIAL.match(written) is not None


def _in_order(here: list[Candidate]) -> list[Candidate]:
    """The values of a sentence as they stand in it, each with its number among them."""
    here.sort(key=lambda each: len(each.lead))
    for order, each in enumerate(here):
        each.order, each.count = order, len(here)
    return here


def _further(response: Response, place: int, asked: Asked, here: list[Candidate]) -> Iterator[Candidate]:
    """Values that a sentence says otherwise than as a number or a formula alone, where they are of the asked sort."""
    sentence = response.sentences[place]
    text = sentence.text[:_LONGEST]
    known = [(each.text.strip("$ ."), each.size) for each in here]
    kind = asked.sort.kind
    sources = itertools.chain(found_in(response, text, kind), pieces(response, text, kind))
    for found in itertools.islice(sources, _MOST_OF_SENTENCE):
        plain = found.text.strip("$ .")
        size = size_of(plain)
        if any(
            plain == other
            or (size and other_size and same(size, other_size) and not (is_exact(plain) > is_exact(other)))
            for other, other_size in known
        ):
            continue
        agrees = agreement_of(asked, plain)
        if not agrees:
            continue
        known.append((plain, size))
        yield _made(response, place, found, agrees)


def _with_equations(response: Response, place: int, asked: Asked, here: list[Candidate]) -> list[Candidate]:
    """The values of a sentence with its equations in whole, where an equation is asked for, and not their sides."""
    text = response.sentences[place].text[:_LONGEST]
    whole: list[Candidate] = []
    for each in equations(response, text):
        sort = sort_of(each.text)
        agrees = agreement(asked, sort) if sort.equation == "implicit" else 0.0
        if agrees:
            whole.append(_made(response, place, each, agrees))
            here = [one for one in here if not each.start <= len(one.lead) < each.end]
    return here + whole


def _made(response: Response, place: int, found: Found, agrees: float) -> Candidate:
    sentence = response.sentences[place]
    marks = re.findall(MARK, sentence.text[found.start : found.end])
    plain = found.text.strip("$ ")
    members = [found.name, plain] if found.name else [plain]
    return Candidate(
        place=place,
        sentence=sentence,
        order=0,
        count=1,
        lead=sentence.text[: found.start],
        rest=sentence.text[found.end :],
        written=plain,
        members=members,
        text=found.text,
        size=size_of(plain),
        arrives=found.how in ("formula", "plain"),
        displayed=any(response.is_display(mark) for mark in marks),
        formula=bool(marks),
        measured=_WITH_UNIT.search(plain) is not None,
        bold=any(sentence.text[found.start : found.end] in part for part in sentence.bold),
        agreement=agrees,
        how=found.how,
    )


def is_exact(text: str) -> bool:
    """Whether a value is written with roots, constants, fractions or letters, and not only rounded."""
    return _EXACT.search(re.sub(r"(?<=[\d$])\s+[A-Za-z].*$", "", text)) is not None


def _only_names(written: str, lead: str, rest: str) -> bool:
    """Whether a text is a unit, or a number that only counts a step or an item of a list."""
    if not re.search(r"\d", written) and is_unit(written.strip()):
        return True
    whole = re.fullmatch(r"\d+", written.strip()) is not None
    first = whole and len(written) <= len("99") and re.match(r"[.)]\s", rest) and not re.search(r"\w", lead)
    return bool(first or (whole and _NUMBERED.search(lead)))


def _unit(value: str, rest: str, *, formula: bool) -> tuple[str, str]:
    """The unit behind a value, or its sign of per cent, and what stands behind that."""
    share = SHARE.match(rest)
    if share is not None:
        return share[0], rest[share.end() :]
    if value.rstrip().endswith(("%", "°", "°C", "°F")):
        return "", rest
    noun, behind = noun_of(rest.rstrip(" .!"), lone=formula)
    unit = noun.split(" of ")[0]
    fits = unit and unit not in ("a", "h a", "in") and not _POINTS.match(unit) and is_unit(unit)
    return (f" {unit}", behind) if fits else ("", rest)


def _further_unit(value: str, unit: str, behind: str) -> tuple[str, str]:
    """The unit of a value with what a quantity of two units goes on with, and what stands behind it."""
    more = _FURTHER.match(behind) if unit and re.fullmatch(r"\d+", value) else None
    if more is None:
        return unit, behind
    first, both = sort_of(f"{value}{unit}"), sort_of(f"{value}{unit}{more[0]}")
    return (f"{unit}{more[0]}", behind[more.end() :]) if both == first else (unit, behind)


def _is_name(member: str) -> bool:
    return NAME.fullmatch(re.sub(r"[{}]", "", member)) is not None


def _shown(written: str, asked: Asked) -> str:
    """What a chain of equations says at its end: `name = value`, of an exact value and its decimals what is asked."""
    last = next((part for part in reversed(_IMPLIES.split(written)) if part.strip()), written)
    members = [side.strip() for side in _EQUALS.split(last) if side.strip()]
    if len(members) < 2:
        return f"${members[0] if members else last}$"
    exact = members[-2]
    rounded = _NEARLY.search(last) is not None and not _is_name(exact) and not _LETTERED.search(members[-1])
    if rounded and not asked.decimal and _EXACT.search(exact) and not _WORKED.search(exact):
        unit = _AT_END.search(members[-1]) if not re.search(r"[A-Za-z]", _NAMED_CONSTANT.sub("", exact)) else None
        return f"${exact}{unit[0] if unit is not None else ''}$"
    if asked.sort.equation == "implicit":
        return f"${members[0]} = {members[-1].strip(' ,.;')}$"
    named = asked.sort.kind == "expression" and _is_name(members[0])
    return f"${f'{members[0]} = ' if named else ''}{members[-1].strip(' ,.;')}$"
