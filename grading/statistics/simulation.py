"""Do the corrected scores' intervals cover the truth as often as they say? `python -m grading.statistics.simulation`.

Judges that err to either side, calibration samples with another share of right answers than the items judged, judges
that err differently in each stratum, partial credit, and whole entries as the service corrects them. One JSON object a
line; the last sums up.
"""

import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from grading.statistics.correction import Calibration, Stratum, difference_estimate, rogan_gladen, widened
from grading.statistics.intervals import Z95
from grading.statistics.sampling import SEQUENTIAL, plan

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
            naive += abs(rate - truth) <= Z95 * (rate * (1 - rate) / judged) ** 0.5
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


def entries(repeats: int, seed: int) -> Iterator[dict[str, Any]]:
    """A leaderboard entry as the service corrects it: strata are the judge's scores, so that their sizes are chance;
    people are asked in batches until the interval is as narrow as wanted; the variance between strata is added."""
    rng = np.random.default_rng(seed)
    for (name, world), partial, (items, width) in itertools.product(
        WORLDS.items(), (False, True), ((100, 0.2), (400, 0.1))
    ):
        truth = sum(share * rate for share, rate, _, _ in world)
        covered, asked, blind = 0, 0, 0
        for _ in range(repeats):
            strata = _entry(rng, world, items, width, partial)
            best = widened(plan(strata, width).estimate, strata, SEQUENTIAL)
            covered += truth in best.interval
            asked += sum(len(stratum.pairs) for stratum in strata.values())
            raw = sum(sum(stratum.judged) for stratum in strata.values()) / items
            blind += abs(raw - truth) <= Z95 * (raw * (1 - raw) / items) ** 0.5
        scenario = {"world": name, "partial": partial, "items": items, "width": width, "asked": asked / repeats}
        yield {"method": "entry", **scenario, "coverage": covered / repeats, "raw": blind / repeats}


def _entry(
    rng: np.random.Generator,
    world: Sequence[tuple[float, float, float, float]],
    items: int,
    width: float,
    partial: bool,
) -> dict[str, Stratum]:
    """Items of a world as they come, and people's looks at them, batch by batch as `sampling.plan` asks."""
    places = rng.choice(len(world), items, p=[share for share, _, _, _ in world])
    rate, se, sp = (np.array([one[column] for one in world])[places] for column in (1, 2, 3))
    parts = 2 if partial else 1
    right = rng.random((parts, items)) < rate
    accepted = np.where(right, rng.random((parts, items)) < se, rng.random((parts, items)) >= sp)
    people, judge = right.mean(axis=0), accepted.mean(axis=0)
    pools = {score: rng.permutation(np.flatnonzero(judge == score)).tolist() for score in set(judge.tolist())}
    strata = {str(score): Stratum(judge[pool].tolist(), []) for score, pool in pools.items()}
    while (further := plan(strata, width)).further:
        for score, pool in pools.items():
            old = strata[str(score)]
            seen = len(old.pairs)
            more = pool[seen : seen + further.further.get(str(score), 0)]
            strata[str(score)] = Stratum(
                old.judged, [*old.pairs, *((float(people[place]), float(judge[place])) for place in more)]
            )
    return strata


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean and least coverage by method."""
    found: dict[str, Any] = {}
    for method in sorted({result["method"] for result in results}):
        coverage = [result["coverage"] for result in results if result["method"] == method]
        found[method] = {"scenarios": len(coverage), "mean": float(np.mean(coverage)), "least": min(coverage)}
    naive = [result["uncorrected"] for result in results if "uncorrected" in result]
    raw = [result["raw"] for result in results if "raw" in result]
    return found | {
        name: {"mean": float(np.mean(shares)), "least": min(shares)}
        for name, shares in (("uncorrected", naive), ("entry, uncorrected", raw))
        if shares
    }


def main(repeats: int = 2000, seed: int = 1) -> None:
    """Print every scenario and the summary."""
    results = []
    # Playing an entry takes longer than one draw; a quarter of the repeats still tells one per cent.
    runs = (corrected_rates(repeats, seed), stratified_differences(repeats, seed), entries(repeats // 4, seed))
    for result in itertools.chain(*runs):
        results.append(result)
        sys.stdout.write(json.dumps(result) + "\n")
    sys.stdout.write(json.dumps({"repeats": repeats, "nominal": 0.95, **summary(results)}) + "\n")


if __name__ == "__main__":
    main()
