"""What a submission's makers may see: the split's feedback policy, and nothing around it."""

from dataclasses import dataclass

from api.catalog.models import ReleaseRow, SplitRow
from api.core.crypto import Aliases
from api.core.db import AsyncSession
from api.core.ids import public_id
from api.core.settings import Settings
from api.feedback.repository import FAILED, Intake
from api.feedback.service import FeedbackService, SplitPolicy
from api.lanes.models import SPECS
from api.lanes.repository import LaneRepository
from api.leaderboard.repository import LeaderboardRepository
from api.leaderboard.schemas import Interval, ModelPublic
from api.submissions.models import State, Submission
from api.submissions.repository import GradedItem, SubmissionRepository
from api.submissions.schemas import ItemPublic, SubmissionPublic
from packs.benchmark import Visibility

_WORKING = (State.QUEUED, State.GRADING)
_REVIEWED = "people are grading what no grader could decide"
_NOTES = {
    "incomplete": "too few of its answers could be read, so nothing is decided and no decision was used",
    "stored": "the same answers were decided before; what was released then stands",
    "silent": "this split releases feedback to verified organisations alone",
    "spent": "no decision on the feedback part is left this year; it can still be selected for a scheduled release",
    "carried": "its band on what is left of the ranking part of an earlier version is on the board",
    "retired": "what decisions spoke of was published; its verdicts are in 'items', submit a run of the newest version",
    "ranking_only": "this split has no feedback part; select the submission for a scheduled release",
}


@dataclass(frozen=True)
class _Hidden:
    """What decides how a submission to a hidden split is shown; `intake` is None while it is open."""

    known: SplitPolicy
    intake: Intake | None


async def view(
    session: AsyncSession,
    aliases: Aliases,
    settings: Settings,
    row: Submission,
    benchmark: str,
    release: ReleaseRow,
    split: SplitRow,
    *,
    whole: bool = True,
) -> SubmissionPublic:
    """The submission under its split's policy; `whole` adds parameters and, on an open split, progress and items."""
    service = FeedbackService(session, settings)
    intake = await service.intake(row.id)
    full = split.visibility == Visibility.DEV
    received = row.received
    if not full and row.state == State.OPEN:
        received = await _received(SubmissionRepository(session), row)
    public = SubmissionPublic(
        id=public_id("sub", row.id),
        benchmark=benchmark,
        version=release.version,
        split=split.name,
        policy=split.feedback,
        model=ModelPublic.of(row.model, whole=whole),
        state=row.state if full else hidden_state(row.state, intake),
        expected=row.expected,
        received=received,
        graded=None,
        attempt=row.attempt,
        coverage=received / row.expected if row.expected else 0.0,
        created_at=row.created_at,
        finalised_at=row.finalised_at,
        graded_at=row.graded_at if full else None,
        failure=row.failure if full or (intake and intake.outcome == FAILED) else "",
    )
    if full:
        await _show_open(session, aliases, row, public, whole=whole)
        return public
    known = await service.of_split(split.id)
    if known is not None and intake is not None:
        await _show_hidden(session, service, row, public, _Hidden(known, intake))
    if whole and split.retired_at is not None and intake is not None and intake.outcome is not None:
        opened = await SubmissionRepository(session).opened_items(row.id)
        public.items = [_item(aliases, row, item) for item in opened]
    return public


async def _received(repository: SubmissionRepository, row: Submission) -> int:
    """How many answers an open submission is said to have: of a container's, in tenths and once it has ended.

    When each of them came would tell its owner as much as anybody measures finely.
    """
    if not await repository.played_by_service(row.id, container=True):
        return row.received
    playing = await repository.played_by_service(row.id, now=True, container=True)
    return 0 if playing else in_tenths(row.received, row.expected)


def in_tenths(received: int, expected: int) -> int:
    """How many answers have come, in whole tenths: a container could tell problems to its owner by exact counts."""
    return 10 * received // expected * expected // 10 if expected else 0


def hidden_state(state: str, intake: Intake | None) -> str:
    """The state on a hidden split: `grading` from its end until it is decided, whatever happens to its answers."""
    if intake is None:
        return state if state == State.OPEN else State.GRADING.value
    if intake.outcome is None:
        return State.GRADING.value
    return State.FAILED.value if intake.outcome == FAILED else State.GRADED.value


async def _show_open(
    session: AsyncSession, aliases: Aliases, row: Submission, public: SubmissionPublic, *, whole: bool
) -> None:
    """Everything: score, progress, and with `whole` the items with their golds."""
    repository = SubmissionRepository(session)
    if row.state == State.GRADED and row.score is not None:
        public.score, public.interval = row.score, Interval(low=row.low or 0.0, high=row.high or 0.0)
        public.breakdown, public.usage = row.breakdown, row.usage
    if public.state == State.AWAITING_REVIEW:
        public.note = _REVIEWED
    if not whole:
        return
    if row.state in _WORKING:
        public.graded = await repository.graded(row.id)
        # From counts alone: how long the answers of others took would say something about them.
        places = await LaneRepository(session).place(row.id)
        public.place = 1 + max((place.submissions for place in places), default=0)
        public.estimate_seconds = round(max((SPECS[p.lane].seconds * p.items for p in places), default=0.0), 1)
    items = await repository.items(row.id)
    public.items = [_item(aliases, row, item) for item in items]
    decided = [item.score for item in items if item.score is not None]
    if public.state == State.AWAITING_REVIEW and decided:
        mean = sum(decided) / len(decided)
        public.note += f"; graded so far: {len(decided)} of {len(items)}, mean {mean:.3f}"


def _item(aliases: Aliases, row: Submission, item: GradedItem) -> ItemPublic:
    return ItemPublic(
        problem=aliases.encode(row.organisation_id, item.problem_id),
        score=item.score,
        outcome=item.outcome,
        reason=item.reason,
        grader=item.grader,
        gold=item.gold,
    )


async def _show_hidden(
    session: AsyncSession, service: FeedbackService, row: Submission, public: SubmissionPublic, hidden: _Hidden
) -> None:
    """What was released of it, what the board says, and when there is more."""
    intake = hidden.intake
    assert intake
    public.feedback = await service.of_submission(hidden.known, row.id, row.organisation_id, intake)
    if intake.outcome is None:
        public.next_release = intake.decide_at
        public.note = f"it is decided at {intake.decide_at.isoformat(timespec='seconds')}"
        return
    public.usage = row.usage
    public.next_release = service.next_release(hidden.known)
    public.note = _note(public)
    shown = await LeaderboardRepository(session).published(row.id)
    if shown is not None and not shown.near_chance:
        public.score, public.interval = shown.score, Interval(low=shown.low, high=shown.high)
        public.breakdown = shown.breakdown


def _note(public: SubmissionPublic) -> str:
    """In words what the makers can do next."""
    shown = public.feedback
    assert shown
    if shown.ranked:
        return "" if shown.ranked_new_best else "ranked: not a new best beyond noise, so the band on the board stays"
    if shown.selected and public.next_release:
        return f"selected for the release of {public.next_release.isoformat(timespec='seconds')}"
    if shown.outcome != "queued":
        return _NOTES.get(shown.outcome, "")
    if shown.new_best:
        return "a new best on the feedback part"
    return "not a new best beyond noise on the feedback part"
