"""Intervals against statsmodels and scipy, and in simulation."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from grading.statistics.intervals import (
    Interval,
    bootstrap_mean,
    resampled_means,
    standard_error,
    wilson,
)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (0, 20), (20, 20), (3, 17), (499, 1000), (7, 9)])
def test_wilson_agrees_with_statsmodels(successes: int, n: int, confidence: float) -> None:
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    interval = wilson(successes, n, confidence)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-12)


def test_wilson_of_nothing_is_everything() -> None:
    assert wilson(0, 0) == Interval(0.0, 1.0)


@pytest.mark.parametrize(("successes", "n", "confidence"), [(2, 1, 0.95), (-1, 3, 0.95), (1, 2, 1.0), (1, 2, 0.0)])
def test_wilson_refuses_nonsense(successes: int, n: int, confidence: float) -> None:
    with pytest.raises(ValueError, match=r"successes|confidence"):
        wilson(successes, n, confidence)


def test_bootstrap_agrees_with_scipy() -> None:
    from scipy import stats

    values = np.random.default_rng(3).normal(10, 2, 80).tolist()
    ours = bootstrap_mean(values, 0.95, seed=1, resamples=20_000)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(2)
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.03)


def test_bootstrap_is_seeded_and_follows_confidence() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0, 0.5]
    assert bootstrap_mean(values, 0.95, seed=4) == bootstrap_mean(values, 0.95, seed=4)
    assert bootstrap_mean(values, 0.5, seed=4).width < bootstrap_mean(values, 0.95, seed=4).width
    assert 0.58 in bootstrap_mean(values, 0.95, seed=4)
    with pytest.raises(ValueError, match="at least one"):
        bootstrap_mean([])


@pytest.mark.parametrize("size", [7, 2100])
def test_resampled_means_are_those_of_seeded_draws(size: int) -> None:
    values = np.random.default_rng(1).random(size)
    # 2100 values are drawn in rounds of 952 samples, which must not change what is drawn.
    draws = np.random.default_rng(6).integers(0, size, (2000, size))
    assert resampled_means(values.tolist(), 2000, 6).tolist() == pytest.approx(values[draws].mean(axis=1).tolist())


def test_bootstrap_intervals_are_quantiles_of_resampled_means() -> None:
    values = [0.0, 1.0, 1.0, 0.25, 0.5, 0.75, 0.0]
    for confidence in (0.95, 0.6):
        ends = [(1 - confidence) / 2, 1 - (1 - confidence) / 2]
        ours = bootstrap_mean(values, confidence, 8, 500)
        draws = np.random.default_rng(8).integers(0, 7, (500, 7))
        assert [ours.low, ours.high] == pytest.approx(np.quantile(np.array(values)[draws].mean(axis=1), ends).tolist())


def test_what_holds_unless_said() -> None:
    values = np.random.default_rng(2).random(30).tolist()
    assert wilson(3, 17) == wilson(3, 17, 0.95) != wilson(3, 17, 0.94)
    assert bootstrap_mean(values) == bootstrap_mean(values, 0.95, 0, 2000) != bootstrap_mean(values, 0.95, 1, 2000)
    assert bootstrap_mean(values) != bootstrap_mean(values, 0.95, 0, 1999)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wilson(5, 4), "need 0 <= successes <= n, not 5 of 4"),
        (lambda: wilson(1, 2, 1.0), "confidence is a number between 0 and 1, not 1.0"),
        (lambda: wilson(1, 2, 0.0), "confidence is a number between 0 and 1, not 0.0"),
        (lambda: bootstrap_mean([1.0], 1.5), "confidence is a number between 0 and 1, not 1.5"),
        (lambda: bootstrap_mean([]), "a mean needs at least one value"),
    ],
)
def test_nonsense_is_refused_with_its_reason(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match="n") as refused:
        call()
    assert str(refused.value) == message


def test_ends_and_fractions() -> None:
    assert (wilson(0, 5).low, wilson(5, 5).high) == (0.0, 1.0)
    assert wilson(0.5, 1).low == pytest.approx(1 - wilson(0.5, 1).high)
    # With half of one item, p = 1/2 and n = 1: half the width is z/2 · √((1 + z²)) / (1 + z²).
    assert wilson(0.5, 1).width == pytest.approx(1.959964 / math.sqrt(1 + 1.959964**2), abs=1e-6)
    assert standard_error(0.6 - 1.959964 * 0.05, 0.6 + 1.959964 * 0.05) == pytest.approx(0.05)
    assert standard_error(0.6, 0.5) == 0.0
    assert Interval(0.25, 0.75).width == 0.5
    assert [value in Interval(0.25, 0.75) for value in (0.24, 0.25, 0.75, 0.76)] == [False, True, True, False]
