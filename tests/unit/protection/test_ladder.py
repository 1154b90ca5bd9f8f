"""The release rule: what moves the released score and what does not."""

import math

import numpy as np
import pytest

from protection import ladder
from protection.ladder import LadderState, consider


def test_first_score_is_released_on_the_grid() -> None:
    decision = consider(LadderState(), [1.0] * 263 + [0.0] * 237, None)
    assert decision.accepted
    assert decision.state.released == 0.52
    assert decision.state.bits == decision.bits == pytest.approx(math.log2(51))


def test_noise_is_not_released_and_costs_an_attempt() -> None:
    rng = np.random.default_rng(3)
    best = rng.integers(0, 2, 500).astype(float)
    state = LadderState(1, 1, ladder.on_grid(float(best.mean()), 0.02), 5.0)
    slightly_better = best.copy()
    slightly_better[np.flatnonzero(best == 0)[:4]] = 1.0
    decision = consider(state, list(slightly_better), list(best))
    assert not decision.accepted
    assert decision.state == LadderState(2, 1, state.released, 5.0)
    assert decision.bits == 0.0


def test_a_real_gain_is_released() -> None:
    best = [0.0] * 250 + [1.0] * 250
    better = [0.0] * 200 + [1.0] * 300
    decision = consider(LadderState(1, 1, 0.5, 5.0), better, best)
    assert decision.accepted
    assert decision.state.released == 0.6
    assert decision.state.releases == 2


def test_levels_of_all_attempts_sum_below_alpha() -> None:
    attempts = np.arange(2, 2_000_001)
    total = (ladder.ALPHA / (ladder._SPENDING * attempts * (1 + np.log(attempts)) ** 2)).sum()
    assert total < ladder.ALPHA
    assert ladder.level(2) > ladder.level(3)


def test_global_budget_stops_releases() -> None:
    decision = consider(LadderState(), [1.0, 0.0], None, budget_left=0)
    assert not decision.accepted
    assert "budget" in decision.reason
    assert decision.state.released is None


def test_sign_test_is_exact() -> None:
    best, new = np.zeros(20), np.zeros(20)
    new[:5] = 1.0
    assert ladder.paired_p(new, best) == pytest.approx(1 / 32)
    best[5] = 1.0
    assert ladder.paired_p(new, best) == pytest.approx(7 / 64)


def test_partial_credit_uses_the_paired_error() -> None:
    rng = np.random.default_rng(0)
    best = rng.random(400)
    assert ladder.paired_p(np.clip(best + 0.1 + 0.05 * rng.random(400), 0, 1), best) < 1e-9
    assert ladder.paired_p(rng.random(400), best) > 1e-3


@pytest.mark.parametrize(("items", "step"), [(10, 0.1), (100, 0.05), (500, 0.02), (2000, 0.01), (10_000, 0.005)])
def test_grid_is_coarser_than_noise_allows(items: int, step: float) -> None:
    assert ladder.grid_step(items) == step


def test_different_items_are_refused() -> None:
    with pytest.raises(ValueError, match="same items"):
        consider(LadderState(1, 1, 0.0, 1.0), [1.0] * 3, [0.0] * 4)


def test_breakdown_is_rounded_by_its_own_size() -> None:
    assert ladder.breakdown({"law": [1.0, 0.0, 1.0], "physics": []}) == {"law": 0.7}
    assert ladder.breakdown_bits({"law": [1.0, 0.0, 1.0]}) == pytest.approx(math.log2(11))
