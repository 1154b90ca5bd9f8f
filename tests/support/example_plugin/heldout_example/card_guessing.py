"""A world of one's own: guess the card that lies on the table."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from envs.base import (
    Action,
    Evidence,
    FinishReason,
    NoArguments,
    Observation,
    Probe,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.definition import EnvironmentDefinition

PROBES = {"guesses": NoArguments}


class CardGuessingSpec(BaseModel):
    """The number on the card, from 1 to 13."""

    model_config = ConfigDict(extra="forbid")

    card: int = Field(ge=1, le=13)


class CardGuessing:
    """Each guess costs a point; the right one ends the game and is its answer."""

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        self._card, self._guesses = parse_spec(CardGuessingSpec, spec).card, list[str]()
        return Observation(text="Guess my card, from 1 to 13.")

    async def step(self, action: Action) -> StepResult:
        said = (action.text or "").strip()
        self._guesses.append(said)
        if said == str(self._card):
            return StepResult(observation=Observation(), finish=FinishReason.COMPLETED, answer=said, reward=1.0)
        hint = "higher" if said.isdecimal() and int(said) < self._card else "lower"
        return StepResult(observation=Observation(text=hint), reward=-1.0)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        return [Evidence(name=one.name, value=list(self._guesses)) for one in probes if parse_probe(PROBES, one)]

    async def close(self) -> None:
        """Nothing is held."""


ENVIRONMENT = EnvironmentDefinition(name="card_guessing", spec=CardGuessingSpec, probes=PROBES, create=CardGuessing)
