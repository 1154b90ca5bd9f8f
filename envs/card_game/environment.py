"""The card game as an environment: a step is a reply to what is asked, a guess or an action."""

from typing import Any

from envs.base import (
    Action,
    Evidence,
    FinishReason,
    InfrastructureError,
    Observation,
    Probe,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.card_game.match import Match
from envs.card_game.spec import PROBES, CardGameSpec
from envs.card_game.turns import Turns


class CardGame:
    """One match. Dice and opponent follow from the specification alone, so equal replies see equal observations."""

    def __init__(self) -> None:
        self._turns: Turns | None = None

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """Deal the fish; where the opponent begins it has played. Raises SpecError."""
        del seed  # the episode's own decides, so that a recorded game can be played again
        read = parse_spec(CardGameSpec, spec)
        self._turns = Turns(Match(read), read)
        return self._turns.opening()

    async def step(self, action: Action) -> StepResult:
        """Take the guess or the action; see `Turns.take`."""
        turns = self._open()
        if turns.side.over:
            return _result(turns, Observation())
        finish = turns.take(action)
        if finish is not None:
            return StepResult(observation=Observation(), finish=finish, error=turns.error)
        return _result(turns, turns.ask())

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Type "match": `{"won": bool, "finished": bool, "damage": int, "total": int}`, health taken from the enemy's
        fish and what they began with. A match that was not played to its end is not won. Raises SpecError."""
        match = self._open().side
        seen = {"won": match.won, "finished": match.over, "damage": match.damage, "total": match.total}
        return [Evidence(name=probe.name, value=dict(seen)) for probe in probes if parse_probe(PROBES, probe)]

    async def close(self) -> None:
        """Nothing is held."""
        self._turns = None

    def _open(self) -> Turns:
        if self._turns is None:
            raise InfrastructureError("the match has not begun, or is closed")
        return self._turns


def _result(turns: Turns, asked: Observation) -> StepResult:
    if not turns.side.over:
        return StepResult(observation=asked)
    outcome = "won" if turns.side.won else "lost"
    text = f"The match is over: you {outcome}."
    return StepResult(observation=Observation(text=text), finish=FinishReason.COMPLETED, answer=outcome)
