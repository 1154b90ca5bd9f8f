"""What the exit costs honest teams, in short form."""

import math
from collections.abc import Iterable

import numpy as np
import pytest

from protection.simulations import honest
from protection.simulations.honest import Honest


def _near(found: Iterable[Honest]) -> dict[str, float]:
    """No number is further from the specification than four of its errors, the other's error being like ours."""
    lines = list(found)
    for line in lines:
        assert line.specified is None or abs(line.measured - line.specified) <= 1.5 + 4 * 2**0.5 * line.error, line
    return {line.what: line.measured for line in lines}


@pytest.mark.parametrize(("items", "exact", "told"), [(200, 0.944, 0.918), (500, 0.974, 0.962)])
def test_the_board_ranks_teams_as_well_as_specified(items: int, exact: float, told: float) -> None:
    found = list(honest.boards(items, 0.3, exact, told, 0.2, seed=2))
    for line, specified in zip(found, (exact, told), strict=True):
        assert abs(line.measured - specified) < 4 * 2**0.5 * line.error


def test_improvements_are_told_as_often_as_specified() -> None:
    found = _near(honest.releases(0.15, seed=2))
    assert found["one release tells 4 SE, f = 0.3, %"] > 90
    assert found["one release tells 0 SE, f = 0.3, %"] < 15


def test_the_flag_meets_only_those_whose_feedback_part_is_ahead() -> None:
    found = _near(honest.flags(0.2, seed=2))
    assert found["overfit flag at a surplus of 0%, %"] == 0.0
    assert found["overfit flag at a surplus of 30%, %"] > 90


def test_the_skill_of_an_accuracy_is_its_mean_over_items() -> None:
    difficulty = np.random.default_rng(0).normal(0.0, 1.0, 100_000)
    for accuracy in (0.3, 0.6, 0.9):
        skill = float(honest.skill_of(accuracy))
        mean = float(np.mean([1 / (1 + math.exp(d - skill)) for d in difficulty]))
        assert mean == pytest.approx(accuracy, abs=0.01)


def test_rank_correlation_counts_ties_at_their_mean() -> None:
    from scipy.stats import spearmanr

    first, second = np.array([1.0, 2.0, 2.0, 3.0, 5.0]), np.array([2.0, 1.0, 4.0, 4.0, 9.0])
    assert honest.spearman(first, second) == pytest.approx(float(spearmanr(first, second).statistic))
