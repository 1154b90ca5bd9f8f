"""The attacks of docs/protection.md in short form, against the product's own exit."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from protection.simulations import feedback_tables
from protection.simulations.feedback import (
    Attack,
    Attacker,
    Rule,
    attack_decisions,
    attack_ranking,
    attack_scores,
    run,
    scores_policy,
    sealed_policy,
)
from protection.simulations.feedback_tables import Cell


def _within(cells: Iterable[Cell]) -> None:
    found = list(cells)
    assert len(found) > 3
    assert [cell for cell in found if not cell.within] == []


def test_the_board_is_moved_no_more_than_specified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback_tables, "RANKING", feedback_tables.RANKING[1:5])
    _within(feedback_tables.ranking(0.15, seed=1))


def test_decisions_tell_no_more_golds_than_specified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback_tables, "SIZES", (200, 500))
    monkeypatch.setattr(
        feedback_tables, "DECISIONS", [(k, h, rows[:2]) for k, h, rows in feedback_tables.DECISIONS[:2]]
    )
    monkeypatch.setattr(feedback_tables, "DECISION_SCORES", [(30, 1, feedback_tables.DECISION_SCORES[0][2][:2])])
    _within(feedback_tables.decisions(0.5, seed=1))


@pytest.mark.parametrize("attack", [attack for attack in Attack if attack is not Attack.STRONGEST])
@pytest.mark.parametrize("choices", [2, 4, 0])
def test_one_organisation_with_one_release_cannot_move_the_board(attack: Attack, choices: int) -> None:
    result = run(Rule.SEALED, 500, Attacker(choices, 1, 2), attack, decisions=3)
    assert (result.gain_points, result.se_points) == (0.0, 0.0)


def test_thirty_decisions_of_one_organisation_tell_at_most_ten_golds() -> None:
    for choices in (2, 4, 0):
        result = run(Rule.SEALED, 500, Attacker(choices, 1, 5, seed=2))
        assert result.golds_learnt <= 10.0
        assert result.items_of_decisions == 150


def test_the_attacks_are_real_where_more_is_told() -> None:
    exact = attack_scores(scores_policy(200), Attacker(2, 1, 6), exact=True)
    bands = attack_scores(scores_policy(200), Attacker(2, 1, 6))
    assert exact.gain > 0.08
    assert bands.gain > 0.05


def test_refusals_that_are_not_counted_would_let_patience_win() -> None:
    counted = sealed_policy(200, 4, rankings=1, share=0.3)
    endless = replace(counted, decisions=500)
    patient = Attacker(4, 1, 5, shares=(0.75,))
    few, many = (attack_decisions(policy, patient, Attack.PATIENT) for policy in (counted, endless))
    assert many.golds > few.golds + 2.0


def test_answers_that_are_left_out_tell_nothing() -> None:
    out = {cell.row: cell.measured for cell in feedback_tables.blanks(0.1) if cell.choices == 4}
    assert out["left out, K = 30, n = 500"] == 0.0
    assert out["wrong on purpose, K = 30, n = 500"] > 0.0


def test_a_breakdown_leaks_like_a_split_of_the_size_of_its_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback_tables, "BREAKDOWN", ((350, 25, 14.7), (350, 350, 2.7)))
    small, none = feedback_tables.breakdown(0.4)
    assert small.within
    assert none.within
    assert small.measured > 2.0 * none.measured


def test_more_hands_move_the_board_more() -> None:
    policy = sealed_policy(200, 4, rankings=1, share=0.3)
    three, thirty = (attack_ranking(policy, Attacker(4, hands, 8), Attack.FIRST) for hands in (3, 30))
    assert three.gain < thirty.gain < 0.15
