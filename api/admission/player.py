"""The one player of episodes. Whoever acts, and wherever the episode runs, it is played and ended in the same way."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from pydantic import ValidationError

from api.admission.in_time import in_time
from envs import fitness
from envs.base import Action, Environment, Evidence, FinishReason, InfrastructureError, Observation, Probe, StepResult
from packs.problem import Episode

# An environment has its own, tighter limits; this one ends what hangs in spite of them.
CALL_SECONDS = 600.0

Policy = Callable[[Observation, int], Action | None]
"""Gives the next action for the last observation and the number of steps played so far; None ends the episode.

Raises InvalidFormatError instead of giving what is no action; the episode then ends as `invalid_format`.
"""


def episode_seed(identity: bytes) -> int:
    """The seed of an episode's environment, in [0, 2**31): the same for everybody, so that it can be replayed."""
    return int.from_bytes(hashlib.sha256(identity).digest()[:4], "big") >> 1


class InvalidFormatError(ValueError):
    """What should be an action is none."""


@dataclass(frozen=True)
class Trajectory:
    """Actions of one episode in order, and how it ends after the last of them if it has not ended by itself."""

    actions: tuple[Action, ...]
    reason: FinishReason = FinishReason.COMPLETED


def parse_trajectory(entries: Sequence[Any]) -> Trajectory:
    """The actions up to the first entry that is none, which ends the episode as `invalid_format`.

    An entry is an action, or an object with an `action`; what it claims to have observed is left out.
    """
    found: list[Action] = []
    for entry in entries:
        asked = entry.get("action", entry) if isinstance(entry, dict) else None
        if isinstance(asked, dict):
            asked = {name: value for name, value in asked.items() if name in ("text", "tool")}
        try:
            found.append(Action.model_validate(asked))
        except ValidationError:
            return Trajectory(tuple(found), FinishReason.INVALID_FORMAT)
    return Trajectory(tuple(found))


def scripted(trajectory: Trajectory) -> Policy:
    """The participant who plays a trajectory, whatever is shown."""

    def act(seen: Observation, number: int) -> Action | None:
        del seen
        if number < len(trajectory.actions):
            return trajectory.actions[number]
        if trajectory.reason is FinishReason.INVALID_FORMAT:
            raise InvalidFormatError(f"entry {number + 1} of the trajectory is no action")
        return None

    return act


class Stage(Protocol):
    """Where an episode is played: an environment in this process, the log of a host, a session over the API."""

    @property
    def over(self) -> bool:
        """Whether no further action is taken."""
        ...

    @property
    def steps(self) -> int:
        """How many actions were played."""
        ...

    async def begin(self) -> Observation:
        """Build the episode, or find where it stands; what is seen there."""
        ...

    async def step(self, action: Action) -> Observation:
        """Play one action."""
        ...

    async def end(self, reason: FinishReason) -> None:
        """End the episode. If it has ended by itself, its own reason stands."""
        ...


async def play_episode(stage: Stage, policy: Policy) -> None:
    """Let `policy` act until it or the episode ends. Raises what the stage raises."""
    seen = await stage.begin()
    reason = FinishReason.COMPLETED
    while not stage.over:
        try:
            action = policy(seen, stage.steps)
        except InvalidFormatError:
            reason = FinishReason.INVALID_FORMAT
            break
        if action is None:
            break
        seen = await stage.step(action)
    await stage.end(reason)


@dataclass
class RunningEpisode:
    """An environment with an episode in it. `steps` were played; `finish` is set once it has ended by itself.

    `deadline` is when the episode's wall clock is over; None before it has begun.
    """

    environment: Environment
    episode: Episode
    deadline: datetime | None = None
    steps: int = 0
    finish: FinishReason | None = None
    answer: str | None = None

    async def reset(self, seed: int) -> Observation:
        """The first observation. Raises InfrastructureError, SpecError, UnfitSandboxError, TimeoutError."""
        async with asyncio.timeout(CALL_SECONDS):
            await fitness.check(self.episode.environment, self.episode.spec, self._probes)
            return await self.environment.reset(dict(self.episode.spec), seed)

    def start_clock(self) -> None:
        """Count the episode's seconds from now."""
        self.deadline = datetime.now(UTC) + timedelta(seconds=self.episode.seconds)

    async def step(self, action: Action) -> StepResult:
        """Play one action; the episode's own limit of steps ends it too. Raises InfrastructureError, TimeoutError."""
        result = await in_time(CALL_SECONDS, self.environment.step(action))
        if result.finish is FinishReason.INFRASTRUCTURE_ERROR:
            raise InfrastructureError(result.error or "the environment ended by a fault of its own")
        self.steps += 1
        last = result.finish is None and self.steps >= self.episode.steps
        ending = FinishReason.TASK_LIMIT if last else result.finish
        shown = result.shown()
        # A copy costs as much as all that the echo does for a step.
        if shown is not result.observation or ending is not result.finish:
            result = result.model_copy(update={"observation": shown, "finish": ending})
        self.finish, self.answer = result.finish, result.answer
        return result

    async def probe(self) -> list[Evidence]:
        """Look at the environment from outside. Raises InfrastructureError, TimeoutError."""
        probes = self._probes
        if not probes:
            return []
        async with asyncio.timeout(CALL_SECONDS):
            return await self.environment.probe(probes)

    @property
    def _probes(self) -> list[Probe]:
        return [Probe.model_validate(probe.model_dump()) for probe in self.episode.probes]

    @property
    def expired(self) -> bool:
        """Whether the episode's wall clock is over."""
        return self.deadline is not None and datetime.now(UTC) > self.deadline

    @property
    def over(self) -> bool:
        """Whether no further action is taken."""
        return self.finish is not None or self.expired

    def reason(self, otherwise: FinishReason) -> FinishReason:
        """Why the episode ends: by itself, by the clock, or for what the caller says."""
        return self.finish or (FinishReason.TASK_LIMIT if self.expired else otherwise)
