"""Agreement between raters: confusion matrices, Cohen's kappa, Pearson's correlation, Krippendorff's alpha."""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Literal

Weights = Literal["none", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]


def confusion_matrix(
    first: Sequence[Hashable], second: Sequence[Hashable], labels: Sequence[Hashable]
) -> list[list[int]]:
    """Counts; rows are the labels of `first`, columns those of `second`. Raises ValueError for unknown labels."""
    if len(first) != len(second):
        raise ValueError(f"both raters need the same items, not {len(first)} and {len(second)}")
    if unknown := (set(first) | set(second)) - set(labels):
        raise ValueError(f"labels that were not announced: {sorted(map(str, unknown))}")
    counts = Counter(zip(first, second, strict=True))
    return [[counts[row, column] for column in labels] for row in labels]


def cohen_kappa(
    first: Sequence[Hashable], second: Sequence[Hashable], labels: Sequence[Hashable], weights: Weights = "none"
) -> float:
    """Cohen's kappa (1960), weighted by the distance of places in `labels` if asked. NaN where chance explains all."""
    matrix = confusion_matrix(first, second, labels)
    n = len(first)
    rows = [sum(row) for row in matrix]
    columns = [sum(column) for column in zip(*matrix, strict=True)]
    power = {"none": 0, "linear": 1, "quadratic": 2}[weights]

    def cost(a: int, b: int) -> float:
        return float(a != b) if power == 0 else float(abs(a - b) ** power)

    places = [(a, b) for a in range(len(labels)) for b in range(len(labels))]
    observed = sum(cost(a, b) * matrix[a][b] for a, b in places) * n
    expected = sum(cost(a, b) * rows[a] * columns[b] for a, b in places)
    return 1 - observed / expected if expected else math.nan


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's correlation in [-1, 1]; None where one of the two does not vary."""
    if not pairs:
        return None
    n = len(pairs)
    mean_x, mean_y = math.fsum(x for x, _ in pairs) / n, math.fsum(y for _, y in pairs) / n
    xx = math.fsum((x - mean_x) ** 2 for x, _ in pairs)
    yy = math.fsum((y - mean_y) ** 2 for _, y in pairs)
    xy = math.fsum((x - mean_x) * (y - mean_y) for x, y in pairs)
    # What is left of rounding is no variation.
    if xx < 1e-12 or yy < 1e-12:
        return None
    return max(-1.0, min(1.0, xy / math.sqrt(xx * yy)))


def krippendorff_alpha(units: Sequence[Sequence[float | None]], level: Level = "nominal") -> float:
    """Krippendorff's alpha over units rated by any number of raters; None is a missing rating.

    Units with fewer than two ratings do not count. NaN without disagreement to be expected (one value only).
    """
    rated = [kept for unit in units if len(kept := [value for value in unit if value is not None]) > 1]
    weighted: dict[tuple[float, float], float] = {}
    for unit in rated:
        counts = Counter(unit)
        for a in counts:
            for b in counts:
                pairs = counts[a] * (counts[b] - (a == b))
                weighted[a, b] = weighted.get((a, b), 0.0) + pairs / (len(unit) - 1)
    totals: dict[float, float] = {}
    for (a, _), weight in weighted.items():
        totals[a] = totals.get(a, 0.0) + weight
    n = sum(totals.values())
    delta = _distance(level, totals)
    observed = sum(weight * delta(a, b) for (a, b), weight in weighted.items())
    expected = sum(totals[a] * totals[b] * delta(a, b) for a in totals for b in totals)
    return 1 - (n - 1) * observed / expected if expected else math.nan


def _distance(level: Level, totals: dict[float, float]) -> Callable[[float, float], float]:
    if level == "nominal":
        return lambda a, b: float(a != b)
    if level == "interval":
        return lambda a, b: (a - b) ** 2

    def ordinal(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(total for value, total in totals.items() if low <= value <= high)
        return float((between - (totals[a] + totals[b]) / 2) ** 2)

    return ordinal
