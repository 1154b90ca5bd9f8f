"""The best-of-N adjusted score: what is left of the best of N attempts when luck in choosing is taken off.

The best of N independent runs of equal skill lies above that skill by the expected maximum of N standard normals,
times the standard error. Runs of one organisation are correlated, which makes the true surplus smaller: the adjusted
score errs to the low side.
"""

import math
from functools import cache
from statistics import NormalDist

# The integrand and all its derivatives are nothing at both ends: the trapezium is then exact to the last digits.
_REACH, _STEPS = 9.0, 2_000


@cache
def expected_maximum(attempts: int) -> float:
    """The mean of the largest of `attempts` standard normals: 0 for 1, 0.564 for 2, 3.241 for 1000."""
    if attempts < 1:
        raise ValueError("there is at least one attempt")
    # E[max] = integral of x * n * pdf(x) * cdf(x)^(n-1), by trapezium over where the density lives.
    normal, step = NormalDist(), 2 * _REACH / _STEPS
    places = (-_REACH + number * step for number in range(_STEPS + 1))
    logs = ((x, _log_cdf(x)) for x in places)
    return step * sum(x * attempts * normal.pdf(x) * math.exp((attempts - 1) * log_cdf) for x, log_cdf in logs)


def _log_cdf(x: float) -> float:
    # Each tail by its own function: what is next to 1 is lost in rounding.
    tail = math.erfc(abs(x) / math.sqrt(2)) / 2
    return math.log(tail) if x < 0 else math.log1p(-tail)


def adjusted(score: float, standard_error: float, attempts: int) -> float:
    """The score less the expected surplus of the best of `attempts`, at least 0."""
    return max(0.0, score - expected_maximum(max(1, attempts)) * standard_error)
