"""One episode being played: an environment, and how far the log has been played in it."""

import asyncio
import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog

from api.core.db import now
from api.core.nul import without_nul
from api.hosting.errors import NoViewError
from api.hosting.repository import Lease
from envs.base import (
    Action,
    Environment,
    Evidence,
    FinishReason,
    InfrastructureError,
    Observation,
    Probe,
    StepResult,
    View,
    Viewable,
)
from packs.problem import Episode

log = structlog.get_logger(__name__)
# An environment has its own, tighter limits; this one ends what hangs in spite of them.
CALL_SECONDS = 600.0


_ordered = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def plain(observation: Observation) -> dict[str, Any]:
    """The observation as it is stored and told: JSON without NUL, which PostgreSQL cannot hold."""
    # By hand, because every step pays for it: what a model of plain JSON would dump is what it holds.
    tools = [tool.model_dump(mode="json") for tool in observation.tools]
    told = {"text": observation.text, "data": observation.data, "images": observation.images, "tools": tools}
    return without_nul(told)


def digest(observation: dict[str, Any]) -> str:
    """What a replay is compared by."""
    return hashlib.sha256(_ordered(observation).encode()).hexdigest()


@dataclass
class World:
    """An environment under a lease. `steps` were played in it; `finish` is set once it has ended."""

    lease: Lease
    environment: Environment
    episode: Episode
    deadline: datetime | None = None
    steps: int = 0
    finish: FinishReason | None = None
    answer: str | None = None

    async def reset(self, seed: int) -> dict[str, Any]:
        """The first observation. Raises InfrastructureError, SpecError."""
        async with asyncio.timeout(CALL_SECONDS):
            return plain(await self.environment.reset(dict(self.episode.spec), seed))

    async def step(self, action: Action) -> StepResult:
        """Play one action; the episode's own limit of steps ends it too. Raises InfrastructureError."""
        async with asyncio.timeout(CALL_SECONDS):
            told = await self.environment.step(action)
        if told.finish is FinishReason.INFRASTRUCTURE_ERROR:
            raise InfrastructureError(told.error or "the environment ended by a fault of its own")
        self.steps += 1
        ending = FinishReason.TASK_LIMIT if told.finish is None and self.steps >= self.episode.steps else told.finish
        told = told.model_copy(update={"observation": told.shown(), "finish": ending})
        self.finish, self.answer = told.finish, told.answer
        return told

    async def probe(self) -> list[Evidence]:
        """Look at the world from outside. Raises InfrastructureError."""
        probes = [Probe.model_validate(probe.model_dump()) for probe in self.episode.probes]
        if not probes:
            return []
        async with asyncio.timeout(CALL_SECONDS):
            return await self.environment.probe(probes)

    async def view(self, view: View) -> dict[str, Any]:
        """Another look that changes nothing. Raises NoViewError where there is none, InfrastructureError."""
        if not isinstance(self.environment, Viewable):
            raise NoViewError(f"'{self.episode.environment}' shows itself in steps only")
        async with asyncio.timeout(CALL_SECONDS):
            return plain(await self.environment.view(view))

    @property
    def expired(self) -> bool:
        """Whether the episode's wall clock is over."""
        return self.deadline is not None and now() > self.deadline

    async def close(self) -> None:
        """Destroy the environment; a failure is told to the log and to nobody else."""
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await self.environment.close()
        except Exception as error:  # noqa: BLE001 - the episode is over either way
            log.warning("environment.close_failed", error=type(error).__name__)
