"""The end of an episode: what still has to be played is played, what was seen is judged, the item gets its verdict."""

from dataclasses import dataclass
from uuid import UUID

import structlog

from api.admission.judge import judge_episode
from api.catalog.repository import CatalogRepository
from api.core.errors import ServiceError
from api.core.telemetry import ITEMS_GRADED
from api.hosting.client import HostRefusedError
from api.hosting.client_errors import CapacityError, NoHostError, SessionOverError
from api.hosting.models import Origin, SessionState
from api.hosting.session_jobs import EndingSession, SessionJobsRepository
from api.lanes.models import Lane
from api.lanes.repository import LaneRepository, TakenJob
from api.submissions.grading_repository import GradingRepository
from api.vault.repository import VaultRepository
from api.vault.secret import Secret
from api.worker import judge_store, replay, unscored
from api.worker.finalizing import finalize_in
from api.worker.state import Worker
from envs.base import FinishReason
from grading import Evidence, Verdict
from protection.fingerprints import shown_as, variant_number

log = structlog.get_logger(__name__)
_FAULTS_AT_MOST = 6
_AGAIN_SECONDS = 3


@dataclass(frozen=True)
class _Judged:
    """What an episode that is over is judged by."""

    secret: Secret
    benchmark: UUID
    evidence: list[Evidence] | None


async def finalize_session(worker: Worker, job: TakenJob) -> None:
    """Bring a session one state further until it is graded, in the job's lane, and forget the job. Killed anywhere, it
    is done again."""
    row, judged = await _load(worker, job)
    if row and row.state in (SessionState.OPENING, SessionState.RUNNING) and await _end(worker, row):
        row, judged = await _load(worker, job)
    if row is None or judged is None:
        async with worker.database.session() as session:
            if row and row.state == SessionState.ENDED:
                await LaneRepository(session).add_session(row.organisation_id, row.id, Lane.JUDGES)
            await LaneRepository(session).done([job.id])
        return
    verdict = await _verdict(worker, row, judged)
    await _write(worker, row, verdict, job)
    ITEMS_GRADED.labels(job.lane.value).inc()


async def _load(worker: Worker, job: TakenJob) -> tuple[EndingSession | None, _Judged | None]:
    """The session, and where it is over and judged in this lane what it is judged by: in one transaction."""
    assert job.session_id
    async with worker.database.session() as session:
        row = await SessionJobsRepository(session).one(job.session_id)
        elsewhere = row is not None and row.lane is Lane.JUDGES and job.lane is not Lane.JUDGES
        if row is None or row.state != SessionState.ENDED or elsewhere:
            return row, None
        vault = VaultRepository(session, worker.settings.vault_secrets.raw("vault"))
        secrets = await vault.open([row.problem_id])
        benchmark = await CatalogRepository(session).benchmark_of(row.problem_id)
        evidence = await vault.evidence(worker.settings.host_secrets.raw("episode"), row.id)
    return row, _Judged(secrets[row.problem_id], benchmark, evidence)


async def _end(worker: Worker, row: EndingSession) -> bool:
    """Play what is left and have the environment looked at. False: later again, or nothing to do yet."""
    try:
        if row.origin == Origin.POSTED:
            posted = row.posted(worker.settings.vault_secrets.raw("vault"))
            actions, reason = replay.plan(posted.trajectory or [])
            await worker.host_client.play(row.id, actions, reason, posted.answer)
        elif row.last or row.expired:
            await worker.host_client.finish(row.id, row.last or FinishReason.TASK_LIMIT.value, None)
        else:
            return False
    except SessionOverError:
        return True
    except (CapacityError, NoHostError):
        await _later(worker, row)
        return False
    except (HostRefusedError, ServiceError) as error:
        return await _fault(worker, row, error)
    return True


async def _later(worker: Worker, row: EndingSession) -> None:
    async with worker.database.session() as session:
        await LaneRepository(session).add_session(row.organisation_id, row.id, after_seconds=_AGAIN_SECONDS)


async def _fault(worker: Worker, row: EndingSession, error: Exception) -> bool:
    log.warning("episode.fault", session=str(row.id), error=type(error).__name__)
    async with worker.database.session() as session:
        repository = SessionJobsRepository(session)
        faults = await repository.count_fault(row.id)
        if faults >= _FAULTS_AT_MOST or isinstance(error, HostRefusedError):
            await repository.give_up(row.id)
            return True
    await _later(worker, row)
    return False


async def _write(worker: Worker, row: EndingSession, verdict: Verdict, job: TakenJob) -> None:
    """The verdict, the end of a submission that has no other item left, and the job: all of it or nothing."""
    finish = row.finish_reason or FinishReason.INFRASTRUCTURE_ERROR.value
    async with worker.database.session() as session:
        await SessionJobsRepository(session).judged(row.id, verdict)
        if row.submission_id:
            grading = GradingRepository(session)
            await grading.record(row.submission_id, {row.problem_id: verdict}, {row.problem_id: finish})
            await finalize_in(worker, session, row.submission_id)
        await LaneRepository(session).done([job.id])


async def _verdict(worker: Worker, row: EndingSession, judged: _Judged) -> Verdict:
    judge_store.benchmark.set(judged.benchmark)
    variant = variant_number(row.variant)
    verdict = await judge_episode(
        judged.secret.side(variant).reference,
        FinishReason(row.finish_reason or FinishReason.INFRASTRUCTURE_ERROR),
        row.final,
        judged.evidence,
        data=row.posted(worker.settings.vault_secrets.raw("vault")).data,
        context=shown_as(row, variant).context,
        grade=worker.graders.grade,
    )
    unscored.note(verdict, "episode.unscored", session=str(row.id))
    return verdict
