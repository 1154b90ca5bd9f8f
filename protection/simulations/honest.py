"""What honest teams get from the same exit: the ranking of a board, when progress is released, and whom the flag meets.

Items differ in difficulty (one-parameter item-response model); in each run of a team a fifth of them is drawn anew.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from protection.feedback.board import BoardEntry, board, overfit_p
from protection.feedback.exit import on_schedule, on_submission
from protection.feedback.policy import FeedbackPolicy, Mode
from protection.feedback.release import FeedbackRelease, OrganisationState, Part, Verdicts
from protection.simulations.feedback import sealed_policy

SIZES = (200, 500, 2000)
TEAMS = 50
TRIES = 30
_REDRAWN = 0.2
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Honest:
    """One number with its standard error, and the specification's (None where it gives none)."""

    simulation: str
    what: str
    items: int
    measured: float
    error: float
    specified: float | None

    def json(self) -> dict[str, object]:
        return asdict(self)


def skill_of(accuracy: Floats | float) -> Floats:
    """The ability at which a team answers this share of items of standard normal difficulty."""
    grid, mean = _curve()
    return np.asarray(np.interp(accuracy, mean, grid), dtype=np.float64)


@cache
def _curve() -> tuple[Floats, Floats]:
    grid = np.linspace(-4.0, 5.0, 181)
    difficulty = np.linspace(-4.0, 4.0, 801)
    weight = np.exp(-(difficulty**2) / 2.0)
    return grid, (expit(grid[:, None] - difficulty) * weight).sum(axis=1) / weight.sum()


