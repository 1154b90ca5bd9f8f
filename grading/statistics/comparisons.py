"""Tests of the difference between two submissions over the same items."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

EXACT_UP_TO = 14
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Comparison:
    """`difference` (first minus second), two-sided `p_value`, and how many items differ."""

    difference: float
    p_value: float
    discordant: int


def _pairs(first: Sequence[float], second: Sequence[float]) -> list[float]:
    if len(first) != len(second) or not first:
        raise ValueError(f"both submissions need the same items and at least one, not {len(first)} and {len(second)}")
    return [a - b for a, b in zip(first, second, strict=True)]


def permutation_test(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    permutations: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Paired permutation test of the mean difference: the signs of items (of whole clusters) are exchanged.

    Exact up to EXACT_UP_TO units, else `permutations` seeded draws with the (b+1)/(m+1) estimate, never 0.
    """
    gaps = _pairs(first, second)
    units: dict[Hashable, float] = {}
    for place, gap in enumerate(gaps):
        key = place if clusters is None else clusters[place]
        units[key] = units.get(key, 0.0) + gap
    sums = np.array([value for value in units.values() if value != 0.0])
    observed = abs(float(sums.sum()))
    discordant = sum(gap != 0 for gap in gaps)
    difference = sum(gaps) / len(gaps)
    threshold = observed - 1e-9 * max(1.0, observed)
    if len(sums) <= EXACT_UP_TO:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(sums))))
        extreme = np.abs(signs @ sums) >= threshold if len(sums) else np.array([True])
        return Comparison(difference, float(extreme.mean()), discordant)
    count = _extreme_draws(sums, threshold, permutations, np.random.default_rng(seed))
    return Comparison(difference, (count + 1) / (permutations + 1), discordant)


def _extreme_draws(
    sums: "np.ndarray[tuple[int], np.dtype[np.float64]]", threshold: float, permutations: int, rng: np.random.Generator
) -> int:
    step, count = max(1, _CELLS_AT_ONCE // len(sums)), 0
    for start in range(0, permutations, step):
        signs = rng.integers(0, 2, (min(step, permutations - start), len(sums)), dtype=np.int8) * 2.0 - 1.0
        count += int((np.abs(signs @ sums) >= threshold).sum())
    return count
