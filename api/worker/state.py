"""What the jobs of one worker process share."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

from api.core.db import Database, Role
from api.core.settings import Settings
from api.protection.fingerprints import Fingerprints
from api.sessions.holders import Holders
from api.worker.budget import StoredBudget
from api.worker.graders import Graders, RoutedGraders
from api.worker.judge import configured_judge
from grading import Tools
from grading.pool import GradingPool


@dataclass(frozen=True)
class Worker:
    """Settings, database, graders and the way to live environments; handed to every job in its context."""

    settings: Settings
    database: Database
    graders: Graders
    holders: Holders

    @cached_property
    def fingerprints(self) -> Fingerprints:
        """Which variant each organisation has."""
        return Fingerprints(self.settings.secrets.raw("fingerprint"))

    @classmethod
    def build(cls, settings: Settings) -> Self:
        """A worker of this instance; `close` it."""
        database = Database.of(settings, Role.WORKER)
        pool = GradingPool(settings.grading_processes)
        graders = RoutedGraders(pool, Tools(judge=configured_judge(settings, budget=StoredBudget(settings))))
        return cls(settings, database, graders, Holders(database, patience=1.0))

    async def close(self) -> None:
        """End the graders and the connections."""
        await self.graders.close()
        await self.holders.close()
        await self.database.close()
