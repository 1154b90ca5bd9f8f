"""Confidence intervals of proportions and means."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
_CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Interval:
    """A closed interval `low <= high`, in the unit of what was measured."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """`high - low`."""
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def normal_quantile(confidence: float) -> float:
    """Half the width, in standard errors, of an interval of this confidence. Raises ValueError outside (0, 1)."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is a number between 0 and 1, not {confidence}")
    return NormalDist().inv_cdf(0.5 + confidence / 2)


Z95 = normal_quantile(0.95)
"""Half the width of a 95 % interval of a normal estimate, in standard errors: 1.96."""


def standard_error(low: float, high: float) -> float:
    """The standard error behind a 95 % interval."""
    return max(0.0, high - low) / (2 * Z95)


def wilson(successes: float, n: float, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion (Wilson 1927), without continuity correction.

    `successes` of `n`, both counts; fractional counts (partial credit, effective sample sizes) are allowed.
    Nothing measured (`n` = 0) gives [0, 1]. Raises ValueError unless 0 <= successes <= n.
    """
    z = normal_quantile(confidence)
    if not 0 <= successes <= n:
        raise ValueError(f"need 0 <= successes <= n, not {successes} of {n}")
    if n == 0:
        return Interval(0.0, 1.0)
    p = successes / n
    scale = 1 + z * z / n
    middle = (p + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return Interval(low, 1.0 if successes == n else min(1.0, middle + half))


def resampled_means(values: Sequence[float], resamples: int, seed: int) -> NDArray[np.float64]:
    """Means of `resamples` samples drawn with replacement, shape (resamples,)."""
    data = np.asarray(values, dtype=np.float64)
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS_AT_ONCE // len(data))
    rounds = [min(step, resamples - start) for start in range(0, resamples, step)]
    return np.concatenate([data[rng.integers(0, len(data), (count, len(data)))].mean(axis=1) for count in rounds])


def _percentiles(sample: NDArray[np.float64], confidence: float) -> Interval:
    low, high = np.quantile(sample, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def bootstrap_mean(
    values: Sequence[float], confidence: float = 0.95, seed: int = 0, resamples: int = RESAMPLES
) -> Interval:
    """Percentile bootstrap interval of a mean (Efron 1979); the same seed gives the same interval.

    Raises ValueError for no values.
    """
    normal_quantile(confidence)
    if len(values) == 0:
        raise ValueError("a mean needs at least one value")
    return _percentiles(resampled_means(values, resamples, seed), confidence)
