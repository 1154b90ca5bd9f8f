"""What a share is a share of: `7/12 of the cake` says 7/12, `7/12 of the answer` says no value."""

import re
from typing import Final

_SHARE: Final = re.compile(r"^([-−]?\d[\d.,]*(?:\s?\\?%|\s+per\s?cent|/\d+)|[\ue000-\ue2ff](?:\s?\\?%)?)(?=\s+of\b)")
_OF: Final = re.compile(
    r"\s+of\s+(?:all\s+)?(?:the|its|his|her|their|our|my|your|this|that|these|those|each|an?)\s+(?:[a-z-]+\s+){0,2}?(?:[a-z-]{3,}|\d[\d.,]*(?<![.,])(?:\s+[a-z-]{3,}){0,3})"
    r"(?=[\s.!]*$)",
    re.IGNORECASE,
)
_OF_THE_ANSWER: Final = re.compile(
    r"\s+of\s+(?:(?:the|our|this|that|its)\s+(?:[a-z]+\s+)?(?:answer|result|solution)\b"
    r"|the\s+(?:correct|true|right|actual|required|exact)\s+[a-z]+|what\s+(?:(?:is|was)\s+(?:asked|wanted|required|needed|sought|right|correct|to\s+be)|we|you|one|they|the)\b)",
    re.IGNORECASE,
)


def is_part_of_answer(text: str) -> bool:
    """Whether a text begins with a share of the answer itself."""
    found = _SHARE.match(text)
    return found is not None and _OF_THE_ANSWER.match(text, found.end()) is not None


def without_whole(text: str) -> str:
    """A share that a text is, without what it is a share of; any other text as it stands."""
    found = _SHARE.match(text)
    return found[1] if found is not None and _OF.match(text, found.end()) else text


def behind_share(value: str, noun: str, middle: str) -> str:
    """What stands behind a value, without what a share is a share of (`2/5 of the original price`)."""
    behind = f"{noun} {middle}"
    unit = re.match(r"\s*%", behind)
    if unit is None and "/" not in value and "%" not in value:
        return behind
    rest = behind[unit.end() if unit is not None else 0 :]
    return behind if _OF_THE_ANSWER.match(rest) else _OF.sub("", rest, count=1)
