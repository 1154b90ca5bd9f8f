"""What a sentence arrives at: of several values the one behind its last word of consequence.

`The poles are 30 metres apart, thus the middle is 15 metres away` says 15; the 30 is what it starts from.
"""

import itertools
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from grading.language.responses.described import described_beside
from grading.language.responses.segments import MARK
from grading.language.responses.unfinished import unfinished

_VALUE: Final = rf"(?:{MARK}|(?<![\w.^_])[-−]?[$€£]?\d)"
_EACH_VALUE: Final = re.compile(_VALUE)
_ADVERB: Final = r"(?:\s*,?\s*(?:then|now|also|in\s+turn|finally|clearly|therefore|thus|hence|indeed|immediately)\b,?)?"
_GIVES: Final = (
    r"(?:implies|means|gives|yields|produces|shows|tells\s+us|leads\s+to|results\s+in|brings\s+(?:us|the\s+\w+)\s+to|makes|leaves"
    r"|(?:simplifies|reduces|solves|evaluates|comes|amounts|works\s+out|rearranges|boils\s+down)\s+to|forces)"
)
_CONSEQUENCE: Final = re.compile(
    r"(?:[,;:—–]\s*|(?<=[\ue000-\ue2ff])\s*|(?<=\w)\s+|^[^\w\ue000-\ue2ff]*)(?:and\s+|but\s+)?(?:"
    r"so(?!\s+(?:far|many|much|called|on|does|do|is|are)\b)(?:\s+that)?|thus|hence|therefore|consequently|whence|accordingly|(?<=;\s)in\s+(?:short|other\s+words|total|summary|fact)|and\s+it\s+is\s+(?:at|in)(?=\s*[\ue000-\ue2ff])"
    rf"|(?:which|this|that)(?:\s*,[^,;]{{2,40}},)?{_ADVERB}\s+{_GIVES}(?:\s+(?:us|him|her|them))?(?:\s+with)?(?:\s+that)?"
    r"|(?:which|and)\s+(?:we|you|one)\s+can\s+(?:solve\s+(?:to\s+(?:obtain|get|find)|for)|(?:cut\s+down|simplify|reduce|cancel|boil\s+down|shorten)(?:\s+(?:this|that|it))?\s+to)"
    r"|(?:thus\s+|thereby\s+)?(?:implying|giving|yielding|leaving(?=\s+(?:us\s+|only\s+|just\s+|with\s+)*[\ue000-\ue2ff]))(?:\s+us)?(?:\s+that)?(?:\s+with)?(?:\s+(?:only|just))?|(?:we\s+(?:then\s+|thus\s+|finally\s+)?(?:get|obtain|find|arrive\s+at))(?:\s+that)?"
    r"|for\s+a\s+(?:grand\s+|combined\s+)?total(?:\s+\w+)?\s+of|a\s+total\s+of(?=\s*[\ue000-\ue2ff])|to\s+(?:get|obtain|find)(?:\s+that)?|⇒"
    rf"|in\s+(?:[a-z-]+\s+){{1,3}}?(?:form|notation)\s*:(?=\s*{MARK})"
    r"|(?<=[,;]\s)(?:thus\s+|thereby\s+)?(?:making|bringing|leaving|putting|raising|reducing|lowering)"
    r"|(?<=[,;]\s)(?:donc|daher|somit|folglich|demnach|also(?=\s+(?:ist|sind|beträgt|kostet|braucht|ergibt|gilt|hat|haben|bleib\w+|dauert|wiegt|zahlt|bezahlt|bekommt|muss)\b)"
    r"|entonces|luego|por\s+(?:lo\s+)?tanto|así\s+que|então|portanto|logo|assim|quindi|dunque|perciò|pertanto|dus|поэтому|значит|следовательно|итак|таким\s+образом)"
    r")(?=[\s,:]|$)[\s,:]*",
    re.IGNORECASE,
)
_MAKES: Final = re.compile(
    r"\W*(?:thus\s+|thereby\s+)?(?:making|bringing|leaving|putting|raising|reducing|lowering)\b", re.IGNORECASE
)
_RESULTING: Final = re.compile(
    rf"^(?P<thing>(?:his|her|their|its|the|our|my|your)\s+(?:[a-z’'-]+\s+){{0,4}}?[a-z’'-]+)\s+(?:(?:down|up)?\s*to\s+|at\s+)?(?=(?:only\s+|exactly\s+|just\s+)?{_VALUE})",
    re.IGNORECASE,
)
_LEFT_WITH: Final = re.compile(
    rf"^(?:him|her|them|us|you|it|[A-Z][a-z]+)\s+(?:with\s+)?(?:only\s+|just\s+)?(?={_VALUE})"
)


