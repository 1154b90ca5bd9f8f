"""What stands before a phrase that names the answer: whether it lets the phrase commit."""

import re

from grading.language.responses import tongues
from grading.language.responses import vocabulary as say

_DENIAL = re.compile(
    r"^\s*(?:(?:certainly|definitely|surely|clearly|obviously|of\s+course|actually|therefore|thus)\s+)?(?:not|never"
    r"|n['’]t|neither|nor|no\s+longer|anything\s+but|hardly|far\s+from|other\s+than)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"\b(?:but|however|yet|still|nevertheless|nonetheless)\b\W*$", re.IGNORECASE)
_CONCESSION = re.compile(r"^\W*(?:al?though|though|while|whereas|even\s+though|despite)\b", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|suppos\w*|assum\w*|imagine|pretend|whether|provided|in\s+case|hypothesis)\b|\?", re.IGNORECASE
)
_SORT = re.compile(
    r"\W*(?:Reported|Rounded|Combined|Overall|Numerical|Symbolic|Simplified|Computed|Calculated|Resulting)\s*"
)
"""What sort of result a line is headed by: `Reported result: 9.8`."""
_CHECKED = re.compile(
    r"\s*(?:(?:(?:also|indeed|thus|therefore|fully|perfectly|entirely|quite|very)\s+)*(?:in\s+(?:line|keeping|agreement|accord(?:ance)?)\s+with"
    r"|consistent(?:\s+with)?|compatible\s+with|plausible|reasonable|sensible|realistic|of\s+the\s+right\s+order)\b[^\d\ue000-\ue2ff]*"
    r"|(?:(?:well|far|just|comfortably|safely)\s+)?(?:below|above|under|within|beyond)\s+(?:it|this|that|them|these|the)\b[^\d\ue000-\ue2ff]*"
    r"\b(?:consistent|(?:we|you|one)\s+expect(?:ed)?|as\s+(?:expected|it\s+should|required)|plausible|reasonable|makes?\s+sense)\b[^\d\ue000-\ue2ff]*)$",
    re.IGNORECASE,
)
_FAULT = re.compile(r"\b(?:not|never|but|however|wrong|only|almost|hardly|if|unless|too)\b|n['’]t\b", re.IGNORECASE)
_LEADING = 600
"""Characters before a phrase that are looked at."""


def uncommitted(lead: str, rest: str, language: str) -> str | None:
    """Why a phrase that names an answer commits to none. `language` is empty for English."""
    lead = lead[-_LEADING:]
    if _DENIAL.match(rest):
        return "denied"
    if language:
        return tongues.uncommitted(lead)
    if _SORT.fullmatch(lead):
        return None
    ends = list(re.finditer(r"[,;:.!()—–]\s*|\b(?:but|so|therefore|hence|thus)\b\s*", lead))
    clause, earlier = (lead[ends[-1].end() :], lead[: ends[-1].end()]) if ends else (lead, "")
    if re.match(r"\s*(?:that|whether|to)\b", clause):
        clause, earlier = lead, ""
    drawn = re.search(r"\b(?:so|thus|hence|therefore)\W*$", earlier, re.IGNORECASE)
    if say.ELSEWHERE.match(clause if drawn else lead) or supposed(earlier):
        return "a supposition or a report, not a commitment"
    if say.NOT_STATED.match(clause):
        return "what is set, asked or cited is no commitment"
    if say.LEAD.match(clause):
        return None
    doubtful = say.DENIED.search(clause) or say.SUPPOSED.search(clause)
    if say.ADVERBIAL.match(clause) and not doubtful:
        return None
    return "what leads to the phrase is not understood as a commitment"


def checks_only(rest: str) -> bool:
    """Whether what stands behind a phrase only finds sound what was said before (`is well below it, as expected`)."""
    return _CHECKED.match(rest) is not None and _FAULT.search(rest) is None


def supposed(earlier: str) -> bool:
    """Whether an earlier part of a sentence supposes, reports or denies what its last clause says.

    What is granted or contrasted ("some say 6, but") speaks of something else, unless it is a condition.
    """
    earlier = say.SOURCE.sub("", earlier)
    parts = re.split(r";\s*", earlier)
    if len(parts) > 1 and re.search(r"\d|[\ue000-\ue2ff]", parts[0]) and not _SUPPOSED.search(earlier):
        # What is reported before a semicolon has a value of its own.
        earlier = parts[-1]
    if _CONCESSION.match(earlier) or _CONTRAST.search(earlier):
        return _SUPPOSED.search(_CONTRAST.sub("", earlier)) is not None
    return say.REPORTED.search(earlier) is not None
