"""Clauses of reason behind a value: one that begins the sentence needs no reason, and what a reason allows is a fact.

`There are 720, since any guest may sit first` and `as each would otherwise be counted seven times` doubt nothing.
"""

import re
from typing import Final

from grading.language.responses import vocabulary as say

_MARK: Final = "[\ue000-\ue2ff]"
_BEHIND: Final = re.compile(
    rf"^(?P<value>\W*(?:(?:so|thus|hence)\b,?\s+)?(?:[A-Za-z]\w{{0,2}}\s*=\s*)?(?:{_MARK}|[-−]?\d[\d.,/]*\d|[-−]?\d)(?:\s[A-Za-z%°/²³]{{1,6}})?),\s+"
    r"(?P<reason>(?:since|because)\s.*)$",
    re.IGNORECASE,
)
_DRAWN: Final = re.compile(
    r"\b(?:so|thus|hence|therefore|wrong|not|instead|rather|answer|actually)\b|n['’]t\b", re.IGNORECASE
)
"""Words of a reason that may put another value in the place of the one before it."""
_REASON: Final = re.compile(
    r"(?:[\s,—–(](?:because|since)|,\s+(?:as|for))\s+(?=(?:we|you|one|each|every|any|all|both|the|a|an|its|their|no|two|every\w+|any\w+)\s)(?P<why>[^;:?]*)$",
    re.IGNORECASE,
)
_MAY: Final = re.compile(
    r"(?<!\bit)(?<!\bthis)(?<!\bthat)(?<!\bwhich)(?<!\bI)(?<!\banswer)(?<!\bresult)(?<!\bvalue)(?<!\bnumber)\s+(?:may|might|could|would)"
    r"(?:\s+(?:otherwise|just|as|equally|well|also|then|thus))*\s+(?!(?:not|never|have|seem|appear|prefer|say|think|expect|argue|guess|answer|claim|object)\b"
    r"|be\s+(?!(?:\w+ly\s+)?\w+(?:ed|en|wn|ut|ld|de|ght)\b)|be\s+mistaken\b)(?=[a-z]{2})",
    re.IGNORECASE,
)
"""What somebody may do, or what may be done with something; not what may be so."""
_GIVEN: Final = re.compile(
    r"^(?P<said>[^;:?]*?[\d\ue000-\ue2ff][^;:?,]*),\s+(?:since|because|as|for)\s[^;:?]*$", re.IGNORECASE
)
_OTHERWISE: Final = re.compile(r"\s+(?:otherwise|instead)(?=\W*$)", re.IGNORECASE)


def as_possible(sentence: str) -> str:
    """A sentence whose reason says what one may do, with `can` for that."""
    if not re.search(r"\b(?:may|might|could|would)\b", sentence):
        return sentence
    found = _REASON.search(sentence)
    why, count = _MAY.subn(" can ", found["why"]) if found is not None else ("", 0)
    if found is None or not count:
        return sentence
    return sentence[: found.start("why")] + _OTHERWISE.sub("", why)


def before_reason(sentence: str) -> str:
    """What a sentence with a value says before its reason."""
    found = _GIVEN.search(sentence)
    return sentence if found is None else sentence[: found.end("said")]


def without_reason_behind(sentence: str) -> str:
    """`m = 3, since dividing by 2 gives y = 3x + 2` without its reason, where nothing is drawn from that."""
    found = _BEHIND.match(sentence)
    if found is None or say.UNSETTLED.search(found["reason"]) or _DRAWN.search(found["reason"]):
        return sentence
    return found["value"]
