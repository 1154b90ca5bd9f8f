"""The gold participant: a search over whole games, which knows what stands where and how the dice will fall."""

import json
from collections.abc import Sequence

from envs.card_game.fish import HEALTH
from envs.card_game.match import Match
from envs.card_game.opponents import value
from envs.card_game.rules import Move
from envs.card_game.spec import CardGameSpec

Script = tuple[str, ...]
WIDTHS = (1, 2, 4, 16, 64)
BRANCHES = 3
TURNS = 40


def solve(spec: CardGameSpec, widths: Sequence[int] = WIDTHS) -> Script | None:
    """Replies that win the match of `spec` with every enemy dead; None where no search as wide as one of `widths`
    finds any."""
    return next((found for width in widths if (found := _search(spec, width)) is not None), None)


def _search(spec: CardGameSpec, width: int) -> Script | None:
    front: list[tuple[Match, Script]] = [(Match(spec), ())]
    for _ in range(TURNS):
        reached: dict[tuple[object, ...], tuple[float, Match, Script]] = {}
        for match, script in front:
            guessed = _guess(match, spec)
            for move in _promising(guessed[0], width + BRANCHES):
                after = guessed[0].copy()
                after.act(move)
                said = (*script, *guessed[1], _move_text(guessed[0], move))
                if after.won and after.damage == after.total:
                    return said
                if not after.over:
                    reached.setdefault(_key(after), (value(after.board, after.side), after, said))
            if guessed[0].won and guessed[0].damage == guessed[0].total:
                return (*script, *guessed[1])
        front = [(match, said) for _, match, said in sorted(reached.values(), key=lambda one: -one[0])[:width]]
    return None


def _guess(match: Match, spec: CardGameSpec) -> tuple[Match, Script]:
    """The match after the participant's guess, a right one where there is one, and what it says for that."""
    guessed = match.copy()
    enemies = guessed.board.teams[1 - guessed.side]
    hidden = guessed.hidden
    if not hidden and spec.protocol == "fixed":
        guessed.skip_guess()
        return guessed, ()
    position = hidden[0] if hidden else guessed.board.living(1 - guessed.side)[0]
    name = enemies[position].name
    guessed.guess(position, name)
    return guessed, (json.dumps({"guess_type": name, "target_position": position}),)


def _promising(match: Match, count: int) -> list[Move]:
    """The `count` actions after which the participant stands best, before the opponent answers."""
    if match.over:
        return []
    worth = []
    for move in match.board.moves(match.side):
        after = match.board.copy()
        after.apply(move)
        worth.append((value(after, match.side), move))
    return [move for _, move in sorted(worth, key=lambda one: -one[0])[:count]]


def _move_text(match: Match, move: Move) -> str:
    name = match.board.teams[match.side][move.fish].name
    action = "active" if move.active else "normal"
    return json.dumps({"pick_fish": name, "action": action, "target_position": move.target})


def _key(match: Match) -> tuple[object, ...]:
    return tuple((min(fish.health, HEALTH), fish.attack) for team in match.board.teams for fish in team)
