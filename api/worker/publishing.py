"""What of a graded submission reaches the leaderboard and its makers: the split's feedback policy."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from api.core.db import AsyncSession
from api.leaderboard.feedback import aggregate, coarse, laddered
from api.leaderboard.ladder import UNVERIFIED, LadderRepository
from api.leaderboard.models import Entry
from api.leaderboard.repository import LeaderboardRepository
from api.leaderboard.scoring import Result, ScoredItem, contributions
from api.submissions.grading_repository import FullSubmission, GradingRepository, ScoredProblem, scored_items
from packs.benchmark import Feedback, Scoring, Visibility
from protection.ladder import LadderState, breakdown_bits, consider, default_budget
from protection.siblings import contamination


async def publish(
    session: AsyncSession,
    exposure_key: bytes,
    submission: FullSubmission,
    problems: Sequence[ScoredProblem],
    result: Result,
    usage: dict[str, float],
) -> None:
    """Put what may be known of the submission on the leaderboard, at once or when its time has come."""
    shown = await public_result(session, submission, scored_items(problems), result)
    if shown is None:
        return
    leaderboard = LeaderboardRepository(session)
    await leaderboard.publish(_entry(submission, shown, usage))
    if submission.config.randomised_exposure:
        found = contamination(exposure_key, submission.organisation_id, problems)
        await leaderboard.set_contamination(submission.id, found)


def _entry(submission: FullSubmission, result: Result, usage: dict[str, float]) -> Entry:
    visible = submission.finalised_at or submission.created_at
    if submission.feedback is Feedback.DELAYED:
        visible += timedelta(hours=submission.config.feedback_delay_hours)
    return Entry(
        submission_id=submission.id,
        split_id=submission.split_id,
        organisation_id=submission.organisation_id,
        organisation=submission.organisation,
        model_name=submission.model["name"],
        model=submission.model,
        score=result.score,
        low=result.low,
        high=result.high,
        coverage=submission.received / submission.expected if submission.expected else 0.0,
        attempts=submission.attempt,
        breakdown=result.breakdown,
        usage=usage,
        created_at=submission.created_at,
        visible_from=visible,
    )


async def public_result(
    session: AsyncSession, submission: FullSubmission, items: list[ScoredItem], result: Result
) -> Result | None:
    """The result as the split's policy lets it be known; None: nothing of it. Under the ladder this is a decision."""
    if submission.feedback is Feedback.NONE:
        return None
    if submission.visibility is Visibility.DEV:
        return result
    if submission.feedback is Feedback.LADDER:
        return await _ladder(session, submission, items, result)
    return aggregate(result)


async def _ladder(
    session: AsyncSession, submission: FullSubmission, items: list[ScoredItem], result: Result
) -> Result | None:
    """Decide under the split's lock, so that organisations that end together share one budget."""
    repository, split_id = LadderRepository(session), submission.split_id
    await repository.lock(split_id)
    climber = await repository.climber(submission.organisation_id)
    if climber == UNVERIFIED and submission.config.unverified == "none":
        return None
    climbed = await repository.state(split_id, climber)
    state = climbed.state() if climbed else LadderState()
    best_id = climbed.best_id if climbed else None
    best = await _contributions(session, split_id, best_id, submission.scoring) if best_id else None
    budget = submission.config.ladder_budget or default_budget(len(items))
    left = budget - await repository.releases(split_id)
    decision = consider(state, contributions(items, submission.scoring), best, budget_left=left)
    bits = decision.bits + (breakdown_bits(_by_subject(items)) if decision.accepted else 0.0)
    after = decision.state
    await repository.save(split_id, climber, after, state.bits + bits, submission.id if decision.accepted else best_id)
    if not decision.accepted or after.released is None:
        return None
    await repository.release(submission.id, split_id, submission.organisation_id, after.attempts, after.released, bits)
    return laddered(after.released, len(items), result.breakdown)


async def _contributions(session: AsyncSession, split_id: UUID, submission_id: UUID, scoring: Scoring) -> list[float]:
    rows = await GradingRepository(session).scored(submission_id, split_id)
    return contributions(scored_items(rows), scoring)


def _by_subject(items: list[ScoredItem]) -> dict[str, list[float]]:
    groups: dict[str, list[float]] = {}
    for item in items:
        groups.setdefault(item.subject, []).append(item.score)
    shown = coarse({"subject": {name: {"n": len(v), "score": 0.0} for name, v in groups.items()}})["subject"]
    return {name: values for name, values in groups.items() if name in shown}
