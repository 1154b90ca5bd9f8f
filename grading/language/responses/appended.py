"""What is appended to a value and leaves it as it is: that there is no other, where it holds, what it is a multiple of.

`So x = 1 or 2, and nothing else`, `5 rad/s, twice the rate of the rotor`, `90 % is kept; the other 10 % is lost`.
What is a multiple of the answer itself, or of what was looked for, is left where it stands.
"""

import re
from typing import Final

from grading.language.responses.segments import MARK

_NO_OTHER: Final = (
    r",?\s+and\s+(?:nothing\s+else|no\s+others?(?:\s+[a-z]+)?"
    r"|only\s+(?:these|those|this)|(?:these|those|this)\s+(?:alone|only))"
    r"(?=\s*(?:[,;.!]|$))"
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
_APPENDED: Final = re.compile(f"{_NO_OTHER}|{_EVERYWHERE}|{_MULTIPLE}|{_CIRCLE}", re.IGNORECASE)
_OF_A_WHOLE: Final = re.compile(rf"(?<=%)(?P<of>\s+of\s[^;:?]*?){_REST}", re.IGNORECASE)


def without_appended(text: str) -> str:
    """A sentence without what is appended to its value."""
    if not re.search(rf"\d|{MARK}", text):
        return text
    return _OF_A_WHOLE.sub(r"\g<of>", _APPENDED.sub("", text))
