"""`state_change`: what an episode did to a site's database: everything it should, and nothing else."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from grading.answer import Answer
from grading.evidence import read
from grading.matching.pairing import pair
from grading.reference import Reference
from grading.registry import grader
from grading.state.conditions import ValueCondition, row_meets
from grading.state.rows import Change, StateEvidence, changes
from grading.tools import Tools
from grading.verdict import Verdict


class Expected(BaseModel):
    """A change that must be there exactly `count` times.

    `where`: conditions on the row before (update, delete); `values`: conditions on the row after (insert, update).
    An update may touch the columns in `values` and those in `also`, no other (but for what is allowed anyway).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str
    change: Literal["insert", "update", "delete"]
    where: dict[str, ValueCondition] = Field(default_factory=dict)
    values: dict[str, ValueCondition] = Field(default_factory=dict)
    also: tuple[str, ...] = ()
    count: Annotated[int, Field(ge=1, le=1000)] = 1

    @model_validator(mode="after")
    def _fits_the_change(self) -> Self:
        if self.change == "insert" and self.where:
            raise ValueError("an inserted row has no row before it: use 'values'")
        if self.change == "delete" and (self.values or self.also):
            raise ValueError("a deleted row has no row after it: use 'where'")
        if self.change == "update" and not self.values:
            raise ValueError("an update needs 'values', the columns it sets")
        return self


class Allowed(BaseModel):
    """A change that may be there (sessions, counters, time stamps); `columns` limits an update to these columns."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str
    change: Literal["any", "insert", "update", "delete"] = "any"
    columns: tuple[str, ...] = ()
    where: dict[str, ValueCondition] = Field(default_factory=dict)


class StateChangeReference(Reference):
    """Expected and allowed changes. No expected change means that nothing may have changed.

    Evidence: `{"tables": {name: {"key": [column], "before": [row], "after": [row]}}}` with rows as objects, or for each
    table the difference `{"inserted": [row], "deleted": [row], "updated": [{"before": row, "after": row}]}`.
    Tables that are not listed are taken as unchanged, so that the probe must cover all that could change.
    With `partial`, the score is the share of expected changes found; an unexpected change still costs everything.
    """

    kind: Literal["state_change"] = "state_change"
    expected: tuple[Expected, ...] = ()
    allowed: tuple[Allowed, ...] = ()
    evidence: str = "state"
    partial: bool = False


@grader(StateChangeReference, version="1")
def state_change(answer: Answer, reference: StateChangeReference, _tools: Tools) -> Verdict:
    """Correct when each expected change is found and every other change is allowed."""
    state = read(answer, reference.evidence, StateEvidence)
    if isinstance(state, Verdict):
        return state
    try:
        found = changes(state)
    except ValueError as error:
        return Verdict.unscored(str(error))
    slots = [expected for expected in reference.expected for _ in range(expected.count)]
    pairs = pair(slots, found, lambda expected, change: _fits(expected, change, reference.allowed))
    taken = set(pairs.values())
    strays = [
        change
        for index, change in enumerate(found)
        if index not in taken and not _is_allowed(change, reference.allowed)
    ]
    if strays:
        names = sorted({f"{change.kind} in {change.table}" for change in strays})
        return Verdict.incorrect(f"{len(strays)} change(s) that should not be", unexpected=list(names))
    if len(pairs) == len(slots):
        return Verdict.correct("all expected changes and no others" if slots else "nothing changed, as it should")
    share = len(pairs) / len(slots) if reference.partial else 0.0
    return Verdict.graded(share, f"{len(slots) - len(pairs)} of {len(slots)} expected changes are missing")


def _fits(expected: Expected, change: Change, allowed: tuple[Allowed, ...]) -> bool:
    if change.table != expected.table or change.kind != expected.change:
        return False
    if not (row_meets(change.before, expected.where) and row_meets(change.after, expected.values)):
        return False
    return not change.columns() - set(expected.values) - set(expected.also) - _free_columns(change, allowed)


def _free_columns(change: Change, allowed: tuple[Allowed, ...]) -> set[str]:
    rules = [rule for rule in allowed if rule.table == change.table and rule.change in ("any", "update")]
    return {name for rule in rules if row_meets(change.before, rule.where) for name in rule.columns}


def _is_allowed(change: Change, allowed: tuple[Allowed, ...]) -> bool:
    for rule in allowed:
        if rule.table != change.table or rule.change not in ("any", change.kind):
            continue
        row = change.after if change.before is None else change.before
        if not row_meets(row, rule.where):
            continue
        if change.kind != "update" or not rule.columns or change.columns() <= set(rule.columns):
            return True
    return False
