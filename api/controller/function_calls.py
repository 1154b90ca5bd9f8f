"""The function-calling variant's conversations over the same samples: OpenAI's messages, tools, and tool calls."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from api.controller.history import Turn, followed, given, opening
from api.controller.samples import RUNNING, Sample, Samples
from heldout.models import Action, Observation, SessionStatus, Tool, Verdict
from heldout.sessions import Session

Message = dict[str, Any]
HOW = (
    "Act by calling the tools that you are given. Where actions are described or shown in writing, call the tool that"
    " does the same instead; write only what no tool does."
)
WRITTEN = ("Final Answer: #", "Find Answer: #")
"""How the published text ends an episode of the knowledge graph, for which there is no tool."""
NO_CALL = Action(tool={"name": "", "arguments": {}})
"""Stands for a message without a call: the world says what there is to call, and a turn is gone."""
JUDGING_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Call:
    """An action of the agent, and the id of the tool call that it came by, if it did."""

    action: Action
    id: str | None = None

    def answered(self, text: str) -> Message:
        """What was seen after it, as its message."""
        if self.id is None:
            return {"role": "user", "content": text}
        return {"role": "tool", "tool_call_id": self.id, "content": text}

    def asked(self) -> Message:
        """The agent's own message, of which only the action is known."""
        if self.action.tool is None or self.id is None:
            return {"role": "assistant", "content": self.action.text or "(no call)"}
        name, arguments = self.action.tool["name"], json.dumps(self.action.tool.get("arguments", {}))
        call = {"id": self.id, "type": "function", "function": {"name": name, "arguments": arguments}}
        return {"role": "assistant", "content": "", "tool_calls": [call]}


class FunctionCalls:
    """Samples as the function-calling variant plays them. Safe to use from several threads."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples

    def start(self, name: str, index: str) -> tuple[int, dict[str, Any]]:
        """The number of a sample and its conversation so far. Raises what `Samples.open` raises."""
        sample = self._samples.open(name, index)
        return sample.id, _reply(sample, conversation(sample.session.refresh()))

    def interact(self, number: int, messages: Sequence[Message]) -> dict[str, Any]:
        """Take the agent's messages: each call is a turn. Only what is new is answered."""
        with self._samples.turn(number) as sample:
            return _reply(sample, list(_played(sample, calls(messages))))

    def cancel(self, number: int) -> None:
        """Give a sample up."""
        self._samples.cancel(number)


def calls(messages: Sequence[Message]) -> list[Call]:
    """The actions of an agent's messages; without a call it is one, too. Arguments that are no object are none."""
    asked = [call for message in messages for call in message.get("tool_calls") or ()]
    if asked:
        return [Call(Action(tool=_tool(call.get("function") or {})), str(call.get("id") or "")) for call in asked]
    text = "\n".join(_text(message.get("content")) for message in messages)
    return [Call(Action(text=text) if any(mark in text for mark in WRITTEN) else NO_CALL)]


def _tool(function: dict[str, Any]) -> dict[str, Any]:
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except (TypeError, ValueError):
        arguments = None
    return {"name": str(function.get("name") or ""), "arguments": arguments if isinstance(arguments, dict) else {}}


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return str(content or "")


def conversation(status: SessionStatus) -> list[Message]:
    """All of it, out of a transcript; it begins with a system message, at which clients begin anew."""
    steps = status.transcript or ()
    first = next((step.observation for step in steps if step.number == 0), status.observation or Observation())
    found = _begun(opening(status, first))
    for step in steps:
        if step.action is None:
            continue
        action = Action.model_validate(step.action)
        call = Call(action, f"call-{step.number}" if action.tool and action.tool.get("name") else None)
        if step.finish_reason is None and given(step.observation):
            found = _begun(given(step.observation))
        else:
            found += [call.asked(), call.answered(step.observation.text)]
    return found


def _begun(turns: Sequence[Turn]) -> list[Message]:
    roles = {"agent": "assistant"}
    said = [{"role": roles.get(turn.role, turn.role), "content": turn.content} for turn in turns]
    return [{"role": "system", "content": HOW}, *said]


def _played(sample: Sample, asked: Sequence[Call]) -> Iterator[Message]:
    for call in asked:
        observation = sample.act(call.action)
        if observation is None:
            return
        if sample.status == RUNNING and given(observation):
            # The calls that are left were about what is no longer asked.
            yield from _begun(followed((), observation))
            return
        yield call.answered(observation.text)
        if sample.status != RUNNING:
            return


def _reply(sample: Sample, messages: list[Message]) -> dict[str, Any]:
    ended = sample.status != RUNNING
    verdict = _verdict(sample.session) if ended else None
    reason = sample.session.finish_reason
    return {
        "finish": ended,
        "status": "cancelled" if reason == "cancelled" else sample.status,
        "messages": messages,
        "tools": [_function(tool) for tool in sample.session.tools],
        "reward": verdict and verdict.score,
        "metrics": {"score": verdict.score} if verdict else {},
        "result": {"session": sample.session.id, "finish_reason": reason} if ended else None,
    }


def _function(tool: Tool) -> dict[str, Any]:
    described = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": described}


def _verdict(session: Session) -> Verdict | None:
    """How it was judged; None on splits that do not tell it, and where it takes too long."""
    try:
        return session.judged(JUDGING_SECONDS)
    except TimeoutError:
        return None
