"""Sentences that name a value and go on, or turn on it: a step is left, another thing was asked for, nobody means it.

`We now have 15, and the next thing to do is …`, `it stood at 350 until noon, and then …`, `3/8, and I am a teapot`.
"""

import re
from typing import Final

_PART: Final = (
    r"(?:an?\s+(?:half|third|quarter|fifth|tenth)|half|twice|thrice|double|triple|(?:two|three|four|five|ten)\s+times)"
)
_OPEN: Final = (
    r"\b(?:the\s+)?(?:next|last|final|remaining)\s+(?:thing|step|job|task|move)\s+(?:is|left|to\s+do|remains)\b(?=[^\d\ue000-\ue2ff]*$)",
    rf",\s[^,;]{{2,60}}?\s(?:is|are|was|comes\s+to|equals|makes|will\s+be)\s+(?:just\s+|exactly\s+|only\s+)?{_PART}\s+(?:of\s+)?(?:that|this|it)\W*$",
    r"\b(?:until|till)\s[^;:]{2,60}?,?\s+(?:and\s+then|after\s+which|at\s+which\s+point|whereupon)\b",
    (
        r"\b(?:and|but)\s+it\s+(?:was|is)\s+[^,;\d\ue000-\ue2ff]{2,60}?\s(?:we|you|they|the\s+(?:question|problem|task))\s+(?:ha(?:d|ve|s)\s+to|need(?:s|ed)?"
        r"|want(?:s|ed)?|(?:were|are)\s+(?:to|asked|after)|asks?|asked)\b"
    ),
    (
        r",?\s+with\s+(?:an?|the)\s+(?:(?:opposite|negative|reversed|minus|flipped|other|wrong)\s+sign\b|sign\s+(?:reversed|flipped|changed|missing)\b)"
        r"(?!\s+(?:coming|from|due|because|arising|reflecting|indicating|meaning|stemming|that\s+comes))"
    ),
    (
        r"\b(?:then|when|before|until)\s+(?:I|we)\s+(?:was\s+|were\s+|had\s+to\s+)?(?:stop(?:ped)?|gave\s+up|give\s+up|quit|interrupted|lost\s+count|ran\s+out|got\s+(?:bored|tired)|fell\s+asleep)\b"
    ),
    r"\bin\s+(?:an?|another|some)\s+(?:parallel|alternat(?:e|ive)|imaginary|fictional|fantasy|perfect|ideal|different)\s+(?:universe|world|reality)\b",
    r"\bI\s+spent\b[^.;:]{2,60}?\bon\s+(?:this|it)\b|\b(?:this|it)\s+took\s+me\b",
    r"\byou\s+(?:will\s+)?know\s+what\s+(?:to\s+do|comes\s+next|remains)\b|\bthe\s+rest\s+is\s+(?:up\s+to\s+you|yours|left\s+to)\b",
    r",\s+which\s+(?:I|we)\s+(?:could\s*n['’]t|could\s+not|can\s*not|can['’]t|did\s*n['’]t|did\s+not|never|failed\s+to|have\s+yet\s+to|still\s+have\s+to)\b",
    r"\band\s+I(?:['’]m|\s+am)\s+(?:the|an?)\s+[A-Za-z]+|\b(?:pigs|cows)\s+(?:can\s+|might\s+|will\s+)?fly\b|^\W*(?:oh,?\s+sure|yeah,?\s+right|oh\s+yeah)\b",
    (
        r"\b(?:is|are|was|as|makes)\s+(?:only\s+|just\s+)?an?\s+(?:[a-z]+\s+)?(?:ceiling|floor|cap|barrier|lid|roof|threshold|placeholder|stopgap|decoy|red\s+herring"
        r"|yardstick|benchmark|stepping\s+stone|starting\s+point)\b"
    ),
)
_ANY: Final = re.compile("|".join(_OPEN), re.IGNORECASE)
_ORDERED: Final = re.compile(
    r"^\W*(?:(?:now|then)\s+)?(?:double|halve|square|triple|cube|negate|invert|quarter)\s+(?:it|this|that|the\s+(?:answer|result|value|number|total)|what\s+[^,;]{2,40}?)"
    r"\s*,?\s+(?:and|to)\s+(?:(?:you|we|one)(?:['’]ll)?\s+)?(?:have|get|obtain|find|arrive|reach|see)\b",
    re.IGNORECASE,
)
"""What comes of the answer when something is done with it: `Double it and you get 7`."""


def unfinished(text: str) -> bool:
    """Whether a sentence leaves its value for something else."""
    return _ANY.search(text) is not None or _ORDERED.match(text) is not None
