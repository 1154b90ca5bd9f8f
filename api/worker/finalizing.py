"""The end of a submission: on an open split scores become one score, and the leaderboard gets its entry."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.leaderboard.scoring import ENDS, Result, score
from api.leaderboard.usage import total_usage
from api.submissions.grading_repository import GradingRepository, ScoredProblem, scored_items
from api.submissions.models import State
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
    hidden = submission.visibility is not Visibility.DEV
    problems = await (
        repository.answered(submission_id) if hidden else repository.scored(submission_id, submission.split_id)
    )
    ends, usage = finish_shares(problems), total_usage(problem.usage for problem in problems)
    if any(problem.undecided for problem in problems):
        await repository.await_review(submission_id, ends, usage)
        await queue_for_people(worker, session, submission)
        return
    if hidden:
        done = await repository.finish_hidden(submission_id, ends, usage)
    else:
        result = combined(problems, submission.scoring)
        done = await repository.finish(submission_id, result, usage)
        if done:
            await publish(session, submission, result, usage)
    if done:
        await calibrate(worker, session, submission)


def combined(problems: Sequence[ScoredProblem], scoring: Scoring) -> Result:
    """One score of all problems; the breakdown also says how episodes ended."""
    result = score(scored_items(problems), scoring)
    if ends := finish_shares(problems):
        result.breakdown[ENDS] = ends
    return result


def finish_shares(problems: Sequence[ScoredProblem]) -> dict[str, Any]:
    """How the episodes ended: number and share of each finish reason (AgentBench reports outcomes so, table 4)."""
    ends = Counter(problem.finish_reason for problem in problems if problem.finish_reason)
    return {name: {"n": count, "share": round(count / ends.total(), 6)} for name, count in sorted(ends.items())}
