"""The single exit: the only place where verdicts of a hidden split become something that may be told.

Everything that pages, files and messages show of a hidden split is built from the `FeedbackRelease`s made here (and
`board.board` of them). The functions are pure: equal arguments give equal releases.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import numpy as np

from protection.feedback.ledger import band_bits, decision_bits
from protection.feedback.policy import ALPHA, FeedbackPolicy, Mode, PartPolicy, even_weights, part_policy
from protection.feedback.release import FeedbackRelease, Floats, GroupBand, OrganisationState, Part, PartState, Verdicts

FLIPS = 10_000
GROUP_ITEMS = 50
_TINY = 1e-12
CLOCK = timedelta(minutes=10)


class Intake(StrEnum):
    """What becomes of a submission when it is complete; depends on no gold.

    `incomplete`: fewer answers could be read than the coverage asks for; nothing is decided and no decision used.
    `stored`: the same answers were decided before; the stored release stands and costs nothing.
    `silent`: graded, but nothing is told, since nobody verified the organisation.
    `spent`: no decision is left this year; it can still be selected for a ranking release.
    `queued`: to be decided on the feedback part.
    `ranking_only`: there is no feedback part; it can be selected for a ranking release.
    """

    INCOMPLETE = "incomplete"
    STORED = "stored"
    SILENT = "silent"
    SPENT = "spent"
    QUEUED = "queued"
    RANKING_ONLY = "ranking_only"


@dataclass(frozen=True)
class Admission:
    """The outcome of `intake`, the stored release where there is one, and how many decisions are left this year."""

    outcome: Intake
    release: FeedbackRelease | None
    left: int


def answers_digest(answers: Mapping[str, str]) -> str:
    """The digest by which equal sets of answers (problem to answer as it was read) are recognised."""
    return hashlib.sha256(json.dumps(dict(answers), sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def intake(
    *,
    parsed: int,
    digest: str,
    decided: Mapping[str, FeedbackRelease],
    verified: bool,
    used: int,
    policy: FeedbackPolicy,
) -> Admission:
    """What becomes of a submission of which the parser alone could read `parsed` answers.

    `decided` holds the releases that this organisation was given before, by digest of the answers; `used` counts its
    decisions this year.
    """
    left = max(0, policy.decisions - used)
    if parsed < policy.coverage * policy.items:
        return Admission(Intake.INCOMPLETE, None, left)
    if digest in decided:
        return Admission(Intake.STORED, decided[digest], left)
    if not verified and policy.unverified == "none":
        return Admission(Intake.SILENT, None, left)
    if policy.feedback is None:
        return Admission(Intake.RANKING_ONLY, None, left)
    return Admission(Intake.QUEUED if left else Intake.SPENT, None, left)


def decision_time(finalised_at: datetime, delay: timedelta, clock: timedelta = CLOCK) -> datetime:
    """When a submission is decided: after the split's constant delay, rounded up to a full step of the clock (UTC)."""
    start = datetime(2000, 1, 1, tzinfo=UTC)
    return start + -(-(finalised_at + delay - start) // clock) * clock


def on_submission(
    state: OrganisationState, verdicts_f: Verdicts, policy: FeedbackPolicy, scheduled: datetime | None = None
) -> tuple[OrganisationState, FeedbackRelease]:
    """Decide on the feedback part. Without a decision left, nothing is looked at and nothing changes."""
    part = _part(policy.feedback, verdicts_f)
    if policy.mode is Mode.SCORE:
        after, new = _score(part, state.feedback, verdicts_f, policy.decisions)
    else:
        after, new = _best(part, state.feedback, verdicts_f, policy.decisions)
    return replace(state, feedback=after), _release(Part.FEEDBACK, after, new, policy.decisions, scheduled)


def on_schedule(
    state: OrganisationState, verdicts_r: Verdicts, policy: FeedbackPolicy, scheduled: datetime | None = None
) -> tuple[OrganisationState, FeedbackRelease]:
    """Decide on the ranking part at a scheduled release, for the entry that the organisation selected before it.

    With `models`, each entry stands for itself: it is not tested against the organisation's own best.
    """
    part = _part(policy.ranking, verdicts_r)
    before = replace(state.ranking, band=None, best=None) if policy.models else state.ranking
    after, new = _best(part, before, verdicts_r, policy.rankings)
    if policy.models and after is before:
        after = state.ranking
    return replace(state, ranking=after), _release(Part.RANKING, after, new, policy.rankings, scheduled)


def on_regrade(
    state: OrganisationState, part: Part, verdicts: Verdicts, policy: FeedbackPolicy, scheduled: datetime | None = None
) -> tuple[OrganisationState, FeedbackRelease]:
    """Tell the band of the run that stands again, after golds were fixed or the part became smaller.

    `verdicts` are today's of the run whose band was told last. It costs the bits of a band, and no decision.
    """
    grid = _part(policy.feedback if part is Part.FEEDBACK else policy.ranking, verdicts)
    before = state.feedback if part is Part.FEEDBACK else state.ranking
    band = grid.band(verdicts.score)
    listed = band >= grid.floor_band or (part is Part.FEEDBACK and policy.mode is Mode.SCORE)
    after = PartState(
        before.used, band if listed else None, _run(verdicts) if listed else None, before.bits + band_bits(grid)
    )
    limit = policy.decisions if part is Part.FEEDBACK else policy.rankings
    changed = replace(state, feedback=after) if part is Part.FEEDBACK else replace(state, ranking=after)
    return changed, _release(part, after, after.band is not None, limit, scheduled)


def owner_groups(verdicts: Verdicts, groups: Sequence[str], policy: FeedbackPolicy) -> list[GroupBand]:
    """The bands of groups of at least `GROUP_ITEMS` items, on the grid of a part of that size; smaller ones have none.

    For an owner who takes no part in the split: a split with a breakdown leaks like one of the size of its groups.
    `groups` names the group of each item. Items of a group count alike.
    """
    if len(groups) != verdicts.scores.size:
        raise ValueError(f"{verdicts.scores.size} items have {verdicts.scores.size} groups, not {len(groups)}")
    names, found = np.asarray(groups), []
    for name in sorted(set(groups)):
        scores = verdicts.scores[names == name]
        if scores.size < GROUP_ITEMS:
            continue
        grid = part_policy(even_weights(scores.size), policy.chance_level, policy.grid)
        band = grid.band(float(scores.mean()))
        ends = grid.scores(band) if band >= grid.floor_band else (None, None)
        found.append(GroupBand(name, int(scores.size), *ends))
    return found


def improvement_p(new: Verdicts, best: tuple[float, ...]) -> float:
    """The one-sided p-value that a run is better than the best before it; blanks of the new run count as ties.

    An exact sign test where items count alike and are right or wrong, else a seeded sign-flip test of what each item
    contributes.
    """
    from scipy.special import bdtrc  # as in `board`

    difference = np.where(new.answered, (new.scores - _same_items(new, best)) * new.weights, 0.0)
    changed = difference[np.abs(difference) > _TINY]
    if not changed.size or not (changed > 0.0).any():
        return 1.0
    if np.ptp(np.abs(changed)) <= _TINY:
        return float(bdtrc(int((changed > 0.0).sum()) - 1, changed.size, 0.5))
    observed = float(changed.sum())
    rng = np.random.default_rng(new.seed)
    reached = 0
    for start in range(0, FLIPS, 500):
        signs = rng.integers(0, 2, (min(500, FLIPS - start), changed.size), dtype=np.int8)
        reached += int(((2.0 * signs - 1.0) @ changed >= observed - _TINY).sum())
    return (reached + 1) / (FLIPS + 1)


def _best(part: PartPolicy, state: PartState, verdicts: Verdicts, limit: int) -> tuple[PartState, bool]:
    """A new best: above the floor at first, then in a higher band and better than the best run beyond noise."""
    if state.used >= limit:
        return state, False
    lowest = part.floor_band if state.band is None else state.band + 1
    band = part.band(verdicts.score)
    new = band >= lowest and (state.best is None or improvement_p(verdicts, state.best) <= ALPHA)
    bits = state.bits + decision_bits(part, lowest)
    if not new:
        return PartState(state.used + 1, state.band, state.best, bits), False
    return PartState(state.used + 1, band, _run(verdicts), bits), True


def _score(part: PartPolicy, state: PartState, verdicts: Verdicts, limit: int) -> tuple[PartState, bool]:
    """The band of every decision: no test, no floor. `best` is the run in the highest band so far."""
    if state.used >= limit:
        return state, False
    band = part.band(verdicts.score)
    new = state.best is None or band > part.band(float(np.dot(_same_items(verdicts, state.best), verdicts.weights)))
    best = _run(verdicts) if new else state.best
    return PartState(state.used + 1, band, best, state.bits + band_bits(part)), new


def _part(part: PartPolicy | None, verdicts: Verdicts) -> PartPolicy:
    if part is None:
        raise ValueError("the split has no such part; its policy decides nothing there")
    if part.items != verdicts.scores.size:
        raise ValueError(f"the part has {part.items} items, not {verdicts.scores.size}")
    return part


def _same_items(verdicts: Verdicts, best: tuple[float, ...]) -> Floats:
    if len(best) != verdicts.scores.size:
        raise ValueError(
            f"the best run has {len(best)} items, not {verdicts.scores.size}: regrade it on today's part first"
        )
    return np.asarray(best, dtype=np.float64)


def _run(verdicts: Verdicts) -> tuple[float, ...]:
    return tuple(verdicts.scores.tolist())


def _release(part: Part, state: PartState, new: bool, limit: int, scheduled: datetime | None) -> FeedbackRelease:
    return FeedbackRelease(part, new, state.band, max(0, limit - state.used), scheduled)
