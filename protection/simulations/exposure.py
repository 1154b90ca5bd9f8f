"""The contamination test on models that remember nothing, and on models that remember some of what was shown."""

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from protection.exposure import Group, permutation_test

LEVEL = 0.05
SHARES = (0.05, 0.10, 0.20)


@dataclass(frozen=True)
class Exposure:
    """Kolmogorov-Smirnov p-value of honest p-values against uniform, false alarms, and power by share memorised."""

    simulation: str
    items: int
    trials: int
    p_uniform_ks: float
    false_alarms: float
    power: dict[str, float]

    def json(self) -> dict[str, object]:
        return asdict(self)


def run(items: int, *, trials: int = 200, seed: int = 0) -> Exposure:
    """`items` sibling pairs of mixed difficulty, one of each exposed."""
    rng = np.random.default_rng(seed)
    honest = [_once(items, 0.0, rng) for _ in range(trials)]
    power = {
        f"{share:.2f}": round(float(np.mean([_once(items, share, rng)[0] <= LEVEL for _ in range(trials)])), 4)
        for share in SHARES
    }
    alarms = float(np.mean([p <= LEVEL for p, _ in honest]))
    ks = uniform_ks(np.array([p for _, p in honest]))
    return Exposure("exposure", items, trials, round(ks, 4), round(alarms, 4), power)


def uniform_ks(sample: NDArray[np.float64]) -> float:
    """The p-value of the Kolmogorov-Smirnov test that a sample is uniform on [0, 1]."""
    from scipy.stats import kstest

    return float(kstest(sample, "uniform").pvalue)


def _once(items: int, memorised: float, rng: np.random.Generator) -> tuple[float, float]:
    skill = rng.beta(2, 2, items)
    exposed = (rng.random(items) < skill) | (rng.random(items) < memorised)
    held = rng.random(items) < skill
    groups = [Group((float(a),), (float(b),)) for a, b in zip(exposed, held, strict=True)]
    result = permutation_test(groups, seed=int(rng.integers(2**63)))
    assert result is not None
    return result.p, result.p_randomised
