"""What the owner of a split chose to tell, and the grid that follows from the number of items.

`open` tells everything (dev splits). `scores` tells one coarse score a decision over all items, on a live board.
`sealed` cuts the split into a feedback part, which quick decisions speak of, and a ranking part, which the board speaks
of at scheduled releases only.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

STEPS = (0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.125, 0.15, 0.2)
ALPHA = 0.05
COVERAGE = 0.95
LARGEST_SHARE = 0.3
MOST_DECISIONS = 30
MOST_RANKINGS = 4
_EPS = 1e-9
Weights = Sequence[float]


class Preset(StrEnum):
    """How much a split tells."""

    OPEN = "open"
    SCORES = "scores"
    SEALED = "sealed"


class Mode(StrEnum):
    """What a decision on the feedback part tells: a new best that stands a test, or the band of every decision."""

    TEST = "test"
    SCORE = "score"


class PolicyError(ValueError):
    """A policy that the rules refuse; the text says what would be right."""


@dataclass(frozen=True)
class PartPolicy:
    """The score bands of one part: band b holds scores from b * step to (b + 1) * step.

    `error` is the largest standard error a score of the part can have. A first score below `floor_band` is not told.
    """

    items: int
    error: float
    step: float
    floor_band: int

    @property
    def bands(self) -> int:
        """How many bands there are; where 1 / step is whole, a perfect score alone is in the highest."""
        return math.floor(1.0 / self.step + _EPS) + 1

    @property
    def effective_items(self) -> float:
        """How many equally weighted items would have this standard error."""
        return 0.25 / self.error**2

    def band(self, score: float) -> int:
        """The band of a score in [0, 1]."""
        return min(self.bands - 1, math.floor(score / self.step + _EPS))

    def scores(self, band: int) -> tuple[float, float]:
        """The lowest and the highest score of a band."""
        return band * self.step, min(1.0, (band + 1) * self.step)


@dataclass(frozen=True)
class FeedbackPolicy:
    """Everything that decides what leaves a split.

    `feedback` is None where no quick decisions are made, `ranking` is None where the board is live (`scores`).
    `decisions` and `rankings` are counts a year for one verified organisation (K and r of the specification).
    `models`: each model of an organisation is ranked for itself, without the test against the organisation's own best.
    `choices`: answers a guesser chooses from, 0 for free form. `accepted_leaks` is shown on the board.
    """

    preset: Preset
    items: int
    chance_level: float
    feedback: PartPolicy | None
    ranking: PartPolicy | None
    share: float
    grid: float
    mode: Mode
    decisions: int
    rankings: int
    models: bool
    unverified: Literal["none", "shared"]
    coverage: float
    choices: int
    monthly: bool
    accepted_leaks: tuple[str, ...] = ()

    def with_parts(self, feedback: Weights, ranking: Weights) -> "FeedbackPolicy":
        """The policy for the parts as they were cut, with the weights of their items (each part's sum to 1)."""
        return replace(
            self,
            feedback=part_policy(feedback, self.chance_level, self.grid) if feedback and self.feedback else None,
            ranking=part_policy(ranking, self.chance_level, self.grid) if ranking and self.ranking else None,
        )


@dataclass(frozen=True)
class Defaults:
    """Defaults of `sealed` from `items` hidden items on; where not `monthly`, all is released once, at the close."""

    items: int
    share: float
    decisions: int
    rankings: int
    monthly: bool


DEFAULTS = (
    Defaults(2000, 0.3, 30, 4, True),
    Defaults(800, 0.3, 30, 3, True),
    Defaults(300, 0.3, 30, 1, True),
    Defaults(100, 0.0, 0, 1, True),
    Defaults(0, 0.0, 0, 1, False),
)


def defaults_for(items: int) -> Defaults:
    """The row of the table of defaults for a split of this many hidden items."""
    return next(row for row in DEFAULTS if items >= row.items)


def standard_error(weights: Weights) -> float:
    """The largest standard error of a weighted mean of item scores in [0, 1]; the weights sum to 1."""
    if not weights or not math.isclose(math.fsum(weights), 1.0, abs_tol=1e-6) or min(weights) < 0.0:
        raise PolicyError("the weights of a part's items are not negative and sum to 1")
    return 0.5 * math.sqrt(math.fsum(weight * weight for weight in weights))


def even_weights(items: int) -> tuple[float, ...]:
    """The weights of a plain mean."""
    return (1.0 / items,) * items if items else ()


def step_for(error: float, grid: float = 1.0) -> float:
    """The smallest step of `STEPS` that is at least `grid` standard errors; the largest where none is."""
    return next((step for step in STEPS if step >= grid * error - _EPS), STEPS[-1])


def policy_for(
    preset: Preset | str,
    items: int,
    *,
    chance_level: float | None = None,
    share: float | None = None,
    decisions: int | None = None,
    rankings: int | None = None,
    mode: Mode | str = Mode.TEST,
    grid: float = 1.0,
    models: bool = False,
    unverified: Literal["none", "shared"] = "none",
    coverage: float = COVERAGE,
    choices: int = 2,
    breakdown: bool = False,
    accept_leak: bool = False,
) -> FeedbackPolicy:
    """The policy of a split of `items` items, with the defaults of its size where nothing is given.

    `share` is the feedback part's share, `grid` the width of a band in standard errors. The parts are taken as plain
    means of the expected sizes until `FeedbackPolicy.with_parts` is given the real ones.

    Raises PolicyError for values outside their range, a `sealed` split without `chance_level`, and, unless
    `accept_leak`, for whatever tells more than the defaults were simulated for.
    """
    preset, mode = Preset(preset), Mode(mode)
    if items < 1:
        raise PolicyError("a split has at least one item")
    if preset is Preset.SEALED and chance_level is None:
        raise PolicyError("a sealed split says its chance_level: the floor below which scores look alike needs it")
    usual = defaults_for(items)
    sealed = preset is Preset.SEALED
    decisions = (usual.decisions or MOST_DECISIONS) if decisions is None else decisions
    share = (usual.share if sealed else 1.0) if share is None else share
    share = share if decisions else 0.0
    rankings = usual.rankings if rankings is None else rankings
    _check_ranges(share, decisions, rankings, grid, coverage, chance_level or 0.0)
    leaks = _leaks(preset, share, decisions, rankings, grid, breakdown)
    if leaks and not accept_leak:
        raise PolicyError(f"{'; '.join(leaks)}: it is told only with accept_leak = true, and the board says so")
    first, second = _sizes(preset, items, share)
    chance = chance_level or 0.0
    return FeedbackPolicy(
        preset=preset,
        items=items,
        chance_level=chance,
        feedback=part_policy(even_weights(first), chance, grid) if first and decisions else None,
        ranking=part_policy(even_weights(second), chance, grid) if second and sealed else None,
        share=share,
        grid=grid,
        mode=Mode.SCORE if preset is Preset.SCORES else mode,
        decisions=decisions if first else 0,
        rankings=rankings if sealed else 0,
        models=models,
        unverified=unverified,
        coverage=coverage,
        choices=choices,
        monthly=usual.monthly,
        accepted_leaks=tuple(leaks),
    )


def _sizes(preset: Preset, items: int, share: float) -> tuple[int, int]:
    if preset is Preset.OPEN:
        return 0, 0
    if preset is Preset.SCORES:
        return items, 0
    first = min(items - 1, math.floor(share * items + 0.5))
    return first, items - first


def _check_ranges(share: float, decisions: int, rankings: int, grid: float, coverage: float, chance: float) -> None:
    for name, value, low, high in (
        ("share", share, 0.0, 1.0),
        ("decisions", decisions, 0, 100_000),
        ("rankings", rankings, 0, 366),
        ("grid", grid, 0.01, 100.0),
        ("coverage", coverage, 0.0, 1.0),
        ("chance_level", chance, 0.0, 1.0 - _EPS),
    ):
        if not low <= value <= high:
            raise PolicyError(f"{name} is between {low:g} and {high:g}, not {value:g}")


def _leaks(preset: Preset, share: float, decisions: int, rankings: int, grid: float, breakdown: bool) -> list[str]:
    if preset is Preset.OPEN:
        return []
    found = []
    if preset is Preset.SEALED and share > LARGEST_SHARE + _EPS:
        found.append(f"a feedback part of {share:.0%} is more than {LARGEST_SHARE:.0%}")
    if decisions > MOST_DECISIONS:
        found.append(f"{decisions} decisions a year are more than {MOST_DECISIONS}")
    if preset is Preset.SEALED and rankings > MOST_RANKINGS:
        found.append(f"{rankings} ranking releases a year are more than {MOST_RANKINGS}")
    if grid < 1.0 - _EPS:
        found.append(f"score bands of {grid:g} standard errors are finer than 1")
    if breakdown:
        found.append("a breakdown leaks like a split of the size of its groups")
    return found


def part_policy(weights: Weights, chance_level: float, grid: float) -> PartPolicy:
    """The score bands of a part whose items have these weights; `grid` is the width of a band in standard errors."""
    error = standard_error(weights)
    step = step_for(error, grid)
    return PartPolicy(len(weights), error, step, math.ceil((chance_level + 3.0 * error) / step - _EPS))
