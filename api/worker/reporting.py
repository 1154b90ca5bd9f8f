"""How far a job is, said in transactions of their own."""

import time
from collections.abc import Awaitable, Callable
from uuid import UUID

from api.owner_jobs.repository import OwnerJobRepository
from api.worker.state import Worker

Report = Callable[[int, int], Awaitable[None]]
"""Called with how many steps of how many are done."""
_SECONDS = 1.0


def reporting(worker: Worker, job_id: UUID) -> Report:
    """Write a job's progress down, at most once a second."""
    last = 0.0

    async def report(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last < _SECONDS:
            return
        last = time.monotonic()
        async with worker.database.session() as session:
            await OwnerJobRepository(session).progress(job_id, done, total)

    return report
