"""One episode under a lease, and its observations as they are stored and compared."""

import asyncio
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

import structlog

from api.admission.player import CALL_SECONDS, RunningEpisode
from api.core.nul import without_nul
from api.hosting.errors import NoViewError
from api.hosting.protocol import Opened
from api.hosting.repository import Lease
from envs.base import Observation, View, Viewable

_NUL = "\\u0000"
log = structlog.get_logger(__name__)
# Plain JSON holds no circle.
_ordered = json.JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False).encode


def plain(observation: Observation) -> dict[str, Any]:
    """The observation as it is stored and sent: JSON without NUL, which PostgreSQL cannot hold."""
    return without_nul(_fields(observation))


def digest(observation: dict[str, Any]) -> str:
    """What a replay is compared by."""
    return _digest(_ordered(observation))


def plain_with_digest(observation: Observation) -> tuple[dict[str, Any], str]:
    """Both of them; U+0000 is looked for in the text that the digest is made of."""
    fields = _fields(observation)
    ordered = _ordered(fields)
    if _NUL in ordered:
        fields = without_nul(fields)
        ordered = _ordered(fields)
    return fields, _digest(ordered)


def _fields(observation: Observation) -> dict[str, Any]:
    # By hand, because every step pays for it: what a model of plain JSON would dump is what it holds.
    tools = [tool.model_dump(mode="json") for tool in observation.tools]
    return {"text": observation.text, "data": observation.data, "images": observation.images, "tools": tools}


def _digest(ordered: str) -> str:
    return hashlib.sha256(ordered.encode()).hexdigest()


@dataclass
class LeasedEpisode(RunningEpisode):
    """A running episode under a lease of this host. `opened`: what its opening gave, until that is told.

    `lock` is the session's, kept here so that it need not be made for each step.
    """

    lease: Lease = field(kw_only=True)
    lock: asyncio.Lock = field(kw_only=True)
    opened: Opened | None = None

    async def view(self, view: View) -> dict[str, Any]:
        """Another look that changes nothing. Raises NoViewError where there is none, InfrastructureError."""
        if not isinstance(self.environment, Viewable):
            raise NoViewError(f"'{self.episode.environment}' shows itself in steps only")
        async with asyncio.timeout(CALL_SECONDS):
            return plain(await self.environment.view(view))

    async def close(self) -> None:
        """Destroy the environment; a failure is written to the log and nowhere else."""
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await self.environment.close()
        except Exception as error:  # noqa: BLE001 - the episode is over either way
            log.warning("environment.close_failed", error=type(error).__name__)
