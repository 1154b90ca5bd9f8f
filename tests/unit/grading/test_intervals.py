"""Intervals against statsmodels and scipy, and in simulation."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from grading.statistics.intervals import (
    Interval,
    bootstrap_mean,
    clustered_bootstrap_mean,
    clustered_standard_error,
    wilson,
)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (0, 20), (20, 20), (3, 17), (499, 1000), (7, 9)])
def test_wilson_agrees_with_statsmodels(successes: int, n: int, confidence: float) -> None:
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


def test_clustered_error_agrees_with_statsmodels() -> None:
    rng = np.random.default_rng(5)
    clusters = rng.integers(0, 12, 100)
    values = rng.normal(0, 1, 100) + rng.normal(0, 2, 12)[clusters]
    fit = OLS(values, np.ones(100)).fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": True})
    n, groups = 100, len(set(clusters.tolist()))
    stata_correction = math.sqrt(groups / (groups - 1) * (n - 1) / (n - 1))
    plain = OLS(values, np.ones(100)).fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False})
    assert clustered_standard_error(values.tolist(), clusters.tolist()) == pytest.approx(
        plain.bse[0] * stata_correction
    )
    assert clustered_standard_error(values.tolist(), clusters.tolist()) == pytest.approx(fit.bse[0], rel=0.01)


def test_clusters_widen_the_interval() -> None:
    values = [1.0] * 50 + [0.0] * 50
    clusters = [index // 10 for index in range(100)]
    alone = bootstrap_mean(values, seed=1)
    assert clustered_bootstrap_mean(values, clusters, seed=1).width > 2 * alone.width
    assert clustered_standard_error(values, ["one"] * 100) == math.inf
    with pytest.raises(ValueError, match="one cluster for each"):
        clustered_standard_error(values, ["one"])
