"""When a participant learns a new score on a hidden split.

After Blum and Hardt, "The Ladder" (ICML 2015): a score is released only when it beats the best so far by more than
noise allows. Their parameter-free rule asks for one paired standard error whatever the number of tries; a thousand
random guessers on 500 items raise its score by six points. This variant is stricter in three ways:

- the paired test's level shrinks with each attempt (the levels of all attempts together sum to `ALPHA`),
- the test is exact where items are right or wrong (a sign test over the items on which the two runs differ),
- the score is released on a grid no finer than the noise of the split, and only when it moves up the grid.

The state is kept for each verified organisation; a budget of releases is shared by all organisations of the split.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtr

ALPHA = 0.05
# Sum over k >= 1 of 1 / (k (1 + ln k)^2), rounded up: the levels of all attempts together stay below ALPHA.
_SPENDING = 2.2
_GRID = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class LadderState:
    """What one organisation has learnt of one split: attempts made, values released, the last one, bits in all."""

    attempts: int = 0
    releases: int = 0
    released: float | None = None
    bits: float = 0.0


@dataclass(frozen=True)
class Decision:
    """The state after one more submission, whether its score was released, what that gave away, and why."""

    state: LadderState
    accepted: bool
    bits: float
    reason: str


def grid_step(items: int) -> float:
    """The grid for a mean over `items`: the coarsest round step that is no finer than half a standard error allows.

    The standard error of an accuracy is at most 0.5 / sqrt(items); the step is the largest round number below it.
    """
    error = 0.5 / math.sqrt(max(1, items))
    return next((step for step in _GRID if step <= error), _GRID[-1])


def on_grid(score: float, step: float) -> float:
    """The nearest point of the grid, written as a short decimal."""
    return round(round(score / step) * step, 6)


def level(attempt: int) -> float:
    """The level of the paired test at the given attempt (2 is the first that is tested)."""
    return ALPHA / (_SPENDING * attempt * (1.0 + math.log(attempt)) ** 2)


def paired_p(new: Scores, best: Scores) -> float:
    """One-sided p-value that `new` is better than `best`: exact sign test for right/wrong items, else normal."""
    difference = new - best
    nonzero = difference[difference != 0.0]
    if nonzero.size == 0:
        return 1.0
    if np.allclose(np.abs(nonzero), abs(float(nonzero[0]))):
        wins = int((nonzero > 0).sum())
        return 1.0 if wins == 0 else float(bdtrc(wins - 1, nonzero.size, 0.5))
    error = float(difference.std(ddof=1)) / math.sqrt(difference.size)
    return float(ndtr(-float(difference.mean()) / error))


def release_bits(attempts: int, step: float) -> float:
    """Bits that a release gives away: which attempt it was, which point of the grid. A refusal costs nothing more."""
    return math.log2(max(1, attempts)) + math.log2(1.0 / step + 1.0)


def default_budget(items: int) -> int:
    """Releases over all organisations when the owner names none: one for every twenty items, at least ten."""
    return max(10, items // 20)


def consider(
    state: LadderState,
    new: Sequence[float] | Scores,
    best: Sequence[float] | Scores | None,
    *,
    budget_left: int | None = None,
) -> Decision:
    """Decide on one more submission.

    `new` and `best` are the item contributions of this submission and of the last released one, in the same order;
    the mean of the contributions is the score (for weighted schemes: weight times item score times the number of
    items). `budget_left` is what is left of the split's budget over all organisations; None is unlimited.
    """
    values = np.asarray(new, dtype=np.float64)
    if values.size == 0:
        raise ValueError("a submission without items has no score to release")
    step = grid_step(values.size)
    attempts = state.attempts + 1
    rounded = on_grid(float(values.mean()), step)
    refusal = _refusal(state, values, best, rounded, attempts)
    if refusal is None and budget_left is not None and budget_left <= 0:
        refusal = "the split's budget of released scores is used up"
    if refusal is not None:
        return Decision(LadderState(attempts, state.releases, state.released, state.bits), False, 0.0, refusal)
    bits = release_bits(attempts, step)
    after = LadderState(attempts, state.releases + 1, rounded, state.bits + bits)
    return Decision(after, True, bits, "first score" if state.released is None else "a new best beyond noise")


def _refusal(
    state: LadderState, values: Scores, best: Sequence[float] | Scores | None, rounded: float, attempts: int
) -> str | None:
    if state.released is None or best is None:
        return None
    leader = np.asarray(best, dtype=np.float64)
    if leader.shape != values.shape:
        raise ValueError(f"the best run has {leader.size} items and this one {values.size}; compare the same items")
    if rounded <= state.released or paired_p(values, leader) > level(attempts):
        return "not better than the best by more than noise allows"
    return None


def breakdown(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Means by subject for a release, each on the grid of its own size. Show it only with a new best."""
    return {name: on_grid(float(np.mean(v)), grid_step(len(v))) for name, v in scores.items() if len(v)}


def breakdown_bits(scores: Mapping[str, Sequence[float]]) -> float:
    """Bits that the breakdown of one release gives away."""
    return sum(math.log2(1.0 / grid_step(len(v)) + 1.0) for v in scores.values() if len(v))
