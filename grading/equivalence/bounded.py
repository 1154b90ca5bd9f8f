"""Inequalities said by a word, beside golds that are inequalities: `Above 500 K` beside `T > 500 K`."""

import re
from functools import lru_cache
from typing import Final

from grading.language.unitnames import is_unit
from grading.matching.stem import stem

_SIGN: Final = r"(?:[<>≤≥]=?|≠|\\(?:le|ge|leq|geq|lt|gt|leqslant|geqslant|neq?)(?![A-Za-z]))"
_LETTER: Final = r"(?:\\[A-Za-z]+|[A-Za-zα-ωΑ-Ω])(?:_\{?\w{1,6}\}?|[₀-₉])?"
_GOLD: Final = re.compile(
    rf"\s*\$?\s*(?P<first>{_LETTER})\s*{_SIGN}|[^<>≤≥\\]*{_SIGN}\s*(?P<second>{_LETTER})\s*(?:{_SIGN}|\$?\s*$)"
)
_RANGE: Final = re.compile(r"\s*\$?\s*(?:\\left\s*)?[(\[][^,]{1,40},[^,]{1,40}[)\]]\s*\$?\s*")
_THAN: Final = r"(?:\s+than)(?P<{0}>,?\s+or\s+(?:equal|the\s+same)(?:\s+to)?)?"
_BOUND: Final = re.compile(
    r"\b(?:(?P<not_over>(?:no|not)\s+(?:more|greater|larger|higher)\s+than|at\s+most|not\s+(?:above|over|exceeding)|up\s+to\s+and\s+including)"
    r"|(?P<not_under>(?:no|not)\s+(?:less|smaller|lower|fewer)\s+than|at\s+least|not\s+(?:below|under))"
    rf"|(?P<over>above|over|beyond|exceeding|(?:strictly\s+)?(?:greater|larger|bigger|more|higher){_THAN.format('over_too')})"
    rf"|(?P<under>below|under|(?:strictly\s+)?(?:less|smaller|lower|fewer){_THAN.format('under_too')}))\s+(?=[\d$\\(√πα-ω−+-]|[A-Za-z]\b|about\b|approx)",
    re.IGNORECASE,
)
_OR: Final = re.compile(
    r"\s+or\s+(?:(?P<over>more|above|higher|greater|larger)|(?P<under>less|below|lower|smaller))\b", re.IGNORECASE
)
_ENDS: Final = re.compile(
    r"(?:strictly\s+)?between\s+(?P<low>[^\s,;]{1,30}(?:\s?[A-Za-z°%]{1,6})?)\s+and\s+(?P<high>[^,;()]{1,40}?)"
    r"(?:,?\s+\(?(?:(?P<closed>(?:both\s+)?inclusive(?:ly)?|both\s+(?:ends\s+)?included)|exclusive(?:ly)?)\)?)?$"
    r"|from\s+(?P<from>[^\s,;]{1,30}(?:\s?[A-Za-z°%]{1,6})?)\s+(?:up\s+)?to\s+(?P<to>[^,;()]{1,40})$",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(
    r"(?P<number>[-−+]?\d[\d.,]*(?:\s*(?:×|\\times|\*)\s*10\^\{?-?\d+\}?)?)\s*(?P<unit>[^\d\s].*)"
)
_ABOUT: Final = re.compile(r"(?:about|approximately|approx\.)\s+", re.IGNORECASE)
_REASON: Final = re.compile(r"[,;]?\s+\(?(?:since|because)\b.*$", re.IGNORECASE | re.DOTALL)
_WORD: Final = re.compile(r"[^\W\d_]+")
_PLAIN: Final = re.compile(
    r"a(?:ll|ny|re|t)?|be|every|exactly|for|ha(?:s|ve)|i[fnst]|its|just|must|numbers?|o[fnr]|only|real|temperatures?|th(?:e|en|is|at)"
    r"|to|values?|when(?:ever)?|where|which|with|precisely|so|thus|hence|therefore|pressures?|speeds?|concentrations?",
    re.IGNORECASE,
)
"""Words that say nothing of which side of a bound is meant."""
_RELATED: Final = re.compile(
    rf"^(?P<lead>[^<>≤≥$\\\d]{{1,80}}?)\s(?P<relation>\$?\s*(?:{_LETTER}|[-−]?\d[\d.]*)\s*{_SIGN}[^,;:]*)$"
)
_CONDITIONED: Final = re.compile(
    rf"^(?P<lead>[^<>≤≥$\\\d,;:]{{4,100}}?),?\s(?:(?:(?:if\s+and\s+)?only\s+|precisely\s+|exactly\s+)?(?:if|when(?:ever)?)|[as]s?o?\s+long\s+as|provided(?:\s+that)?)\s+"
    rf"(?P<relation>\$\s*[^$]*(?:{_SIGN}|\\in(?![A-Za-z])|∈)[^$]*\$|{_LETTER}\s*{_SIGN}[^,;:$]*)$",
    re.IGNORECASE,
)
"""`the car stays on the road as long as $v < v_0$`"""
_SIGNED: Final = re.compile(
    rf"^\W*(?:(?:so|thus|hence|therefore),?\s+)?(?:for\s+)?(?:(?:all|any|every)\s+)?(?:real\s+)?\$?(?P<letter>{_LETTER})\$?\s+"
    r"(?:(?:is|must\s+be|has\s+to\s+be|should\s+be|needs\s+to\s+be)\s+)?(?:(?:any|an?)\s+)?(?:real\s+)?(?:strictly\s+)?"
    r"(?P<how>positive|negative|non-?zero|non-?negative|non-?positive)(?:\s+(?:real\s+)?(?:number|constant))?$",
    re.IGNORECASE,
)
"""`$a$ must be positive`"""
_HOW: Final = {"positive": "> 0", "negative": "< 0", "nonzero": "\\ne 0", "nonnegative": ">= 0", "nonpositive": "<= 0"}
_PAIRS: Final = (
    ("converg", "diverg"),
    ("increas", "decreas"),
    ("positiv", "negativ"),
    ("maxim", "minim"),
    ("left", "right"),
)
_SPOKEN: Final = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{4}")
_LONGEST: Final = 160


def as_inequality(text: str, gold: str, question: str) -> str:
    """The inequality in signs that a short answer says in words, in the gold's letter; any other text as it is."""
    letter = _letter(gold)
    if letter is None or len(text) > _LONGEST or "\n" in text.strip():
        return text
    said = _REASON.sub("", text.strip().replace("**", "")).rstrip(" .!")
    signed = _SIGNED.match(said)
    if signed is not None:
        same = signed["letter"] == letter
        return f"{letter} {_HOW[signed['how'].lower().replace('-', '')]}" if same else text
    given = _CONDITIONED.match(said)
    if given is not None:
        return given["relation"] if _is_plain(given["lead"], letter, question) else text
    related = _RELATED.match(said)
    if related is not None and not _SPOKEN.search(related["relation"]):
        return related["relation"] if _is_plain(related["lead"], letter, question) else text
    ends = _ENDS.search(said)
    if (
        ends is not None
        and (ends["low"] or _RANGE.fullmatch(gold) is None)
        and not _SPOKEN.search(ends["high"] or ends["to"])
    ):
        return _between(ends, letter, gold) if _is_plain(said[: ends.start()], letter, question) else text
    bound = _BOUND.search(said)
    if bound is not None:
        value = _ABOUT.sub("", said[bound.end() :]).strip()
        lead, sign = said[: bound.start()], _sign_of(bound)
    else:
        behind = _OR.search(said)
        first = re.search(r"[\d$\\√π]", said)
        if behind is None or first is None or said[behind.end() :].strip(" $"):
            return text
        lead, value = said[: first.start()], said[first.start() : behind.start()].strip()
        sign = ">=" if behind["over"] else "<="
    measured = _MEASURED.fullmatch(value)
    if _SPOKEN.search(value) and not (measured is not None and is_unit(measured["unit"])):
        return text
    if _BOUND.search(value) or _OR.search(value) or not value or not _is_plain(lead, letter, question):
        return text
    bare = value.replace("$", "") if value.count("$") else value
    return f"{letter} {sign} {_without_unit(bare, letter, gold)}"


def _between(ends: re.Match[str], letter: str, gold: str) -> str:
    """`2 < x < 5` for what lies between, `2 <= x <= 5` for what goes from one end to the other."""
    sign = "<=" if ends["from"] or ends["closed"] else "<"
    low, high = (
        _without_unit((ends[one] or ends[other]).replace("$", ""), letter, gold)
        for one, other in (("low", "from"), ("high", "to"))
    )
    return f"{low} {sign} {letter} {sign} {high}"


def _without_unit(value: str, letter: str, gold: str) -> str:
    """A bound without its unit, where the gold has none."""
    found = _MEASURED.fullmatch(value)
    others = _WORD.findall(re.sub(r"\\[A-Za-z]+", "", gold.replace(letter, "", 1)))
    return found["number"] if found is not None and not others and is_unit(found["unit"]) else value


@lru_cache(maxsize=512)
def _letter(gold: str) -> str | None:
    """The letter that a gold bounds, `x` for an interval; None of any other gold."""
    found = _GOLD.match(gold)
    if found is not None:
        return found["first"] or found["second"]
    return "x" if _RANGE.fullmatch(gold) else None


def _sign_of(bound: re.Match[str]) -> str:
    if bound["not_over"] or bound["not_under"]:
        return "<=" if bound["not_over"] else ">="
    return (">" if bound["over"] else "<") + ("=" if bound["over_too"] or bound["under_too"] else "")


def _asks_both(words: set[str]) -> bool:
    """Whether a question speaks of two opposites, each of which may be said of a bound."""
    pairs = any(
        {pair for word in words for pair in re.findall(f"^(?:{one}|{other})", word)} >= {one, other}
        for one, other in _PAIRS
    )
    return pairs or any(f"{prefix}{word}" in words for word in words for prefix in ("non", "un", "in", "im", "dis"))


def _is_plain(lead: str, letter: str, question: str) -> bool:
    """Whether words before a bound name the gold's letter and what the question asked, and nothing else."""
    if re.search(r"\bnot\b|n['’]t\b|\bnever\b|[\d=<>]", lead):
        return False
    asked = {word.lower() for word in _WORD.findall(question) if len(word) > 1}
    asked = set() if _asks_both(asked) else asked
    name = letter.strip("\\").partition("_")[0]
    words = _WORD.findall(lead.replace("$", " "))
    stems = {stem(word) for word in asked}
    return all(word == name or _PLAIN.fullmatch(word) or stem(word.lower()) in stems for word in words)
