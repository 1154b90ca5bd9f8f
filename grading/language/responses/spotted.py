"""Sentences that say their value by a form of their own: roots of one letter, a condition, a count, a plain chain."""

import re

from grading.language import numerals
from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.responses.counted import counted
from grading.language.responses.doubts import doubted
from grading.language.responses.making import Committed
from grading.language.responses.ownclause import own_clause
from grading.language.responses.segments import MARK, Response
from grading.language.unitnames import is_unit

SIDE = rf"(?:{MARK}|[-−]?\d+(?:\.\d+)?(?:/\d+)?)"
CONDITIONED = re.compile(r"\b(?:if|when|where|for|with|since|because|as|at|let|set)\W*$", re.IGNORECASE)
_TIMES = re.compile(
    r"^(?P<lead>[^;?]*?\b(?:printed|executed|called|runs?|repeated|repeats|iterates?|loops|evaluated|performed"
    r"|entered|carried\s+out))\s+(?:exactly\s+|only\s+|just\s+)?(?P<count>\d+)\s+times[\s.!]*$"
)
"""`so "hi" is printed 3 times`: how often is what was asked for."""
_WAYS = re.compile(
    r"^(?P<lead>[^;?]*?)\bin\s+(?:exactly\s+|only\s+|just\s+|precisely\s+)?(?P<count>\d[\d,]*)\s+(?:(?:different|distinct|possible)\s+)?ways[\s.!]*$"
)
"""`so three dice can show 12 in 25 ways`"""
_CHAIN_NAME = rf"(?:[A-Za-zα-ωΔ][\w₀-₉]{{0,4}}['’′]{{0,2}}|{MARK})\s*="
_CHAIN_BEGUN = re.compile(
    rf"(?:^|[,;]\s*(?:and\s+)?(?:so|thus|hence|therefore|giving|which\s+gives|also"
    rf"|donc)\s+(?:that\s+)?)(?P<chain>(?:{_CHAIN_NAME}|[-−]?\d[\d.,]*\s?[A-Za-zµ][\w/²³]*\s*[×·*/÷]).*)$",
    re.DOTALL,
)
_PLAIN_CHAIN = re.compile(
    r"(?:(?P<name>[A-Za-zα-ωΔ][\w₀-₉]{0,4}['’′]{0,2})\s*=)?(?P<work>[^;:?<>≤≥≠\n]{1,200})[=≈]\s*(?P<value>[-−]?\d[\d.,]*(?:\s*[×·]\s*10(?:\^\{?[-−]?\d+\}?|[⁻⁰¹²³⁴-⁹]+))?)\s*(?P<unit>[A-Za-zµΩ°%][\w/²³⁻¹·^°-]{0,12})(?:\s+of\s+[\w₀-₉]{1,12})?"
)
"""`F = Gm₁m₂/r² = 6.67×10⁻¹¹ · 10⁶ / 100 = 6.67 × 10⁻⁷ N`"""
_EXACT_SHARE = re.compile(r"(?:^|[=≈])\s*(?P<form>\d+\s*/\s*\d+\s*≈\s*[\d.,]+\s?%)[^=≈]*$")
"""`= 1/6 ≈ 16.67 %`"""
_NAMED_QUANTITY = re.compile(
    r"^\W*(?P<lead>[^\W\d][^\d:;?=\ue000-\ue2ff]{2,60}):\s+"
    r"(?P<value>[-−]?\d[\d.,]*)\s?(?P<unit>[A-Za-zµΩ°%][\w/²³⁻¹·^°-]{0,12})[\s.]*$"
)
_CHAIN_REMARK = re.compile(
    r",\s*(?:ignoring|neglecting|disregarding)\s+[a-z ]{3,40}$|,?\s*(?:i\.\s?e\.|that\s+is|das\s+entspricht"
    r"|d\.\s?h\.|soit|es\s+decir|ossia|which\s+(?:corresponds\s+to|is\s+(?:about|roughly"
    r"|equivalent\s+to)))\s*,?\s(?!.*\b(?:not|wrong|half|twice|but|however)\b)[^=;?]{1,80}$"
)
_ADJECTIVE = re.compile(
    r",\s+(?P<said>(?:(?:at|to|towards?|in|along|down|up)\s+(?:the\s+)?)?[a-z]{4,}(?:\s+[a-z]{3,}){0,2})$"
)
"""What a chain's end is, in a word or two: `= 0.90 N, repulsive`."""
_ROOT = rf"(?:{SIDE}(?:\s?[iπ])?|[-−]?[iπ])(?![\w^])"
_EITHER = re.compile(
    rf"^(?P<lead>(?:.*?[\s,;:⟹⇒→])?)(?P<list>(?P<name>[A-Za-zα-ω](?:_?\w|[₀-₉])?)\s*=\s*{_ROOT}"
    rf"(?:\s*(?:,|,?\s*(?:or|and))\s*(?P=name)\s*=\s*{_ROOT}){{1,5}})[\s.]*$",
    re.DOTALL,
)
"""`λ = 3 or λ = 1`"""
_ONLY_WHEN = re.compile(
    rf"^(?P<lead>[^\d\ue000-\ue2ff]*?)\b(?:exactly|precisely|if\s+and\s+only|only|just)\s+(?:when|if"
    rf"|for)\s+(?P<list>{MARK}|[A-Za-z]\s*=\s*{SIDE})(?:\s*\([^()?]*\))?(?:,?\s+and\s+(?:diverges|fails"
    rf"|is\s+(?:divergent|infinite|inconsistent))\s+(?:for|when|if|otherwise)\b[^;?]*)?[\s.]*$",
    re.IGNORECASE,
)
"""`there is no solution exactly when $a = -1$`: what was asked for is the condition."""
_FAILS = re.compile(
    r"\b(?:diverges?|fails?|no|not|never|undefined|in\w+ble|inconsistent|singular)\b|n['’]t\b", re.IGNORECASE
)
_POINT = re.compile(
    rf"^(?P<lead>\W*|(?:[^\d\ue000-\ue2ff=;?]*\b(?:is|so|thus|hence|therefore|get|find|obtain|have|gives|that)\b)?[\s,:]*)"
    rf"(?P<names>\([a-zA-Z](?:_?\w)?(?:,\s*[a-zA-Z](?:_?\w)?){{1,4}}\))\s*=\s*(?P<value>{MARK})[\s.]*$"
)
"""`(x, y) = (2, -1)` in plain type."""
_ORDER = re.compile(r"[<>≤≥≠]|\\(?:leq?|geq?|lt|gt|neq?|in|notin)(?![A-Za-z])")