def spearman(first: Floats, second: Floats) -> float:
    """Rank correlation, ties at their mean rank."""
    ranks = [np.array([(x < v).sum() + ((x == v).sum() - 1) / 2.0 for v in x]) for x in (first, second)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def everything(scale: float = 1.0, seed: int = 0) -> Iterator[Honest]:
    """All numbers of 6.4 that concern the product's own rule."""
    for items, exact, released in zip(SIZES, (0.944, 0.974, 0.991), (0.918, 0.962, 0.988), strict=True):
        yield from boards(items, 0.3, exact, released, scale, seed)
    yield from boards(200, 0.0, 0.944, 0.939, scale, seed)
    yield from last_class(scale, seed)
    yield from progress(scale, seed)
    yield from releases(scale, seed)
    yield from flags(scale, seed)


def boards(items: int, share: float, exact: float, released: float, scale: float, seed: int) -> Iterator[Honest]:
    """Rank correlation with true skill: of exact scores over all items, and of the board's places."""
    rng = np.random.default_rng([seed, items, round(10 * share), 1])
    policy = sealed_policy(items, 4, rankings=1, share=share)
    found: dict[str, list[float]] = {"exact, all items": [], f"board, f = {share:g}": []}
    for _ in range(max(20, round(100 * scale))):
        truth = rng.normal(0.6, 0.1, TEAMS).clip(0.3, 0.92)
        right = rng.random((TEAMS, items)) < expit(skill_of(truth)[:, None] - rng.normal(0.0, 1.0, items))
        places = _places(right[:, items - ranked(policy) :], policy)
        for values, ranking in zip(found.values(), (right.mean(axis=1), -places), strict=True):
            values.append(spearman(ranking, truth))
    for (name, values), specified in zip(found.items(), (exact, released), strict=True):
        yield _mean(f"Spearman: {name}", items, values, specified)


def ranked(policy: FeedbackPolicy) -> int:
    """Items of the ranking part."""
    return policy.ranking.items if policy.ranking else 0


def _places(right: Bools, policy: FeedbackPolicy) -> Floats:
    entries = [
        BoardEntry(str(team), on_schedule(OrganisationState(), Verdicts.plain(row), policy)[1])
        for team, row in enumerate(right)
    ]
    places = {row.entry: row.place for row in board(entries, policy)}
    return np.array([places[str(team)] for team in range(len(right))], dtype=np.float64)


def last_class(scale: float, seed: int) -> Iterator[Honest]:
    """Share of honest teams that are not released apart from guessing."""
    for choices, middle, spread, specified in ((4, 0.6, 0.1, (3, 1, 0)), (2, 0.75, 0.08, (12, 3, 1))):
        for items, share in zip(SIZES, specified, strict=True):
            rng = np.random.default_rng([seed, items, choices, 2])
            policy = sealed_policy(items, choices, rankings=1, share=0.3)
            values = []
            for _ in range(max(10, round(40 * scale))):
                truth = rng.normal(middle, spread, TEAMS).clip(1 / choices + 0.01, 0.97)
                right = rng.random((TEAMS, ranked(policy))) < expit(
                    skill_of(truth)[:, None] - rng.normal(0.0, 1.0, ranked(policy))
                )
                released = [on_schedule(OrganisationState(), Verdicts.plain(row), policy)[1].band for row in right]
                values.append(100.0 * sum(band is None for band in released) / TEAMS)
            yield _mean(f"last class, {choices} choices, %", items, values, float(share))


# Submissions until an improvement of 1, 2 and 4 standard errors of the split is released, and share
# of noise-only reruns with some new best, %; by size.
_PROGRESS = {
    "feedback part": ((13.7, 7.4, 1.4, 27), (8.9, 4.2, 1.4, 47), (6.9, 2.6, 1.0, 58)),
    "feedback part, mode score": ((5.4, 2.0, 1.1, 87), (3.8, 2.1, 1.1, 84), (3.6, 2.0, 1.0, 84)),
    "one set, no partition": ((3.6, 1.3, 1.0, 50), (3.2, 1.1, 1.0, 56), (2.6, 1.1, 1.0, 62)),
}


def progress(scale: float, seed: int) -> Iterator[Honest]:
    """How many submissions it takes until an improvement is released, and what noise alone is released as."""
    for name, rows in _PROGRESS.items():
        for items, specified in zip(SIZES, rows, strict=True):
            size = items if name.startswith("one set") else round(0.3 * items)
            policy = sealed_policy(size, 4, rankings=TRIES + 1, share=0.0)
            policy = replace(policy, feedback=policy.ranking, decisions=TRIES + 1)
            if name.endswith("score"):
                policy = replace(policy, mode=Mode.SCORE)
            rng = np.random.default_rng([seed, items, len(name), 3])
            for step, allowed in zip((1, 2, 4, 0), specified, strict=True):
                better = 0.6 + step * 0.5 / math.sqrt(items)
                first = [_first_told(policy, better, rng) for _ in range(max(20, round(150 * scale)))]
                if step:
                    yield _mean(f"until {step} SE is released, {name}", items, [float(n) for n in first], allowed)
                else:
                    noise = [100.0 * (n <= TRIES) for n in first]
                    yield _mean(f"noise released as progress within 30, {name}, %", items, noise, allowed)


def _first_told(policy: FeedbackPolicy, better: float, rng: np.random.Generator, tries: int = TRIES) -> int:
    """After how many runs of the better skill a new best is told; one more than `tries` where it never is."""
    items = policy.feedback.items if policy.feedback else 0
    difficulty, luck = rng.normal(0.0, 1.0, items), rng.random(items)
    before, after = float(skill_of(0.6)), float(skill_of(better))
    state, _ = on_submission(OrganisationState(), Verdicts.plain(luck < expit(before - difficulty)), policy)
    for attempt in range(1, tries + 1):
        drawn = np.where(rng.random(items) < _REDRAWN, rng.random(items), luck)
        state, released = on_submission(state, Verdicts.plain(drawn < expit(after - difficulty)), policy)
        if released.new:
            return attempt
    return tries + 1


def releases(scale: float, seed: int) -> Iterator[Honest]:
    """Share of improvements that one ranking release tells, and of equal runs that it tells as better."""
    rows = (
        (200, 0.0, (38, 84, 100, 4)),
        (200, 0.3, (28, 70, 99, None)),
        (500, 0.3, (32, 75, 100, None)),
        (1000, 0.3, (31, 81, 100, None)),
        (2000, 0.3, (34, 83, 100, None)),
    )
    for items, share, specified in rows:
        policy = sealed_policy(items, 4, rankings=2, share=share)
        policy = replace(policy, feedback=policy.ranking, decisions=2)
        rng = np.random.default_rng([seed, items, round(10 * share), 4])
        for step, allowed in zip((1, 2, 4, 0), specified, strict=True):
            better = 0.6 + step * 0.5 / math.sqrt(items)
            released = [100.0 * (_first_told(policy, better, rng, 1) == 1) for _ in range(max(50, round(400 * scale)))]
            yield _mean(f"one release tells {step} SE, f = {share:g}, %", items, released, allowed)


def flags(scale: float, seed: int) -> Iterator[Honest]:
    """Share of entries that the overfit flag meets, by how far the feedback part is ahead after 30 attempts."""
    for items, specified in zip(SIZES, ((0, 1, 61, 96), (0, 12, 96, 100), (0, 95, 100, 100)), strict=True):
        policy = sealed_policy(items, 4, rankings=1, share=0.3)
        for surplus, allowed in zip((0.0, 0.1, 0.2, 0.3), specified, strict=True):
            rng = np.random.default_rng([seed, items, round(10 * surplus), 5])
            hits = [100.0 * _flagged(policy, surplus, rng) for _ in range(max(50, round(300 * scale)))]
            yield _mean(f"overfit flag at a surplus of {surplus:.0%}, %", items, hits, float(allowed))


def _flagged(policy: FeedbackPolicy, surplus: float, rng: np.random.Generator) -> bool:
    first = policy.feedback.items if policy.feedback else 0
    luck = rng.random(policy.items)
    runs = np.where(rng.random((TRIES, policy.items)) < _REDRAWN, rng.random((TRIES, policy.items)), luck) < 0.6
    runs[:, :first] |= rng.random((TRIES, first)) < surplus / 0.4
    best = runs[runs[:, :first].sum(axis=1).argmax()]
    standing = on_schedule(OrganisationState(), Verdicts.plain(best[first:]), policy)[1]
    grid = policy.feedback
    ahead = FeedbackRelease(Part.FEEDBACK, True, grid.band(float(best[:first].mean())) if grid else None, 0)
    return overfit_p(BoardEntry("team", standing, ahead, TRIES), policy) < 0.01


def _mean(what: str, items: int, values: list[float], specified: float | None) -> Honest:
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Honest("honest", what, items, round(float(np.mean(values)), 3), round(error, 4), specified)
