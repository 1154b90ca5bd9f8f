"""The history of a sample as AgentBench v0.2 sends it, and its published shortening."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.evaluation.history import SEGMENTS, first_kept, notice, segments
from heldout.models import Action, Observation, SessionStatus


@dataclass(frozen=True, slots=True)
class Turn:
    """What the "user" (the world) or the "agent" said."""

    role: str
    content: str


def shortened(history: Sequence[Turn], limit: int = SEGMENTS) -> list[Turn]:
    """The first turn with the latest that stay below `limit` segments in all; the first says how many are left out."""
    first = first_kept([segments(turn.content) for turn in history], limit)
    if first < len(history) and history[first].role == "user":
        first += 1
    return [Turn(history[0].role, history[0].content + notice(first - 1)), *history[first:]]


def opening(status: SessionStatus, observation: Observation) -> list[Turn]:
    """What is said before the first reply: the world's own turns, else the task and the first observation in one."""
    told = "\n\n".join(part for part in (status.instruction, observation.text) if part)
    return given(observation) or [Turn("user", told)]


def followed(history: Sequence[Turn], observation: Observation) -> list[Turn]:
    """The history with what the world says next; one that gives whole turns begins the conversation anew."""
    return given(observation) or [*history, Turn("user", observation.text)]


def given(observation: Observation) -> list[Turn]:
    """The whole turns that a world gives with an observation, or none."""
    held = observation.data.get("messages")
    turns = held if isinstance(held, list) else []
    return [Turn(str(turn["role"]), str(turn["content"])) for turn in turns]


def reply(action: Action) -> str:
    """An action as the agent's turn: its text, or its call as JSON."""
    return action.text if action.text is not None else json.dumps(action.tool)


def resumed(status: SessionStatus) -> list[Turn]:
    """The history of a session as its transcript tells it."""
    steps = status.transcript or ()
    first = next((step.observation for step in steps if step.number == 0), status.observation or Observation())
    found = opening(status, first)
    for step in steps:
        if step.action is not None:
            found.append(Turn("agent", reply(Action.model_validate(step.action))))
            if step.finish_reason is None:
                found = followed(found, step.observation)
    return found
