"""Who a participant plays against: the two published baselines, and a ladder from chance to a search.

An opponent sees what any player sees: its own fish, the enemy's health, the kinds the enemy has, which are exposed, and
the last action. What is hidden from a player is read by none of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Protocol, TypeVar

from envs.card_game.fish import KINDS, Passive, Skill
from envs.card_game.rules import Board, Dice, Fish, Move, Record

Guess = tuple[int, str]
T = TypeVar("T")


class Opponent(Protocol):
    """One player of a match. `copy` gives one that will play the same."""

    def guess(self, board: Board) -> Guess | None: ...

    def act(self, board: Board) -> Move: ...

    def guessed(self, guess: Guess, right: bool) -> None: ...

    def saw(self, record: Record) -> None: ...

    def copy(self) -> "Opponent": ...


@dataclass(slots=True)
class RandomOpponent:
    """Guesses and acts by chance. `names` are the kinds of the enemy's team."""

    names: tuple[str, ...]
    dice: Dice
    last: Record | None = None

    def guess(self, board: Board) -> Guess | None:
        """Any hidden enemy, any kind."""
        hidden = hidden_enemies(board)
        return (self._one(hidden), self._one(self.names)) if hidden else None

    def act(self, board: Board) -> Move:
        """Any action."""
        return self._one(tuple(board.moves(board.player)))

    def guessed(self, guess: Guess, right: bool) -> None:
        """Nothing is learned."""

    def saw(self, record: Record) -> None:
        """The last action is kept."""
        self.last = record

    def copy(self) -> "Opponent":
        """The same, with dice that fall the same."""
        return type(self)(self.names, self.dice.copy(), self.last)

    def _one(self, choices: Sequence[T]) -> T:
        return choices[self.dice.below(len(choices))]


class FirstBaseline(RandomOpponent):
    """The first published baseline: the first living fish acts, on the first living enemy, mostly with its skill."""

    __slots__ = ()

    def guess(self, board: Board) -> Guess | None:
        """The first hidden enemy, any kind."""
        hidden = hidden_enemies(board)
        return (hidden[0], self._one(self.names)) if hidden else None

    def act(self, board: Board) -> Move:
        """A normal attack in 3 of 10 cases, else the skill where it has a target."""
        first = board.living(board.player)[0]
        moves = [move for move in board.moves(board.player) if move.fish == first]
        normal = self.dice.below(10) < 3
        return next((move for move in moves if move.active is not normal), moves[0])


@dataclass(slots=True)
class SecondBaseline:
    """The second published baseline: it guesses from the skills it saw, finishes the weak and prefers AOE."""

    names: tuple[str, ...]
    dice: Dice
    clues: tuple[set[str], ...] = field(default_factory=lambda: tuple(set() for _ in range(4)))
    attacker: int | None = None

    def guess(self, board: Board) -> Guess | None:
        """The kind whose skills were both seen at a place; else a hidden enemy and a kind that is not exposed."""
        hidden = hidden_enemies(board)
        if not hidden:
            return None
        shown = {fish.name for fish in board.teams[1 - board.player] if fish.exposed}
        names = [name for name in self.names if name not in shown]
        for position in hidden:
            for name in names:
                if {KINDS[name].active, KINDS[name].passive} <= self.clues[position]:
                    return position, name
        return hidden[self.dice.below(len(hidden))], names[self.dice.below(len(names))]

    def act(self, board: Board) -> Move:
        """The kill, else AOE on several, else a Crit, else the strongest fish on whoever acted last."""
        own, enemies = board.teams[board.player], board.teams[1 - board.player]
        living = board.living(1 - board.player)
        strongest = max(board.living(board.player), key=lambda position: own[position].attack)
        weakest = min(living, key=lambda position: enemies[position].health)
        if own[strongest].attack / 2 >= enemies[weakest].health:
            return Move(strongest, False, weakest)
        skilled = [move for move in board.moves(board.player) if move.active]
        wide = [move for move in skilled if own[move.fish].kind.active is Skill.AOE]
        if len(living) >= 2 and wide:
            return next((move for move in wide if own[move.fish].name == "spray"), wide[0])
        for move in skilled:
            kind = own[move.fish].kind
            if kind.active is Skill.CRIT and (kind.fixed is None or move.target == weakest):
                return move
        return Move(strongest, False, self.attacker if self.attacker in living else living[0])

    def guessed(self, guess: Guess, right: bool) -> None:
        """As published, a wrong guess teaches it nothing."""

    def saw(self, record: Record) -> None:
        """The skills of the enemy, and the passives that showed on its side."""
        self.attacker = record.fish
        if record.skill is not Skill.NORMAL:
            self.clues[record.fish].add(record.skill)
        for side, position, passive in record.passives:
            if side == record.player:
                self.clues[position].add(passive)

    def copy(self) -> "Opponent":
        """The same, with clues and dice of its own."""
        return SecondBaseline(self.names, self.dice.copy(), tuple(set(seen) for seen in self.clues), self.attacker)


