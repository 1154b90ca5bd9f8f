"""`match_score`: AgentBench's score of a card game, match by match."""

import pytest
from pydantic import JsonValue

from grading import Answer, Outcome, grade, parse_reference
from grading.answer import Evidence
from grading.reference import Reference


def reference(**fields: object) -> Reference:
    return parse_reference({"kind": "match_score", **fields})


def score(value: JsonValue) -> float | None:
    return grade(Answer(evidence=(Evidence(name="match", value=value),)), reference()).score


@pytest.mark.parametrize(
    ("won", "damage", "expected"),
    [(True, 1600, 1.0), (True, 800, 0.85), (False, 800, 0.15), (False, 0, 0.0), (False, 1600, 0.3), (True, 0, 0.7)],
)
def test_the_published_weights(won: bool, damage: int, expected: float) -> None:
    assert score({"won": won, "damage": damage, "total": 1600}) == pytest.approx(expected)


def test_the_mean_over_matches_is_the_published_figure() -> None:
    matches = [(True, 1600), (False, 420), (False, 0), (True, 1111)]
    marks = [score({"won": won, "damage": damage, "total": 1600}) or 0.0 for won, damage in matches]
    wins, damage = sum(won for won, _ in matches) / 4, sum(damage for _, damage in matches) / 6400
    assert sum(marks) / 4 == pytest.approx(0.7 * wins + min(0.3, 0.3 * damage))


def test_what_was_not_seen_is_not_judged() -> None:
    assert score({"won": True}) is None
    assert score({"won": True, "damage": -1, "total": 1600}) is None
    assert grade(Answer(), reference()).outcome is Outcome.UNSCORED
    with pytest.raises(ValueError, match="add up to 1"):
        reference(win=0.9)
