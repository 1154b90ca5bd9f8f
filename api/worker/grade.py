"""Grading what a lane has taken: answers of one or of many submissions, each submission ended after its last one."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from api.core.db import AsyncSession
from api.core.telemetry import ITEMS_GRADED
from api.lanes.models import Lane
from api.lanes.repository import LaneRepository, TakenJob
from api.submissions.grading_repository import GradingRepository, GradingSubmission, UngradedItem
from api.submissions.repository import SubmissionRepository
from api.vault.repository import VaultRepository
from api.vault.secret import Secret
from api.worker import judge_store, replay, unscored
from api.worker.finalizing import finalize_in
from api.worker.state import Worker
from grading import Answer, Verdict
from protection.fingerprints import Fingerprints

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 3


@dataclass(frozen=True)
class _Chunk:
    """A job's answers without a verdict, and the references that can be read."""

    job: TakenJob
    submission: GradingSubmission
    items: list[UngradedItem]
    secrets: Mapping[UUID, Secret]

    @property
    def readable(self) -> bool:
        return all(item.problem_id in self.secrets for item in self.items)


async def grade_jobs(worker: Worker, jobs: Sequence[TakenJob]) -> None:
    """Grade the answers of these jobs. Killed anywhere, it is done again: verdicts are written once.

    All that the jobs need is read in one transaction; in one all verdicts are written, the jobs forgotten, and the
    submissions ended that have no answer left.
    """
    chunks = await _load(worker, jobs)
    graded: defaultdict[UUID, dict[UUID, Verdict]] = defaultdict(dict)
    for chunk in chunks:
        graded[chunk.submission.id] |= await _graded(worker, chunk) if chunk.readable else {}
    unreadable = {chunk.submission.id for chunk in chunks if not chunk.readable}
    async with worker.database.session() as session:
        await LaneRepository(session).done([job.id for job in jobs])
        # In one order, so that two workers which end the same submissions do not wait for each other in a circle.
        for submission_id in sorted(graded):
            if submission_id in unreadable:
                await _give_up(session, submission_id, "a reference could not be read; the fault is ours")
                continue
            await GradingRepository(session).record(submission_id, graded[submission_id], {})
            await finalize_in(worker, session, submission_id)
    for chunk in chunks:
        if chunk.submission.id not in unreadable:
            ITEMS_GRADED.labels(chunk.job.lane.value).inc(len(chunk.items))


async def _load(worker: Worker, jobs: Sequence[TakenJob]) -> list[_Chunk]:
    """The jobs' answers and references; of submissions that are finished or gone there is nothing."""
    async with worker.database.session() as session:
        repository = GradingRepository(session)
        begun = await repository.begin([job.submission_id for job in jobs if job.submission_id])
        submissions = {row.id: row for row in begun}
        items: defaultdict[int, list[UngradedItem]] = defaultdict(list)
        for item in await repository.ungraded([job for job in jobs if job.submission_id in submissions]):
            items[item.job_id].append(item)
        for job in jobs:
            items[job.id] = await replay.create_replay_sessions(session, worker.fingerprints, items[job.id])
        vault = VaultRepository(session, worker.settings.vault_secrets.raw("vault"))
        secrets = await vault.readable([item.problem_id for mine in items.values() for item in mine])
    return [
        _Chunk(job, submissions[job.submission_id], items[job.id], secrets)
        for job in jobs
        if job.submission_id in submissions
    ]


async def _graded(worker: Worker, chunk: _Chunk) -> dict[UUID, Verdict]:
    marks, key = worker.fingerprints, worker.settings.vault_secrets.raw("vault")
    work = [_one(worker, chunk, item, marks, key) for item in chunk.items]
    if chunk.job.lane is Lane.INLINE:
        verdicts = [await one for one in work]
    else:
        verdicts = await asyncio.gather(*work)
    return dict(zip((item.problem_id for item in chunk.items), verdicts, strict=True))


async def _one(worker: Worker, chunk: _Chunk, item: UngradedItem, marks: Fingerprints, key: bytes) -> Verdict:
    if chunk.job.attempts > MAX_ATTEMPTS:
        return Verdict.unscored("grading this answer ended its worker several times; a person has to look")
    judge_store.benchmark.set(chunk.submission.benchmark_id)
    shown = marks.shown(chunk.submission.organisation_id, item)
    given = item.given(key, item.submission_id, item.problem_id)
    answer = Answer(text=given.answer, data=given.data, context=shown.context)
    verdict = await worker.graders.grade(answer, chunk.secrets[item.problem_id].side(shown.variant).reference)
    unscored.note(verdict, "item.unscored", problem=str(item.problem_id))
    return verdict


async def _give_up(session: AsyncSession, submission_id: UUID, reason: str) -> None:
    """End a submission as failed and give the quota back: the fault is ours."""
    repository = GradingRepository(session)
    row = await repository.lock(submission_id)
    if row and await repository.fail(submission_id, reason):
        await SubmissionRepository(session).refund(row.organisation_id, row.split_id)
    log.error("submission.failed", submission=str(submission_id))
