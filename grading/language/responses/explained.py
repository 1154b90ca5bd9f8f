"""What explains a number behind it: the parts that it is the sum of, or a clause behind a colon."""

import re
from fractions import Fraction
from typing import Final

from grading.language import numerals
from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.responses.corrections import taken_back

_PIECES: Final = re.compile(r",\s*(?:and\s+)?|\s+(?:and|plus)\s+|;\s*(?:and\s+)?")
_PART: Final = re.compile(
    r"(?P<digits>\d{1,9})\s+[a-z]|(?P<words>(?:an?|[a-z]+(?:-[a-z]+)?))\s+(?!(?:of|third|half|quarter|fifth|tenth)s?\b)[a-z]",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"^\s*:\s+(?:the|there|each|every|all|both|we|you|it|its|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,6})\s+(?:of\s+(?:the|these|those|them|all)\b|[a-z]+\b)"
    r"(?=[^:;?=]{6,160}$)",
    re.IGNORECASE,
)
_DRAWS: Final = re.compile(
    r"\b(?:so|thus|hence|therefore|then|giving|gives?|making|makes?|leaving|leaves?|total(?:s|ling)?|answer|result|solution|actually|now|more|times)\b",
    re.IGNORECASE,
)
"""Words with which such a clause goes on to another value."""
VERIFIABLE: Final = re.compile(
    r"[\s,;]*\bas\s+(?:the\s+reader|one|you|we)\s+(?:may|can|might)\s+(?:\w+ly\s+)?(?:verify|check|see|show"
    r"|confirm)\b|^[\s,]*(?:valid|which\s+(?:is\s+valid|holds)|accurate)\s+(?:only\s+)?(?:for|in|within"
    r"|when)\s+(?:the\s+)?(?:small|large|low|high|slow|weak|strong|long|short|ideal|non-?relativistic"
    r"|moderate)\s+[a-z]+(?:\s+[a-z]+)?(?=\W*$)|^[\s,]*valid\s+(?=for\b)",
    re.IGNORECASE,
)
WHAT_IT_IS: Final = re.compile(
    r"^,\s+an?\s+(?:(?!(?:lower|upper|rough|crude|first|wrong|possible|naive|close"
    r"|near)\b)[a-z-]+\s+){0,4}?(?:number|value|integer|result|quantity|figure|amount|prime|fraction)"
    r"(?:\s+(?:with|of|having)\s+(?:about\s+|exactly\s+)?[\w-]+\s+(?:digits|decimals|places))?\s*\.?$",
    re.IGNORECASE,
)
"""`, an enormous number with 31 digits`: what sort of number the value is."""


def explained(head: str, tail: str) -> bool | None:
    """Whether what stands behind a number explains it; False where its parts have another sum, None of other texts."""
    if tail[:1] not in ":,—–-" and not tail.startswith((" —", " –", " - ")):
        return None
    value = _number(head)
    parts = _parts(tail.strip(" :,—–-.!"))
    if value is not None and parts is not None:
        return sum(parts) == value if tail[:1] == ":" or sum(parts) == value else None
    unsound = (say.UNSETTLED, changing.AROUND, changing.WORK_LEFT, changing.REPORTERS, say.DENIED, _DRAWS)
    if _CLAUSE.match(tail) is None or taken_back(tail) or any(words.search(tail) for words in unsound):
        return None
    return True


def _number(head: str) -> Fraction | None:
    found = re.match(r"\W*(\d{1,9})(?![\d.,/%])", numerals.leading(head.strip()) or head)
    return Fraction(found[1]) if found is not None else None


def _parts(text: str) -> list[Fraction] | None:
    """The numbers of `one chief and eight associates`; None where some part has no number before what it counts."""
    pieces = [piece.strip() for piece in _PIECES.split(text) if piece.strip()]
    numbers = []
    for piece in pieces:
        found = _PART.match(piece)
        if found is None:
            return None
        said = found["digits"] or ("one" if found["words"].lower() in ("a", "an") else found["words"])
        number = Fraction(said) if said.isdigit() else numerals.number_of(said)
        if number is None:
            return None
        numbers.append(number)
    return numbers if len(numbers) > 1 else None
