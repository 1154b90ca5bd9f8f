"""Exact match of the final answer with one of the accepted texts."""

import re
import unicodedata
from typing import Literal

from pydantic import Field

from grading.answer import Answer
from grading.equivalence.wording import says
from grading.language import words
from grading.language.extract import extract
from grading.language.responses.commitments import committed
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

_LINK = re.compile(r"(?<!\w)(?:is|are|was|were|called|named|est|sont|ist|sind|es|son|são)(?!\w)|:")
"""What a sentence has that a list ("red, blue") has not."""
_DRESS = re.compile(r"^\W*\*\*|\*\*(?:\.?\s*)$|(?<=\w)\.\s*$")


class ExactReference(Reference):
    """`value` or one of `alternatives` must be the answer, letter by letter after the named normalisations."""

    gold_field = "value"

    kind: Literal["exact"] = "exact"
    value: str = Field(min_length=1, max_length=20_000)
    alternatives: tuple[str, ...] = ()
    case_sensitive: bool = True
    collapse_space: bool = True
    whole: bool = False
    """Compare the whole response and not the final answer found in it."""


def _plain(text: str, reference: ExactReference) -> str:
    text = unicodedata.normalize("NFC", text)
    text = " ".join(text.split()) if reference.collapse_space else text
    return text if reference.case_sensitive else text.casefold()


def _stated(given: str, accepted: set[str], reference: ExactReference) -> bool:
    """Whether an answer is an accepted text in bold type or with a full stop, or a sentence that says it."""
    if _plain(_DRESS.sub("", given), reference) in accepted:
        return True
    spoken = _plain(given, reference)
    return _LINK.search(given) is not None and any(
        re.search(rf"(?<!\w){re.escape(text)}(?!\w)", spoken) is not None and says(given, words.plain(text))
        for text in accepted
        if re.search(r"[^\W\d_]{2}", text)
    )


@grader(ExactReference, version="6", inline=True)
def exact(answer: Answer, reference: ExactReference, tools: Tools) -> Verdict:
    """Correct exactly when the answer equals an accepted text."""
    del tools
    found = extract(answer)
    given = (answer.text or "") if reference.whole else found.text
    if given is None:
        return Verdict.unparseable(found.problem or "no answer was found")
    accepted = {_plain(text, reference) for text in (reference.value, *reference.alternatives)}
    if _plain(given, reference) in accepted:
        return Verdict.correct("the same text as the reference", rule=found.rule)
    claim = committed(given) if found.rule == "whole" and not reference.whole else None
    named = claim is not None and claim.rule in ("phrase", "heading") and not claim.condition
    if claim is not None and named and _plain(claim.text or "", reference) in accepted:
        return Verdict.correct("the text that a sentence commits to", rule=claim.rule)
    if found.rule == "whole" and not reference.whole and _stated(given, accepted, reference):
        return Verdict.correct("a sentence that says it", rule=found.rule)
    return Verdict.incorrect("not the text asked for", given=given[:500], rule=found.rule)
