"""Regrading stored submissions under today's graders and the current release's gold."""

import asyncio
from typing import Any
from uuid import UUID

import structlog

from api.catalog.models import ProblemRow
from api.catalog.repository import CatalogRepository
from api.core import queue
from api.core.db import AsyncSession
from api.leaderboard.repository import LeaderboardRepository, PublishedScore
from api.leaderboard.scoring import ENDS, score
from api.regrades.repository import RegradeJob, RegradeRepository
from api.reviews.measured import measure_judges
from api.submissions.carrying import CarryingRepository
from api.submissions.grading_repository import FullSubmission, GradingRepository, VerdictItem, scored_items
from api.submissions.opening import OpeningRepository
from api.vault.repository import VaultRepository
from api.vault.secret import Secret
from api.worker import judge_store
from api.worker.calibrating import correct_entry
from api.worker.state import Worker
from grading import Answer, Outcome, Verdict
from grading.registry import kinds
from packs.benchmark import Visibility
from protection.fingerprints import ShownProblem, all_shown

log = structlog.get_logger(__name__)


async def start(session: AsyncSession, benchmark_id: UUID, reason: str) -> tuple[UUID, list[UUID]]:
    """Write a regrading down and queue its submissions."""
    regrade_id = await RegradeRepository(session).begin(benchmark_id, reason)
    return regrade_id, await queue_submissions(session, regrade_id, benchmark_id)


async def queue_submissions(session: AsyncSession, regrade_id: UUID, benchmark_id: UUID) -> list[UUID]:
    """Count a regrading's submissions and queue each as a job of its own."""
    submissions = await GradingRepository(session).graded(benchmark_id)
    await RegradeRepository(session).counted(regrade_id, len(submissions))
    for submission_id in submissions:
        arguments = {"regrade": str(regrade_id), "submission": str(submission_id)}
        await queue.defer(session, queue.REGRADE, arguments, queue=queue.SLOW)
    return submissions


async def begin(worker: Worker, regrade_id: UUID) -> None:
    """Queue the submissions of a regrading that an owner asked for."""
    async with worker.database.session() as session:
        job = await RegradeRepository(session).one(regrade_id)
        if job is not None:
            await queue_submissions(session, regrade_id, job.benchmark_id)


async def regrade(worker: Worker, regrade_id: UUID, submission_id: UUID) -> None:
    """Regrade one submission in one transaction; done twice it changes nothing more."""
    async with worker.database.session() as session:
        repository = RegradeRepository(session)
        job = await repository.one(regrade_id)
        grading = GradingRepository(session)
        row = await grading.lock(submission_id)
        if job is None or row is None or await repository.recorded(regrade_id, submission_id):
            return
        graded_anew = await grade_anew(worker, session, row, job)
        changed, reread = {}, {submission_id}
        for item, verdict in graded_anew:
            if verdict.outcome is Outcome.UNSCORED:
                continue  # what people or a judge decided stays
            if differs(item, verdict):
                changed[str(item.problem_id)] = [item.score, item.outcome.value, item.reference_digest]
                for copy in await CarryingRepository(session).copies(submission_id, item.problem_id):
                    await grading.replace_verdict(copy.submission_id, copy.problem_id, verdict)
                    reread.add(copy.submission_id)
            await grading.replace_verdict(submission_id, item.problem_id, verdict)
        for changed_id in reread:
            await OpeningRepository(session).open_again(changed_id)
        before, after = await _rescore(session, row, [item for item, _ in graded_anew], changed)
        told = len(changed) if row.visibility is Visibility.DEV else 0
        await repository.record(regrade_id, submission_id, before, after, told)
        if any(verdict.detail.get("judge") for _, verdict in graded_anew):
            await measure_judges(session, worker.settings.secrets.raw("review"), job.benchmark_id)
    log.info("submission.regraded", submission=str(submission_id))


