"""Scheduled releases: the ranking part of a hidden split speaks, for everybody at once."""

from collections.abc import Iterable
from datetime import UTC, datetime
from uuid import UUID

import structlog

from api.core.db import AsyncSession
from api.core.settings import Settings
from api.feedback.models import UNVERIFIED, FeedbackReleaseRow
from api.feedback.policies import policy_of
from api.feedback.repository import FeedbackRepository, HiddenSplit, Selected
from api.feedback.schedule import closes_year, counting_year, last_release, next_release
from api.submissions.grading_repository import GradingRepository
from api.vault.feedback import FeedbackVault, SplitState
from api.worker.boards import refresh_board
from api.worker.contamination import one_bit_flags
from api.worker.split_parts import GradedRun, PartedSplit, graded_run, parted
from api.worker.state import Worker
from protection.feedback.exit import on_regrade, on_schedule
from protection.feedback.policy import Preset
from protection.feedback.release import FeedbackRelease, OrganisationState, Part

log = structlog.get_logger(__name__)
_CAUGHT_UP = 24


async def release_due(worker: Worker, at: datetime) -> list[HiddenSplit]:
    """Make every scheduled release whose time has come. Returns the split of each."""
    async with worker.database.session() as session:
        due = [
            (split, scheduled)
            for split in await FeedbackRepository(session).hidden_splits()
            for scheduled in await _due(session, worker.settings, split, at)
        ]
    for split, scheduled in due:
        async with worker.database.session() as session:
            await release_ranking(session, worker, split, scheduled)
        log.info("ranking.released", split=str(split.id), scheduled=scheduled.isoformat())
    return [split for split, _ in due]


async def _due(session: AsyncSession, settings: Settings, split: HiddenSplit, at: datetime) -> list[datetime]:
    """Releases of a split that are not made yet; where many were missed, the newest stands for them all."""
    policy = policy_of(split.config, split.problem_count, split.choices)
    if policy.preset is not Preset.SCORES and (policy.ranking is None or not policy.rankings):
        return []
    repository = FeedbackRepository(session)
    called = await repository.called(split.id, at)
    newest, made = last_release(settings, policy, at), await repository.last_made(split.id)
    missed: list[datetime] = []
    following = newest if made is None else next_release(settings, policy, made)
    while following <= newest and len(missed) < _CAUGHT_UP:
        missed.append(following)
        following = next_release(settings, policy, following)
    return sorted({*called, *(missed if len(missed) < _CAUGHT_UP else [newest])})


async def release_ranking(session: AsyncSession, worker: Worker, split: HiddenSplit, scheduled: datetime) -> None:
    """Decide on the ranking part for all who asked, and at the year's last release for those who never did."""
    repository = FeedbackRepository(session)
    await repository.lock(split.id)
    whole = await parted(session, worker.settings.vault_secrets.raw("vault"), split)
    if await repository.regraded(split.benchmark_id, await repository.last_made(split.id), scheduled):
        await _release_again(session, whole, scheduled)
    if whole.policy.ranking is not None:
        selected = await repository.selected(split.id, scheduled)
        if closes_year(worker.settings, whole.policy, scheduled):
            selected += await _unasked(repository, whole, selected, scheduled)
        for row in selected:
            await _rank(session, worker, whole, row, scheduled)
    await repository.made(split.id, scheduled)
    await refresh_board(session, whole)


async def _unasked(
    repository: FeedbackRepository, whole: PartedSplit, asked: Iterable[Selected], scheduled: datetime
) -> list[Selected]:
    year = counting_year(scheduled)
    since = datetime(year, 1, 1, tzinfo=UTC)
    heard = {row.organisation_id for row in asked}
    return [
        row
        for row in await repository.unasked(whole.split.id, scheduled)
        if row.organisation_id not in heard
        and not await repository.own_use(whole.split, row.organisation_id, Part.RANKING, year)
        and await repository.rankings_left(whole.split.id, await repository.receiver(row.organisation_id), since)
        is None
    ]


async def _rank(session: AsyncSession, worker: Worker, whole: PartedSplit, row: Selected, scheduled: datetime) -> None:
    """One ranking release, if its receiver has one left this year."""
    repository, vault, split = FeedbackRepository(session), FeedbackVault(session, whole.key), whole.split
    receiver = await repository.receiver(row.organisation_id)
    if receiver == UNVERIFIED and whole.policy.unverified == "none":
        return
    year = counting_year(scheduled)
    known = await vault.state(split.benchmark_id, split.name, receiver)
    own = await repository.own_use(split, row.organisation_id, Part.RANKING, year)
    before = (known or SplitState(year, split.id)).on(split.id, year).having_used(Part.RANKING, own)
    await repository.unselect(split.id, row)
    if before.state.ranking.used >= whole.policy.rankings:
        return
    run = await _run(session, row.submission_id)
    after, release = on_schedule(before.state, whole.verdicts(run, Part.RANKING), whole.policy, scheduled)
    flags = await one_bit_flags(session, worker, whole, run) if known is None or not known.ranked else None
    ranked = row.submission_id if release.new or before.ranked is None else before.ranked
    changed = SplitState(before.year, split.id, after, before.decided, ranked)
    await vault.keep_state(split.benchmark_id, split.name, receiver, changed)
    added = release_row(whole, receiver, row.submission_id, release, after.ranking.bits - before.state.ranking.bits)
    if flags:
        added.judge_weak, added.contaminated = flags.judge_weak, flags.contaminated
        added.bits += flags.bits
    await repository.add(added)


async def _release_again(session: AsyncSession, whole: PartedSplit, scheduled: datetime) -> None:
    """Golds were fixed: the band of every run that is on the board is released again, whether it moved or not."""
    repository, vault, split = FeedbackRepository(session), FeedbackVault(session, whole.key), whole.split
    live = whole.policy.preset is Preset.SCORES
    releases = await repository.all(split.id)
    newest = {(row.part, row.submission_id): row for row in releases if live or row.new or row.regrade}
    for (part, submission_id), row in newest.items():
        known = await vault.state(split.benchmark_id, split.name, row.receiver)
        stands = known is not None and submission_id == (known.ranked if part is Part.RANKING else known.decided)
        if part is Part.FEEDBACK and not (stands or live):
            continue
        run = await _run(session, submission_id)
        before = known.state if known and stands else OrganisationState()
        after, release = on_regrade(before, part, whole.verdicts(run, part), whole.policy, scheduled)
        if known and stands:
            changed = SplitState(known.year, split.id, after, known.decided, known.ranked)
            await vault.keep_state(split.benchmark_id, split.name, row.receiver, changed)
        bits = after.bits - before.bits
        added = release_row(whole, row.receiver, submission_id, release, bits)
        added.regrade, added.judge_weak, added.contaminated = True, row.judge_weak, row.contaminated
        await repository.add(added)


def release_row(
    whole: PartedSplit, receiver: UUID, submission_id: UUID, release: FeedbackRelease, bits: float
) -> FeedbackReleaseRow:
    """A release as it is written down."""
    assert release.scheduled
    return FeedbackReleaseRow(
        split_id=whole.split.id,
        receiver=receiver,
        submission_id=submission_id,
        part=release.part.value,
        new=release.new,
        band=release.band,
        left=release.left,
        bits=bits,
        scheduled=release.scheduled,
    )


async def _run(session: AsyncSession, submission_id: UUID) -> GradedRun:
    submission = await GradingRepository(session).lock(submission_id)
    assert submission
    return await graded_run(session, submission)
