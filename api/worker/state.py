"""What the jobs of one worker process share."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

from api.core.db import Database, Role
from api.core.settings import Settings
from api.protection.fingerprints import Fingerprints
from api.worker.graders import Graders, ThreadGraders


@dataclass(frozen=True)
class Worker:
    """Settings, database and graders; handed to every job in its context."""

    settings: Settings
    database: Database
    graders: Graders

    @cached_property
    def fingerprints(self) -> Fingerprints:
        """Which variant each organisation has."""
        return Fingerprints(self.settings.secrets.raw("fingerprint"))

    @classmethod
    def build(cls, settings: Settings) -> Self:
        """A worker of this instance; `close` it."""
        return cls(settings, Database.of(settings, Role.WORKER), ThreadGraders())

    async def close(self) -> None:
        """End the graders and the connections."""
        await self.graders.close()
        await self.database.close()
