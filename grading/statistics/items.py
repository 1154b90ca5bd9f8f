"""How a set of runs does on each item: difficulty, discrimination, and golds that the strongest runs contradict.

A wrong gold shows itself in this: runs that are right nearly everywhere else agree with one another, and not with it.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from grading.statistics.agreement import pearson

_STRONGEST = 4
_LEAST_RUNS = 3


@dataclass(frozen=True)
class ItemRun:
    """What one run did on one item: score in [0, 1] (None: nobody has decided), its answer, how long it took in s.

    `answer` is None where there is none to compare; equal texts are equal answers.
    """

    score: float | None
    answer: str | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Rejected:
    """An answer that was not accepted: in how many runs, and in how many of the strongest."""

    answer: str
    count: int
    strong: int


@dataclass(frozen=True)
class ItemMeasure:
    """What the runs say of one item.

    `right` is the mean score, `discrimination` the correlation of its score with the mean score on all other items
    (None where one of the two does not vary, or with fewer than three runs), `suspicion` the share of the strongest
    runs that gave the same rejected answer. `suspected`: those are at least three, at least half of the strongest, and
    more than got the item right.
    """

    answered: int
    right: float | None
    discrimination: float | None
    seconds: float | None
    rejected: list[Rejected]
    suspicion: float
    suspected: bool


def strongest(runs: Sequence[Mapping[str, ItemRun]]) -> list[int]:
    """The places of the strongest quarter of the runs by mean score, at least three where there are so many."""
    totals = [_mean(run) for run in runs]
    count = min(len(runs), max(_LEAST_RUNS, math.ceil(len(runs) / _STRONGEST)))
    return sorted(range(len(runs)), key=lambda place: -totals[place])[:count]


def measure_items(runs: Sequence[Mapping[str, ItemRun]], names: Sequence[str], most: int = 5) -> dict[str, ItemMeasure]:
    """Each item by name from what the runs did on it, `most` rejected answers for each. A run may lack items."""
    strong = set(strongest(runs))
    totals = [(math.fsum(_scores(run)), len(_scores(run))) for run in runs]
    return {name: _measure(name, runs, totals, strong, most) for name in names}


def _measure(
    name: str,
    runs: Sequence[Mapping[str, ItemRun]],
    totals: Sequence[tuple[float, int]],
    strong: set[int],
    most: int,
) -> ItemMeasure:
    given = [(place, run[name]) for place, run in enumerate(runs) if name in run]
    decided = [(place, item.score) for place, item in given if item.score is not None]
    pairs = [
        (score, (totals[place][0] - score) / (totals[place][1] - 1)) for place, score in decided if totals[place][1] > 1
    ]
    seconds = [item.seconds for _, item in given if item.seconds is not None]
    rejected = _rejected(given, strong)
    agreeing = max((answer.strong for answer in rejected), default=0)
    strong_right = sum(1 for place, score in decided if place in strong and score >= 1)
    return ItemMeasure(
        answered=len(given),
        right=math.fsum(score for _, score in decided) / len(decided) if decided else None,
        discrimination=_correlation(pairs),
        seconds=median(seconds) if seconds else None,
        rejected=rejected[:most],
        suspicion=agreeing / len(strong) if strong else 0.0,
        suspected=agreeing >= _LEAST_RUNS and 2 * agreeing >= len(strong) and agreeing > strong_right,
    )


def _rejected(given: Sequence[tuple[int, ItemRun]], strong: set[int]) -> list[Rejected]:
    wrong = [(place, item.answer) for place, item in given if item.answer and item.score is not None and item.score < 1]
    counts = Counter(answer for _, answer in wrong)
    by_strong = Counter(answer for place, answer in wrong if place in strong)
    found = [Rejected(answer, count, by_strong[answer]) for answer, count in counts.items()]
    return sorted(found, key=lambda answer: (-answer.strong, -answer.count, answer.answer))


def _scores(run: Mapping[str, ItemRun]) -> list[float]:
    return [item.score for item in run.values() if item.score is not None]


def _mean(run: Mapping[str, ItemRun]) -> float:
    scores = _scores(run)
    return math.fsum(scores) / len(scores) if scores else 0.0


def _correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's; None where it is not defined."""
    return pearson(pairs) if len(pairs) >= _LEAST_RUNS else None
