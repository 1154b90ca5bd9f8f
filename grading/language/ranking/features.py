"""What speaks for and against a candidate: where it stands, what leads to it, and what the response does with it."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import Final

from grading.language.ranking.candidates import Candidate, bare
from grading.language.ranking.cues import (
    ANOTHER,
    ASKED,
    CHECK,
    CONSEQUENCE,
    DECIMALS,
    GIVEN,
    LEADS,
    MUSING,
    OF_IT,
    OPENS,
    OPERAND,
    OTHER_CASE,
    PLACE,
    REMARK,
    SUBORDINATE,
    UNREAL,
    WORDS_OF_ANY_QUESTION,
)
from grading.language.ranking.wordings import Neighbours, wordings
from grading.language.responses.asides import adds, apart
from grading.language.responses.doubts import unstated
from grading.language.responses.making import Committed
from grading.language.responses.segments import Response
from grading.language.responses.turning import comes_back, hypothetical, turned_aside

Features = dict[str, float]

_OPERATION: Final = re.compile(r"\\(?:times|cdot|[dt]?frac|sqrt)(?![A-Za-z])|[*×·+/^]|\d\s*[-−]\s*\d")
_LETTER: Final = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
_UPRIGHT: Final = re.compile(r"\\(?:text|mathrm|mathbf)\s*\{[^}]*\}|\\[A-Za-z]+")
_SIMPLE_NAME: Final = re.compile(r"\s*\\?[A-Za-z]+(?:_\w+)?'?(?:\s*\([^()]{0,12}\))?\s*")
_OF_FUNCTION: Final = re.compile(r"\s*\\?[A-Za-z\\_{}]+\s*\(")
_OPERATES: Final = re.compile(r"[-+*/\d]|\\frac")
_CALCULATED: Final = re.compile(r"\\(?:int|sum|prod|lim)(?![A-Za-z])|[∫∑∏]")
_DERIVATIVE: Final = re.compile(r"\\frac\s*\{?d|d\w+/d|\\d?dot|['′]|\\partial")
_INEQUALITY: Final = re.compile(r"[<>≤≥]|\\[lg]e?[tq]?(?![A-Za-z])")
_COMMAND: Final = re.compile(
    r"\\(?:frac|sqrt|left|right|cdot|times|quad|text|mathrm|mathbf|tfrac|dfrac|[bB]ig+|[,;])|[{}]"
)
_SYMBOL: Final = re.compile(r"\\?[A-Za-zα-ω]+(?:_\{?\w+\}?)?")
_PLAIN_NUMBER: Final = re.compile(r"[-−]?\d[\d.,]*")
_YEAR: Final = re.compile(r"\W*(?:1[5-9]|20)\d\d\W*")
_FEW, _MANY = 5, 12
"""Sentences of a short and of a long response."""


@dataclass(frozen=True, slots=True)
class _Context:
    """What is known of the response as a whole."""

    response: Response
    live: Sequence[Candidate]
    ruled: Committed
    roles: list[str]
    beside: frozenset[int]
    first_aside: int
    last_paragraph: int
    checks: dict[int, bool]
    remarks: dict[int, bool]
    names: Counter[str]
    early: str
    early_words: frozenset[str]
    written: str
    """All sentences, without spaces and dress."""
    ends: list[int]
    """Where each sentence ends in it."""


def features_of(response: Response, live: Sequence[Candidate], ruled: Committed) -> list[Features]:
    """The features of each candidate; `ruled` is what the grammar of sentences found in the response."""
    context = _context(response, live, ruled)
    neighbours = Neighbours(response)
    found = [_own(context, each) | wordings(each, neighbours) for each in live]
    best = max((each.agreement for each in live), default=0.0)
    for place, each in enumerate(live):
        found[place]["agrees less"] = best - each.agreement
    arriving = [
        place
        for place, each in enumerate(live)
        if each.arrives and not any(found[place][name] for name in ("aside", "beside", "check", "hypothetical"))
    ]
    for place, each in enumerate(live):
        found[place] |= _among(context, place, each, found, arriving)
    return found


def _context(response: Response, live: Sequence[Candidate], ruled: Committed) -> _Context:
    sentences = response.sentences
    roles = turned_aside(sentences)
    beside = {id(each) for each in apart(sentences)[1]}
    first: dict[int, str] = {}
    for each in sentences:
        first.setdefault(each.paragraph, each.text)
    written = [response.written(each.text) for each in sentences]
    dense = [re.sub(r"[\s$]|\\[,;]", "", each) for each in written]
    return _Context(
        response=response,
        live=live,
        ruled=ruled,
        roles=roles,
        beside=frozenset(place for place, each in enumerate(sentences) if id(each) in beside),
        first_aside=next((place for place, role in enumerate(roles) if role and place), len(sentences)),
        last_paragraph=sentences[-1].paragraph,
        checks={number: CHECK.search(text) is not None for number, text in first.items()},
        remarks={number: REMARK.search(text) is not None for number, text in first.items()},
        names=Counter(each.name for each in live if each.name),
        early=" ".join(written[:3]),
        early_words=frozenset(_content(" ".join(each.text for each in sentences[:2]))),
        written=" ".join(dense),
        ends=list(accumulate(len(each) + 1 for each in dense)),
    )


def _content(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]{4,}", text.lower()) if word not in WORDS_OF_ANY_QUESTION}


def _own(context: _Context, given: Candidate) -> Features:
    """Features of the candidate and its sentence."""
    sentence, text, lead = given.sentence, given.sentence.text, given.lead
    count, place = len(context.response.sentences), given.place
    concludes, opens = CONSEQUENCE.search(lead) is not None, OPENS.match(text) is not None
    aside, beside = context.roles[place] == "aside", place in context.beside
    check, remark = context.checks[sentence.paragraph], context.remarks[sentence.paragraph]
    before = context.response.sentences[place - 1] if place else None
    after = context.response.sentences[place + 1] if place + 1 < count else None
    known: dict[str, float | bool] = {
        "last sentence": after is None,
        "first sentence": before is None,
        "last paragraph": sentence.paragraph == context.last_paragraph,
        "begins paragraph": before is None or before.paragraph != sentence.paragraph,
        "ends paragraph": after is None or after.paragraph != sentence.paragraph,
        "place": place / (count - 1) if count > 1 else 1.0,
        "from end": min(count - 1 - place, _MANY) / _MANY,
        "paragraphs left": min(context.last_paragraph - sentence.paragraph, 5) / 5,
        "first of few": before is None and count <= _FEW,
        "last of few": after is None and count <= _FEW,
        "in list": sentence.listed,
        "heading": sentence.heading,
        "announces": text.rstrip().endswith(":"),
        "displayed": given.displayed,
        "bold": given.bold,
        "concludes": concludes,
        "opens as conclusion": opens,
        "concludes in aside": (concludes or opens) and (aside or beside or check or remark),
        "concludes a chain": (concludes or opens) and given.arrives,
        "aside": aside,
        "section aside": context.roles[place] == "section",
        "beside": beside,
        "behind aside": place > context.first_aside,
        "next aside": after is not None and bool(context.roles[place + 1]),
        "next of it": after is not None and OF_IT.match(after.text) is not None,
    }
    return _numbers(known) | _of_sentence(context, given) | _around(given) | _form(context, given)


def _of_sentence(context: _Context, given: Candidate) -> Features:
    """Features of what the sentence does."""
    known: dict[str, float | bool] = {
        "paragraph checks": context.checks[given.sentence.paragraph],
        "paragraph remarks": context.remarks[given.sentence.paragraph],
        "unreal": UNREAL.search(given.lead) is not None,
    }
    return {**_numbers(known), **_told_by(given.sentence.text)}


@lru_cache(maxsize=256)
def _told_by(text: str) -> Mapping[str, float]:
    """Features of a sentence that are the same for all its values."""
    known: dict[str, float | bool] = {
        "adds": adds(text),
        "hypothetical": hypothetical(text) and not comes_back(text),
        "unstated": unstated(text),
        "check": CHECK.search(text) is not None,
        "remark": REMARK.search(text) is not None,
        "given": GIVEN.search(text) is not None,
        "of it": OF_IT.match(text) is not None,
        "question": "?" in text,
        "muses": MUSING.search(text) is not None,
        "asked": ASKED.search(text) is not None,
    }
    return MappingProxyType(_numbers(known))


def _around(given: Candidate) -> Features:
    """Features of the words about the value, and of its place among those of the sentence."""
    lead = given.lead
    known: dict[str, float | bool] = {
        "led": LEADS.search(lead) is not None,
        "another": ANOTHER.search(lead[-60:]) is not None or OTHER_CASE.search(given.rest[:80]) is not None,
        "subordinate": SUBORDINATE.search(lead) is not None,
        "operand": OPERAND.search(lead) is not None,
        "decimals": DECIMALS.search(lead) is not None,
        "at a place": PLACE.search(lead) is not None,
        "in brackets": lead.count("(") > lead.count(")"),
        "labelled": re.match(r"^[^:]{3,60}:\s*[$*_]*$", lead) is not None,
        "begins sentence": re.search(r"\w", lead) is None,
        "ends sentence": re.search(r"\w", given.rest) is None,
        "first value": given.order == 0,
        "last value": given.order == given.count - 1,
        "only value": given.count == 1,
        "one of many": given.count > 3,
        "agreement": given.agreement,
    }
    return _numbers(known)


def _numbers(known: dict[str, float | bool]) -> Features:
    return {name: float(value) for name, value in known.items()}


def _form(context: _Context, given: Candidate) -> Features:
    """Features of how the value is written."""
    value, left = given.value, given.members[0]
    equation = len(given.members) > 1
    lettered = _LETTER.search(_UPRIGHT.sub("", value)) is not None
    simple = equation and _SIMPLE_NAME.fullmatch(re.sub(r"[{}]", "", left.strip())) is not None
    name = re.sub(r"[\s${}]", "", left)
    letters = set(_SYMBOL.findall(_COMMAND.sub(" ", value)))
    inside = rf"(?<![A-Za-z\\]){re.escape(name)}(?![A-Za-z_])"
    known: dict[str, float | bool] = {
        "formula": given.formula,
        "equation": equation,
        "arrives": given.arrives,
        "measured": given.measured,
        "number left": equation and _PLAIN_NUMBER.fullmatch(left.strip()) is not None and not lettered,
        "left open": _OPERATION.search(value) is not None and not lettered,
        "simple name": simple,
        "odd left side": len(given.members) == 2
        and not simple
        and _OF_FUNCTION.match(left) is None
        and _OPERATES.search(left) is not None,
        "derivative": equation and _DERIVATIVE.search(left) is not None,
        "implicit": simple and re.search(inside, re.sub(r"[\s${}]", "", value)) is not None,
        "calculated": _CALCULATED.search(value) is not None,
        "early letters": bool(letters) and letters <= set(_SYMBOL.findall(_COMMAND.sub(" ", context.early))),
        "early name": 0 < len(given.name) < 14 and given.name in bare(context.early),
        "digit": re.fullmatch(r"\d", given.written.strip()) is not None,
        "decimal": re.search(r"\d\.\d", value) is not None,
        "year": _YEAR.fullmatch(given.written) is not None,
        "inequality": _INEQUALITY.search(given.written) is not None,
    }
    return _numbers(known)


def _among(
    context: _Context, place: int, given: Candidate, known: Sequence[Features], arriving: Sequence[int]
) -> Features:
    """Features of the candidate beside the others, of which those `arriving` end a chain of the argument."""
    live, later, before = context.live, context.live[place + 1 :], context.live[:place]
    mine = known[place]
    repeated = [each for each in later if each.repeats(given)]
    earlier = [each for each in before if each.repeats(given)]
    last = live[arriving[-1]] if arriving else None
    conclusions = {
        each.place
        for each, features in zip(later, known[place + 1 :], strict=True)
        if each.place != given.place
        and (features["concludes"] or features["opens as conclusion"])
        and not features["aside"]
    }
    ahead = _content(given.lead[-120:] + given.rest[:60])
    rest = [each for each in later if not each.repeats(given)]
    arrivals = sum(at > place for at in arriving)
    concludes = bool(mine["concludes"] or mine["opens as conclusion"])
    paragraphs = [number for number in context.checks if number > given.sentence.paragraph]
    features: dict[str, float | bool] = {
        "repeated": bool(repeated),
        "repeated twice": len(repeated) > 1,
        "worked before": any(each.arrives for each in earlier),
        "seen before": bool(earlier) and not any(each.arrives for each in earlier),
        "new": not earlier,
        "mentions": math.log(1 + len(repeated) + len(earlier)),
        "used": _is_used(context, given),
        "last chain": last is given,
        "as last chain": last is not None and last.repeats(given),
        "chains left": min(arrivals, 5) / 5,
        "no chain left": arrivals == 0,
        "settled": arrivals == 0 and not mine["paragraph checks"] and not mine["check"],
        "conclusions left": min(len(conclusions), 4) / 4,
        "last conclusion": concludes and not conclusions,
        "others left": min(len(rest), 10) / 10,
        "others in paragraph": any(each.sentence.paragraph == given.sentence.paragraph for each in rest),
        "last of all": not later,
        "name counted": min(context.names[given.name], 4) / 4 if given.name else 0.0,
        "name again": bool(given.name) and any(each.name == given.name for each in later),
        "shared words": min(len(context.early_words & ahead), 3) / 3 if given.place > 1 else 0.0,
        "remarks follow": any(context.checks[number] or context.remarks[number] for number in paragraphs),
    }
    return _numbers(features) | _ruled(context, given)


def _is_used(context: _Context, given: Candidate) -> bool:
    """Whether a later working starts from the value."""
    value = re.sub(r"[\s${}]|\\(?:text|mathrm|[,;])", "", given.value).strip(".,")
    number = re.match(r"[-−]?[\d.,]+", value)
    core = re.escape((number[0] if number is not None else value).rstrip(".,"))
    if not core:
        return False
    unit = r"(?:(?:\\text|\\mathrm)?\{?[A-Za-z%°]{0,4}\}?)?"
    operation = r"(?:[-−+×*·÷/]|\\cdot|\\times)"
    used = rf"(?<![\w.]){core}{unit}(?:{operation}|\^)|(?:{operation}|\()\{{?{core}(?![\w.])"
    return re.compile(used).search(context.written, context.ends[given.place]) is not None


def _ruled(context: _Context, given: Candidate) -> Features:
    """Whether the grammar of sentences names this value, and by which rule."""
    ruled = context.ruled
    if ruled.text is None:
        return {}
    if not given.says(ruled.text):
        return {}
    count = len(context.response.sentences)
    return {
        "ruled": 1.0,
        f"ruled by {ruled.rule}": 1.0,
        "ruled in few": float(count <= _FEW),
        "ruled in many": float(count > _MANY),
    }
