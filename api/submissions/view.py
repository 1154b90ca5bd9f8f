"""What a submission's makers may see: the split's feedback policy, and nothing around it."""

from datetime import timedelta
from typing import Any

from api.catalog.models import ReleaseRow, SplitRow
from api.catalog.packs.format import Feedback, SplitConfig
from api.core.crypto import Aliases
from api.core.db import now
from api.core.ids import public_id
from api.submissions.models import State, Submission
from api.submissions.repository import SubmissionRepository
from api.submissions.schemas import Interval, ItemPublic, ModelInfo, SubmissionPublic

_WORKING = (State.QUEUED, State.GRADING)


async def view(
    repository: SubmissionRepository,
    aliases: Aliases,
    row: Submission,
    benchmark: str,
    release: ReleaseRow,
    split: SplitRow,
    *,
    whole: bool = True,
) -> SubmissionPublic:
    """The submission under its split's policy; `whole` adds progress and, with full feedback, the items."""
    full = split.feedback == Feedback.FULL
    shown = _shown(row, split)
    public = SubmissionPublic(
        id=public_id("sub", row.id), benchmark=benchmark, version=release.version, split=split.name,
        feedback=split.feedback, model=ModelInfo.model_validate(row.model), state=_state(row, full=full),
        expected=row.expected, received=row.received, graded=None, attempt=row.attempt,
        coverage=row.received / row.expected if row.expected else 0.0, created_at=row.created_at,
        finalised_at=row.finalised_at, graded_at=row.graded_at if full else None, failure=row.failure, **shown,
    )  # fmt: skip
    if whole and row.state in _WORKING:
        progress = await repository.progress(row)
        public.place = progress.place + 1
        if progress.seconds_an_item is not None:
            public.estimate_seconds = round(float(progress.seconds_an_item) * progress.items_before, 1)
        if full:
            public.graded = progress.graded
    if whole and full:
        public.items = [
            ItemPublic(
                problem=aliases.encode(row.organisation_id, item.problem_id), score=item.score, outcome=item.outcome,
                reason=item.reason, grader=item.grader, gold=item.gold,
            )
            for item in await repository.items(row.id)
        ]  # fmt: skip
    return public


def _state(row: Submission, *, full: bool) -> str:
    # Whether an item waits for a person depends on the answers, so hidden splits say only that grading goes on.
    if row.state == State.AWAITING_REVIEW and not full:
        return State.GRADING.value
    return row.state


def _shown(row: Submission, split: SplitRow) -> dict[str, Any]:
    if row.state != State.GRADED or row.score is None:
        return {}
    policy = Feedback(split.feedback)
    if policy is Feedback.NONE:
        return {"note": "this split tells no scores"}
    if policy is Feedback.DELAYED:
        hours = SplitConfig.model_validate(split.config).feedback_delay_hours
        due = (row.finalised_at or row.created_at) + timedelta(hours=hours)
        if now() < due:
            return {"note": f"the score is told at {due.isoformat(timespec='minutes')}"}
    if policy is Feedback.LADDER:
        return {"note": "this split tells a score only when it is a new best; see the leaderboard"}
    return {
        "score": row.score,
        "interval": Interval(low=row.low or 0.0, high=row.high or 0.0),
        "breakdown": row.breakdown,
        "usage": row.usage,
    }
