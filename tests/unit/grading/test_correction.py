"""Corrected scores, sampling plans and the drift alarm: figures worked out from the published formulas elsewhere."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from grading.statistics.correction import (
    Calibration,
    Corrected,
    Stratum,
    _student,
    difference_estimate,
    rogan_gladen,
    widened,
)
from grading.statistics.drift import DriftAlarm, first_alarm
from grading.statistics.intervals import Interval
from grading.statistics.sampling import draw, plan

near: Callable[..., Any] = pytest.approx

GOOD = Calibration(tp=45, fn=5, tn=35, fp=15)
SMALL = Calibration(tp=9, fn=1, tn=8, fp=2)


# Lang and Reiczigel 2014, equations 5 to 8, by a second program; the ends are cut at 0 and 1 and hold the estimate.
@pytest.mark.parametrize(
    ("accepted", "judged", "calibration", "confidence", "score", "low", "high"),
    [
        (54, 100, GOOD, 0.95, 0.4, 0.1675671661, 0.6069429002),
        (540, 1000, Calibration(tp=900, fn=100, tn=700, fp=300), 0.95, 0.4, 0.3390604326, 0.4593166965),
        (30, 80, Calibration(tp=18, fn=2, tn=27, fp=3), 0.9, 0.34375, 0.1851488045, 0.4985095161),
        (60, 200, Calibration(tp=12, fn=4, tn=19, fp=1), 0.5, 0.3571428571, 0.2658277683, 0.4001751065),
        (8, 10, SMALL, 0.95, 0.8571428571, 0.3410360684, 1),
        (1, 10, SMALL, 0.95, 0, 0, 0.379783312),
    ],
)
def test_the_corrected_rate(
    accepted: int, judged: int, calibration: Calibration, confidence: float, score: float, low: float, high: float
) -> None:
    found = rogan_gladen(accepted, judged, calibration, confidence)
    assert (found.score, found.interval.low, found.interval.high) == near((score, low, high), abs=1e-9)


def test_confidence_is_95_percent_unless_said() -> None:
    assert rogan_gladen(54, 100, GOOD) == rogan_gladen(54, 100, GOOD, 0.95) != rogan_gladen(54, 100, GOOD, 0.9)
    assert GOOD.youden() == GOOD.youden(0.95) != GOOD.youden(0.9)
    strata = {"a": A, "b": B}
    best = difference_estimate(strata)
    assert best == difference_estimate(strata, 0.95) != difference_estimate(strata, 0.9)
    assert widened(best, strata) == widened(best, strata, 0.95) != widened(best, strata, 0.9)


@pytest.mark.parametrize(
    ("accepted", "judged", "calibration", "score"),
    [
        (0, 0, GOOD, 0.5),
        (3, 4, Calibration(tp=0, fn=0, tn=8, fp=2), 0.75),
        (3, 4, Calibration(tp=8, fn=2, tn=0, fp=0), 0.75),
        (1, 4, Calibration(tp=5, fn=5, tn=5, fp=5), 0.25),
        (1, 4, Calibration(tp=1, fn=9, tn=1, fp=9), 0.25),
    ],
)
def test_without_knowledge_of_the_judge_everything_is_possible(
    accepted: int, judged: int, calibration: Calibration, score: float
) -> None:
    assert rogan_gladen(accepted, judged, calibration) == Corrected(score, Interval(0, 1), weak=True)


def test_impossible_counts_are_refused() -> None:
    for accepted, judged in ((5, 4), (-1, 4)):
        with pytest.raises(ValueError, match="need") as refused:
            rogan_gladen(accepted, judged, GOOD)
        assert str(refused.value) == f"need 0 <= accepted <= judged, not {accepted} of {judged}"
    assert rogan_gladen(4, 4, GOOD).score == 1
    assert rogan_gladen(0, 4, GOOD).score == 0


# The sum of two Wilson intervals (statsmodels), each at the confidence that leaves half of the error.
def test_youdens_index_and_weak_judges() -> None:
    found = GOOD.youden()
    assert (found.low, found.high) == near((0.30781943107662757, 0.7826160898850363))
    found = Calibration(tp=18, fn=2, tn=27, fp=3).youden(0.9)
    assert (found.low, found.high) == near((0.4427555289796721, 0.9375336300388977))
    # 70 of 100 leave 0.1795, 71 leave 0.2004; the bar is 0.2.
    assert Calibration(tp=70, fn=30, tn=70, fp=30).too_weak()
    assert not Calibration(tp=71, fn=29, tn=71, fp=29).too_weak()
    assert Calibration(tp=71, fn=29, tn=71, fp=29).too_weak(0.99)
    assert not Calibration(tp=70, fn=30, tn=70, fp=30).too_weak(0.9)
    assert rogan_gladen(50, 100, Calibration(tp=70, fn=30, tn=70, fp=30)).weak
    assert not rogan_gladen(50, 100, Calibration(tp=71, fn=29, tn=71, fp=29)).weak
    assert rogan_gladen(50, 100, Calibration(tp=71, fn=29, tn=71, fp=29), 0.99).weak
    assert (Calibration(0, 0, 0, 0).sensitivity, Calibration(0, 0, 0, 0).specificity) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("freedom", "off"), [(3, 0.008), (5, 0.0012), (8, 0.0002), (15, 2e-5), (30, 2e-6), (100, 1e-8)]
)
def test_students_quantiles_come_nearer_with_freedom(freedom: int, off: float) -> None:
    from scipy import stats

    assert _student(0.95, freedom) == near(stats.t.ppf(0.975, freedom), rel=off)
    assert _student(0.8, freedom) == near(stats.t.ppf(0.9, freedom), rel=off / 10)
    assert _student(0.95, 0.5) == _student(0.95, 1) > _student(0.95, 1.9) > _student(0.95, 2)


A = Stratum([1.0] * 30 + [0.0] * 20, [(1, 1)] * 7 + [(0, 1)] * 2 + [(1, 0)] + [(0, 0)] * 5)
B = Stratum([0.5] * 20 + [0.0] * 10 + [1.0] * 10, [(0.5, 0.5)] * 6 + [(0, 0.5)] * 3 + [(1.0, 0.5)] * 2)
C = Stratum([1.0] * 20 + [0.0] * 10, [(1, 1)] * 8)
D = Stratum([1.0, 0.0, 1.0, 1.0], [(1, 1), (0, 0), (0, 1), (1, 1)])


# The stratified difference estimator with Satterthwaite's degrees of freedom, by a second program on NumPy and SciPy
# (with the same expansion of Student's quantile).
@pytest.mark.parametrize(
    ("strata", "confidence", "score", "low", "high"),
    [
        ((A,), 0.95, 0.533333333, 0.250750033, 0.815916634),
        ((A, B), 0.95, 0.498316498, 0.310430539, 0.686202457),
        ((A, B), 0.8, 0.498316498, 0.377121008, 0.619511989),
        ((A, B, C), 0.95, 0.54040404, 0.371324082, 0.709483999),
        ((A, D), 0.95, 0.530864198, 0.266251964, 0.795476431),
        ((D, A), 0.95, 0.530864198, 0.266251964, 0.795476431),
        ((B, C, D), 0.95, 0.542997543, 0.334773096, 0.75122199),
        ((D,), 0.95, 0.5, 0, 1),
        ((A, Stratum([], [])), 0.95, 0.533333333, 0.250750033, 0.815916634),
        ((Stratum([], []), A, B), 0.95, 0.498316498, 0.310430539, 0.686202457),
    ],
)
def test_the_difference_estimate(
    strata: tuple[Stratum, ...], confidence: float, score: float, low: float, high: float
) -> None:
    found = difference_estimate({str(place): stratum for place, stratum in enumerate(strata)}, confidence)
    assert (found.score, found.interval.low, found.interval.high) == near((score, low, high), abs=2e-9)
    assert found.weak is False


@pytest.mark.parametrize(
    ("strata", "score"),
    [
        ((Stratum([1, 1, 0, 0], []),), 0.5),
        ((Stratum([1, 1, 0, 0], [(0, 1)]),), 0),
        ((Stratum([1, 0, 0, 0], [(1, 0)]),), 1),
        ((A, Stratum([1.0] * 50, [(1, 1)])), (0.533333333 + 1) / 2),
        ((Stratum([1.0] * 50, []), A), (0.533333333 + 1) / 2),
    ],
)
def test_a_stratum_that_was_hardly_looked_at_leaves_everything_open(strata: tuple[Stratum, ...], score: float) -> None:
    found = difference_estimate({str(place): stratum for place, stratum in enumerate(strata)})
    assert found == Corrected(near(score), Interval(0, 1), weak=True)


def test_a_single_item_looked_at_is_known() -> None:
    assert difference_estimate({"a": Stratum([1.0], [(0, 1)])}) == Corrected(0, Interval(0, 0))
    with pytest.raises(ValueError, match="nothing") as refused:
        difference_estimate({"a": Stratum([], [])})
    assert str(refused.value) == "there is nothing to estimate: no item was judged"


def test_strata_formed_by_the_judge_widen_the_interval() -> None:
    strata = {"a": A, "b": B}
    best = difference_estimate(strata)
    for confidence, ends in ((0.95, (0.3102565221, 0.6863764745)), (0.8, (0.3103561204, 0.6862768763))):
        found = widened(best, strata, confidence)
        assert (found.interval.low, found.interval.high) == near(ends, abs=2e-9)
        assert (found.score, found.weak) == (best.score, best.weak)
    blind = {"a": Stratum([1.0] * 4, []), "b": Stratum([0.0] * 4, [])}
    assert widened(difference_estimate(blind), blind) == Corrected(0.5, Interval(0, 1), weak=True)


def _best(strata: dict[str, Stratum], batch: int) -> dict[str, int]:
    """The allocation of least variance among all, with the noise of a stratum smoothed by a prior of one item."""
    noise = {}
    for name, stratum in strata.items():
        gaps = [a - b for a, b in stratum.pairs]
        mean = sum(gaps) / len(gaps)
        noise[name] = (sum((gap - mean) ** 2 for gap in gaps) + 0.1) / (len(gaps) + 1)

    def variance(given: tuple[int, ...]) -> float:
        return sum(
            len(one.judged) ** 2 * noise[name] / (len(one.pairs) + more)
            for (name, one), more in zip(strata.items(), given, strict=True)
        )

    room = [range(min(batch, len(one.judged) - len(one.pairs)) + 1) for one in strata.values()]
    best = min((given for given in product(*room) if sum(given) == batch), key=variance)
    return {name: more for name, more in zip(strata, best, strict=True) if more}


WIDER = Stratum([1.0] * 120 + [0.0] * 60, [(1, 1)] * 9 + [(0, 1)] * 4)
FULL = Stratum([1.0] * 12, [(1, 1)] * 10)


@pytest.mark.parametrize("batch", [1, 5, 12])
@pytest.mark.parametrize("names", ["AB", "BWF", "AWC", "FBA", "WF"])
def test_the_plan_lowers_the_variance_most(names: str, batch: int) -> None:
    known = {"A": A, "B": B, "C": C, "F": FULL, "W": WIDER}
    strata = {name: known[name] for name in names}
    found = plan(strata, width=0.01, batch=batch, confidence=0.95, first=1)
    # With width 0.01 the judge's own sampling error is what is too wide: everything would stop here.
    assert (found.further, found.done) == ({}, True)
    found = plan(strata, width=0.29, batch=batch, confidence=0.95, first=1)
    assert found.further == _best(strata, batch)
    assert found.done is False
    assert found.estimate == difference_estimate(strata, 0.95)


def test_every_stratum_is_looked_at_first() -> None:
    few = {"a": Stratum([1.0] * 50, [(1, 1)] * 3), "b": Stratum([0.0] * 50, [(0, 0)] * 8), "c": Stratum([1.0] * 4, [])}
    assert plan(few, width=0.9).further == {"a": 5, "c": 4}
    assert plan(few, width=0.9).done is False
    assert plan(few, width=0.9, first=5).further == {"a": 2, "c": 4}
    assert plan({"a": few["a"]}, width=0.0001, first=3, batch=7).further == {"a": 7}
    assert sum(plan({"a": few["b"]}, width=0.0001).further.values()) == 20
    assert plan({"a": Stratum([1.0] * 10, [(1, 1)] * 8)}, width=0.0001).further == {"a": 2}
    assert plan({"a": few["b"]}, width=0.9).estimate == difference_estimate({"a": few["b"]}, 0.97)


def test_a_plan_ends_where_looking_helps_no_more() -> None:
    # Half of 100 right: looked at all, the interval would still be 2 × 1.96 × √(0.25 / 100) = 0.196 wide.
    half = {"a": Stratum([1.0] * 50 + [0.0] * 50, [(1, 1)] * 10)}
    assert plan(half, width=0.195, confidence=0.95).done
    assert not plan(half, width=0.197, confidence=0.95).done
    # A share of 0.9 and one of 0.2 in 200: √((0.09 × 100 + 0.16 × 100) / 200²) = 0.025, so 0.098.
    two = {"a": Stratum([1.0] * 90 + [0.0] * 10, [(1, 1)] * 10), "b": Stratum([1.0] * 20 + [0.0] * 80, [(0, 0)] * 10)}
    assert plan(two, width=0.0979, confidence=0.95).done
    assert not plan(two, width=0.0981, confidence=0.95).done
    now = plan(two, width=0.5, confidence=0.95)
    exact = now.estimate.interval.width
    assert plan(two, width=exact, confidence=0.95).done
    assert not plan(two, width=exact - 1e-9, confidence=0.95).done


def test_draws_are_of_each_stratum_and_without_repetition() -> None:
    ids = {"b": [f"b{place}" for place in range(30)], "a": [f"a{place}" for place in range(5)]}
    drawn = draw(ids, {"b": 12, "a": 9}, seed=3)
    assert len(set(drawn)) == len(drawn) == 17
    assert sorted(drawn[:5]) == ids["a"]
    assert all(name in ids["b"] for name in drawn[5:])
    assert draw({"b": ids["b"]}, {"b": 12}, seed=3) == drawn[5:]
    same = {"a": list("abcdefghijkl"), "b": list("abcdefghijkl")}
    assert draw(same, {"a": 6}, seed=1) != draw(same, {"b": 6}, seed=1)


# With b the bet, a disagreement at baseline 0.8 multiplies by 1 + 4b, an agreement by 1 - b; the mean of b is 0.42, of
# b squared 0.242, of b cubed 0.1602.
@pytest.mark.parametrize(
    ("baseline", "agreed", "level"),
    [
        (0.8, [False], 1 + 4 * 0.42),
        (0.8, [False, False], 2 + 12 * 0.42 + 16 * 0.242),
        (0.8, [False, False, False], 3 + 24 * 0.42 + 64 * 0.242 + 64 * 0.1602),
        (0.8, [True], 1 - 0.42),
        (0.5, [False, True], 2 - 0.42 - 0.242),
        (0.8, [], 0),
    ],
)
def test_the_level_of_the_alarm(baseline: float, agreed: list[bool], level: float) -> None:
    alarm = DriftAlarm(baseline)
    assert [alarm.watch(one) for one in agreed] == [False] * len(agreed)
    assert (alarm.level, alarm.items, alarm.run_length) == (near(level), len(agreed), 1000.0)


def test_when_the_alarm_is_raised() -> None:
    for run_length, after in ((38.8, 3), (38.9, 4)):
        assert first_alarm([False] * 9, 0.8, run_length) == after
    assert first_alarm([False] * 3, 0.8, 38.9) is None
    assert first_alarm([False] * 99, 0.8) == first_alarm([False] * 99, 0.8, 1000.0)
    assert first_alarm([], 0.8) is None
    alarm = DriftAlarm(0.8, run_length=2)
    assert [alarm.watch(False), alarm.watch(True), alarm.watch(True)] == [True] * 3
    assert alarm.items == 1
    assert DriftAlarm(0.8, run_length=10, level=10.0).raised
    assert not DriftAlarm(0.8, run_length=10, level=9.99).raised


@pytest.mark.parametrize("bad", [{"baseline": 0.0}, {"baseline": 1.0}, {"baseline": 0.5, "run_length": 1.0}])
def test_alarms_that_could_not_work_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="need") as refused:
        DriftAlarm(**bad)
    assert str(refused.value) == "need 0 < baseline < 1 and a run length over 1"
    assert not DriftAlarm(0.5, run_length=1.01).raised
