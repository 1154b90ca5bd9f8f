"""Judges are measured: people look at a sample of what a judge decided, and the entry's score is corrected by it."""

import hashlib
import hmac
from uuid import UUID

from api.core.db import AsyncSession
from api.leaderboard.repository import LeaderboardRepository
from api.reviews.correction import Correction, correct, stratum_of
from api.reviews.measured import measure_judges
from api.reviews.models import CALIBRATE
from api.reviews.repository import ReviewRepository
from api.submissions.grading_repository import FullSubmission, GradingRepository, scored_items
from api.submissions.models import State
from api.worker.reviewing import queue_items
from api.worker.state import Worker
from grading.statistics.sampling import draw
from packs.benchmark import Visibility


async def resume_calibration(worker: Worker, review_id: UUID) -> None:
    """Go on after a settled calibration review; of another purpose it is nothing to do."""
    async with worker.database.session() as session:
        review = await ReviewRepository(session).calibrated(review_id)
        if review is None:
            return
        submission = await GradingRepository(session).lock(review.submission_id)
        if submission and submission.state is State.GRADED:
            await calibrate(worker, session, submission)
        await measure_judges(session, worker.settings.secrets.raw("review"), review.benchmark_id)


async def calibrate(worker: Worker, session: AsyncSession, submission: FullSubmission) -> None:
    """Correct the entry of a graded submission, and queue the next part of the sample until it is enough.

    A part is judged whole: while some of it waits for people nothing changes, or quick reviews would count double.
    """
    judged = await ReviewRepository(session).judged(submission.id)
    if not judged or any(item.asked and item.person is None for item in judged):
        return
    found = await correct_entry(session, submission, worker.settings.calibration_width)
    if found is None or submission.visibility is Visibility.DEV:
        return
    pools: dict[str, list[str]] = {}
    for item in judged:
        if not item.asked:
            pools.setdefault(stratum_of(item.score), []).append(str(item.problem_id))
    # Keyed, so that nobody outside knows which answers people will look at.
    seed = hmac.new(worker.settings.secrets.raw("review"), submission.id.bytes, hashlib.sha256).digest()
    chosen = set(draw(pools, found.plan.further, int.from_bytes(seed)))
    sample = [item for item in judged if str(item.problem_id) in chosen]
    await queue_items(worker, session, submission, sample, CALIBRATE)


async def correct_entry(session: AsyncSession, submission: FullSubmission, width: float) -> Correction | None:
    """Write the corrected score to the entry of an open split, if there is one; a hidden split releases a flag.

    None where no judge decided anything.
    """
    found = await judged_correction(session, submission, width)
    if found is not None and submission.visibility is Visibility.DEV:
        leaderboard = LeaderboardRepository(session)
        among = await leaderboard.set_correction(submission.id, found.stored())
        if among and found.method:
            await leaderboard.mark_best(among)
    return found


async def judged_correction(session: AsyncSession, submission: FullSubmission, width: float) -> Correction | None:
    """A submission's score corrected for its judge's errors; None where no judge decided anything."""
    repository = ReviewRepository(session)
    judged = {item.problem_id: item for item in await repository.judged(submission.id)}
    if not judged:
        return None
    problems = await GradingRepository(session).scored(submission.id, submission.split_id)
    people = {index: judged[item.id].person for index, item in enumerate(problems) if item.id in judged}
    judges = sorted({item.judge for item in judged.values()})
    benchmark_id = next(iter(judged.values())).benchmark_id
    others = [(pair.person, pair.judge) for pair in await repository.pairs(benchmark_id, judges, submission.id)]
    return correct(scored_items(problems), people, others, submission.scoring, width)
