"""A quantity without the words that say where, for what or until when it is so."""

import re
from typing import Final

from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.responses.segments import MARK
from grading.language.unitnames import is_unit

NUMBER = r"[-−+±]?\s?[$€£¥]?\s?(?:\d{1,3}(?:[,\u202f' ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?(?:\s?/\s?\d+)?|\.\d+)"
SIGN_EXPLAINED: Final = re.compile(
    r"^,?\s*(?:with|where)?\s*the\s+(?:overall\s+)?(?:minus|negative|plus)\s+sign\s+(?:com(?:ing|es)|from|due|arising|reflect\w*|indicat\w+|stemming|show\w*)\b[^\d\ue000-\ue2ff?]*$",
    re.IGNORECASE,
)
"""Where the sign of a value comes from: `with the minus sign coming from the order`."""
SIZE: Final = re.compile(
    r"(?<=[A-Za-z°²³%\ue000-\ue2ff])(?<!digits)\s+(?:long|wide|tall|high|deep|thick|old|apart|away|each|apiece"
    r"|lang|breit|hoch|tief|dick|schwer|alt|weit|entfernt|de\s+(?:long|large|haut|profondeur|largo|ancho|alto)"
    r"|(?:vertically\s+)?(?:up|down)wards?|(?:radially\s+)?(?:out|in)wards?|in\s+the\s+(?:direction\s+of\s+(?:the\s+|its\s+)?[a-z]{3,}(?:\s+[a-z]{3,})?"
    r"|(?:same|positive|forward|horizontal|vertical|original|radial|[xyz])[\s-]direction)"
    r"|to(?:wards?)?\s+the\s+(?:left|right|north|south|east|west|centre|center|ground)"
    r"|(?:up|down|along|parallel\s+to)\s+the\s+(?:incline|slope|ramp|plane|hill|wire|axis))$",
    re.IGNORECASE,
)
"""`12 cm long`, `4 N in the direction of the pull`"""


def is_unit_of(text: str, found: re.Match[str]) -> bool:
    """Whether what looks like a value is the unit of the number before it: `at 3 L/s`."""
    before = text[: found.start()].rstrip()
    return not re.search(rf"\d|{MARK}", found[0]) and before[-1:].isdigit() and is_unit(found[0].rstrip("."))


def measured_there(rest: str) -> str:
    """A number with a unit without the words that say where it is so (`2.5 m/s² in the direction of the force`)."""
    per = _PER_THING.match(rest)
    if (
        per is not None
        and is_unit(per["unit"])
        and not is_unit(per["thing"])
        and per["thing"] not in ("cent", "mille", "thousand", "million", "dozen")
    ):
        return per["measured"]
    found = _THERE.match(rest)
    if found is None or not is_unit(found["unit"]):
        return rest
    changes = (changing.AROUND, say.CHANGED, say.UNSETTLED, changing.WORK_LEFT, changing.BEHIND)
    return rest if any(words.search(found["place"]) for words in changes) else found["measured"]


_PER_THING = re.compile(
    rf"^(?P<measured>(?:{MARK}|{NUMBER})\s*(?P<unit>[A-Za-zµΩ°%][\w/·*^²³⁻¹().-]{{0,24}}))\s+per\s+(?P<thing>[a-z]{{3,}})[.!]?$"
)
"""`7.07 MeV per nucleon`: what a quantity is counted for, where that is no unit."""
_THERE = re.compile(
    rf"^(?P<measured>(?:[A-Za-z]\w{{0,3}}\s*[=≈]\s*)?(?:{MARK}|{NUMBER})\s*(?P<unit>[A-Za-zµΩ°%][\w/·*^²³⁻¹().-]{{0,24}}))\s+"
    r"(?P<place>(?:(?:done|released|absorbed|produced|dissipated|transferred|stored|delivered|consumed)\s+(?:in|on|by|to|from)"
    r"|in|up|down|around|against|through|along|towards?|inside)\s+(?:the\s+|its\s+)?[a-z-]+(?:\s+(?:of\s+)?(?:the\s+"
    r"|an?\s+)?[a-z-]+){0,3}"
    r"|(?:in|within|after)\s+(?:only\s+|just\s+|about\s+|the\s+)?[\d.,]*\d\s?(?:seconds?|minutes?|hours?|days?|h|min|s)"
    r"|(?:left|remaining|back)(?:\s+(?:over|in|on|from|after|at)\s[a-z\s-]{2,50})?|at\s+the\s+[a-z]+(?:\s+of\s+(?:the|its)\s+[a-z]+)?|until\s[a-z\s]{3,50}"
    r"|to\s+(?!the\b|an?\b|about\b|within\b|nearly\b|be\b|spare\b|go\b|add\b|subtract\b|one\b|two\b|three\b"
    r"|four\b|five\b|ten\b)[a-z]+(?:\s+[a-z]+){0,5})[.!]?$"
)
