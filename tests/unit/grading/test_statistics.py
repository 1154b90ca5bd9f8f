"""Statistics against their reference packages, published examples and simulation."""

import math
import random
from typing import Literal

import numpy as np
import pytest

from grading.statistics.agreement import cohen_kappa, confusion_matrix, krippendorff_alpha
from grading.statistics.comparisons import Comparison, permutation_test
from grading.statistics.correction import Calibration, Stratum, _student, difference_estimate, rogan_gladen
from grading.statistics.drift import DriftAlarm, first_alarm
from grading.statistics.intervals import Interval
from grading.statistics.sampling import draw, plan
from grading.statistics.simulation import corrected_rates, stratified_differences


def test_permutation_agrees_with_scipy() -> None:
    from scipy import stats

    rng = np.random.default_rng(1)
    for n in (3, 8, 12, 40):
        first, second = rng.random(n).round(1), rng.random(n).round(1)
        theirs = stats.permutation_test(
            (first, second),
            lambda a, b, axis: np.mean(a - b, axis=axis),
            permutation_type="samples",
            n_resamples=20_000 if n > 14 else np.inf,
            rng=np.random.default_rng(2),
        )
        ours = permutation_test(first.tolist(), second.tolist(), permutations=20_000, seed=3)
        assert ours.p_value == pytest.approx(theirs.pvalue, abs=0.02 if n > 14 else 1e-9)


def test_permutation_by_cluster_and_without_difference() -> None:
    first = [1.0] * 20 + [0.0] * 20
    second = [0.0] * 20 + [0.0] * 20
    alone = permutation_test(first, second)
    clustered = permutation_test(first, second, clusters=[place // 20 for place in range(40)])
    assert alone.p_value < 0.001
    assert clustered.p_value == 1.0
    assert (alone.discordant, alone.difference) == (20, 0.5)
    assert permutation_test([1, 0], [1, 0]).p_value == 1.0


def test_permutation_of_signs_is_mcnemars_test() -> None:
    from statsmodels.stats.contingency_tables import mcnemar

    first, second = [True] * 15 + [False] * 5 + [True] * 9, [False] * 15 + [True] * 5 + [True] * 9
    exact = mcnemar([[9, 15], [5, 0]], exact=True)
    drawn = permutation_test(first, second, permutations=200_000, seed=11)
    assert drawn.p_value == pytest.approx(exact.pvalue, abs=0.002)
    assert drawn.difference == pytest.approx(10 / 29)
    assert drawn.discordant == 20
    few = permutation_test(first[6:], second[6:])
    assert few.p_value == pytest.approx(mcnemar([[9, 9], [5, 0]], exact=True).pvalue)
    for one in ([True], list[bool]()):
        with pytest.raises(ValueError, match=rf"need the same items and at least one, not {len(one)} and 0$"):
            permutation_test(one, [])
    assert permutation_test(first, second) == permutation_test(first, second, None, 10_000, 0)
    assert permutation_test(first, second) != permutation_test(first, second, None, 10_000, 1)


def test_every_permutation_is_drawn_once_also_in_rounds() -> None:
    # No difference at all: every draw is at least as extreme. 2,500 units are drawn in rounds of 1,600.
    first, second = [1.0, 0.0] * 1250, [0.0, 1.0] * 1250
    assert permutation_test(first, second, permutations=3500).p_value == 1.0
    # All of 40 units one way: no draw of 999 is as extreme.
    assert permutation_test([1.0] * 40, [0.0] * 40, permutations=999).p_value == pytest.approx(0.001)


def test_clusters_are_summed_before_their_signs_are_exchanged() -> None:
    # Cluster sums 3, 1, 1: of eight sign patterns, those with |±3 ±1 ±1| >= 5 are two.
    found = permutation_test([1.0] * 5, [0.0] * 5, clusters=list("aaabc"))
    assert found == Comparison(1.0, 0.25, 5)
    # 2, -1, -1: the sum is 0, so that all patterns are as extreme; -0.5 and 1.5 with sum 1: all four of |±0.5 ±1.5|.
    assert permutation_test([1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], clusters=list("aabc")).p_value == 1.0
    assert permutation_test([0.0, 1.5], [0.5, 0.0]).p_value == 1.0
    assert permutation_test([0.5, 1.5], [0.0, 0.0]).p_value == 0.5


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_agrees_with_scikit_learn(weights: Literal["none", "linear", "quadratic"]) -> None:
    from sklearn.metrics import cohen_kappa_score
    from sklearn.metrics import confusion_matrix as sk_confusion

    rng = np.random.default_rng(4)
    for _ in range(8):
        first, second = (rng.integers(0, 4, 50).tolist() for _ in range(2))
        theirs = cohen_kappa_score(first, second, labels=[0, 1, 2, 3], weights=None if weights == "none" else weights)
        assert cohen_kappa(first, second, [0, 1, 2, 3], weights) == pytest.approx(theirs)
        assert confusion_matrix(first, second, [0, 1, 2, 3]) == sk_confusion(first, second).tolist()
    assert math.isnan(cohen_kappa([1, 1], [1, 1], [0, 1]))
    for first, second, message in (
        ([5, 1], [1, 4], "labels that were not announced: ['4', '5']"),
        ([1], [], "both raters need the same items, not 1 and 0"),
    ):
        with pytest.raises(ValueError, match=r"were|raters") as refused:
            confusion_matrix(first, second, [0, 1])
        assert str(refused.value) == message
    assert confusion_matrix([1, 1, 0], [1, 0, 0], [0, 1, 2]) == [[1, 0, 0], [1, 1, 0], [0, 0, 0]]
    assert cohen_kappa([0, 1, 1, 0], [0, 1, 0, 0], [0, 1]) == pytest.approx(0.5)


# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section D.
RATINGS: list[list[float | None]] = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, None, 3, None],
]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_published_example(level: Literal["nominal", "ordinal", "interval"], alpha: float) -> None:
    assert krippendorff_alpha(RATINGS, level) == pytest.approx(alpha, abs=0.0006)
    shuffled = [random.Random(place).sample(unit, len(unit)) for place, unit in enumerate(RATINGS)]
    assert krippendorff_alpha(shuffled[::-1], level) == pytest.approx(krippendorff_alpha(RATINGS, level))


