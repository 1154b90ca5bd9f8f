"""A benchmark is deleted at its owner's request: what it holds is erased, what it let out stays written down."""

from api.core.db import AsyncSession
from api.owner_jobs.repository import Job, OwnerJobRepository
from api.owner_jobs.schemas import DeleteAsk, Deleted
from api.worker.reporting import Report
from api.worker.state import Worker


async def delete_benchmark(
    worker: Worker, session: AsyncSession, job: Job, ask: DeleteAsk, report: Report
) -> tuple[Deleted, None]:
    """Erase golds, problems, pictures, answers, verdicts, transcripts and entries, all in the job's transaction.

    The ledger with its chain, what feedback was released, and who accepted the agreement stay.
    """
    del worker, ask, report
    erased = await OwnerJobRepository(session).erase_benchmark(job.id)
    return Deleted(
        releases=erased.releases, problems=erased.problems, submissions=erased.submissions, entries=erased.entries
    ), None
