"""Where the argument of a long response closes: its last conclusion, where all that stands behind it goes on about it.

A conclusion is a sentence that states a value and says that it is one: by a word of consequence, by bold type, by the
name of what was asked for, or by a sentence behind it that points at it. What follows turns aside (a remark, a
comparison, another case, a section about something else) or states no value; where it states one in the argument's own
voice, nothing is left out.
"""

import re
from collections.abc import Sequence
from typing import Final

from grading.language.responses import vocabulary as say
from grading.language.responses.doubts import doubted
from grading.language.responses.making import Committed
from grading.language.responses.segments import MARK, Response, Sentence
from grading.language.responses.turning import hypothetical, turned_aside
from grading.language.responses.values import Refused, value_of

_FIRST_WORD: Final = (
    r"(?:so|thus|hence|therefore|consequently|accordingly|finally|altogether|overall|we\s+(?:conclude|find|get|obtain|have\s+(?:shown|found))"
    r"|in\s+(?:conclusion|summary|short|total|the\s+end)|(?:all\s+in\s+all|putting\s+(?:it|this|these|everything)|it\s+follows|to\s+conclude)"
    r"|this\s+(?:gives|yields|leaves|(?:simplifies|reduces|evaluates|comes|amounts|works\s+out)\s+to))"
)
_CONCLUDES: Final = re.compile(
    rf"^\W*(?:and\s+|but\s+)?{_FIRST_WORD}\b|\b(?:is|are|equals?|has|have|must)\s+(?:therefore|thus|hence|accordingly|consequently|then)\b"
    r"|,\s+(?:so|and\s+so|hence|thus|therefore)\s+(?:the|our|its)\s",
    re.IGNORECASE,
)
_ASKED_FOR: Final = re.compile(
    r"\b(?:the|our)\s+(?:\w+\s+)?(?:requested|required|desired|sought|wanted|final)\s+[a-z]+\b|\b(?:we|you)\s+(?:were\s+)?(?:asked|looking|seeking|wanted?|sought)\b",
    re.IGNORECASE,
)
POINTS_BACK: Final = re.compile(
    r"^\W*(?:and\s+|so\s+)?(?:this|that|which|it)\s+is\s+(?:(?:exactly|precisely|therefore|thus|indeed|just)\s+)?(?:the|our)\s+(?:(?:general|complete|full|final|explicit"
    r"|required|requested|desired|sought|wanted|particular|unique|closed-form)\s+)*(?:solution|answer|result|formula|expression|form|value|equation|probability)"
    r"(?:\s+(?:of|to|for)\s+(?:the|this|our)\s+[a-z\s]{2,40}|\s+(?:that\s+)?we\s+(?:were\s+)?(?:want\w*|need\w*|sought|looking\s+for|after))?\W*$",
    re.IGNORECASE,
)
"""`This is the general solution.`"""
_LAST_DISPLAY: Final = re.compile(
    rf"^.*?(?P<value>{MARK})(?P<tail>\s*,?\s*(?:where|with|for)\b[^\ue000-\ue2ff]*(?:{MARK}[^\ue000-\ue2ff]*)?)?[\s.,]*$",
    re.DOTALL,
)
_MOST: Final = 80
"""Sentences from the end that are looked at."""


def closed(sentences: Sequence[Sentence]) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """The sentences up to the last conclusion and those behind it; none behind where the argument goes on in them."""
    if len(sentences) < 2:
        return tuple(sentences), ()
    roles = turned_aside(sentences)
    for place in range(len(sentences) - 1, max(-1, len(sentences) - 1 - _MOST), -1):
        each = sentences[place]
        if POINTS_BACK.match(each.text) and roles[place] != "aside" and place:
            return tuple(sentences[:place]), tuple(sentences[place:])
        if roles[place] == "aside" or not re.search(rf"\d|{MARK}", each.text) or hypothetical(each.text):
            continue
        if concludes(each):
            return tuple(sentences[: place + 1]), tuple(sentences[place + 1 :])
        if roles[place] != "section":
            break
    return tuple(sentences), ()


def concludes(sentence: Sentence) -> bool:
    """Whether a sentence says that what it states is what was looked for."""
    text = sentence.text
    if say.ASIDE.search(text):
        return False
    bold = any(not isinstance(value_of(each), Refused) for each in sentence.bold)
    return bold or _CONCLUDES.search(text) is not None or _ASKED_FOR.search(text) is not None


def pointed_at(response: Response, sentences: Sequence[Sentence], behind: Sequence[Sentence]) -> Committed | None:
    """The display that the next sentence calls what was looked for (`…, K a constant. This is the solution.`)."""
    text = sentences[-1].text
    found = _LAST_DISPLAY.match(text)
    if not behind or found is None or not POINTS_BACK.match(behind[0].text) or not response.is_display(found["value"]):
        return None
    if doubted(text[: found.start("value")]):
        return None
    return Committed(response.formula(found["value"]).strip(), "display", response.written(found["tail"] or ""))
