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
from envs.card_game import protocol
from envs.card_game.match import Match
from envs.card_game.spec import PROBES, CardGameSpec


class CardGame:
    """One match. Dice and opponent follow from the specification alone, so equal replies see equal observations."""

    def __init__(self) -> None:
        self._spec: CardGameSpec | None = None
        self._match: Match | None = None
        self._guessed: list[int] = []
        self._refused: list[int] = []

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """Deal the fish; where the opponent begins it has played. Raises SpecError."""
        del seed  # the episode's own decides, so that a recorded game can be played again
        self._spec = parse_spec(CardGameSpec, spec)
        self._match = Match(self._spec)
        asked = self._ask(self._match, self._spec)
        text = protocol.rules(self._match, self._spec) + asked.text
        return asked.model_copy(update={"text": text, "tools": protocol.tools(self._spec)})

    async def step(self, action: Action) -> StepResult:
        """Take the guess or the action. What cannot be taken is asked again, `tries` times in all: then a guess is
        passed over, and a missing action loses the match."""
        match, spec = self._open()
        if match.over:
            return _result(match, Observation())
        try:
            self._take(match, action)
        except protocol.ReplyError as error:
            return self._refuse(match, spec, error)
        self._refused.clear()
        return self._next(match, spec)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Type "match": `{"won": bool, "finished": bool, "damage": int, "total": int}`, health taken from the enemy's
        fish and what they began with. A match that was not played to its end is not won. Raises SpecError."""
        match, _ = self._open()
        seen = {"won": match.won, "finished": match.over, "damage": match.damage, "total": match.total}
        return [Evidence(name=probe.name, value=dict(seen)) for probe in probes if parse_probe(PROBES, probe)]

    async def close(self) -> None:
        """Nothing is held."""
        self._match = None

    def _open(self) -> tuple[Match, CardGameSpec]:
        if self._match is None or self._spec is None:
            raise InfrastructureError("the match has not begun, or is closed")
        return self._match, self._spec

    def _take(self, match: Match, action: Action) -> None:
        if match.phase == "guess":
            position, name = protocol.guess_of(action, match)
            self._guessed.append(position)
            match.guess(position, name)
        else:
            match.act(protocol.move_of(action, match))

    def _refuse(self, match: Match, spec: CardGameSpec, error: protocol.ReplyError) -> StepResult:
        self._refused.append(error.status)
        if len(self._refused) < spec.tries:
            asked = self._ask(match, spec)
            if spec.protocol == "fixed":
                asked = asked.model_copy(update={"text": f"That was not taken: {error}.\n{asked.text}"})
            return StepResult(observation=asked)
        worst, self._refused = min(self._refused), []
        if match.phase == "guess":
            match.skip_guess()
            return self._next(match, spec)
        match.give_up()
        finish = FinishReason.INVALID_ACTION if worst == protocol.INVALID else FinishReason.INVALID_FORMAT
        return StepResult(observation=Observation(), finish=finish, error=str(error))

    def _next(self, match: Match, spec: CardGameSpec) -> StepResult:
        asked = self._ask(match, spec)
        return _result(match, asked)

    def _ask(self, match: Match, spec: CardGameSpec) -> Observation:
        if not match.over and spec.protocol == "fixed" and match.phase == "guess" and not match.hidden:
            match.skip_guess()
        if match.over:
            return Observation()
        data = {"phase": match.phase, "tries": spec.tries - len(self._refused)}
        return Observation(text=protocol.prompt(match, spec, self._guessed), data=dict(data))


def _result(match: Match, asked: Observation) -> StepResult:
    if not match.over:
        return StepResult(observation=asked)
    outcome = "won" if match.won else "lost"
    text = f"The match is over: you {outcome}."
    return StepResult(observation=Observation(text=text), finish=FinishReason.COMPLETED, answer=outcome)
