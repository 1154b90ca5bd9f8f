"""The reply to an action as its participant gets it, whichever process sends it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from api.hosting.protocol import StepReply
from protection import canaries


@dataclass(slots=True)
class ObservationPublic:
    """What is seen: text, plain data, base64 PNGs by name."""

    text: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    images: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class StepPublic:
    """The reply to an action. `finish_reason` is set by the last one."""

    session: str
    number: int
    observation: ObservationPublic
    finish_reason: str | None
    answer: str | None
    error: str | None
    steps_left: int
    deadline: datetime | None


def step_view(public: str, step_limit: int, deadline: datetime | None, reply: StepReply) -> StepPublic:
    """The reply to an action in the session that its participant calls `public`."""
    return StepPublic(
        session=public,
        number=reply.number,
        observation=observation_view(reply.observation),
        finish_reason=reply.finish,
        answer=reply.answer,
        error=reply.error,
        steps_left=0 if reply.finish else max(0, step_limit - reply.number),
        deadline=deadline,
    )


def observation_view(observation: Mapping[str, Any]) -> ObservationPublic:
    """An observation as a participant gets it: without canaries, which an agent would spread by copying."""
    text = observation.get("text") or ""
    return ObservationPublic(
        text=canaries.strip(text, ()) if text else text,
        data=observation.get("data") or {},
        images=observation.get("images") or {},
    )
