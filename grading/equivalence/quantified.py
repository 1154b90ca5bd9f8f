"""Statements about all, some or no things of a kind, whatever way they are put.

`Some swan is not white`, `there exists a swan that is not white` and `not all swans are white` are one statement: that
of two kinds of things there is one that is in the first and not in the second. Predicates have to be of the same words.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from grading.equivalence.finding import Finding, different, equal
from grading.matching.stem import stem


class Statement(NamedTuple):
    """`exists` tells of a thing of the kind that has the predicate, or (`denied`) has not; else there is none such."""

    exists: bool
    kind: tuple[str, ...]
    denied: bool
    predicate: tuple[str, ...]


_AUX: Final = r"(?:is|are|was|were|does|do|did|can|could|has|have|will|must)"
_NOT: Final = r"(?:\s+not\b|n['’]t\b|not\b)"
_LEAD: Final = (
    r"\W*(?:(?:its|the|this)\s+negation\s*(?:is|:)\s*(?:that\s+)?|negation:\s*"
    r"|(?:so|thus|hence|therefore|it\s+is\s+true\s+that|we\s+have)\W+)?[\"“'‘]?"
)
_KIND: Final = r"(?P<kind>[a-z]+(?:[ -][a-z]+){0,2}?)"
_SAID: Final = (
    rf"(?:(?P<aux>{_AUX})(?P<not>{_NOT})?\s+(?P<what>[^,;:.]{{1,80}})|(?P<verb>[a-z]+)(?P<object>\s+[^,;:.]{{1,80}})?)"
)
_END: Final = r"[\"”'’.!\s*]*"
_SOME: Final = r"(?:some|at\s+least\s+one|a\s+certain)(?:\s+of\s+the)?"
_ONE: Final = r"(?:(?:at\s+least\s+)?(?:one|an?|some)|some)"
_FORMS: Final = tuple(
    (re.compile(rf"{_LEAD}{lead}{_END}", re.IGNORECASE), exists, turned)
    for lead, exists, turned in (
        (rf"there\s+(?:exists?|is|are)\s+{_ONE}\s+{_KIND}\s+(?:that|which|who)\s+{_SAID}", True, False),
        (rf"there\s+(?:exists?|is|are)\s+no\s+{_KIND}\s+(?:that|which|who)\s+{_SAID}", False, False),
        (rf"{_SOME}\s+{_KIND}\s+{_SAID}", True, False),
        (rf"not\s+(?:all|every|each)(?:\s+of)?(?:\s+the)?\s+{_KIND}\s+{_SAID}", True, True),
        (rf"(?:no|none\s+of\s+the)\s+{_KIND}\s+{_SAID}", False, False),
        (rf"(?:all|every|each|any)(?:\s+of)?(?:\s+the)?\s+{_KIND}\s+{_SAID}", False, True),
    )
)
_PASSED: Final = frozenset({"a", "an", "the", "be", "to", "ever", "at", "all"})
_NO_KIND: Final = re.compile(
    r"\b(?:is|are|was|were|does|do|did|can|could|has|have|will|must|not|that|which|who|cannot|never|of|and|or)\b"
)
_UNSAID: Final = re.compile(
    r"\b(?:but|if|unless|or|and|except|only|maybe|perhaps|possibly|might|may|would|should|always|sometimes|never|no|neither|nor|without|almost|most|many|few)\b|\?",
    re.IGNORECASE,
)
_STARTS: Final = re.compile(r"\b(?:some|at\s+least|there|not|no|none|all|every|each|any)\b", re.IGNORECASE)
_LONGEST: Final = 160


def same_quantified(gold: str, text: str) -> Finding | None:
    """The finding where both texts are such statements about one kind and one predicate; None of other texts."""
    if max(len(gold), len(text)) > _LONGEST or _STARTS.search(gold) is None:
        return None
    expected, found = _statement(gold), _statement(text)
    if expected is None or found is None or expected[1::2] != found[1::2]:
        return None
    return (
        equal("the same statement in other words") if expected == found else different("another quantifier or denial")
    )


@lru_cache(maxsize=256)
def _statement(text: str) -> Statement | None:
    text = " ".join(text.replace("*", "").replace("cannot", "can not").split())
    for form, exists, turned in _FORMS:
        found = form.fullmatch(text)
        if found is not None and not _NO_KIND.search(found["kind"]):
            return _said(found, exists=exists, turned=turned)
    return None


def _said(found: re.Match[str], *, exists: bool, turned: bool) -> Statement | None:
    """A statement of one kind and one predicate; what a sentence says of all things is that none is without it."""
    what = found["what"] if found["aux"] else f"{found['verb']}{found['object'] or ''}"
    if _UNSAID.search(what) or re.search(r"\b(?:not|n['’]t)\b", what) or _UNSAID.search(found["kind"]):
        return None
    denied = found["not"] is not None
    if denied and turned and not exists:
        return None  # `All birds do not fly` may mean either.
    link = _linked(found["aux"])
    predicate = tuple(stem(word) for word in re.findall(r"[\w'-]+", what.lower()) if word not in _PASSED)
    kind = tuple(stem(word) for word in found["kind"].lower().split())
    return Statement(exists, kind, denied != turned, (link, *predicate)) if predicate else None


def _linked(auxiliary: str | None) -> str:
    """What an auxiliary adds: `is`, `are`, `does` and `has` nothing, `can` and `must` their sense."""
    word = (auxiliary or "").lower()
    return "" if word in ("is", "are", "does", "do", "") else word
