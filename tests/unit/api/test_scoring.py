"""How item scores become one score."""

import pytest

from api.leaderboard.scoring import ScoredItem, contributions, score
from packs.benchmark import Scoring

ITEMS = [
    ScoredItem(1.0, "algebra", "integral", "one"),
    ScoredItem(0.0, "algebra", "proof", "one"),
    ScoredItem(0.0, "geometry", "proof", "two"),
    ScoredItem(0.0, "geometry", "proof", None),
]


@pytest.mark.parametrize(
    ("by", "wanted"), [("subject", 0.25), ("type", 0.5), ("kind", 0.5), ("group", pytest.approx(1 / 6))]
)
def test_a_macro_score_is_the_mean_over_the_named_groups(by: str, wanted: float) -> None:
    scoring = Scoring.model_validate({"scheme": "macro", "by": by})
    assert score(ITEMS, scoring).score == wanted
    assert sum(contributions(ITEMS, scoring)) / len(ITEMS) == pytest.approx(score(ITEMS, scoring).score)


def test_the_breakdown_has_subjects_and_types() -> None:
    found = score(ITEMS, Scoring()).breakdown
    assert found["type"] == {"integral": {"n": 1, "score": 1.0}, "proof": {"n": 3, "score": 0.0}}
    assert found["subject"] == {"algebra": {"n": 2, "score": 0.5}, "geometry": {"n": 2, "score": 0.0}}
