"""The rules of the card game against vectors that were taken from the published engine."""

import pytest

from envs.card_game.fish import HEALTH, KINDS, PUBLISHED
from envs.card_game.rules import Board, Move, RuleError

SPRAY, FLAME, EEL, SUNFISH = range(4)


def board(*teams: tuple[str, ...]) -> Board:
    return Board(teams or (PUBLISHED, PUBLISHED), seed=1)


def turn(on: Board, move: Move) -> None:
    on.skip_guess()
    on.act(move)


def health(on: Board, side: int) -> list[int]:
    return [fish.health for fish in on.teams[side]]


@pytest.mark.parametrize(
    ("move", "left"),
    [
        (Move(SPRAY, True), [316, 316, 344, 344]),
        (Move(EEL, True), [316, 316, 344, 344]),
        (Move(SPRAY, False, EEL), [390, 390, 330, 390]),
    ],
)
def test_one_attack_on_a_fresh_team(move: Move, left: list[int]) -> None:
    on = board()
    turn(on, move)
    assert health(on, 1) == left
    assert health(on, 0) == [HEALTH] * 4


def test_infight_takes_from_an_ally_and_strengthens() -> None:
    on = board()
    turn(on, Move(FLAME, True, SPRAY))
    assert health(on, 0) == [325, 400, 400, 400]
    turn(on, Move(SUNFISH, True, EEL))
    turn(on, Move(FLAME, False, SPRAY))
    assert health(on, 1)[SPRAY] == 400 - 170


def test_a_weak_fish_is_avenged_also_when_it_dies() -> None:
    on = board()
    attackers = []
    for _ in range(4):
        turn(on, Move(FLAME, False, SPRAY))
        attackers.append((on.teams[1][SPRAY].health, on.teams[0][FLAME].health))
        if on.winner is None:
            turn(on, Move(SUNFISH, True, EEL))
            on.teams[1][EEL].health = HEALTH
    assert attackers == [(300, 400), (200, 400), (100, 370), (0, 340)]
    assert not on.teams[1][SPRAY].alive


def test_a_right_guess_costs_the_whole_team() -> None:
    on = board()
    assert on.guess(0, "spray")
    assert health(on, 1) == [350] * 4
    on.act(Move(SPRAY, True))
    turn(on, Move(SPRAY, True))
    with pytest.raises(RuleError, match="unexposed"):
        on.guess(0, "spray")
    assert not on.guess(1, "eel")


def test_wounds_strengthen_who_deflects() -> None:
    on = board()
    on.teams[0][SPRAY].attack = 600
    turn(on, Move(SPRAY, False, EEL))
    assert on.teams[1][EEL].health == 400 - 210
    assert on.teams[1][EEL].attack == 240


def test_other_fish() -> None:
    on = board(("whiteshark", "octopus", "barracuda", "mobula"), ("hammerhead", "octopus", "eel", "flame"))
    turn(on, Move(1, True, 0))
    shielded = on.teams[0][0]
    assert (shielded.shield, shielded.attack) == (True, 120)
    shielded.health = 300
    turn(on, Move(2, False, 0))
    assert (shielded.shield, shielded.health) == (False, 300 - 30 + 20)
    on.teams[1][0].health = 100
    on.teams[1][3].kind = KINDS["eel"]
    turn(on, Move(0, True, 0))
    assert not on.teams[1][0].alive, "120 attack points at 140% are 168"
    assert shielded.health == 290 - 40, "it explodes"


def test_a_dodge_has_the_chance_of_three_in_ten() -> None:
    missed = 0
    for seed in range(400):
        on = Board((PUBLISHED, ("barracuda", "mobula", "turtle", "octopus")), seed)
        turn(on, Move(SPRAY, False, 0))
        missed += health(on, 1)[0] == HEALTH
    assert 90 <= missed <= 150


def test_the_phases_end_a_match() -> None:
    on = Board((PUBLISHED, PUBLISHED), seed=1, limit=4)
    turn(on, Move(SPRAY, False, SPRAY))
    turn(on, Move(FLAME, True, SPRAY))
    assert on.winner == 0
    even = Board((PUBLISHED, PUBLISHED), seed=1, limit=2)
    turn(even, Move(FLAME, True, SUNFISH))
    assert even.winner == 1


def test_what_is_not_allowed() -> None:
    for move in (Move(FLAME, True, FLAME), Move(4, False, 0), Move(0, False, 4), Move(0, False, -1)):
        on = board()
        on.skip_guess()
        with pytest.raises(RuleError):
            on.act(move)