def test_alpha_at_its_ends() -> None:
    assert krippendorff_alpha([[1, 1], [2, 2]]) == 1
    assert krippendorff_alpha([[1, 2], [2, 1]]) < 0
    assert math.isnan(krippendorff_alpha([[1, 1], [1, None]]))
    assert math.isnan(krippendorff_alpha([]))
    # Two raters, units (1, 1) and (1, 2): coincidences 2, 1, 1, so alpha is 1 - 3 · (2/4) / (2 · 3 · 1 / 4) = 0.
    assert krippendorff_alpha([[1, 1], [1, 2]]) == pytest.approx(0)
    assert krippendorff_alpha([[1, 1], [1, 2], [2, 2]]) == krippendorff_alpha([[1, 1], [1, 2], [2, 2]], "nominal")


def test_calibration_counts() -> None:
    calibration = Calibration.of([True, True, False, False, False], [True, False, False, False, True])
    assert (calibration.tp, calibration.fn, calibration.tn, calibration.fp) == (1, 1, 2, 1)
    assert calibration.sensitivity == 0.5
    assert calibration.specificity == pytest.approx(2 / 3)
    people = [True] * 7 + [False] * 3
    uneven = Calibration.of(people, [True] * 4 + [False] * 3 + [False] * 2 + [True])
    assert (uneven.tp, uneven.fn, uneven.tn, uneven.fp) == (4, 3, 2, 1)
    with pytest.raises(ValueError, match="shorter"):
        Calibration.of(people, [True])
    assert calibration.too_weak()
    assert not Calibration(tp=90, fn=10, tn=90, fp=10).too_weak()
    assert Calibration(tp=0, fn=0, tn=0, fp=0).too_weak()


def test_the_corrected_rate_solves_for_the_truth() -> None:
    calibration = Calibration(tp=900, fn=100, tn=700, fp=300)
    corrected = rogan_gladen(540, 1000, calibration)
    assert corrected.score == pytest.approx((0.54 + 0.7 - 1) / 0.6)
    assert corrected.score in corrected.interval
    assert not corrected.weak
    fewer = rogan_gladen(540, 1000, Calibration(tp=45, fn=5, tn=35, fp=15))
    assert fewer.interval.width > 2 * corrected.interval.width
    assert rogan_gladen(5, 10, Calibration(tp=5, fn=5, tn=5, fp=5)).interval == Interval(0, 1)
    assert rogan_gladen(0, 0, calibration).weak
    assert rogan_gladen(0, 1000, calibration).score == 0
    with pytest.raises(ValueError, match="accepted"):
        rogan_gladen(5, 4, calibration)


