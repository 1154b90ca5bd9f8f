"""The echo: an observation is the text of the action before it."""

import json
import re
from typing import Any

from envs.base import (
    Action,
    Evidence,
    FinishReason,
    Observation,
    Probe,
    StepResult,
    Tool,
    parse_spec,
)
from envs.echo.spec import EchoSpec

_FINISH = re.compile(r"^\s*finish\[(.*)\]\s*$", re.DOTALL)
_TOOLS = (
    Tool(
        name="say",
        description="Say a text; it is repeated.",
        parameters={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    ),
    Tool(
        name="finish",
        description="End the episode with an answer.",
        parameters={"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]},
    ),
)


class Echo:
    """An environment with no world: an observation is the text of the action before it."""

    def __init__(self) -> None:
        self._spec = EchoSpec()
        self._seed = 0
        self._actions: list[str] = []

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """The greeting. Raises SpecError for a field that is not known."""
        self._spec, self._seed, self._actions = parse_spec(EchoSpec, spec), seed, []
        return Observation(text=self._spec.greeting, tools=_TOOLS)

    async def step(self, action: Action) -> StepResult:
        """Repeat the text, or end."""
        text = self._text(action)
        if text is None:
            seen = Observation(text="there are two tools: say(text) and finish(answer)")
            return StepResult(observation=seen, finish=FinishReason.INVALID_ACTION, error="unknown tool or argument")
        self._actions.append(text)
        if found := _FINISH.match(text):
            return StepResult(observation=Observation(), finish=FinishReason.COMPLETED, answer=found.group(1))
        last = len(self._actions) >= self._spec.steps
        observation = Observation(text=text, data={"number": len(self._actions)})
        return StepResult(observation=observation, finish=FinishReason.TASK_LIMIT if last else None)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Type "log" tells every action; another type is a fault of the benchmark."""
        return [self._see(probe) for probe in probes]

    async def close(self) -> None:
        """Nothing is held."""

    def _see(self, probe: Probe) -> Evidence:
        if probe.type != "log":
            return Evidence(
                name=probe.name, error=f"unknown probe type '{probe.type}'; the echo knows 'log'", fault=True
            )
        return Evidence(name=probe.name, value=json.loads(json.dumps({"actions": self._actions, "seed": self._seed})))

    @staticmethod
    def _text(action: Action) -> str | None:
        if action.tool is None:
            return action.text
        field = {"say": "text", "finish": "answer"}.get(action.tool.name)
        value = action.tool.arguments.get(field) if field else None
        if not isinstance(value, str):
            return None
        return f"finish[{value}]" if field == "answer" else value
