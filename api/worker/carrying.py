"""The board goes on after a feedback part was published: every band on it is told again, on what is left of the ranking
part, at once and for all. No ranking of anybody is used; the bits of a band are charged."""

from datetime import datetime

from api.core.db import AsyncSession
from api.feedback.models import FeedbackIntakeRow
from api.feedback.repository import CARRIED, FeedbackRepository, HiddenSplit, StoredRelease
from api.feedback.schedule import counting_year
from api.submissions.carrying import CarryingRepository
from api.submissions.grading_repository import GradingRepository
from api.submissions.repository import SubmissionRepository
from api.vault.feedback import FeedbackVault, SplitState
from api.worker.boards import board_entries, refresh_board
from api.worker.ranking import release_row
from api.worker.split_parts import PartedSplit, graded_run, parted
from protection.feedback.exit import on_regrade
from protection.feedback.release import Part


async def transfer_board(session: AsyncSession, key: bytes, old: HiddenSplit, new: HiddenSplit, at: datetime) -> int:
    """Put the runs on the board of `old` onto that of `new`, the split in the release that follows: how many."""
    repository = FeedbackRepository(session)
    before, after = await parted(session, key, old), await parted(session, key, new)
    if before.policy.ranking is None or after.policy.ranking is None:
        return 0
    await repository.lock(new.id)
    shown = board_entries(await repository.all(old.id), before.policy)
    for _, row in shown.values():
        await _transfer(session, after, row, at)
    await repository.made(new.id, at)
    await refresh_board(session, after)
    return len(shown)


async def _transfer(session: AsyncSession, whole: PartedSplit, row: StoredRelease, at: datetime) -> None:
    repository, vault, split = FeedbackRepository(session), FeedbackVault(session, whole.key), whole.split
    run = await SubmissionRepository(session).one(row.submission_id)
    assert run
    carried = await CarryingRepository(session).transfer(run, split.release_id, split.id, split.problem_count)
    await repository.take_in(
        FeedbackIntakeRow(
            submission_id=carried,
            split_id=split.id,
            organisation_id=run.organisation_id,
            # Long over: the next submission has not to wait for it.
            decide_at=run.finalised_at or run.created_at,
        )
    )
    await repository.decided(carried, CARRIED, 0, "", None)
    submission = await GradingRepository(session).lock(carried)
    assert submission
    verdicts = whole.verdicts(await graded_run(session, submission), Part.RANKING)
    known = await vault.state(split.benchmark_id, split.name, row.receiver)
    stands = known is not None and known.ranked == row.submission_id
    year = counting_year(at)
    begun = known.on(split.id, year) if known and stands else SplitState(year, split.id)
    state, release = on_regrade(begun.state, Part.RANKING, verdicts, whole.policy, at)
    if stands:
        await vault.keep_state(
            split.benchmark_id, split.name, row.receiver, SplitState(begun.year, split.id, state, None, carried)
        )
    added = release_row(whole, row.receiver, carried, release, state.bits - begun.state.bits)
    added.regrade, added.judge_weak, added.contaminated = True, row.judge_weak, row.contaminated
    await repository.add(added)
