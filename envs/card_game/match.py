"""One side of a match, and a match of a participant against an opponent that plays whenever it is its turn."""

from typing import Literal

from envs.card_game.fish import HEALTH, Skill
from envs.card_game.opponents import LADDER, Opponent, SearchOpponent
from envs.card_game.rules import Board, Dice, Move, Record
from envs.card_game.spec import CardGameSpec

Phase = Literal["guess", "move"]


class Side:
    """What one player of a board sees and does, and the phase in which it is asked."""

    def __init__(self, board: Board, side: int) -> None:
        self.board, self.side = board, side
        self.phase: Phase = "guess"
        self.last_guess: bool | None = None
        self.own: Record | None = None
        self.enemy: Record | None = None
        self.forfeit = False

    @property
    def over(self) -> bool:
        """Whether it is decided."""
        return self.forfeit or self.board.winner is not None

    @property
    def won(self) -> bool:
        """Whether this player won."""
        return not self.forfeit and self.board.winner == self.side

    @property
    def hidden(self) -> list[int]:
        """The positions of living enemies that the player has not exposed."""
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
        """The player's guess; one at an exposed fish is none. Raises RuleError for a dead one."""
        if self.board.teams[1 - self.side][position].exposed:
            self.skip_guess()
            return
        self.last_guess = self.board.guess(position, name)
        self.phase = "move"

    def skip_guess(self) -> None:
        """The player guesses nothing."""
        self.last_guess = None
        self.board.skip_guess()
        self.phase = "move"

    def act(self, move: Move) -> None:
        """The player's action. Raises RuleError."""
        self.own = self.board.act(move)
        self.phase = "guess"

    def give_up(self) -> None:
        """The player loses."""
        self.forfeit = True


class Match(Side):
    """A participant's side, with the opponent who plays the other. The same for the same specification."""

    def __init__(self, spec: CardGameSpec) -> None:
        teams = (spec.team, spec.enemy) if spec.first else (spec.enemy, spec.team)
        super().__init__(Board(teams, spec.seed, spec.phases), 0 if spec.first else 1)
        dice = Dice(spec.seed ^ 0x5DEECE66D)
        self.opponent: Opponent = LADDER[spec.opponent](tuple(sorted(spec.team)), dice)
        self._opponent_plays()

    def copy(self) -> "Match":
        """A match of its own that goes on the same."""
        made = Match.__new__(Match)
        made.__dict__.update(self.__dict__)
        made.board, made.opponent = self.board.copy(), self.opponent.copy()
        return made

    def act(self, move: Move) -> None:
        """The participant's action, and then the opponent's turn. Raises RuleError."""
        super().act(move)
        assert self.own is not None
        # A searching opponent learns from what its enemy does and from what its own hits bring to light.
        self.opponent.saw(self.own)
        self._opponent_plays()

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
