"""The clause at which a sentence that names something arrives, without what trails behind it."""

import re
from typing import Final

from grading.language.responses import vocabulary as say
from grading.language.responses.nameforms import AT_THE_TIME, DOUBTS_FIRST, RETURNS, SAYS_MORE, WORKED
from grading.language.responses.roles import main_clause
from grading.language.responses.telling import states

_TRAILING: Final = re.compile(
    r"[,;—–]\s*(?:because|since|as|which|who|whose|whom|where|when|while|whereas|(?:al)?though|even\s+though|given"
    r"|so\s+that|so|thus|hence|and\s+(?:it|this|so|not)|making|meaning|giving|not|rather|unlike|instead|except\s+(?:for|in|on|at|during)"
    r"|denn|weil|da|während|car|puisque|tandis|ya\s+que|porque|pues|mientras|perché|mentre|nicht|et\s+non"
    r"|y\s+no|e\s+não)\b.*$"
    r"|,\s+such\s+as\s(?:(?!(?:is|are|was|were|has|have|not|but|no)\b)[\w-]+,?\s*){1,8}[.\s]*$"
    r"|\s(?:because|since|whereas|denn|weil|parce\s+que|ya\s+que)\s.*$|;\s.*$|\s[—–]\s.*$|\s-\s.*$",
    re.IGNORECASE | re.DOTALL,
)
_DRAWN: Final = re.compile(
    r"^(?P<lead>.{3,}?),\s+(?:and\s+)?(?:so|thus|hence|therefore|also|donc|quindi"
    r"|portanto)\s+(?:that\s+)?(?!(?:it|he|she|they|this|that|we)\b)(?=\S)",
    re.DOTALL,
)
_SUPPOSES: Final = re.compile(
    r"\b(?:if|suppose|assum\w+|would|were|had|claims?|said|says?|thinks?|thought)\b|\?", re.IGNORECASE
)
_TAKES_BACK: Final = re.compile(
    r"^[,;—–\s]*not\s+(?:always|necessarily|quite|really|exactly|entirely|sure|yet|all|every\w*|fully|completely|in\s+general)\b|^[;—–\s-]+(?:no|wait|or|but)\b|\b(?:never|no\s+longer|later|(?<!before\s)(?<!until\s)then)\b|\bit\s+(?:is|was)\s+[^,;]{1,60}?\s(?:who|that)\b",
    re.IGNORECASE,
)
"""How something behind the main clause may take it back, or go on to another thing."""
_TERMED: Final = re.compile(r"\b(?:called|known\s+as|termed|named|referred\s+to\s+as|dubbed)\b", re.IGNORECASE)
_TURNS: Final = re.compile(
    r"\b(?:but|however|actually|instead|rather|wrong\w*|correct\w*|proper\w*|term|name|word|here|in\s+fact|though)\b",
    re.IGNORECASE,
)
_GOES_AGAINST: Final = re.compile(
    r"^(?:;|[,—–]\s*(?:while|whereas|when|where|until|during|während|tandis|mientras|mentre)\b|[^:]*:\s)", re.IGNORECASE
)


def _is_termed(clause: str, behind: str) -> bool:
    """Whether a clause gives something its name, and what stands behind gives none and does not turn."""
    return _TERMED.search(clause) is not None and not _TERMED.search(behind) and _TURNS.search(behind) is None


def naming_clause(text: str) -> str:
    """The clause that a sentence arrives at, without what trails behind; empty where something takes it back."""
    granted = DOUBTS_FIRST.match(text)
    text = text[granted.end() :] if granted is not None else text
    text = AT_THE_TIME.sub("", text)
    drawn = _DRAWN.match(text)
    if drawn is not None:
        text = "" if _SUPPOSES.search(drawn["lead"]) else text[drawn.end() :]
    worked = WORKED.match(text)
    if worked is not None and not _SUPPOSES.search(text):
        text = text[worked.end() :]
    clause = main_clause(text).strip()
    trailing = _TRAILING.search(clause)
    if trailing is None:
        return clause
    behind = trailing[0]
    set_apart = re.match(r"[;,—–\s]*(?:not|rather|unlike|instead|except|while|whereas|although|even)\b", behind)
    if say.UNSETTLED.search(re.sub(r"^\W*(?:while|whereas|although|though)\b", "", behind)) and not set_apart:
        return ""
    other = (
        _GOES_AGAINST.match(behind)
        and states(behind)
        and not SAYS_MORE.match(behind)
        and not (behind.startswith(";") and (RETURNS.match(text) or _is_termed(clause[: trailing.start()], behind)))
    )
    if _TAKES_BACK.search(behind) or other:
        return ""
    return clause[: trailing.start()]
