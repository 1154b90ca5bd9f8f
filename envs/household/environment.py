"""The household environment: a participant's replies become acts in a `world.World`."""

import json
from typing import Any

from pydantic import JsonValue

from envs.base import (
    Action,
    Evidence,
    FinishReason,
    InfrastructureError,
    Observation,
    Probe,
    SpecError,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.household import protocol
from envs.household.goal import Goal
from envs.household.spec import PROBES, FactsProbe, HouseholdSpec
from envs.household.world import NOTHING_HAPPENS, Act, State, World
from envs.turns import as_text, messages

REPEATS = 3


class Household:
    """One episode. Nothing in it is drawn: the same actions give the same observations under every seed."""

    def __init__(self) -> None:
        self._spec: HouseholdSpec | None = None
        self._world: World | None = None
        self._state: State | None = None
        self._commands: dict[str, Act] = {}
        self._outputs: list[str] = []
        self._played: list[str] = []

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """The instruction, the room, the task and what can be done. Raises SpecError for a wrong specification."""
        del seed
        self._spec = parse_spec(HouseholdSpec, spec)
        self._world = World(self._spec.facts, self._spec.grammar)
        self._state = self._world.start()
        self._goal = Goal(self._spec.goal, self._spec.distinct)
        try:
            self._commands = self._world.commands(self._state)
            room = f"{self._world.intro(self._state)}\nYour task is to: {self._spec.task}"
        except KeyError as error:
            raise SpecError(f"{error} is no id: an id is a type, '_bar_' and whatever tells it from others") from None
        turns = protocol.opening(self._spec, protocol.observed(room, list(self._commands)))
        data = self._standing(self._spec) | {"messages": messages(turns)}
        return Observation(text=as_text(turns), data=data, tools=protocol.TOOLS)

    async def step(self, action: Action) -> StepResult:
        """Do what the reply says, as published: a text without an action, and the same reply three times in a row, end
        the episode; a call that names no action costs a turn."""
        spec, world, state = self._open()
        wanted = protocol.command_of(action)
        if wanted is None and action.text is not None:
            return _ended("no 'ACTION: ...' was found in the reply")
        self._outputs.append(_output(action))
        # Published, three in a row count from the fourth turn on.
        if len(self._outputs) > REPEATS and len(set(self._outputs[-REPEATS:])) == 1:
            return _ended(f"the same reply {REPEATS} times in a row")
        text, won = protocol.NUDGE, False
        if wanted is not None:
            command = protocol.chosen(wanted, list(self._commands), both_verbs=spec.rules == "fixed")
            self._played.append(command)
            text = NOTHING_HAPPENS
            if act := self._commands.get(command):
                state = self._state = world.after(state, act)
                text = world.feedback(state, act)
                self._commands = world.commands(state)
                won = self._goal.holds(world.facts(state))
        seen = Observation(text=protocol.observed(text, list(self._commands)), data=self._standing(spec))
        limit = FinishReason.TASK_LIMIT if len(self._outputs) >= spec.turns else None
        return StepResult(observation=seen, finish=FinishReason.COMPLETED if won else limit)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Evidence, in the order of `probes`. Type "facts" gives `{predicate: [[argument]]}` of what holds at the end;
        type "log" gives `{"actions": [str], "turns": int}`, the commands as they were understood."""
        return [self._see(probe) for probe in probes]

    async def close(self) -> None:
        """Nothing is held."""

    def _see(self, probe: Probe) -> Evidence:
        _, world, state = self._open()
        try:
            asked = parse_probe(PROBES, probe)
        except SpecError as error:
            return Evidence(name=probe.name, error=str(error), fault=True)
        if not isinstance(asked, FactsProbe):
            return Evidence(name=probe.name, value={"actions": list(self._played), "turns": len(self._outputs)})
        facts = world.facts(state)
        told = asked.predicates or sorted(facts)
        value: dict[str, JsonValue] = {name: [list(row) for row in sorted(facts.get(name, ()))] for name in told}
        return Evidence(name=probe.name, value=value)

    def _standing(self, spec: HouseholdSpec) -> dict[str, JsonValue]:
        return {"actions": list(self._commands), "turns": spec.turns - len(self._outputs)}

    def _open(self) -> tuple[HouseholdSpec, World, State]:
        if self._spec is None or self._world is None or self._state is None:
            raise InfrastructureError("the episode has not begun")
        return self._spec, self._world, self._state


def _output(action: Action) -> str:
    """A whole reply, to be held against others."""
    return action.text or json.dumps(action.model_dump(), sort_keys=True)


def _ended(reason: str) -> StepResult:
    return StepResult(observation=Observation(), finish=FinishReason.INVALID_ACTION, error=reason)
