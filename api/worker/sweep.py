"""What no single job can see: jobs of dead workers, submissions without a job, episodes whose time is over; and what
is due on the clock."""

from datetime import timedelta
from uuid import UUID

import structlog
from procrastinate import App
from psycopg.errors import LockNotAvailable
from sqlalchemy.exc import DBAPIError

from api.catalog.repository import CatalogRepository
from api.core import queue
from api.core.db import AsyncSession, now
from api.hosting.leases import LeaseRepository
from api.hosting.session_jobs import DueSession, SessionJobsRepository
from api.hosting.session_repository import SessionRepository
from api.hosting.step_parts import StepPartRepository
from api.lanes.repository import LaneRepository
from api.ledger import sealing
from api.login.repository import LoginRepository
from api.reviews.repository import ReviewRepository
from api.submissions.grading_repository import GradingRepository
from api.submissions.repository import SubmissionRepository
from api.vault.repository import VaultRepository
from api.worker.deciding import decide_due
from api.worker.graders import lane_of
from api.worker.matches import decide_late
from api.worker.owner_jobs import forget_owner_jobs
from api.worker.ranking import release_due
from api.worker.rotation import rotate_worn
from api.worker.state import Worker
from api.worker.uploads import drop_abandoned
from grading import parse_reference

log = structlog.get_logger(__name__)
_ORPHAN_SECONDS = 60
# Whoever opens a session says every few seconds that it still waits.
_OPENING_SECONDS = 60
# Ended web sessions, links and codes: long enough to look into, no longer.
_ENDED_LOGINS = timedelta(days=7)
_DEAD_HOST_SECONDS = 120


async def sweep(worker: Worker, app: App, stalled_seconds: float) -> None:
    """Give the jobs of dead workers back to the queue, and every orphaned submission new jobs."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=stalled_seconds):
        log.warning("job.stalled", job=job.id, task=job.task_name)
        await app.job_manager.retry_job(job)
    await heed_clock(worker)
    await find_lanes(worker)
    await requeue_lost(worker)
    await expire(worker)
    await requeue_reviews(worker)
    await drop_abandoned(worker)
    await forget_owner_jobs(worker)
    await keep_step_parts(worker)
    await decide_late(worker)
    await decide_due(worker, now())
    await rotate_worn(worker, await release_due(worker, now()))
    async with worker.database.session() as session:
        await sealing.seal(session)
    async with worker.database.session() as session:
        await LoginRepository(session).sweep(now() - _ENDED_LOGINS)


async def heed_clock(worker: Worker) -> None:
    """End leases that a clock granted which was set back since."""
    async with worker.database.session() as session:
        await LaneRepository(session).clock_was_set_back()
        await LeaseRepository(session).clock_was_set_back()
        await queue.clock_was_set_back(session)


async def keep_step_parts(worker: Worker) -> None:
    """Make the parts that the next months' steps go into; drop those that are older than the operator keeps."""
    days = worker.settings.keep_steps_days
    try:
        async with worker.database.session() as session:
            parts = StepPartRepository(session)
            made = await parts.add()
            dropped = await parts.drop(timedelta(days=days)) if days else 0
    except DBAPIError as error:
        # Somebody reads for long: the next round tries again, and there is a month's time.
        if not isinstance(error.orig, LockNotAvailable):
            raise
        log.info("steps.parts_are_busy")
        return
    if made or dropped:
        log.info("steps.parts", made=made, dropped=dropped)


async def find_lanes(worker: Worker) -> None:
    """Say of one release that was published before there were lanes where its problems are graded."""
    async with worker.database.session() as session:
        catalog = CatalogRepository(session)
        release_id = await catalog.release_without_lanes()
        if release_id is None:
            return
        secrets = await VaultRepository(session, worker.settings.vault_secrets.raw("vault")).of_release(release_id)
        for problem in await catalog.problems(release_id):
            reference = parse_reference(secrets[problem.id].side(None).reference)
            problem.lane = lane_of(reference, episode=problem.episode).value
    log.info("release.lanes", release=str(release_id))


async def requeue_lost(worker: Worker, older_than: float = _ORPHAN_SECONDS) -> int:
    """Queue submissions again whose jobs ran out of retries. Returns how many."""
    async with worker.database.session() as session:
        lost = await GradingRepository(session).lost(older_than)
    for submission_id in lost:
        async with worker.database.session() as session:
            await _queue(session, submission_id)
    return len(lost)


async def requeue_reviews(worker: Worker) -> None:
    """Queue reviews again whose votes nobody settled, or whose score never reached its item."""
    async with worker.database.session() as session:
        for review_id in await ReviewRepository(session).unapplied():
            await queue.defer(session, queue.REVIEWED, {"review": str(review_id)})


async def _queue(session: AsyncSession, submission_id: UUID) -> None:
    submission = await SubmissionRepository(session).one(submission_id)
    assert submission
    lanes = LaneRepository(session)
    await lanes.lock(submission.organisation_id)
    if not await lanes.add_items(submission.organisation_id, submission_id):
        await queue.defer(session, queue.FINALIZE_SUBMISSION, {"submission": str(submission_id)})
    log.warning("submission.requeued", submission=str(submission_id))


async def expire(worker: Worker, older_than: float = _ORPHAN_SECONDS) -> None:
    """End episodes that are idle or out of time, take back openings whose caller died, forget dead hosts."""
    async with worker.database.session() as session:
        jobs, sessions = SessionJobsRepository(session), SessionRepository(session)
        for row in await jobs.stuck_openings(_OPENING_SECONDS):
            if await sessions.fail(row.id, "nobody waited for it") and row.submission_id:
                await SubmissionRepository(session).drop_episode(row.submission_id, row.problem_id)
        for due in await jobs.idle(worker.settings.session_idle_seconds):
            await sessions.cancel(due.id)
            await _finalize(session, due)
        for due in await jobs.without_job(older_than):
            await _finalize(session, due)
        await LeaseRepository(session).deregister_silent(_DEAD_HOST_SECONDS)


async def _finalize(session: AsyncSession, due: DueSession) -> None:
    log.info("session.finalizing", session=str(due.id))
    await LaneRepository(session).add_session(due.organisation_id, due.id)