def spotted(response: Response, text: str) -> Committed | None:
    """Values of one letter joined by "or", a condition that was asked for, how often something runs, a plain chain."""
    if (things := counted(text)) is not None and things[0].isdigit():
        return Committed(response.written(things), "statement")
    either = _EITHER.search(text) or _ONLY_WHEN.fullmatch(text)
    if either is not None and either.re is _ONLY_WHEN and _FAILS.search(either["lead"]):
        either = either if "=" in (said := response.written(either["list"])) and not _ORDER.search(said) else None
    if either is not None and not (doubted(either["lead"]) or CONDITIONED.search(either["lead"])):
        return Committed(response.written(either["list"]), "statement")
    often = _TIMES.match(numerals.in_digits(text) if "times" in text or "twice" in text else text)
    if often is not None and not doubted(often["lead"]) and not changing.AROUND.search(often["lead"]):
        return Committed(often["count"], "statement")
    ways = _WAYS.match(text)
    if ways is not None and not doubted(ways["lead"]) and not changing.AROUND.search(own_clause(text)):
        return Committed(ways["count"], "statement")
    point = _POINT.match(text)
    if point is not None and not doubted(point["lead"]) and not CONDITIONED.search(point["lead"]):
        return Committed(f"{point['names']} = {response.formula(point['value'])}", "statement")
    return _plain_chain(response, text)


def named_quantity(clause: str) -> Committed | None:
    """A clause that names a thing and says its quantity behind a colon (`one mole of CO₂: 44.0 g`)."""
    found = _NAMED_QUANTITY.match(clause)
    if found is None or not is_unit(found["unit"]) or doubted(found["lead"]):
        return None
    changes = (say.CHANGED, changing.NUMBERED, changing.AROUND, changing.IMPERATIVE)
    if any(words.search(found["lead"]) for words in changes):
        return None
    return Committed(f"{found['value']} {found['unit']}", "statement")


def _plain_chain(response: Response, text: str) -> Committed | None:
    """The end of a chain without words that begins with a name and ends in a quantity; None of other texts."""
    begun = _CHAIN_BEGUN.search(text) if text.count("=") + text.count("≈") > (0 if text[:1].isdigit() else 1) else None
    if begun is None or doubted(text[: begun.start("chain")]):
        return None
    written = re.sub(MARK, lambda mark: response.formula(mark[0]), begun["chain"]).strip(" .")
    remark = _ADJECTIVE.search(written)
    changes = (changing.AROUND, changing.BEHIND, say.CHANGED, say.UNSETTLED, changing.WORK_LEFT)
    if remark is not None and not any(words.search(remark["said"]) for words in changes):
        written = written[: remark.start()]
    found = _PLAIN_CHAIN.fullmatch(_CHAIN_REMARK.sub("", written))
    if found is None or re.search(r"[A-Za-z]{4}", found["work"]) or not is_unit(found["unit"]):
        return None
    exact = _EXACT_SHARE.search(written) if found["unit"] == "%" else None
    return Committed(exact["form"] if exact is not None else f"{found['value']} {found['unit']}", "statement")
