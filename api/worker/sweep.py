"""What no single job can see: jobs of dead workers, and submissions without a job."""

from uuid import UUID

import structlog
from procrastinate import App

from api.core import queue
from api.core.db import AsyncSession
from api.submissions.repository import SubmissionRepository
from api.worker.repository import GradingRepository
from api.worker.state import Worker

log = structlog.get_logger(__name__)
_ORPHAN_SECONDS = 60


async def sweep(worker: Worker, app: App, stalled_seconds: float) -> None:
    """Give the jobs of dead workers back to the queue, and every orphaned submission new jobs."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=stalled_seconds):
        log.warning("job.stalled", job=job.id, task=job.task_name)
        await app.job_manager.retry_job(job)
    await requeue_lost(worker)


async def requeue_lost(worker: Worker, older_than: float = _ORPHAN_SECONDS) -> int:
    """Queue submissions again whose jobs ran out of retries. Returns how many."""
    async with worker.database.session() as session:
        lost = await GradingRepository(session).lost(older_than)
        for submission_id in lost:
            await _queue(session, submission_id, worker.settings.grading_chunk)
    return len(lost)


async def _queue(session: AsyncSession, submission_id: UUID, chunk: int) -> None:
    ids = await SubmissionRepository(session).item_ids(submission_id)
    log.warning("submission.requeued", submission=str(submission_id))
    for start in range(0, max(1, len(ids)), chunk):
        arguments = {"submission": str(submission_id), "problems": [i.hex for i in ids[start : start + chunk]]}
        await queue.defer(session, queue.GRADE, arguments)
