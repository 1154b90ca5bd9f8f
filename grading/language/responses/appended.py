"""What is appended to a value and leaves it as it is: that there is no other, where it holds, what it is a multiple of.

`So x = 1 or 2, and nothing else`, `5 rad/s, twice the rate of the rotor`, `90 % is kept; the other 10 % is lost`.
What is a multiple of the answer itself, or of what was looked for, is left where it stands.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from grading.language.numerals import number_of
from grading.language.responses.segments import MARK

_NO_OTHER: Final = (
    r",?\s+and\s+(?:nothing\s+else|no\s+others?(?:\s+[a-z]+)?"
    r"|only\s+(?:these|those|this)|(?:these|those|this)\s+(?:alone|only))"
    r"(?=\s*(?:[,;.!]|$))"
)
_AT_STANDARD: Final = (
    r"(?<=\w),?\s+\(?(?:at|under)\s+(?:STP|NTP|SATP|room\s+temperature|standard\s+(?:temperature\s+and\s+pressure|conditions))\)?"
    r"(?=[.!]?\s*$)"
)
_EVERYWHERE: Final = (
    r"(?<=[\ue000-\ue2ff)])\s+(?:everywhere|throughout)(?:\s+(?:in\s+)?(?:the\s+)?(?!answer|result)[a-z]+)?"
    r"(?=\s*(?:[,;.!]|$))"
)
_MULTIPLE: Final = (
    r"(?<=[\w\ue000-\ue2ff)%°]),\s+(?:(?:exactly|just|precisely|about|roughly|nearly|almost|over|only)\s+)?"
    r"(?:twice|half|double|triple|thrice|(?:a|one)\s+(?:half|third|quarter|tenth)\s+of|(?:two|three|four|five|six|eight|ten|\d+)\s+times"
    r"|the\s+same\s+as|as\s+[a-z]+\s+as)\s+(?:that|those|the|its|an?|what|of)\b"
    r"(?![^.]*\b(?:answers?|results?|want\w*|required|asked|need\w*|sought|desired|correct|true|actual|right|question|looking|should|must)\b)"
    rf"[^,;:=?\d{MARK[1:-1]}]*(?=[.!]?\s*$)"
)
_REST: Final = (
    r";\s+the\s+(?:other|remaining|rest)\b(?![^.]*\b(?:answers?|asked|want\w*|question|required)\b)[^;:?=]*"
    r"(?=[.!]?\s*$)"
)
_CIRCLE: Final = (
    r"(?<=[\ue000-\ue2ff)])\s*,?\s+(?:of|with)\s+(?:radius|diameter|centre|center)\s+[\w.√()\ue000-\ue2ff]{1,12}(?:\s+(?:and\s+)?(?:about|around|(?:centre|center)(?:ed|d)?(?:\s+(?:at|on|in))?|with\s+cent(?:re|er)(?:\s+(?:at|in))?)"
    r"\s+(?:the\s+)?(?:origin|[\ue000-\ue2ff]|\([^()]{1,20}\)))?(?=[.!]?\s*$)"
)
"""What a circle behind its equation is: `of radius 5 about the origin`."""
_VALUE: Final = (
    rf"(?P<value>{MARK}|(?<![\w.])\d[\d.,]*"
    r"(?:\s?(?!(?:a|an|as|at|in|is)\b)[A-Za-zµΩ°][A-Za-z\d/·²³⁻¹^]{0,7}){1,2})(?:\*\*)?"
)
_WORDS: Final = (
    r"(?:\s+(?!(?:not|nor?|never|none|wrong|but|however|instead|half|twice|double|if|when|unless|except|or|is|are|was|were|has|have|had|would|should"
    r"|answers?|results?|values?|which|while|whereas|plus|minus|times|so|hence|thus|therefore|than|gives?|equals?|for|because|since|as|by|at|and\s+(?:its?|we|one)\b)\b)"
    rf"(?:[A-Za-z][A-Za-z'’-]*|{MARK}|\+?-?[xyz](?:-axis|-direction)?)){{0,10}}"
)
_POINTS: Final = (
    r"(?:directed|pointing|acting|oriented|circling|circulating|perpendicular|(?:anti)?parallel|normal\s+to|tangent(?:ial(?:ly)?)?"
    r"|towards?\s+the|away\s+from\s+the|along\s+the|radially\s+(?:in|out)wards?|into\s+the\s+page|out\s+of\s+the\s+page"
    r"|(?:up|down)\s+the|independent(?:ly)?\s+of|regardless\s+of|(?:neglecting|ignoring|disregarding)\s+[a-z]+|in\s+the\s+absence\s+of)\b"
)
_SIGNED: Final = rf"(?:\s*,?\s*\(?(?:for|if|when)\s+(?:(?:a\s+)?positive\s+)?(?:{MARK}|charges?)\)?)?"
_TURNED: Final = re.compile(
    rf"{_VALUE}\s*,?\s+\(?{_POINTS}{_WORDS}(?:,?\s+(?:and\s+)?{_POINTS}{_WORDS})?{_SIGNED}\)?(?=[.!]?\s*$)",
    re.IGNORECASE,
)
"""Where a vector points, what a formula does not depend on, and what everybody neglects, behind a value."""
_REGIME: Final = re.compile(
    rf"(?P<value>{MARK})\s*,?\s+\(?(?:valid\s+)?(?:for|in\s+the\s+(?:limit|case)\s+of)\s+(?:sufficiently\s+|very\s+)?small\s+[a-z]+(?:\s+[a-z]+)?\)?"
    rf"(?:\s*\({MARK}(?:\s[a-z]{{1,7}})?\))?(?=[.!]?\s*$)"
    rf"|(?P<ideal>{MARK})\s*,?\s+\(?(?:if|when|provided|assuming)\s+(?:that\s+)?(?:the\s+)?(?:(?:air\s+(?:resistance|drag)|friction|drag|viscosity|gravity|mass\s+of\s+the\s+\w+)\s+(?:is|are)\s+(?:neglected|ignored|negligible|absent)"
    r"|(?:amplitude|angle|oscillation|displacement|deflection)s?\s+(?:is|are)\s+(?:sufficiently\s+|very\s+)?small)\)?(?=[.!]?\s*$)",
    re.IGNORECASE,
)
"""In which regime a formula holds."""
_APPENDED: Final = re.compile(f"{_NO_OTHER}|{_AT_STANDARD}|{_EVERYWHERE}|{_MULTIPLE}|{_CIRCLE}", re.IGNORECASE)
_OF_LETTERS: Final = re.compile(r"=.*(?:[A-Za-z]|\\(?!text|mathrm)[a-z]{2})", re.DOTALL)
_OF_A_WHOLE: Final = re.compile(rf"(?<=%)(?P<of>\s+of\s[^;:?]*?){_REST}", re.IGNORECASE)


_TOLD_AGAIN: Final = re.compile(
    rf"^(?P<said>.*\bratio\b[^;?]*?(?P<ratio>{MARK}|\d+\s?(?::|to)\s?\d+)\**)\s*[,;—–(]\s*(?:(?:and\s+)?(?:so|thus|hence|i\.\s?e\.|that\s+is|(?:which\s+)?mean(?:s|ing)(?:\s+that)?|in\s+other\s+words)(?!\w),?\s+)?"
    rf"(?=(?:the|an?|one|each|its|it)\b)[^;:?=]*?\b(?:(?P<often>[a-z]+|\d+)\s+times|(?P<once>twice|double|half))\b[^;:?=]*$",
    re.IGNORECASE,
)
"""`The ratio is 1:8, so the large one holds eight times as much`"""
_ENDS_IN_RATIO: Final = re.compile(r"(\d{1,6})\s?(?::|to)\s?(\d{1,6})\W*$")


def without_ratio_again(text: str, written: Callable[[str], str]) -> str:
    """A sentence without the clause that says its ratio again as a multiple, where the two are one."""
    found = _TOLD_AGAIN.match(text) if "ratio" in text else None
    if found is None:
        return text
    ratio = _ENDS_IN_RATIO.search(written(found["ratio"]))
    often = Fraction(2) if found["once"] else _number(found["often"])
    if ratio is None or often is None or not int(ratio[1]) or not int(ratio[2]):
        return text
    share = Fraction(int(ratio[1]), int(ratio[2]))
    return found["said"] if often in (share, 1 / share) else text


def _number(said: str) -> Fraction | None:
    return Fraction(said) if said.isdigit() else number_of(said)


def without_appended(text: str, formula: Callable[[str], str]) -> str:
    """A sentence without what is appended to its value."""
    if not re.search(rf"\d|{MARK}", text):
        return text
    text = _TURNED.sub(r"\g<value>", text)
    limited = _REGIME.search(text)
    value = (limited["value"] or limited["ideal"]) if limited is not None else ""
    if limited is not None and _OF_LETTERS.search(formula(value)):
        text = f"{text[: limited.start()]}{value}{text[limited.end() :]}"
    return _OF_A_WHOLE.sub(r"\g<of>", _APPENDED.sub("", text))
