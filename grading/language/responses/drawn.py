"""What a sentence arrives at: of several values the one behind its last word of consequence.

`The poles are 30 metres apart, thus the middle is 15 metres away` says 15; the 30 is what it starts from.
"""

import itertools
import re
from collections.abc import Callable
from typing import Final

from grading.language.responses.segments import MARK

_VALUE: Final = rf"(?:{MARK}|(?<![\w.^_])[-−]?[$€£]?\d)"
_EACH_VALUE: Final = re.compile(_VALUE)
_ADVERB: Final = r"(?:\s*,?\s*(?:then|now|also|in\s+turn|finally|clearly|therefore|thus|hence|indeed|immediately)\b,?)?"
_GIVES: Final = (
    r"(?:implies|means|gives|yields|produces|shows|tells\s+us|leads\s+to|results\s+in|brings\s+(?:us|the\s+\w+)\s+to|makes|leaves"
    r"|(?:simplifies|reduces|solves|evaluates|comes|amounts|works\s+out|rearranges|boils\s+down)\s+to|forces)"
)
_CONSEQUENCE: Final = re.compile(
    r"(?:[,;:—–]\s*|(?<=[\ue000-\ue2ff])\s*|(?<=\w)\s+|^\W*)(?:and\s+|but\s+)?(?:"
    r"so(?!\s+(?:far|many|much|called|on|does|do|is|are)\b)(?:\s+that)?|thus|hence|therefore|consequently|whence|accordingly|(?<=;\s)in\s+(?:short|other\s+words|total|summary|fact)|and\s+it\s+is\s+(?:at|in)(?=\s*[\ue000-\ue2ff])"
    rf"|(?:which|this|that)(?:\s*,[^,;]{{2,40}},)?{_ADVERB}\s+{_GIVES}(?:\s+(?:us|him|her|them))?(?:\s+with)?(?:\s+that)?"
    r"|(?:which|and)\s+(?:we|you|one)\s+can\s+solve\s+(?:to\s+(?:obtain|get|find)|for)"
    r"|(?:thus\s+|thereby\s+)?(?:implying|giving|yielding|leaving(?=\s+(?:us\s+|only\s+|just\s+|with\s+)*[\ue000-\ue2ff]))(?:\s+us)?(?:\s+that)?(?:\s+with)?(?:\s+(?:only|just))?|(?:we\s+(?:then\s+|thus\s+|finally\s+)?(?:get|obtain|find|arrive\s+at))(?:\s+that)?"
    r"|for\s+a\s+(?:grand\s+|combined\s+)?total(?:\s+\w+)?\s+of|a\s+total\s+of(?=\s*[\ue000-\ue2ff])|to\s+(?:get|obtain|find)(?:\s+that)?|⇒"
    rf"|in\s+(?:[a-z-]+\s+){{1,3}}?(?:form|notation)\s*:(?=\s*{MARK})"
    r")(?=[\s,:]|$)[\s,:]*",
    re.IGNORECASE,
)
_BRACKETED: Final = re.compile(r"\([^()]*\)")


def last_drawn(text: str) -> tuple[str, str] | None:
    """The part before the last word of consequence that has a value behind it, and that clause; None without one."""
    plain = _BRACKETED.sub(lambda found: " " * len(found[0]), text)
    values = list(_EACH_VALUE.finditer(plain))
    if not values:
        return None
    first, last = values[0].end(), values[-1].start()
    for found in reversed(list(_CONSEQUENCE.finditer(plain))):
        if first <= found.start() and found.end() <= last:
            return text[: found.start()], text[found.end() :]
    return None


_COPULA: Final = r"(?:is|are|was|were|equals?|gets?|gives?|becomes?|has|have|yields?|measures?)"
_JOINED: Final = re.compile(
    r";\s+(?!(?:so|thus|hence|therefore|consequently|then|that\s+is|i\.e|in\s+other\s+words|this\s+(?:gives|means))\b)"
    r"|[,.]\s*(?:and\s+|but\s+|please\s+)?not(?:e|ice)\s+that\s+|,?\s+(?:while|whereas)\s+",
    re.IGNORECASE,
)


_POINT: Final = re.compile(r"\s*(?:[A-Z]\s*=?\s*)?(?:\\left\s*)?\(.*,.*\)\s*", re.DOTALL)
_SAID_TOO: Final = re.compile(
    r"\s*,?\s*\b(?:and|but)\s+(?!(?:so|hence|thus|therefore|then|also|the\s+points?)\b)(?:[^\W\d_]+\s+){2,6}\(?\s*"
)
"""Between two points: `and has its maximum at`."""


def several_stated(text: str, written: Callable[[str], str] = str) -> bool:
    """Whether two main clauses of a sentence each state a value, and none is drawn from the other.

    So do two that each place something at a point; `written` gives the formula of a stand-in.
    """
    marks = list(re.finditer(MARK, text))
    for one, other in itertools.pairwise(marks):
        if _SAID_TOO.fullmatch(text, one.end(), other.start()) and all(
            _POINT.fullmatch(written(each[0])) for each in (one, other)
        ):
            return True
    parts = _JOINED.split(_BRACKETED.sub(" ", text))
    if last_drawn(parts[-1]) is not None:
        return False
    stating = [part for part in parts if re.search(rf"\b{_COPULA}\s+(?:\w+\s+){{0,3}}?[$€]?{_VALUE}", part)]
    return len(stating) > 1


def draws_another(tail: str) -> bool:
    """Whether a clause behind a value arrives at a value of its own."""
    found = next(_CONSEQUENCE.finditer(_BRACKETED.sub(" ", tail)), None)
    return found is not None and re.search(_VALUE, tail[found.end() :]) is not None


_CONTRASTED: Final = re.compile(r",\s+(?:whereas|while)\s+", re.IGNORECASE)
"""`A wins with probability 2/3, whereas B wins with 1/3`: the main clause is what is said."""
_SAID: Final = re.compile(rf"{MARK}|\d")
_DRAWN_FROM: Final = re.compile(r",\s+(?:and\s+)?(?:so|hence|thus|therefore)\s")
_ASKED_FOR: Final = re.compile(
    r"\b(?:asked|wanted?|required|sought|answer|question|need(?:ed)?|look(?:ed|ing)?\s+for|says?|said|claims?|believe\w*|reference|key|textbook|should)\b",
    re.IGNORECASE,
)


def without_contrast(text: str) -> str:
    """A sentence without the clause that states the value of another thing, where two main clauses do not state one."""
    values = list(_SAID.finditer(text))
    if not values or any(mark in text for mark in ";:?"):
        return text
    first, last = values[0].end(), values[-1].start()
    found = next((each for each in _CONTRASTED.finditer(text, first) if each.end() <= last), None)
    if found is None or _ASKED_FOR.search(text, found.end()) or several_stated(text):
        return text
    return text[: found.start()]


def arrived_at(text: str) -> str:
    """The part of a sentence behind its last word of consequence, the whole of one without."""
    drawn = last_drawn(text)
    return _DRAWN_FROM.split(text)[-1] if drawn is None else drawn[1]
