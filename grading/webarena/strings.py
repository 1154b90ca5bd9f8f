"""string_match: the answer given in the last action."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from grading.judging.asking import NO_JUDGE
from grading.matching import typed
from grading.matching.tokens import tokens
from grading.tools import Judge
from grading.verdict import Verdict
from grading.webarena import judges
from grading.webarena.matching import ALTERNATIVES, Fixed, clean, exact, holds_tokens, include, same_strictly

UNACHIEVABLE = "N/A"


class ReferenceAnswers(BaseModel):
    """The file's `reference_answers`. `fuzzy_match` "N/A" marks an unachievable task; `note` is the real reason.

    `forbidden` (strict mode) lists texts an answer must not hold: the golds of sibling tasks, so that an answer that
    lists every candidate fails.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    exact_match: str | None = None
    must_include: tuple[Annotated[str, Field(min_length=1)], ...] | None = None
    fuzzy_match: tuple[str, ...] | Literal["N/A"] | None = None
    note: str = ""
    question: str = ""
    forbidden: tuple[str, ...] = ()


def product(verdicts: Iterable[Verdict], nothing: str = "nothing to check") -> Verdict:
    """1 only if all are; a failure decides at once, an undecided factor leaves the product undecided."""
    known = list(verdicts)
    for verdict in known:
        if verdict.score is not None and verdict.score < 1:
            return verdict
    return next(
        (verdict for verdict in known if verdict.score is None), known[-1] if known else Verdict.correct(nothing)
    )


def _flag(holds: bool, what: str) -> Verdict:
    return Verdict.correct(f"{what} holds") if holds else Verdict.incorrect(f"{what} fails")


def classic(given: str, expected: ReferenceAnswers, fixed: Fixed, judge: Judge | None) -> Verdict:
    """As published, but for the defects in `fixed`. A fuzzy reference repeated word for word needs no judge.

    The answer is cleaned once as a whole and once more in each comparison, so that it loses two layers of quotes.
    """
    given = clean(given)
    checks: list[Verdict] = []
    if expected.exact_match is not None:
        checks.append(_flag(exact(given, expected.exact_match, fixed), "exact_match"))
    if expected.must_include is not None:
        alone = len(expected.must_include) == 1
        held = all(include(given, text, fixed, alone=alone) for text in expected.must_include)
        checks.append(_flag(held, "must_include"))
    if isinstance(expected.fuzzy_match, tuple):
        checks += [_meaning(given, text, expected.question, fixed, judge) for text in expected.fuzzy_match]
    if expected.fuzzy_match != UNACHIEVABLE:
        return product(checks)
    checks.append(_flag(clean(given) == clean(UNACHIEVABLE), "the answer N/A"))
    if all(verdict.score == 1 for verdict in checks):
        return product(checks)
    reason = judges.same_reason(judge, expected.question, expected.note, given, fixed)
    return product([*checks[:-1], reason]) if "D7" in fixed else reason


def _meaning(given: str, expected: str, question: str, fixed: Fixed, judge: Judge | None) -> Verdict:
    if clean(given) == clean(expected):
        return Verdict.correct("the reference word for word")
    return judges.same_meaning(judge, question, expected, given, fixed)


def strict(given: str, expected: ReferenceAnswers, judge: Judge | None) -> Verdict:
    """Typed and whole-token comparison first; the judge only where that decides nothing."""
    if expected.fuzzy_match == UNACHIEVABLE:
        return _flag(bool(given.strip()) and typed.is_nothing(given), "the answer that there is none")
    checks: list[Verdict] = []
    if expected.exact_match is not None:
        options = expected.exact_match.split(ALTERNATIVES)
        checks.append(_flag(any(same_strictly(given, option) for option in options), "exact_match"))
    if expected.must_include is not None:
        held = all(any(holds_tokens(given, one) for one in text.split(ALTERNATIVES)) for text in expected.must_include)
        checks.append(_flag(held, "must_include"))
    if expected.forbidden:
        held = any(holds_tokens(given, text) for text in expected.forbidden)
        checks.append(_flag(not held, "no other candidate"))
    alone = len(expected.fuzzy_match or ()) == 1
    checks += [_strict_meaning(given, text, expected.question, judge, alone) for text in expected.fuzzy_match or ()]
    return product(checks)


def _strict_meaning(given: str, expected: str, question: str, judge: Judge | None, alone: bool) -> Verdict:
    """One fuzzy reference: the same value, the only value of its type in the text, or a judge's matter."""
    if not tokens(given):
        return Verdict.incorrect("the answer is empty")
    same = typed.same(given, expected)
    if same or (holds_tokens(given, expected) and not alone):
        return Verdict.correct("the same value as the reference")
    found = typed.occurs_in(given, expected) if alone else None
    if found is not None:
        return _flag(found, "the only value of its type")
    if judge is None:
        return Verdict.unscored(NO_JUDGE)
    return judges.same_meaning(judge, question, expected, given, frozenset({"D6"}))
