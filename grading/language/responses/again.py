"""A sentence that ends in a number by which it says again what it says: `ends as 7^2 = 49 does, that is, in a 9`."""

import re
from typing import Final

from grading.language.responses import changing
from grading.language.responses.doubts import doubted
from grading.language.responses.segments import MARK
from grading.language.unitnames import is_unit

_AGAIN: Final = re.compile(
    r",\s+(?:that\s+is(?:\s+to\s+say)?|i\.\s?e\.|in\s+other\s+words),?\s+"
    r"(?:(?:in|on|at|by|to|with)\s+)?(?:an?\s+|the\s+digit\s+)?"
    r"(?P<value>[-−]?\d[\d.,/]*(?<![.,])(?:\s?[%°]|\s(?P<unit>[A-Za-zµΩ][\w/²³·^-]{0,11}))?)[\s.!]*$",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"(?:,\s+(?:that\s+is(?:\s+to\s+say)?|i\.\s?e\.|in\s+other\s+words|giving|making|for|which\s+(?:is|means|gives|makes)),?\s+(?:an?|the)|\sfor\s+(?:an?|the)|:\s+(?:so\s+)?(?:an?|the)?)\s*"
    r"(?:[a-z]+\s+)?(?:probability|chance|likelihood|share|percentage|proportion|fraction|ratio|rate|average|mean|speed|price|cost|profit|area|volume|density)\s+(?:of\s+|is\s+|=\s*)?"
    rf"(?:about\s+|roughly\s+|approximately\s+|exactly\s+)?(?P<value>(?:{MARK}|[-−]?[$€£]?\d[\d.,/]*(?<![.,]))(?:\s?[%°]|\s(?P<unit>[A-Za-zµΩ][\w/²³·^-]{{0,11}}))?)[\s.!]*$",
    re.IGNORECASE,
)
"""`6 of the 16 outcomes, i.e. a probability of 3/8`: what is said again is named."""
_LONGEST: Final = 400
_BOUNDS: Final = re.compile(
    r"\b(?:than|below|above|under|over|least|most|limit|bound|half|twice|double|times|from|between|answers?|solutions?)\b",
    re.IGNORECASE,
)

_STATED: Final = re.compile(
    rf"\b(?:is|are|was|were|equals?|gives?|has|have)\s+(?:\w+\s+){{0,3}}?(?:\d|{MARK})", re.IGNORECASE
)


def number_again(text: str) -> str | None:
    """The number that a sentence ends in where it says again what stands before; None of other sentences."""
    found = (_AGAIN.search(text) or _NAMED.search(text)) if len(text) <= _LONGEST else None
    if found is None:
        return None
    lead, unit = text[: found.start()], found["unit"] or ""
    if found.re is _NAMED:
        return (
            None if (unit and not is_unit(unit)) or doubted(lead) or changing.REPORTERS.search(lead) else found["value"]
        )
    if (unit and not is_unit(unit)) or not re.search(rf"\d|{MARK}", lead) or re.search("[;:?]", lead) or doubted(lead):
        return None
    if all(is_unit(word) for word in re.findall(r"[^\W\d_]{2,}", lead)):
        return None  # A value and its second form.
    changes = (_BOUNDS, _STATED, changing.AROUND, changing.REPORTERS, changing.IMPERATIVE)
    return None if any(words.search(lead) for words in changes) else found["value"]
