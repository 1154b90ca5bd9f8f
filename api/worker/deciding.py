"""Decisions on the feedback part, on the clock: what a submission's makers learn of it."""

import hashlib
import hmac
from datetime import datetime
from uuid import UUID

import structlog

from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.ids import new_id
from api.feedback.models import UNVERIFIED, FeedbackReleaseRow
from api.feedback.policies import policy_of
from api.feedback.repository import FAILED, RETIRED, FeedbackRepository, HiddenSplit, StoredRelease
from api.feedback.schedule import counting_year
from api.mail.outbox import Outbox
from api.submissions.grading_repository import FullSubmission, GradingRepository
from api.submissions.models import State
from api.submissions.opening import OpeningRepository
from api.vault.feedback import FeedbackVault, SplitState
from api.worker.boards import refresh_board
from api.worker.split_parts import GradedRun, PartedSplit, graded_run, parted
from api.worker.state import Worker
from protection.feedback.exit import Intake, intake, on_submission
from protection.feedback.policy import Preset
from protection.feedback.release import FeedbackRelease, Part

log = structlog.get_logger(__name__)


async def decide_due(worker: Worker, at: datetime) -> int:
    """Decide every submission whose time has come. Returns how many; one that cannot be does not stop the others."""
    async with worker.database.session() as session:
        due = await FeedbackRepository(session).due(at)
    decided = 0
    for submission_id in due:
        try:
            async with worker.database.session() as session:
                done = await decide(session, worker.settings.vault_secrets.raw("vault"), submission_id)
                if done:  # told on the clock, as everything else of a hidden split
                    await Outbox(session, worker.settings).run_ended(submission_id)
                decided += done
        except ValueError as error:
            log.error("feedback.undecided", submission=str(submission_id), error=str(error))
    return decided


async def decide(session: AsyncSession, key: bytes, submission_id: UUID) -> bool:
    """Decide one submission, once. False while machines still grade it: their slowness is nobody's wrong answer."""
    repository, grading = FeedbackRepository(session), GradingRepository(session)
    submission = await grading.lock(submission_id)
    waiting = await repository.intake(submission_id)
    if submission is None or waiting is None or waiting.outcome is not None:
        return False
    if submission.state in (State.OPEN, State.QUEUED, State.GRADING):
        return False
    if submission.state is State.FAILED:
        await repository.decided(submission_id, FAILED, 0, "", None)
        return True
    split = await repository.hidden_split(submission.split_id)
    assert split
    await repository.lock(split.id)
    if await repository.retired(split.id):
        await repository.decided(submission_id, RETIRED, 0, "", None)
        published = await CatalogRepository(session).published_names(split.benchmark_id)
        await OpeningRepository(session).open(submission_id, published)
        return True
    policy = policy_of(split.config, split.problem_count, split.choices)
    if submission.received < policy.coverage * split.problem_count:
        # Too few answers, whatever they say: neither they nor the split need be read.
        used = (await _before(session, key, split, submission, waiting.decide_at)).state.feedback.used
        await repository.decided(submission_id, Intake.INCOMPLETE.value, max(0, policy.decisions - used), "", None)
        return True
    run, whole = await graded_run(session, submission), await parted(session, key, split)
    await _decide(session, whole, run, waiting.decide_at)
    return True


async def _before(
    session: AsyncSession, key: bytes, split: HiddenSplit, submission: FullSubmission, scheduled: datetime
) -> SplitState:
    """What its receiver has learnt of the split before this decision."""
    repository = FeedbackRepository(session)
    receiver = await repository.receiver(submission.organisation_id)
    known = await FeedbackVault(session, key).state(split.benchmark_id, split.name, receiver)
    year = counting_year(scheduled)
    before = (known or SplitState(year, split.id)).on(split.id, year)
    return before.having_used(
        Part.FEEDBACK, await repository.own_use(split, submission.organisation_id, Part.FEEDBACK, year)
    )


async def _decide(session: AsyncSession, whole: PartedSplit, run: GradedRun, scheduled: datetime) -> None:
    repository, vault = FeedbackRepository(session), FeedbackVault(session, whole.key)
    split, submission = whole.split, run.submission
    receiver = await repository.receiver(submission.organisation_id)
    digest = _keyed(whole.key, run.digest)
    earlier = await repository.same_answers(split.id, receiver, digest)
    before = await _before(session, whole.key, split, submission, scheduled)
    admission = intake(
        parsed=run.parsed,
        digest=digest,
        decided={digest: _release(earlier)} if earlier else {},
        verified=receiver != UNVERIFIED,
        used=before.state.feedback.used,
        policy=whole.policy,
    )
    release_id, left = earlier.id if earlier else None, admission.left
    if admission.outcome is Intake.QUEUED:
        after, release = on_submission(before.state, whole.verdicts(run, Part.FEEDBACK), whole.policy, scheduled)
        release_id, left = new_id(), release.left
        await repository.add(
            FeedbackReleaseRow(
                id=release_id,
                split_id=split.id,
                receiver=receiver,
                submission_id=submission.id,
                part=Part.FEEDBACK.value,
                new=release.new,
                band=release.band,
                left=left,
                bits=after.feedback.bits - before.state.feedback.bits,
                scheduled=scheduled,
            )
        )
        decided = submission.id if release.new else before.decided
        changed = SplitState(before.year, split.id, after, decided, before.ranked)
        await vault.keep_state(split.benchmark_id, split.name, receiver, changed)
    kept = release_id if admission.outcome in (Intake.QUEUED, Intake.STORED) else None
    await repository.decided(submission.id, admission.outcome.value, left, digest, kept)
    if whole.policy.preset is Preset.SCORES and admission.outcome is Intake.QUEUED:
        await refresh_board(session, whole)


def _release(row: StoredRelease) -> FeedbackRelease:
    return FeedbackRelease(row.part, row.new, row.band, row.left, row.scheduled)


def _keyed(key: bytes, digest: str) -> str:
    """Whoever reads the table cannot try answers against it."""
    return hmac.new(key, f"feedback digest\n{digest}".encode(), hashlib.sha256).hexdigest()
