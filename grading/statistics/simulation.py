"""Do the corrected scores' intervals cover the truth as often as they say? `python -m grading.statistics.simulation`.

Judges that err to either side, calibration samples with another share of right answers than the items judged, judges
that err differently in each stratum, and partial credit. One JSON object a line; the last sums up.
"""

import itertools
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from grading.statistics.correction import Calibration, Stratum, difference_estimate, rogan_gladen

RATES = (0.05, 0.3, 0.6, 0.9)
JUDGES = ((0.95, 0.95), (0.95, 0.75), (0.75, 0.95), (0.8, 0.8))
SIZES = ((80, 300), (200, 1000))
PREVALENCES = (0.3, 0.6)


def corrected_rates(repeats: int, seed: int) -> Iterator[dict[str, Any]]:
    """Rogan-Gladen where the calibration sample's share of right answers differs from the truth."""
    rng = np.random.default_rng(seed)
    for truth, (se, sp), (n, judged), prevalence in itertools.product(RATES, JUDGES, SIZES, PREVALENCES):
        covered, naive = 0, 0
        for _ in range(repeats):
            yes = int(rng.binomial(n, prevalence))
            tp, tn = int(rng.binomial(yes, se)), int(rng.binomial(n - yes, sp))
            accepted = int(rng.binomial(judged, truth * se + (1 - truth) * (1 - sp)))
            calibration = Calibration(tp=tp, fn=yes - tp, tn=tn, fp=n - yes - tn)
            covered += truth in rogan_gladen(accepted, judged, calibration).interval
            rate = accepted / judged
            naive += abs(rate - truth) <= 1.96 * (rate * (1 - rate) / judged) ** 0.5
        scenario = {"truth": truth, "se": se, "sp": sp, "calibrated": n, "judged": judged, "prevalence": prevalence}
        yield {"method": "rogan-gladen", **scenario, "coverage": covered / repeats, "uncorrected": naive / repeats}


# Strata as (share of items, true rate, sensitivity, specificity): the judge errs differently in each.
WORLDS = {
    "lenient where it is hard": ((0.6, 0.8, 0.97, 0.9), (0.4, 0.2, 0.9, 0.6)),
    "strict where it is long": ((0.5, 0.7, 0.6, 0.97), (0.5, 0.4, 0.95, 0.95)),
    "a coin in one stratum": ((0.8, 0.5, 0.9, 0.9), (0.2, 0.5, 0.5, 0.5)),
    "three strata": ((0.3, 0.9, 0.9, 0.6), (0.3, 0.5, 0.75, 0.8), (0.4, 0.1, 0.6, 0.95)),
}


def stratified_differences(repeats: int, seed: int) -> Iterator[dict[str, Any]]:
    """The difference estimator where errors depend on the stratum; also with partial credit in halves."""
    rng = np.random.default_rng(seed)
    for (name, world), partial, (sample, items) in itertools.product(
        WORLDS.items(), (False, True), ((25, 400), (60, 1000))
    ):
        truth = sum(share * rate for share, rate, _, _ in world)
        covered = 0
        for _ in range(repeats):
            strata = {str(place): _stratum(rng, one, items, sample, partial) for place, one in enumerate(world)}
            covered += truth in difference_estimate(strata).interval
        scenario = {"world": name, "partial": partial, "sample": sample, "items": items}
        yield {"method": "difference", **scenario, "coverage": covered / repeats}


def _stratum(
    rng: np.random.Generator, world: tuple[float, float, float, float], items: int, sample: int, partial: bool
) -> Stratum:
    share, rate, se, sp = world
    size = round(share * items)
    parts = 2 if partial else 1
    right = rng.random((parts, size)) < rate
    accepted = np.where(right, rng.random((parts, size)) < se, rng.random((parts, size)) >= sp)
    people, judge = right.mean(axis=0).tolist(), accepted.mean(axis=0).tolist()
    chosen = rng.choice(size, min(sample, size), replace=False)
    return Stratum(judge, [(people[place], judge[place]) for place in chosen])


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean and least coverage by method."""
    found: dict[str, Any] = {}
    for method in sorted({result["method"] for result in results}):
        coverage = [result["coverage"] for result in results if result["method"] == method]
        found[method] = {"scenarios": len(coverage), "mean": float(np.mean(coverage)), "least": min(coverage)}
    naive = [result["uncorrected"] for result in results if "uncorrected" in result]
    return found | {"uncorrected": {"mean": float(np.mean(naive)), "least": min(naive)}}


def main(repeats: int = 2000, seed: int = 1) -> None:
    """Print every scenario and the summary."""
    results = []
    for result in itertools.chain(corrected_rates(repeats, seed), stratified_differences(repeats, seed)):
        results.append(result)
        sys.stdout.write(json.dumps(result) + "\n")
    sys.stdout.write(json.dumps({"repeats": repeats, "nominal": 0.95, **summary(results)}) + "\n")


if __name__ == "__main__":
    main()