async def grade_anew(
    worker: Worker, session: AsyncSession, row: FullSubmission, job: RegradeJob
) -> list[tuple[VerdictItem, Verdict]]:
    """Each answer of a submission that a grader decided, with the verdict that it would get now."""
    items = [item for item in await GradingRepository(session).verdicts(row.id) if item.grader in kinds()]
    references = await _references(worker, session, row.organisation_id, job.release_id, items)
    judge_store.benchmark.set(job.benchmark_id)
    verdicts = await asyncio.gather(*(_one(worker, row, item, references[item.problem_id]) for item in items))
    return list(zip(items, verdicts, strict=True))


def differs(item: VerdictItem, verdict: Verdict) -> bool:
    """Whether a new verdict is another one than the answer has."""
    return (verdict.score, verdict.outcome) != (item.score, item.outcome)


async def _references(
    worker: Worker, session: AsyncSession, organisation_id: UUID, release_id: UUID, items: list[VerdictItem]
) -> dict[UUID, dict[str, Any]]:
    """The reference each answer is judged by: the current release's where it shows the very same form, else its own."""
    current = {problem.name: problem for problem in await CatalogRepository(session).problems(release_id)}
    vault = VaultRepository(session, worker.settings.vault_secrets.raw("vault"))
    own = await vault.open([item.problem_id for item in items])
    newer = await vault.open([current[item.name].id for item in items if item.name in current])
    chosen = {}
    for item in items:
        shown = worker.fingerprints.shown(organisation_id, item)
        chosen[item.problem_id] = own[item.problem_id].side(shown.variant).reference
        successor = current.get(item.name)
        if successor is not None and successor.id != item.problem_id:
            found = _same_form(successor, newer[successor.id], shown)
            chosen[item.problem_id] = found or chosen[item.problem_id]
    return chosen


def _same_form(problem: ProblemRow, secret: Secret, wanted: ShownProblem) -> dict[str, Any] | None:
    # A development split shows the first variant only.
    for shown, side in zip(all_shown(problem), secret.variants, strict=False):
        if shown.context == wanted.context:
            return side.reference
    return None


async def _one(worker: Worker, row: FullSubmission, item: VerdictItem, reference: dict[str, Any]) -> Verdict:
    context = worker.fingerprints.shown(row.organisation_id, item).context
    answer = Answer(text=item.given.answer, data=item.given.data, context=context)
    return await worker.graders.grade(answer, reference)


async def _rescore(
    session: AsyncSession, row: FullSubmission, items: list[VerdictItem], changed: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The submission's new score and entry. Returns what was, with the old verdicts that changed, and what is.

    On a hidden split nothing is told of it here: its bands are released again at the next scheduled release.
    """
    grading, leaderboard = GradingRepository(session), LeaderboardRepository(session)
    tuple_before = sorted({f"{item.grader} {item.grader_version}" for item in items})
    tuple_after = sorted({f"{kind} {kinds()[kind].version}" for kind in {item.grader for item in items}})
    if row.visibility is not Visibility.DEV:
        return {"graders": tuple_before}, {"graders": tuple_after}
    result = score(scored_items(await grading.scored(row.id, row.split_id)), row.scoring)
    if row.breakdown and ENDS in row.breakdown:
        result.breakdown[ENDS] = row.breakdown[ENDS]
    entry = await leaderboard.published(row.id)
    before = {"score": row.score, "graders": tuple_before, "told": _as_published(entry), "items": changed}
    await grading.rescore(row.id, result)
    among = await leaderboard.rescore(row.id, result)
    if among is not None:
        await correct_entry(session, row, width=0.0)
        await leaderboard.mark_best(among)
    after = {"score": result.score, "graders": tuple_after, "told": _as_published(await leaderboard.published(row.id))}
    return before, after


def _as_published(entry: PublishedScore | None) -> dict[str, float] | None:
    return {"score": entry.score, "low": entry.low, "high": entry.high} if entry else None
