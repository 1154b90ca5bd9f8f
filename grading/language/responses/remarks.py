"""Remarks within a sentence that leave its value as it is: appositions, and relative clauses about the value.

`The minimum, 5, is attained at x = 2` says 5; so does `5, which is positive`. What such a clause may say is a closed
class of predicates: a clause of equality (`which is 5`, `which gives 5`), of judgement or of work left is none.
"""

import re
from typing import Final

from grading.language.responses import changing
from grading.language.responses.segments import MARK

_NUMBER: Final = r"[-−]?[$€£]?\d(?:[\d.,/]*\d)?(?:\s?[%°])?"
_VALUE: Final = rf"(?:{MARK}|{_NUMBER}(?:\s+[A-Za-zµΩ][\w/²³^·-]{{0,12}})?)"
_LEAD: Final = (
    r"(?:(?i:so|thus|hence|therefore|consequently|then)\b[\s,]*)*(?i:the|this|its|their|our)\s+(?:(?!(?:is|are|was|were|be|of\s+which|that|which|who|not|no"
    r"|first|second|other|another|next|previous|wrong|initial|old|upper|lower|naive|expected|claimed|denominator|numerator)\b)[\w\ue000-\ue2ff'’-]+\s+){0,8}?"
    r"(?!(?:is|are|was|were|be|that|which)\b)[\w\ue000-\ue2ff'’-]+"
)
_PREDICATE: Final = (
    r"(?:(?:then|thus|therefore|indeed|also|in\s+fact)\s+)?(?:(?:is|are|was)\s+(?:then\s+|thus\s+|therefore\s+|only\s+|first\s+)?(?:attained|reached|achieved|obtained|realised|realized"
    r"|taken|found|assumed|the\s+(?:largest|smallest|highest|lowest|greatest|least|answer|same\s+as)|located)|occurs|belongs|follows|comes|appears|arises|lies|corresponds"
    r"|counts|results|agrees|matches)\b"
)
_APPOSED: Final = re.compile(rf"^(?P<lead>{_LEAD}),\s+(?P<value>{_VALUE}),\s+(?P<rest>{_PREDICATE}.*)$", re.DOTALL)
_OF_SUBJECT: Final = re.compile(
    rf"^(?:(?i:so|thus|hence|therefore)\b[\s,]*)*(?i:the|its|this|their|our)\s+(?:(?!(?:is|are|was|were|be)\b)[\w\ue000-\ue2ff'’-]+\s+){{0,6}}?"
    rf"(?!(?:is|are|was|were|be)\b)[\w\ue000-\ue2ff'’-]+,\s+{_VALUE},\s+[a-z]+(?:s|ed)\b"
)
_ABOUT_IT: Final = (
    r"(?:(?:is|are|remains?|stays?|becomes)\s+(?:clearly\s+|indeed\s+|also\s+|always\s+|still\s+|strictly\s+|only\s+)?(?:un)?(?:defined|positive|negative|increasing|decreasing|continuous"
    r"|differentiable|valid|symmetric|convex|concave|real|finite|bounded|reasonable|sensible|plausible|consistent|smooth|even|odd|monotone|integrable|small|large"
    r"|independent|dimensionless|irreducible|prime|invertible|singular|less|greater|smaller|larger|well\s+below|well\s+above|close|between|within|about\s+right)\b"
    r"|has\s+(?:an?\s+|its\s+|no\s+)?(?:\w+\s+)?(?:poles?|zeros?|roots?|period|maximum|minimum|asymptotes?|singularity|singularities|limit|jump|discontinuity|vertical|horizontal|removable|the\s+right|the\s+correct"
    r"|the\s+expected|units?)\b"
    r"|(?:tends|goes|decays|converges|reduces|grows|approaches|vanishes)\b(?=.*\b(?:as|at|for|when|where|in\s+the\s+limit|if)\b)|vanishes\b"
    r"|(?:agrees|fits|matches)\b|(?:does\s+not|doesn['’]t)\s+depend\s+on\b)"
)
_RELATIVE: Final = re.compile(
    rf"(?<=[\w\ue000-\ue2ff)%°]),\s+(?:which|and\s+(?:this|it|which))\s+(?P<said>{_ABOUT_IT}[^;:?]*?)(?P<stop>[.!]?\s*)$",
    re.DOTALL,
)
_UNSETTLES: Final = re.compile(
    r"\b(?:but|however|so|hence|thus|therefore|giving|unless|otherwise|else|wrong|incorrect|impossible|contradict\w*|reject\w*|discard\w*|exclu\w+|twice|half"
    r"|answers?|should|must|needs?|instead|rather|not\s+(?:the|what|allowed|possible|acceptable|admissible)|too|than\s+(?:it\s+should|allowed|expected)|yet|except|although|though|and\s+(?:is|equals|gives))\b|n['’]t\b(?!\s+depend)|=",
    re.IGNORECASE,
)
"""Words of such a clause with which the value may be none."""


_ZERO_ELSEWHERE: Final = re.compile(
    rf"(?<=[\w)}}\ue000-\ue2ff]),?\s+and\s+(?:it\s+)?(?:is\s+|equals\s+)?(?:(?:0|zero)|vanishes)\s+"
    rf"(?:for\s+(?:{MARK}|[a-z]\s*[<>≤≥]\s*{_NUMBER})|elsewhere|otherwise)(?=[.!]?\s*$)",
    re.IGNORECASE,
)
"""Behind the formula of a function: `and it is 0 for x ≤ 0`."""
_FUNCTION: Final = re.compile(rf"(?:[A-Za-z]\w?|[A-Za-z]_\w)\([a-z]\)\s*=|(?:is|=)\s*{MARK}")


def without_apposition(text: str) -> str:
    """`The minimum, 5, is attained at x = 2` as `The minimum is 5, attained there`: the value and what it is called."""
    found = _APPOSED.match(text)
    if (
        found is None
        or changing.AROUND.search(f"{found['lead']} | {found['rest']}")
        or _UNSETTLES.search(found["rest"])
    ):
        return text
    return f"{found['lead']} is {found['value']}."


def is_apposed(text: str) -> bool:
    """Whether a value stands beside a subject of which something else is said: `The denominator, 5, cancels.`"""
    return _OF_SUBJECT.match(text) is not None


def without_remark(text: str) -> str:
    """A sentence without a last clause that only says something of its value, or where a function is zero."""
    text = _ZERO_ELSEWHERE.sub("", text) if _FUNCTION.search(text) else text
    found = _RELATIVE.search(text)
    if found is None or _UNSETTLES.search(found["said"]):
        return text
    return text[: found.start()] + found["stop"]