def resulting(clause: str, behind: str) -> str:
    """`his change $10.75`, `the total to 12` behind `making` and its like as sentences; any other clause as it is."""
    if _MAKES.match(behind) is None:
        return clause
    found = _RESULTING.match(clause)
    if found is not None and not re.search(r"\b(?:than|least|most|not|over|under|above|below|of)$", found["thing"]):
        return f"{found['thing']} is {clause[found.end() :]}"
    return _LEFT_WITH.sub("", clause)


_OF_A_NAME: Final = re.compile(rf"{MARK}\s+(?:is|are)\s+[^\d\ue000-\ue2ff]*$")
"""`so $D_3$ is the smaller one` behind an equation: a name, and what is said of it."""
_BRACKETED: Final = re.compile(r"\([^()]*\)")


@lru_cache(maxsize=256)
def last_drawn(text: str) -> tuple[str, str] | None:
    """The part before the last word of consequence that has a value behind it, and that clause; None without one."""
    plain = _BRACKETED.sub(lambda found: " " * len(found[0]), text)
    values = list(_EACH_VALUE.finditer(plain))
    if not values:
        return None
    first, last = values[0].end(), values[-1].start()
    for found in reversed(list(_CONSEQUENCE.finditer(plain))):
        begins = not re.search(r"[\w\ue000-\ue2ff]", text[: values[0].start()])
        if first <= found.start() and found.end() <= last and not (begins and _OF_A_NAME.match(text, found.end())):
            return text[: found.start()], text[found.end() :]
    return None


_COPULA: Final = r"(?:is|are|was|were|equals?|gets?|gives?|becomes?|has|have|yields?|measures?)"
_STATES: Final = re.compile(
    rf"\b{_COPULA}\s+(?:\w+\s+){{0,3}}?[$€]?{_VALUE}"
    rf"|\b(?:{_COPULA}|(?:consists?|is\s+made\s+up)\s+of|comprises|contains|covers|includes|spans)\s+(?:(?:all|every|the\s+(?:whole|entire|empty))\b|empty\b)"
    rf"|\b{_COPULA}\s+the\s[^,;:\d\ue000-\ue2ff]{{3,80}},\s+(?:(?:about|roughly|approximately|i\.\s?e\.,?|namely|that\s+is,?|so)\s+)?[$€]?{_VALUE}",
    re.IGNORECASE,
)
_VALUE_FIRST: Final = re.compile(
    rf"\W*(?:{MARK}|[-−]?[$€£]?\d[\d.,/]*)\s+(?:is|are|was|were)\s+(?:the|only)\s", re.IGNORECASE
)
_BARE: Final = re.compile(rf"\W*(?P<value>{MARK}|[-−]?[$€£]?\d[\d.,/]*)(?:\s?[%°]|\s+[a-z]+){{0,2}}\s*", re.IGNORECASE)
"""A value alone, which a further clause behind it says something beside."""
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
    stating = [part for part in parts if _STATES.search(part) or _VALUE_FIRST.match(part)]
    return len(stating) > 1 or _beside_alone(parts[0], stating) or _beside_alone(*_set_apart(text))


