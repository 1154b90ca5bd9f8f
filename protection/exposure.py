"""The contamination test: exposed items against siblings that were never exposed.

Which siblings an organisation sees is drawn at random and written down. Under the hypothesis that its model does not
remember what was shown, the scores do not depend on the draw, so every other draw was as likely: comparing the gap
with the gaps of all other draws gives an exact p-value, whatever the model and however different the items are.
"""

import hashlib
import hmac
import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DRAWS = 9_999
MAX_POINTS = 200_000
MAX_WAYS = 1_000
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Group:
    """Siblings of one item: scores of the exposed ones and of those held back."""

    exposed: tuple[float, ...]
    held_back: tuple[float, ...]

    @property
    def gap(self) -> float:
        return _mean(self.exposed) - _mean(self.held_back)


@dataclass(frozen=True)
class Contamination:
    """The mean gap with its 95 % interval, and one-sided p-values.

    `p` counts ties against the alarm and is never too small; `p_randomised` breaks ties by a seeded coin and is exactly
    uniform for an honest model.
    """

    gap: float
    low: float
    high: float
    p: float
    p_randomised: float
    groups: int
    exact: bool


def draw(secret: bytes, organisation: str, group: str, siblings: Sequence[str], shown: int = 1) -> tuple[str, ...]:
    """The siblings an organisation is shown: `shown` of them, by a keyed draw that is always the same."""
    if not 0 < shown <= len(siblings):
        raise ValueError(f"of {len(siblings)} siblings from 1 to {len(siblings)} can be shown, not {shown}")

    def rank(sibling: str) -> bytes:
        return hmac.digest(secret, f"exposure\n{organisation}\n{group}\n{sibling}".encode(), hashlib.sha256)

    return tuple(sorted(siblings, key=rank)[:shown])


def permutation_test(groups: Sequence[Group], seed: int = 0) -> Contamination | None:
    """The permutation test over sibling groups; None where no group has both an exposed and a held-back sibling."""
    usable = [group for group in groups if group.exposed and group.held_back]
    if not usable:
        return None
    rng = np.random.default_rng(seed)
    gaps = np.array([group.gap for group in usable])
    observed = round(float(gaps.sum()), 9)
    distribution = _exact(usable)
    if distribution is not None:
        unit, lowest, masses = distribution
        index = round(observed * unit) - lowest
        equal = float(masses[index])
        above = float(masses[index + 1 :].sum())
        p, p_randomised = above + equal, above + rng.random() * equal
    else:
        p, p_randomised = _sampled(usable, observed, rng)
    low, high = _interval(gaps)
    return Contamination(
        float(gaps.mean()), low, high, min(1.0, p), min(1.0, p_randomised), len(usable), distribution is not None
    )


def _exact(groups: Sequence[Group]) -> tuple[int, int, Floats] | None:
    """The distribution of the summed gap over all draws, on a lattice: (points a unit, lowest point, masses).

    None where scores do not lie on a lattice that is small enough; then draws are sampled.
    """
    unit = math.lcm(*(len(group.exposed) * len(group.held_back) for group in groups))
    kinds = Counter((tuple(sorted(group.exposed + group.held_back)), len(group.exposed)) for group in groups)
    if unit * len(groups) > MAX_POINTS:
        return None
    lowest, masses = 0, np.ones(1)
    for (scores, exposed), count in kinds.items():
        one = _one_group(scores, exposed, unit)
        if one is None:
            return None
        lowest += one[0] * count
        masses = np.convolve(masses, _power(one[1], count))
    return unit, lowest, masses


def _one_group(scores: Sequence[float], exposed: int, unit: int) -> tuple[int, Floats] | None:
    ways = math.comb(len(scores), exposed)
    if ways > MAX_WAYS:
        return None
    whole, held = sum(scores), len(scores) - exposed
    points = []
    for chosen in itertools.combinations(scores, exposed):
        gap = (sum(chosen) / exposed - (whole - sum(chosen)) / held) * unit
        if abs(gap - round(gap)) > 1e-6:
            return None
        points.append(round(gap))
    masses = np.zeros(max(points) - min(points) + 1)
    for point in points:
        masses[point - min(points)] += 1.0 / ways
    return min(points), masses


def _power(masses: Floats, count: int) -> Floats:
    result = np.ones(1)
    while count:
        if count & 1:
            result = np.convolve(result, masses)
        masses = np.convolve(masses, masses) if count > 1 else masses
        count >>= 1
    return result


def _sampled(groups: Sequence[Group], observed: float, rng: np.random.Generator) -> tuple[float, float]:
    sums = np.zeros(DRAWS)
    for group in groups:
        scores = np.array(group.exposed + group.held_back)
        order = rng.permuted(np.tile(scores, (DRAWS, 1)), axis=1)
        sums += order[:, : len(group.exposed)].mean(axis=1) - order[:, len(group.exposed) :].mean(axis=1)
    above = int((sums > observed + 1e-9).sum())
    equal = int((np.abs(sums - observed) <= 1e-9).sum())
    return (above + equal + 1) / (DRAWS + 1), (above + rng.random() * (equal + 1)) / (DRAWS + 1)


def _interval(gaps: Floats) -> tuple[float, float]:
    if gaps.size < 2:
        return -1.0, 1.0
    # The web process draws siblings and tests nothing: it starts without this.
    from scipy.special import stdtrit

    reach = float(stdtrit(gaps.size - 1, 0.975)) * float(gaps.std(ddof=1)) / math.sqrt(gaps.size)
    return max(-1.0, float(gaps.mean()) - reach), min(1.0, float(gaps.mean()) + reach)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