@dataclass(slots=True)
class SearchOpponent:
    """Looks ahead on boards that agree with what it saw, at most `nodes` positions an action.

    With nodes for its own actions alone it is greedy; with more it weighs the enemy's best reply to each of them.
    """

    names: tuple[str, ...]
    dice: Dice
    nodes: int
    orders: list[tuple[str, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Every order that the enemy's fish may stand in."""
        if not self.orders:
            self.orders = list(permutations(self.names))

    def guess(self, board: Board) -> Guess | None:
        """The place and kind that most of the possible orders have."""
        hidden = hidden_enemies(board)
        if not hidden:
            return None
        choices = [(position, name) for position in hidden for name in self.names]
        return max(choices, key=lambda choice: sum(order[choice[0]] == choice[1] for order in self.orders))

    def act(self, board: Board) -> Move:
        """The action after which it stands best, the enemy's best reply counted where there are nodes for it."""
        me = board.player
        supposed = self._supposed(board)
        tried = []
        for move in supposed.moves(me):
            after = supposed.copy()
            after.apply(move)
            tried.append((value(after, me), move, after))
        tried.sort(key=lambda one: -one[0])
        left = self.nodes - len(tried)
        best, chosen = float("-inf"), tried[0][1]
        for worth, move, after in tried:
            weighed = worth
            if after.winner is None:
                replies = list(after.moves(after.player))
                left -= len(replies)
                if left < 0:
                    break
                weighed = min(_worth(after, reply, me) for reply in replies)
            if weighed > best:
                best, chosen = weighed, move
        return chosen

    def guessed(self, guess: Guess, right: bool) -> None:
        """The orders that disagree are out."""
        self._keep(lambda order: (order[guess[0]] == guess[1]) is right)

    def saw(self, record: Record) -> None:
        """The orders in which the enemy could not have done that are out."""
        if record.skill is not Skill.NORMAL:
            self._keep(lambda order: KINDS[order[record.fish]].active is record.skill)
        self.showed(record.player, record.passives)

    def showed(self, side: int, passives: Sequence[tuple[int, int, Passive]]) -> None:
        """Passives of `side`, the enemy's, that were seen."""
        for seen, position, passive in passives:
            if seen == side:
                self._keep(lambda order, at=position, by=passive: KINDS[order[at]].passive is by)  # type: ignore[misc]

    def copy(self) -> "Opponent":
        """The same, with orders and dice of its own."""
        return SearchOpponent(self.names, self.dice.copy(), self.nodes, list(self.orders))

    def _keep(self, fits: Callable[[tuple[str, ...]], bool]) -> None:
        self.orders = [order for order in self.orders if fits(order)] or self.orders

    def _supposed(self, board: Board) -> Board:
        """The board with the enemy's hidden fish in one of the possible orders and dice of its own."""
        order = self.orders[self.dice.below(len(self.orders))]
        supposed = board.copy()
        supposed.dice = Dice(self.dice.below(1 << 62))
        for real, fish, name in zip(
            board.teams[1 - board.player], supposed.teams[1 - board.player], order, strict=True
        ):
            stand_in = Fish(real.name if real.exposed else name)
            fish.name, fish.kind, fish.attack, fish.wound = stand_in.name, stand_in.kind, stand_in.attack, 0
        return supposed


def hidden_enemies(board: Board) -> list[int]:
    """Living enemies of the player whose kind is not exposed."""
    enemies = board.teams[1 - board.player]
    return [position for position in board.living(1 - board.player) if not enemies[position].exposed]


def value(board: Board, me: int) -> float:
    """How well `me` stands: health and attack points of living fish against the enemy's."""
    if board.winner is not None:
        return 1e6 if board.winner == me else -1e6
    sides = [sum(100 + fish.health + fish.attack / 4 for fish in team if fish.alive) for team in board.teams]
    return sides[me] - sides[1 - me]


def _worth(after: Board, reply: Move, me: int) -> float:
    then = after.copy()
    then.apply(reply)
    return value(then, me)


LADDER: Mapping[str, Callable[[tuple[str, ...], Dice], Opponent]] = {
    "random": RandomOpponent,
    "baseline1": FirstBaseline,
    "baseline2": SecondBaseline,
    "greedy": lambda names, dice: SearchOpponent(names, dice, nodes=24),
    "search": lambda names, dice: SearchOpponent(names, dice, nodes=150),
}
"""Opponents by name, about from weak to strong."""
