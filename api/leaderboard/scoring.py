"""How item scores become one score with its interval and its breakdown. Pure; no SQL."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from grading.statistics.intervals import Z95, bootstrap_mean, wilson
from packs.benchmark import Scoring

# How episodes ended, in a breakdown: the participant saw each end, and an end is no verdict.
ENDS = "finish_reason"


@dataclass(frozen=True)
class ScoredItem:
    """One problem of the split: its score in [0, 1] (0 when it was not answered) and what it is grouped by."""

    score: float
    subject: str
    type: str
    group: str | None

    def key(self, by: str) -> str:
        """The group it counts in under `Scoring.by`."""
        if by == "group":
            return self.group or self.subject
        return self.subject if by == "subject" else self.type


@dataclass(frozen=True)
class Result:
    """Score in [0, 1], 95 % interval, and the breakdown `{"subject": {name: {"n", "score"}}, "type": …}`."""

    score: float
    low: float
    high: float
    breakdown: dict[str, Any]


def _means(groups: dict[str, list[float]]) -> dict[str, float]:
    return {name: sum(values) / len(values) for name, values in groups.items()}


def _grouped(items: list[ScoredItem], by: str) -> dict[str, list[float]]:
    groups: dict[str, list[float]] = defaultdict(list)
    for item in items:
        groups[item.key(by)].append(item.score)
    return dict(groups)


def _weights(scoring: Scoring, names: list[str]) -> dict[str, float]:
    if scoring.scheme == "weighted":
        return {name: scoring.weights.get(name, 0.0) for name in names}
    return dict.fromkeys(names, 1.0)


def score(items: list[ScoredItem], scoring: Scoring, seed: int = 0) -> Result:
    """Apply a scoring scheme. A plain mean of 0/1 scores gets Wilson's interval, everything else a seeded bootstrap."""
    if not items:
        return Result(0.0, 0.0, 1.0, {})
    breakdown = {
        label: {
            name: {"n": len(values), "score": round(sum(values) / len(values), 6)}
            for name, values in sorted(_grouped(items, label).items())
        }
        for label in ("subject", "type")
    }
    values = [item.score for item in items]
    if scoring.scheme in ("mean", "success_rate"):
        if scoring.scheme == "success_rate":
            values = [1.0 if value >= 1 else 0.0 for value in values]
        mean = sum(values) / len(values)
        binary = all(value in (0.0, 1.0) for value in values)
        interval = wilson(int(sum(values)), len(values)) if binary else bootstrap_mean(values, seed=seed)
        return Result(mean, interval.low, interval.high, breakdown)
    groups = _grouped(items, scoring.by)
    weights = _weights(scoring, list(groups))
    total = sum(weights.values()) or 1.0
    combined = sum(weights[name] * mean for name, mean in _means(groups).items()) / total
    variance = sum((weights[name] / total) ** 2 * _variance_of_mean(values) for name, values in groups.items())
    half = Z95 * variance**0.5
    return Result(combined, max(0.0, combined - half), min(1.0, combined + half), breakdown)


def _variance_of_mean(values: list[float]) -> float:
    if len(values) < 2:
        return 0.25
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)


def contributions(items: list[ScoredItem], scoring: Scoring) -> list[float]:
    """What each item adds, scaled so that the mean is the score: for paired comparisons of two runs."""
    if scoring.scheme == "success_rate":
        return [1.0 if item.score >= 1 else 0.0 for item in items]
    if scoring.scheme == "mean":
        return [item.score for item in items]
    groups = _grouped(items, scoring.by)
    weights = _weights(scoring, list(groups))
    total = sum(weights.values()) or 1.0
    scale = {name: len(items) * weights[name] / total / len(values) for name, values in groups.items()}
    return [item.score * scale[item.key(scoring.by)] for item in items]


def item_weights(items: list[ScoredItem], scoring: Scoring) -> tuple[float, ...]:
    """What each item counts in the score of these items alone; they sum to 1, and none has more than its group's."""
    if scoring.scheme in ("mean", "success_rate") or not items:
        return (1.0 / len(items),) * len(items) if items else ()
    groups = _grouped(items, scoring.by)
    weights = _weights(scoring, list(groups))
    total = sum(weights.values())
    if total <= 0.0:
        return (1.0 / len(items),) * len(items)
    each = {name: weights[name] / total / len(values) for name, values in groups.items()}
    return tuple(each[item.key(scoring.by)] for item in items)
