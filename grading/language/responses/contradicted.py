"""Two sentences that give one thing two values: `The order is 7. The order is 13. Take your pick.`

Both say the same of the same subject, or one way of finding it is set beside another (`The first method gives 7, the
second gives 13`). A correction, or a step between the two, makes the later one the answer.
"""

import re
from collections.abc import Sequence
from typing import Final

from grading.language import numerals
from grading.language.responses.corrections import taken_back
from grading.language.responses.segments import MARK, Response, Sentence
from grading.language.responses.sizes import same, size_of

_VALUE: Final = rf"(?:{MARK}|[-−]?[$€£]?\d[\d.,/]*(?<![.,])\s?(?:%|°)?)"
_OPENED: Final = r"^\W*(?:(?:so|and|but|thus|hence|therefore|clearly|indeed|well|now|also|equally)\b[\s,]*)*"
_ADVERBS: Final = (
    r"(?:(?:exactly|precisely|just|simply|thus|therefore|hence|then|clearly|also|equal\s+to|out\s+to\s+be)\s+)*"
)
_SOURCE: Final = (
    r"(?:method|approach|attempt|run|way|calculation|computation|derivation|count|try"
    r"|formula|reading|program|script|argument|hand|proof|route|path)"
)
_COPULA: Final = r"(?:is|are|was|were|equals?|=|comes?\s+to|comes?\s+out\s+(?:as|to|at)|amounts?\s+to|['’]s)"
_FOUND: Final = (
    r"(?:gives?|yields?|gave|prints?|returns?|outputs?|says?|makes?|produces?"
    r"|leads?\s+to|results?\s+in|arrives?\s+at|shows?)"
)
_STATED: Final = re.compile(
    rf"{_OPENED}(?P<lead>(?:(?:the|its|their|our|my)\s+[^,;:?]{{2,80}}?|it|(?:by|with|using|on|in)\s+[^;:?]{{2,80}}?|(?:one|another|method|approach|attempt|run|way)\s[^,;:?]{{0,60}}?)\s*(?:{_COPULA}|{_FOUND}))\s*"
    rf"{_ADVERBS}(?P<value>{_VALUE})(?P<tail>(?:\s+[^\W\d_]+){{0,3}})[\s.!]*$",
    re.IGNORECASE,
)
_ALTERNATIVE: Final = re.compile(
    rf"^\W*(?:(?:or|alternatively|then\s+again|just\s+as\s+well|equally(?:\s+well)?)\b[\s,]*(?:(?:perhaps|maybe|else)\s+)?(?:(?:it|this|that|the\s+[a-z]+)\s+{_COPULA}\s+)?"
    rf"|(?:(?:but|and|or)\s+)?(?:it|this|that|the\s+[a-z]+)\s+(?:could|might|may|can)\s+(?:just\s+)?(?:as|equally)(?:\s+well)?\s+be\s+){_ADVERBS}(?P<value>{_VALUE})(?:\s+[^\W\d_]+){{0,3}}[\s.!]*$",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    rf"\b(?:first|second|third|other|another|one|former|latter|next|[A-D]|[IV]+|\d)\b(?=\s)|\b{_SOURCE}\b",
    re.IGNORECASE,
)
_BRACKET: Final = re.compile(r"\s*\([^()]*\)")
_PARTS: Final = re.compile(r"[,;]\s+(?:and\s+|but\s+)?|\s+and\s+(?=(?:the|it|its|my|another)\b)")
_LONGEST: Final = 200
_PAIR: Final = 2


def contradicted(response: Response, sentences: Sequence[Sentence]) -> bool:
    """Whether the last sentence with a value gives another one to what it or the sentence before gives one."""
    place = next((at for at in range(len(sentences) - 1, -1, -1) if _valued(sentences[at].text)), None)
    if place is None or len(text := sentences[place].text) > _LONGEST:
        return False
    parts = _PARTS.split(_plain(text))
    if len(parts) > 1 and _differ(response, parts[-2], parts[-1]):
        return True
    if place == 0 or sentences[place - 1].paragraph != sentences[place].paragraph:
        return False
    before = sentences[place - 1].text
    if len(before) > _LONGEST or not _differ(response, _plain(before), _plain(text)):
        return False
    return not taken_back(" ".join(each.text for each in sentences[place:]))


def _valued(text: str) -> bool:
    return re.search(rf"\d|{MARK}", text) is not None


def _plain(text: str) -> str:
    bare = _BRACKET.sub("", text)
    return bare if _valued(bare) else numerals.in_digits(bare)


def _differ(response: Response, one: str, other: str) -> bool:
    """Whether two clauses state different values of one thing."""
    first, second = _STATED.match(one), _STATED.match(other)
    instead = _ALTERNATIVE.match(other)
    if first is None:
        return False
    if instead is None and (second is None or first["tail"].split() != second["tail"].split()):
        return False
    if instead is None and second is not None and not _of_one(first["lead"], second["lead"]):
        return False
    values = [response.written(found["value"]) for found in (first, instead or second) if found is not None]
    if len({each.split("=")[0].strip() for each in values if "=" in each}) > 1:
        return False
    sizes = [size_of(each) for each in values]
    return None not in sizes and not same(*(each for each in sizes if each is not None))


def _of_one(one: str, other: str) -> bool:
    """Whether two leads are about one thing: the same words, or one source of it and another one."""
    first, second = " ".join(one.lower().split()), " ".join(other.lower().split())
    if first == second:
        return re.search(rf"\b{_COPULA}$", first) is not None or re.search(rf"\b{_SOURCE}\b", first) is not None
    if re.search(rf"\b{_SOURCE}\b", first) is None:
        return False
    return " ".join(_PLACE.sub("", one).lower().split()) == " ".join(_PLACE.sub("", other).lower().split())


_NAMED: Final = re.compile(
    r"^\W*(?P<lead>(?:the|it|its|that|this|my)\b[^,;:?]{0,80}?\b(?:is|was|are|were))\s+(?P<name>(?:(?:option|choice)\s+)?(?-i:[A-ZÀ-Þ])[\w'’.-]*(?:\s+(?-i:[A-ZÀ-Þ])[\w'’.-]*){0,2})\W*$",
    re.IGNORECASE,
)
"""`The planet is Mercury`"""
_ORIGIN: Final = re.compile(r"(?:ish|[ie]an|[a-z]can|ese|[a-z]ch|[a-z]ic)$")
"""An adjective in capitals says more of the one who is named: `The author is British.`"""


def named_twice(sentences: Sequence[str]) -> bool:
    """Whether the last two sentences name two things in the same words: `The planet is Venus. The planet is Mars.`"""
    found = [_NAMED.match(each[:_LONGEST]) for each in sentences[-2:]]
    both = [(each["lead"].lower(), each["name"].strip(".").lower()) for each in found if each is not None]
    if len(both) < _PAIR or _ORIGIN.search(both[-1][1]):
        return False
    return both[0][0] == both[1][0] and both[0][1] != both[1][1]
