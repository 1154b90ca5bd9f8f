"""What the jobs of one worker process share."""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Self

from api.core.blocking import BlockingDatabase
from api.core.db import Database, Role, vault_key
from api.core.marking import fingerprints
from api.core.settings import Settings
from api.hosting.client import HostClient
from api.worker.code_runner import SandboxRunner
from api.worker.graders import Graders, RoutedGraders
from api.worker.judge import configured_judge
from api.worker.judge_store import StoredBudget, StoredCache
from grading import Tools
from grading.pool import GradingPool
from protection.fingerprints import Fingerprints


@dataclass(frozen=True)
class Worker:
    """Settings, database, graders and the way to live environments; handed to every job in its context."""

    settings: Settings
    database: Database
    graders: Graders
    host_client: HostClient
    judges: BlockingDatabase
    runner: SandboxRunner

    @property
    def fingerprints(self) -> Fingerprints:
        """Which variant each organisation has."""
        return fingerprints(self.settings)

    @classmethod
    def build(cls, settings: Settings, pool: GradingPool | None = None) -> Self:
        """A worker of this instance; `close` it. `pool`: the processes it grades in, else as many as settings say."""
        database = Database.of(settings, Role.WORKER)
        judges = BlockingDatabase(settings, Role.WORKER, "heldout-judges")
        cache = StoredCache(judges, partial(vault_key, settings))
        judge = configured_judge(settings, cache, StoredBudget(judges, settings.judge_calls))
        runner = SandboxRunner(settings.sandbox)
        graders = RoutedGraders(pool or GradingPool(settings.grading_processes), Tools(judge=judge, runner=runner))
        return cls(settings, database, graders, HostClient(database, timeout=1.0), judges, runner)

    async def close(self) -> None:
        """End the graders and the connections."""
        await self.graders.close()
        await asyncio.to_thread(self.runner.close)
        self.judges.close()
        await self.host_client.close()
        await self.database.close()
