"""The best-of-N adjusted score: what is left of the best of N attempts when luck in choosing is taken off.

The best of N independent runs of equal skill lies above that skill by the expected maximum of N standard normals,
times the standard error. Runs of one organisation are correlated, which makes the true surplus smaller: the adjusted
score errs to the low side.
"""

import math
from functools import cache

import numpy as np
from scipy.special import log_ndtr


@cache
def expected_maximum(attempts: int) -> float:
    """The mean of the largest of `attempts` standard normals: 0 for 1, 0.564 for 2, 3.241 for 1000."""
    if attempts < 1:
        raise ValueError("there is at least one attempt")
    # E[max] = integral of x * n * pdf(x) * cdf(x)^(n-1), by trapezium over where the density lives.
    x = np.linspace(-9.0, 9.0, 20_001)
    log_density = math.log(attempts) - x**2 / 2 - 0.5 * math.log(2 * math.pi) + (attempts - 1) * log_ndtr(x)
    return float(np.trapezoid(x * np.exp(log_density), x))


def adjusted(score: float, standard_error: float, attempts: int) -> float:
    """The score less the expected surplus of the best of `attempts`, at least 0."""
    return max(0.0, score - expected_maximum(max(1, attempts)) * standard_error)