@pytest.mark.slow
def test_intervals_cover_the_truth_in_small_simulations() -> None:
    rates = list(corrected_rates(60, seed=7))
    assert np.mean([result["coverage"] for result in rates]) > 0.93
    assert np.mean([result["uncorrected"] for result in rates]) < 0.5
    differences = list(stratified_differences(60, seed=8))
    assert np.mean([result["coverage"] for result in differences]) > 0.92


def test_student_quantiles() -> None:
    from scipy import stats

    for freedom in (5, 10, 30, 200):
        assert _student(0.95, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=0.01)
    assert _student(0.95, math.inf) == pytest.approx(1.959964)


def test_difference_estimates() -> None:
    judged = [1.0] * 80 + [0.0] * 20
    pairs = [(1.0, 1.0)] * 15 + [(0.0, 1.0)] * 5
    one = difference_estimate({"a": Stratum(judged, pairs)})
    assert one.score == pytest.approx(0.8 - 0.25)
    assert one.score in one.interval
    perfect = difference_estimate({"a": Stratum(judged, [(1.0, 1.0)] * 20)})
    assert perfect.interval.width > 0.1
    assert difference_estimate({"a": Stratum(judged, [(1.0, 1.0)])}).interval == Interval(0, 1)
    whole = difference_estimate({"a": Stratum([1.0, 0.0], [(1.0, 1.0), (1.0, 0.0)])})
    assert whole.score == 1
    with pytest.raises(ValueError, match="nothing to estimate"):
        difference_estimate({})


def test_the_drift_alarm() -> None:
    rng = np.random.default_rng(5)
    false = [first_alarm((rng.random(1000) < 0.9).tolist(), 0.9, run_length=2000) for _ in range(40)]
    assert sum(alarm is not None for alarm in false) <= 20
    delays = [first_alarm((rng.random(1000) < 0.6).tolist(), 0.9, run_length=2000) for _ in range(40)]
    assert None not in delays
    assert np.median([delay for delay in delays if delay]) < 60
    alarm = DriftAlarm(0.9, run_length=50)
    for _ in range(20):
        alarm.watch(agreed=False)
    assert alarm.raised
    assert alarm.items < 20
    for bad in (0.0, 1.0):
        with pytest.raises(ValueError, match="baseline"):
            DriftAlarm(bad)


def test_sampling_goes_on_until_the_interval_is_narrow_enough() -> None:
    rng = np.random.default_rng(6)
    truth = {"easy": (rng.random(400) < 0.9).tolist(), "hard": (rng.random(400) < 0.3).tolist()}
    errs = {"easy": 0.02, "hard": 0.3}
    judge = {name: [bool(v) ^ bool(rng.random() < errs[name]) for v in values] for name, values in truth.items()}
    looked: dict[str, list[int]] = {"easy": [], "hard": []}
    for step in range(60):
        strata = {
            name: Stratum(
                [float(v) for v in judge[name]], [(float(truth[name][i]), float(judge[name][i])) for i in places]
            )
            for name, places in looked.items()
        }
        now = plan(strata, width=0.13, batch=20)
        if now.done:
            break
        ids = {name: [f"{name}:{i}" for i in range(400) if i not in looked[name]] for name in truth}
        drawn = draw(ids, now.further, seed=step)
        assert len(drawn) == sum(now.further.values())
        for item in drawn:
            name, place = item.split(":")
            looked[name].append(int(place))
    assert now.done
    assert now.estimate.interval.width <= 0.13
    assert len(looked["hard"]) > 2 * len(looked["easy"])
    real = sum(map(sum, truth.values())) / 800
    assert abs(now.estimate.score - real) < 0.13


def test_sampling_ends_when_all_was_seen_and_draws_by_seed() -> None:
    tiny = {"a": Stratum([1.0, 0.0], [(1.0, 1.0), (0.0, 0.0)])}
    assert plan(tiny, width=0.01).done
    assert plan({"a": Stratum([1.0] * 5, [])}, width=0.5).further == {"a": 5}
    ids = {"a": [str(i) for i in range(50)]}
    assert draw(ids, {"a": 5}, seed=1) == draw({"a": ids["a"][::-1]}, {"a": 5}, seed=1) != draw(ids, {"a": 5}, seed=2)