def _set_apart(text: str) -> tuple[str, list[str]]:
    """What stands before a dash, and the clause behind it that states something."""
    alone, dash, clause = _DASH.split(text, 1) if _DASH.search(text) else (text, "", "")
    return alone, [clause] if dash and _STATES.search(clause) else []


def _beside_alone(alone: str, stating: list[str]) -> bool:
    """Whether clauses beside a value alone state another one."""
    begun = _BARE.fullmatch(alone)
    return begun is not None and any(begun["value"] not in part for part in stating if part != alone)


_DASH: Final = re.compile(r"\s([–—-])\s(?=(?:the|its|their|an?)\s)", re.IGNORECASE)
_LEFT_OPEN: Final = re.compile(
    r"(?:\b(?:can\s*not|can\s+never|can['’]t|could\s+not|couldn['’]t|unable\s+to|impossible\s+to|not\s+possible\s+to|no\s+way\s+to|not\s+(?:been\s+)?able\s+to"
    r"|(?:don['’]t|do\s+not|did\s+not|didn['’]t)\s+(?:yet\s+)?(?:know\s+how\s+to|manage\s+to))\s+(?:\w+ly\s+|be\s+|yet\s+|even\s+)*"
    r"(?:solved?|answer(?:ed)?|determined?|decided?|work(?:ed)?\s+out|settled?|tell\s+(?:what|which|how)|say\s+(?:what|which|how))\b"
    r"|\b(?:leaves?|leaving|left|remains?|stays?|is|are)\s+(?:(?:the|this|that|its|your)\s+(?:[a-z-]+\s+){1,3}?|it\s+|still\s+)?(?:open(?=\W*$|\s+(?:here|for\s+now))|unanswered|undetermined|unsolved|undecided|to\s+(?:you|the\s+reader))\b"
    r"|,\s+(?:and\s+)?(?:so|hence|thus|therefore|which\s+(?:makes|means|gives))\b[^,;.\d\ue000-\ue2ff]{0,40}\b(?:twice|thrice|double|half|(?:two|three|four|five|six|ten|several|many)\s+times)\s+(?:as\s+(?:many|much)(?!\s+as)|that|this|the\s+(?:number|amount|value|result|answer)|it)\b"
    r"|\b(?:probability|chance|likelihood|odds)\s+of\s+(?:the|its)\s+(?:complement|opposite)\b(?!\s+of\b)(?!.*\b(?:so|hence|thus|therefore)\b)|,\s+so\s+(?:that\s+)?the\s+(?:rest|remainder|others)\s+(?:is|are|remains?|stays?)\W*$"
    r"|\b(?:probability|chance|likelihood|odds)\s+(?:of|that)\s+(?:the\s+event|this(?:\s+event)?|that|it)\s+(?:(?:does|do|did|will)\s+not|(?:does|do|did)n['’]t|won['’]t|never|fails?\s+to)\s+(?:occurs?|happens?|take\s+place|come\s+about)\b(?!.*\b(?:so|hence|thus|therefore)\b)"
    r"|,\s+(?:and\s+)?(?:(?:so|hence|thus|therefore)\b|(?=the\s+(?:answer|result)\b))[^,;.\d\ue000-\ue2ff]{0,80}\s(?:is|are|equals?|must\s+be)\s+(?:just\s+|simply\s+|then\s+|exactly\s+)?(?:the\s+)?(?:complement|reciprocal|inverse|(?:square|cube)(?:\s+root)?|negative|opposite|double|half|twice|thrice|(?:one|a)\s+(?:third|quarter|half)|logarithm|factorial)\s+(?:of\s+)?(?:that|this|it|these|those|the\s+(?:former|latter|above))\b)",
    re.IGNORECASE,
)
"""A sentence that says that what was asked for stays open, that speaks of the opposite event, or that goes on to an
operation on its value in words (`so the chance of winning is the complement of that`)."""


def left_open(text: str) -> bool:
    """Whether a sentence says that its value is not yet what was asked for."""
    return _LEFT_OPEN.search(text) is not None or unfinished(text) or described_beside(text)


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
