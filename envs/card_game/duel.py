"""A match of two participants: each has a session of its own on one board, and sees what any player sees.

Who does not reply in `seconds`, or cannot be reached any more, loses at once, whatever the board says; so does who has
no reply that can be taken in all its tries at an action.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from envs.base import Action, Observation
from envs.card_game.match import Side
from envs.card_game.opponents import LADDER, SearchOpponent
from envs.card_game.rules import Board, Dice, Move
from envs.card_game.spec import CardGameSpec, OpponentName
from envs.card_game.turns import Turns

Ended = Literal["played", "no action", "too slow", "gone"]
Session = Callable[[Observation], Awaitable[Action]]
"""One side of a match: gets what is asked, gives the reply. Raises GoneError."""


class GoneError(Exception):
    """A participant cannot be asked any more; the message says why."""


class Participant(Protocol):
    """Somebody who plays matches."""

    @property
    def name(self) -> str:
        """What a rating stands under."""
        ...

    def begin(self, side: Side, spec: CardGameSpec) -> Session: ...


@dataclass(frozen=True)
class Result:
    """How a match ended: the winner, 0 for who moved first, and for what reason; after how many guesses and actions."""

    winner: int
    ended: Ended
    phases: int


class Duel:
    """The board and both sides. `spec` is the match as the first mover sees it; its opponent is not used.

    What it is follows from the replies alone: asking changes nothing. `result` is set once it is over.
    """

    def __init__(self, spec: CardGameSpec) -> None:
        self.board = Board((spec.team, spec.enemy), spec.seed, spec.phases)
        mirrored = spec.model_copy(update={"team": spec.enemy, "enemy": spec.team, "first": False})
        first, second = spec.model_copy(update={"first": True}), mirrored
        self.turns = (Turns(Side(self.board, 0), first), Turns(Side(self.board, 1), second))
        self.result: Result | None = None
        self._replied = [False, False]
        self._advance()

    @property
    def player(self) -> int:
        """Whose turn it is, 0 for who moves first."""
        return self.board.player

    def asked(self) -> Observation:
        """What the player on turn is asked."""
        turns = self.turns[self.player]
        return turns.ask() if self._replied[self.player] else turns.opening()

    def take(self, reply: Action) -> None:
        """Take the reply of the player on turn."""
        player = self.player
        turns = self.turns[player]
        before = turns.side.own
        self._replied[player] = True
        if turns.take(reply) is not None:
            self.lose(player, "no action")
        elif turns.side.own is not before:
            self.turns[1 - player].side.enemy = turns.side.own
        self._advance()

    def lose(self, player: int, ended: Ended) -> None:
        """The player loses, if the match is not over."""
        self.result = self.result or Result(1 - player, ended, self.board.phases)

    def _advance(self) -> None:
        self.turns[self.player].pass_known()
        if self.board.winner is not None:
            self.result = self.result or Result(self.board.winner, "played", self.board.phases)

    async def play(self, participants: tuple[Participant, Participant], seconds: float) -> Result:
        """Play the match to its end."""
        sessions = [one.begin(turns.side, turns.spec) for one, turns in zip(participants, self.turns, strict=True)]
        while self.result is None:
            player = self.player
            try:
                self.take(await asyncio.wait_for(sessions[player](self.asked()), seconds))
            except TimeoutError:
                self.lose(player, "too slow")
            except GoneError:
                self.lose(player, "gone")
        return self.result


@dataclass(frozen=True)
class BuiltIn:
    """One of the ladder's opponents as a participant."""

    name: OpponentName

    def begin(self, side: Side, spec: CardGameSpec) -> Session:
        """It replies in the text protocol, like anybody."""
        player = LADDER[self.name](tuple(sorted(spec.enemy)), Dice(spec.seed ^ 0x5DEECE66D))
        pending: list[tuple[int, str]] = []
        known: list[object] = [None, None]

        async def reply(asked: Observation) -> Action:
            if pending:
                player.guessed(pending[0], bool(side.last_guess))
                pending.clear()
            if side.enemy is not None and side.enemy is not known[0]:
                known[0] = side.enemy
                player.saw(side.enemy)
            if side.own is not None and side.own is not known[1]:
                known[1] = side.own
                if isinstance(player, SearchOpponent):
                    player.showed(1 - side.side, side.own.passives)
            if asked.data["phase"] == "move":
                return Action(text=_written(player.act(side.board), spec))
            guess = player.guess(side.board)
            if guess is None:
                return Action(text="")
            pending.append(guess)
            return Action(text=json.dumps({"guess_type": guess[1], "target_position": guess[0]}))

        return reply


def _written(move: Move, spec: CardGameSpec) -> str:
    act = "active" if move.active else "normal"
    return json.dumps({"pick_fish": spec.team[move.fish], "action": act, "target_position": move.target})
