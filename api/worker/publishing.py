"""An open split's graded submission reaches the leaderboard at once. Hidden splits release: `deciding`, `ranking`."""

from api.core.db import AsyncSession
from api.leaderboard.models import Entry
from api.leaderboard.repository import LeaderboardRepository
from api.leaderboard.scoring import Result
from api.submissions.grading_repository import FullSubmission


async def publish(session: AsyncSession, submission: FullSubmission, result: Result, usage: dict[str, float]) -> None:
    """Put a submission to an open split on the leaderboard."""
    entry = Entry(
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
    )
    await LeaderboardRepository(session).publish(entry)
