"""Grading a chunk of a submission, and ending the submission after its last one."""

import asyncio
from typing import Any
from uuid import UUID

import structlog

from api.core.crypto import SealError
from api.submissions.grading_repository import GradingRepository
from api.submissions.repository import SubmissionRepository
from api.vault.repository import VaultRepository
from api.vault.secret import Secret
from api.worker import judge_store, replay
from api.worker.finalizing import finalize_submission
from api.worker.state import Worker
from grading import Answer, Outcome, Verdict

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 3


async def grade_chunk(worker: Worker, submission_id: UUID, problems: list[UUID]) -> None:
    """Grade what has no verdict yet. Killed anywhere, it is run again: verdicts are written once."""
    async with worker.database.session() as session:
        repository = GradingRepository(session)
        row = await repository.begin(submission_id)
        if row is None:
            return
        items = await repository.ungraded(submission_id, problems)
        items = await replay.create_replay_sessions(session, worker.fingerprints, submission_id, items)
        await repository.count_attempt(submission_id, [item.problem_id for item in items])
        vault = VaultRepository(session, worker.settings.vault_secrets.raw("vault"))
        try:
            secrets = await vault.open([item.problem_id for item in items])
        except SealError as error:
            log.error("vault.unreadable", error=str(error))
            secrets = {}
    if len(secrets) < len(items):
        await give_up(worker, submission_id, "a reference could not be read; the fault is ours")
        return
    judge_store.benchmark.set(row.benchmark_id)
    verdicts = await asyncio.gather(
        *(_one(worker, row.organisation_id, item, secrets[item.problem_id]) for item in items)
    )
    async with worker.database.session() as session:
        graded = dict(zip((item.problem_id for item in items), verdicts, strict=True))
        await GradingRepository(session).record(submission_id, graded, {})
    await finalize_submission(worker, submission_id)


async def _one(worker: Worker, organisation_id: UUID, item: Any, secret: Secret) -> Verdict:
    if item.attempts >= MAX_ATTEMPTS:
        return Verdict.unscored("grading this answer ended its worker several times; a person has to look")
    shown = worker.fingerprints.shown(organisation_id, item)
    answer = Answer(text=item.answer, data=item.data, context=shown.context)
    verdict = await worker.graders.grade(answer, secret.side(shown.variant).reference)
    if verdict.outcome is Outcome.UNSCORED:
        log.info("item.unscored", problem=str(item.problem_id), grader=verdict.grader)
    return verdict


async def give_up(worker: Worker, submission_id: UUID, reason: str) -> None:
    """End a submission as failed and give the quota back: the fault is ours."""
    async with worker.database.session() as session:
        row = await GradingRepository(session).lock(submission_id)
        if row and await GradingRepository(session).fail(submission_id, reason):
            await SubmissionRepository(session).refund(row.organisation_id, row.split_id)
    log.error("submission.failed", submission=str(submission_id))
