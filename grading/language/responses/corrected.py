"""A value that is turned down in one sentence with the value that stands in its place.

`Not 16, as I said before, but 17`, `it isn't 9.7, it's 9.8 m/s²`, `not the 50 one would expect: it is 48`.
The value that is turned down is cut out; what is said of the other one is read as if it stood alone.
"""

import re
from typing import Final

_MARK: Final = "[\ue000-\ue2ff]"
_WORDED: Final = r"(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
_VALUE: Final = rf"(?:{_MARK}|[-−+]?[$€£]?\d[\d.,/]*(?<![.,])\s?(?:%|°)?|{_WORDED}(?!\s+of\b))"
_THING: Final = r"(?:\s+(?!but\b|and\b|or\b)[A-Za-zµΩ°%][\w/²³·^-]*){0,3}"
_BESIDE: Final = (
    r"(?:\s*\([^()?]{1,80}\)|,?\s+(?:as|that|which|like|one|you|we|I|from|of|because|since)\s[^;:?]{2,100}?)?"
)
_IT: Final = r"(?:it|that|this|they|he|she|there)"
_IS: Final = r"(?:is|are|was|were|equals?)"
_NOT_BUT: Final = re.compile(
    rf"(?:^\W*no,?\s+)?\bnot\s+(?:the\s+)?{_VALUE}{_THING}{_BESIDE}\s*[,;]?\s*\bbut(?:\s+(?:rather|in\s+fact|instead|really))?\s+(?={_VALUE})",
    re.IGNORECASE,
)
_IS_NOT: Final = re.compile(
    rf"\b(?P<is>is|are|was|were)(?:n['’]t|\s+not)\s+(?:the\s+)?{_VALUE}{_THING}{_BESIDE}\s*"
    rf"(?:[,;—–-]\s*(?:but\s+|rather,?\s+|instead,?\s+)?{_IT}\s*(?:{_IS}|['’]s|['’]re)(?:\s+(?:in\s+fact|really|rather))?|,?\s+but(?:\s+rather)?)"
    rf"\s+(?={_VALUE})",
    re.IGNORECASE,
)
_NONE_OF: Final = re.compile(
    rf"^(?:(?!.*\b(?:if|suppos\w*|would|could|might|claim\w*|sa(?:ys|id))\b)[^:;?]*?\b(?:so|hence|thus|therefore)\s+|\W*(?:so\s+)?)"
    rf"(?:not\s+(?:the\s+)?{_VALUE}{_THING}|not\s+an?\s+[a-z]+)(?:,?\s+(?:and\s+|nor\s+)?(?:not|nor)\s+(?:(?:the\s+)?{_VALUE}{_THING}|an?\s+[a-z]+))+\s*(?::|\s[—–])\s+(?=(?:the|it|this|its|we|there)\b)",
    re.IGNORECASE,
)
"""Several that are turned down before the sentence: `not 3, not 9: the last digit is`, `not a day, not a week: it`."""
_BEGINS: Final = re.compile(
    rf"^\W*(?:no,?\s+)?not\s+(?:the\s+)?{_VALUE}[^:;?]{{0,100}}?(?:[:;]|\s[—–])\s+(?=\S)", re.IGNORECASE
)
"""A fragment before the sentence: `Not the 50 one would expect:`."""


def without_correction(sentence: str) -> str:
    """The sentence as it is where it turns no value down for another."""
    if "not" not in (plain := sentence.lower()) and "n't" not in plain and "n’t" not in plain:
        return sentence
    sentence = _NONE_OF.sub("", sentence)
    sentence = _IS_NOT.sub(r"\g<is> ", _NOT_BUT.sub("", sentence))
    begun = _BEGINS.match(sentence)
    return sentence[begun.end() :] if begun is not None and _SAID.search(sentence, begun.end()) else sentence


_SAID: Final = re.compile(rf"{_MARK}|\d")
