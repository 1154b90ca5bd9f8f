"""`includes`: the answer must contain given texts."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from grading.answer import Answer
from grading.matching.tokens import holds, tokens
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

RequiredText = Annotated[str, StringConstraints(min_length=1)]


class IncludesReference(Reference):
    """Every entry of `values` must occur, an entry that is a list by one of its texts; none of `forbidden` may.

    With `boundaries` whole words and numbers are compared ("170" is not in "1170"; "1,170.0" holds "1170"), without
    case and punctuation; otherwise substrings, with or without case as `case_sensitive` says.
    """

    kind: Literal["includes"] = "includes"
    values: Annotated[tuple[RequiredText | tuple[RequiredText, ...], ...], Field(min_length=1)]
    forbidden: tuple[RequiredText, ...] = ()
    boundaries: bool = True
    case_sensitive: bool = False


@grader(IncludesReference, version="1")
def includes(answer: Answer, reference: IncludesReference, _tools: Tools) -> Verdict:
    """Correct when every required text and no forbidden one is in the answer's text."""
    text = answer.text if answer.text is not None else answer.data
    if not isinstance(text, str) or not text.strip():
        return Verdict.unparseable("there is no text to look in")
    missing = [entry for entry in reference.values if not any(_found(text, one, reference) for one in _either(entry))]
    if missing:
        return Verdict.incorrect(f"{len(missing)} of {len(reference.values)} required texts are missing")
    forbidden = sum(_found(text, one, reference) for one in reference.forbidden)
    if forbidden:
        return Verdict.incorrect(f"holds {forbidden} text(s) that must not occur")
    return Verdict.correct("holds all required texts")


def _either(entry: str | tuple[str, ...]) -> tuple[str, ...]:
    return (entry,) if isinstance(entry, str) else entry


def _found(text: str, expected: str, reference: IncludesReference) -> bool:
    if reference.boundaries:
        parts = tokens(expected)
        return holds(tokens(text), parts) if parts else expected in text
    if reference.case_sensitive:
        return expected in text
    return expected.casefold() in text.casefold()
