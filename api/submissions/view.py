"""What a submission's makers may see: the split's feedback policy, and nothing around it."""

from datetime import timedelta
from typing import Any

from api.catalog.models import ReleaseRow, SplitRow
from api.core.crypto import Aliases
from api.core.db import AsyncSession, now
from api.core.ids import public_id
from api.leaderboard.ladder import UNVERIFIED, LadderRepository
from api.leaderboard.repository import LeaderboardRepository
from api.leaderboard.schemas import Interval, ModelInfo
from api.submissions.models import State, Submission
from api.submissions.repository import SubmissionRepository
from api.submissions.schemas import ItemPublic, SubmissionPublic
from packs.benchmark import Feedback, SplitConfig

_WORKING = (State.QUEUED, State.GRADING)
# After so long without a result a hidden split's submission says that people may be needed, whatever the cause.
_LONG = timedelta(hours=1)
_REVIEWED = "people are grading what no grader could decide"
_PERHAPS = "answers of this split may be graded by people, which can take days"


async def view(
    session: AsyncSession,
    aliases: Aliases,
    row: Submission,
    benchmark: str,
    release: ReleaseRow,
    split: SplitRow,
    *,
    whole: bool = True,
) -> SubmissionPublic:
    """The submission under its split's policy; `whole` adds progress and, with full feedback, the items."""
    repository = SubmissionRepository(session)
    full = split.feedback == Feedback.FULL
    shown = await _shown(session, row, split)
    public = SubmissionPublic(
        id=public_id("sub", row.id),
        benchmark=benchmark,
        version=release.version,
        split=split.name,
        feedback=split.feedback,
        model=ModelInfo.model_validate(row.model),
        state=public_state(row, split),
        expected=row.expected,
        received=row.received,
        graded=None,
        attempt=row.attempt,
        coverage=row.received / row.expected if row.expected else 0.0,
        created_at=row.created_at,
        finalised_at=row.finalised_at,
        graded_at=row.graded_at if full else None,
        failure=row.failure,
        **shown,
    )
    # On hidden splits the place is shown while nothing is graded: how grading goes on depends on the answers.
    if whole and row.state in (_WORKING if full else _WORKING[:1]):
        progress = await repository.progress(row)
        public.place = progress.place + 1
        if progress.seconds_an_item is not None:
            public.estimate_seconds = round(float(progress.seconds_an_item) * progress.items_before, 1)
        if full:
            public.graded = progress.graded
    if whole and full:
        public.items = [
            ItemPublic(
                problem=aliases.encode(row.organisation_id, item.problem_id),
                score=item.score,
                outcome=item.outcome,
                reason=item.reason,
                grader=item.grader,
                gold=item.gold,
            )
            for item in await repository.items(row.id)
        ]
    if public.state == State.AWAITING_REVIEW:
        public.note = _REVIEWED if full else _PERHAPS
    return public


def public_state(row: Submission, split: SplitRow) -> str:
    """The state as its makers see it.

    Whether an answer waits for a person depends on the answer. So on hidden splits `awaiting_review` means that people
    may be needed: all that decides is whether the split has problems with a rubric, and how long ago it was sent in.
    """
    if split.feedback == Feedback.FULL or row.state not in (State.GRADING, State.AWAITING_REVIEW):
        return row.state
    late = row.finalised_at is not None and now() - row.finalised_at > _LONG
    return State.AWAITING_REVIEW.value if split.people or late else State.GRADING.value


async def _shown(session: AsyncSession, row: Submission, split: SplitRow) -> dict[str, Any]:
    if row.state != State.GRADED or row.score is None:
        return {}
    if split.feedback == Feedback.FULL:
        interval = Interval(low=row.low or 0.0, high=row.high or 0.0)
        return {"score": row.score, "interval": interval, "breakdown": row.breakdown, "usage": row.usage}
    # On hidden splits the makers learn what the leaderboard says, and nothing beside it.
    public = await LeaderboardRepository(session).published(row.id)
    if public is None:
        return {"note": await _why_no_score(session, row, split)}
    if now() < public.visible_from:
        return {"note": f"the score is published at {public.visible_from.isoformat(timespec='minutes')}"}
    interval = Interval(low=public.low, high=public.high)
    return {"score": public.score, "interval": interval, "breakdown": public.breakdown, "usage": row.usage}


async def _why_no_score(session: AsyncSession, row: Submission, split: SplitRow) -> str:
    if split.feedback != Feedback.LADDER:
        return "this split releases no scores"
    ladder = LadderRepository(session)
    climber = await ladder.climber(row.organisation_id)
    if climber == UNVERIFIED and SplitConfig.model_validate(split.config).unverified == "none":
        return "this split releases scores to verified organisations alone"
    climbed = await ladder.state(split.id, climber)
    whose = "all organisations that are not verified" if climber == UNVERIFIED else "your organisation"
    if climbed is None or climbed.released is None:
        return "not a new best beyond noise, so no score is released"
    stays = f"the released score of {whose} stays {climbed.released:g}"
    return f"not a new best beyond noise, so no score is released; {stays}"
