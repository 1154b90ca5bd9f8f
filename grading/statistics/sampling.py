"""Which judged items people should look at next, until the corrected score is known well enough."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from grading.statistics.correction import Corrected, Stratum, difference_estimate

FIRST = 8
# Who looks again and again and stops when the interval is narrow stops too early by luck: at this confidence each time,
# the last interval covers the truth in 95 % of cases (`make sim-calibration`).
SEQUENTIAL = 0.97
_PRIOR_VARIANCE = 0.1


@dataclass(frozen=True)
class Plan:
    """How many further items of each stratum to look at (empty when `done`), and the present estimate."""

    further: dict[str, int]
    estimate: Corrected
    done: bool


def plan(
    strata: Mapping[str, Stratum], width: float, batch: int = 20, confidence: float = SEQUENTIAL, first: int = FIRST
) -> Plan:
    """The next `batch` of items by Neyman's allocation: where judge and people differ most, and where most items are.

    Every stratum is first looked at `first` times. Done when the interval is no wider than `width`, or everything has
    been looked at. The judge's own sampling error cannot be narrowed by looking; when it alone is too wide, done too.
    """
    estimate = difference_estimate(strata, confidence)
    left = {name: len(stratum.judged) - len(stratum.pairs) for name, stratum in strata.items()}
    short = {name: min(max(0, first - len(strata[name].pairs)), left[name]) for name in strata}
    if any(short.values()):
        return Plan({name: count for name, count in short.items() if count}, estimate, done=False)
    if estimate.interval.width <= width or not any(left.values()) or _floor(strata, confidence) >= width:
        return Plan({}, estimate, done=True)
    return Plan(_allocate(strata, left, batch), estimate, done=False)


def _floor(strata: Mapping[str, Stratum], confidence: float) -> float:
    """The interval's width if every item had been looked at."""
    total = sum(len(stratum.judged) for stratum in strata.values())
    spread = sum(_spread(list(stratum.judged)) * len(stratum.judged) for stratum in strata.values()) / total**2
    return 2 * NormalDist().inv_cdf(0.5 + confidence / 2) * math.sqrt(spread)


def _spread(values: Sequence[float]) -> float:
    mean = sum(values) / len(values) if values else 0.0
    return sum((value - mean) ** 2 for value in values) / len(values) if values else 0.0


def _allocate(strata: Mapping[str, Stratum], left: Mapping[str, int], batch: int) -> dict[str, int]:
    """One item at a time to the stratum whose share of the variance it lowers most."""
    weight = {name: len(stratum.judged) for name, stratum in strata.items()}
    noise = {
        name: (_spread([a - b for a, b in stratum.pairs]) * len(stratum.pairs) + _PRIOR_VARIANCE)
        / (len(stratum.pairs) + 1)
        for name, stratum in strata.items()
    }
    given = dict.fromkeys(strata, 0)
    for _ in range(min(batch, sum(left.values()))):
        open_ones = [name for name in strata if given[name] < left[name]]

        def gain(name: str) -> float:
            n = len(strata[name].pairs) + given[name]
            return weight[name] ** 2 * noise[name] * (1 / max(n, 1) - 1 / (n + 1))

        given[max(open_ones, key=gain)] += 1
    return {name: count for name, count in given.items() if count}


def draw(items: Mapping[str, Sequence[str]], further: Mapping[str, int], seed: int) -> list[str]:
    """Ids of the items to look at: a seeded simple random sample of each stratum's ids that were not looked at yet."""
    chosen: list[str] = []
    for name in sorted(further):
        pool = sorted(items[name])
        chosen += random.Random(f"{seed}:{name}").sample(pool, min(further[name], len(pool)))
    return chosen
