"""One match of a participant against an opponent that plays whenever it is its turn."""

from typing import Literal

from envs.card_game.fish import HEALTH, Skill
from envs.card_game.opponents import LADDER, Opponent, SearchOpponent
from envs.card_game.rules import Board, Dice, Move, Record
from envs.card_game.spec import CardGameSpec

Phase = Literal["guess", "move"]


class Match:
    """The board, the opponent, and the phase in which the participant is asked. The same for the same specification."""

    def __init__(self, spec: CardGameSpec) -> None:
        self.side = 0 if spec.first else 1
        teams = (spec.team, spec.enemy) if spec.first else (spec.enemy, spec.team)
        self.board = Board(teams, spec.seed, spec.phases)
        dice = Dice(spec.seed ^ 0x5DEECE66D)
        self.opponent: Opponent = LADDER[spec.opponent](tuple(sorted(spec.team)), dice)
        self.phase: Phase = "guess"
        self.last_guess: bool | None = None
        self.own: Record | None = None
        self.enemy: Record | None = None
        self.forfeit = False
        self._opponent_plays()

    def copy(self) -> "Match":
        """A match of its own that goes on the same."""
        made = Match.__new__(Match)
        made.__dict__.update(self.__dict__)
        made.board, made.opponent = self.board.copy(), self.opponent.copy()
        return made

    @property
    def over(self) -> bool:
        """Whether it is decided."""
        return self.forfeit or self.board.winner is not None

    @property
    def won(self) -> bool:
        """Whether the participant won."""
        return not self.forfeit and self.board.winner == self.side

    @property
    def hidden(self) -> list[int]:
        """The positions of living enemies that the participant has not exposed."""
        return [i for i in self.board.living(1 - self.side) if not self.board.teams[1 - self.side][i].exposed]

    @property
    def damage(self) -> int:
        """The health that the enemy's fish have lost, of `total`."""
        return sum(HEALTH - fish.health for fish in self.board.teams[1 - self.side])

    @property
    def total(self) -> int:
        """The health that the enemy's fish began with."""
        return HEALTH * len(self.board.teams[1 - self.side])

    def guess(self, position: int, name: str) -> None:
        """The participant's guess; one at an exposed fish is none. Raises RuleError for a dead one."""
        if self.board.teams[1 - self.side][position].exposed:
            self.skip_guess()
            return
        self.last_guess = self.board.guess(position, name)
        self.phase = "move"

    def skip_guess(self) -> None:
        """The participant guesses nothing."""
        self.last_guess = None
        self.board.skip_guess()
        self.phase = "move"

    def act(self, move: Move) -> None:
        """The participant's action, and then the opponent's turn. Raises RuleError."""
        record = self.board.act(move)
        self.own = record
        # A searching opponent learns from what its enemy does and from what its own hits bring to light.
        self.opponent.saw(record)
        self.phase = "guess"
        self._opponent_plays()

    def give_up(self) -> None:
        """The participant loses."""
        self.forfeit = True

    def _opponent_plays(self) -> None:
        if not self.over and self.board.player != self.side:
            self._opponent_guesses()
            self._opponent_acts()

    def _opponent_guesses(self) -> None:
        guess = self.opponent.guess(self.board)
        if guess is None:
            self.board.skip_guess()
        else:
            self.opponent.guessed(guess, self.board.guess(*guess))

    def _opponent_acts(self) -> None:
        if self.over:
            return
        self.enemy = self.board.act(self.opponent.act(self.board))
        if isinstance(self.opponent, SearchOpponent):
            self.opponent.showed(self.side, self.enemy.passives)


def target_side(skill: Skill) -> Literal["own", "enemy"]:
    """On which side the targets of an action stand."""
    return "own" if skill in (Skill.INFIGHT, Skill.SUBTLE) else "enemy"
