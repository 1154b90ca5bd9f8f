"""The end of a submission: on an open split scores become one score, and the leaderboard gets its entry."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.leaderboard.scoring import ENDS, Result, score
from api.leaderboard.usage import total_usage
from api.mail.outbox import Outbox
from api.submissions.grading_repository import FullSubmission, GradingRepository, ScoredProblem, scored_items
from api.submissions.models import State
from api.submissions.verdicts import EndedItem
from api.worker.calibrating import calibrate
from api.worker.publishing import publish
from api.worker.reviewing import queue_for_people
from api.worker.state import Worker
from packs.benchmark import Scoring, Visibility


async def finalize_submission(worker: Worker, submission_id: UUID) -> None:
    """End the submission if no item is left."""
    async with worker.database.session() as session:
        await finalize_in(worker, session, submission_id)


async def finalize_in(worker: Worker, session: AsyncSession, submission_id: UUID) -> None:
    """The same in the caller's transaction. Whoever holds the row's lock last sees all verdicts."""
    repository = GradingRepository(session)
    submission = await repository.lock(submission_id)
    if submission is None or submission.state not in (State.QUEUED, State.GRADING, State.AWAITING_REVIEW):
        return
    if await repository.open_items(submission_id):
        return
    if submission.visibility is Visibility.DEV:
        done = await _end_open(worker, session, submission)
    else:
        done = await _end_hidden(worker, session, submission)
    if done and submission.visibility is Visibility.DEV:
        await Outbox(session, worker.settings).run_ended(submission.id)
    if done:
        await calibrate(worker, session, submission)


async def _end_open(worker: Worker, session: AsyncSession, submission: FullSubmission) -> bool:
    """A score for the whole split, and a row on the board; False where people are asked first."""
    repository = GradingRepository(session)
    problems = await repository.scored(submission.id, submission.split_id)
    ends, usage = finish_shares(problems), total_usage(problem.usage for problem in problems)
    if any(problem.undecided for problem in problems):
        await repository.await_review(submission.id, ends, usage)
        await queue_for_people(worker, session, submission)
        return False
    result = combined(problems, submission.scoring)
    done = await repository.finish(submission.id, result, usage)
    if done:
        await publish(session, submission, result, usage)
    return done


async def _end_hidden(worker: Worker, session: AsyncSession, submission: FullSubmission) -> bool:
    """The same without a score; only what was answered is looked at."""
    repository = GradingRepository(session)
    items = await repository.ended(submission.id)
    ends, usage = finish_shares(items), total_usage(item.usage for item in items)
    key = session.verdict_key
    if any(item.undecided(key, submission.id) for item in items):
        await repository.await_review(submission.id, ends, usage)
        await queue_for_people(worker, session, submission)
        return False
    return await repository.finish_hidden(submission.id, ends, usage)


def combined(problems: Sequence[ScoredProblem], scoring: Scoring) -> Result:
    """One score of all problems; the breakdown also says how episodes ended."""
    result = score(scored_items(problems), scoring)
    if ends := finish_shares(problems):
        result.breakdown[ENDS] = ends
    return result


def finish_shares(problems: Sequence[ScoredProblem] | Sequence[EndedItem]) -> dict[str, Any]:
    """How the episodes ended: number and share of each finish reason (AgentBench reports outcomes so, table 4)."""
    ends = Counter(problem.finish_reason for problem in problems if problem.finish_reason)
    return {name: {"n": count, "share": round(count / ends.total(), 6)} for name, count in sorted(ends.items())}
