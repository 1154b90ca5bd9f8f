"""The board of a hidden split: its entries, made from feedback releases alone."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from uuid import UUID

from api.core.db import AsyncSession
from api.feedback.repository import FeedbackRepository, StoredRelease
from api.leaderboard.models import Entry
from api.leaderboard.repository import LeaderboardRepository, Restated
from api.leaderboard.scoring import ENDS
from api.submissions.grading_repository import GradingRepository
from api.worker.split_parts import PartedSplit
from protection.feedback.board import BoardEntry, BoardRow, board
from protection.feedback.policy import FeedbackPolicy, Preset
from protection.feedback.release import FeedbackRelease, Part


async def refresh_board(session: AsyncSession, whole: PartedSplit) -> None:
    """Bring a split's entries to what its releases say."""
    leaderboard = LeaderboardRepository(session)
    releases = await FeedbackRepository(session).all(whole.split.id)
    shown = board_entries(releases, whole.policy)
    known = await leaderboard.listed(whole.split.id)
    for row in board((entry for entry, _ in shown.values()), whole.policy):
        submission_id = UUID(row.entry)
        restated = _restated(row, shown[submission_id][1])
        if submission_id in known:
            await leaderboard.restate(submission_id, restated)
        else:
            await leaderboard.publish(await _entry(session, submission_id, restated))


def board_entries(
    releases: Iterable[StoredRelease], policy: FeedbackPolicy
) -> dict[UUID, tuple[BoardEntry, StoredRelease]]:
    """The entries of a board by submission, from all releases in order.

    A refused run has no entry of its own, since its receiver's band is another run's; below the floor all have one.
    The tries that an entry is adjusted for are its receiver's, or its organisation's own where those are more: what was
    tried in a group that has ended was tried.
    """
    speaks = Part.RANKING if policy.ranking else Part.FEEDBACK
    each = policy.preset is Preset.SCORES or policy.models
    feedback: dict[UUID, FeedbackRelease] = {}
    attempts: dict[UUID, int] = defaultdict(int)
    rankings: dict[UUID, int] = defaultdict(int)
    shown: dict[UUID, StoredRelease] = {}
    for row in releases:
        if not row.regrade:
            counted = attempts if row.part is Part.FEEDBACK else rankings
            for who in {row.receiver, row.organisation_id}:
                counted[who] += 1
        if row.part is Part.FEEDBACK:
            feedback[row.receiver] = _release(row)
        if row.part is speaks and (each or row.new or row.regrade or row.band is None):
            shown[row.submission_id] = row
    return {
        submission: (
            BoardEntry(
                str(submission),
                _release(row),
                feedback.get(row.receiver),
                _tries(attempts, row),
                _tries(rankings if speaks is Part.RANKING else attempts, row),
            ),
            row,
        )
        for submission, row in shown.items()
    }


def _tries(counted: Mapping[UUID, int], row: StoredRelease) -> int:
    return max(counted.get(row.receiver, 0), counted.get(row.organisation_id, 0))


async def _entry(session: AsyncSession, submission_id: UUID, restated: Restated) -> Entry:
    submission = await GradingRepository(session).lock(submission_id)
    assert submission
    ends = (submission.breakdown or {}).get(ENDS)
    return Entry(
        submission_id=submission.id,
        split_id=submission.split_id,
        organisation_id=submission.organisation_id,
        organisation=submission.organisation,
        model_name=submission.model["name"],
        model=submission.model,
        score=restated.score,
        low=restated.low,
        high=restated.high,
        adjusted=restated.adjusted,
        near_chance=restated.near_chance,
        overfit=restated.overfit,
        judge_weak=restated.judge_weak,
        contaminated=restated.contaminated,
        coverage=submission.received / submission.expected if submission.expected else 0.0,
        attempts=submission.attempt,
        breakdown={ENDS: ends} if ends else {},
        usage=dict(submission.usage or {}),
        created_at=submission.created_at,
    )


def _restated(row: BoardRow, release: StoredRelease) -> Restated:
    """What changes of an entry; below the floor the score that orders it is 0, and none is shown."""
    return Restated(
        score=round(row.score or 0.0, 6),
        low=round(row.low or 0.0, 4),
        high=round(row.high or 0.0, 4),
        adjusted=None if row.adjusted is None else round(row.adjusted, 4),
        near_chance=row.score is None,
        overfit=row.overfit,
        judge_weak=release.judge_weak,
        contaminated=release.contaminated,
    )


def _release(row: StoredRelease) -> FeedbackRelease:
    return FeedbackRelease(row.part, row.new, row.band, row.left, row.scheduled)
