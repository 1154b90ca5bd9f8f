"""Which scores a regrading would move: what `regrading` does, and nothing of it kept."""

from collections import Counter
from dataclasses import replace
from uuid import UUID

from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.ids import public_id
from api.leaderboard.scoring import score
from api.owner_jobs.repository import Job
from api.owner_jobs.schemas import EntryMove, ItemMove, RegradePreview, RegradePreviewAsk
from api.owner_jobs.service import refuse_participants
from api.regrades.repository import RegradeJob
from api.submissions.grading_repository import GradingRepository
from api.worker.regrading import differs, grade_anew
from api.worker.reporting import Report
from api.worker.state import Worker
from grading import Outcome

_Moves = Counter[tuple[str, str, bool]]


async def preview(
    worker: Worker, session: AsyncSession, job: Job, ask: RegradePreviewAsk, report: Report
) -> tuple[RegradePreview, None]:
    """Grade every stored submission anew under the current golds, and say what would move; the largest moves first.

    Raises OwnerTakesPartError.
    """
    del ask
    await refuse_participants(session, job.benchmark_id)
    benchmark, release = await CatalogService(session).current(job.benchmark)
    work = RegradeJob(job.id, benchmark.id, release.id)
    submissions = await GradingRepository(session).graded(benchmark.id)
    entries: list[EntryMove] = []
    moves: _Moves = Counter()
    for number, submission_id in enumerate(submissions):
        await report(number, len(submissions))
        moved = await _moved(worker, work, submission_id, moves)
        if moved is not None:
            entries.append(moved)
    entries.sort(key=lambda entry: (-abs(entry.after - entry.before), entry.submission))
    items = [
        ItemMove(name=name, split=split, better=moves[name, split, True], worse=moves[name, split, False])
        for name, split in sorted({(name, split) for name, split, _ in moves})
    ]
    return RegradePreview(version=release.version, submissions=len(submissions), entries=entries, items=items), None


async def _moved(worker: Worker, job: RegradeJob, submission_id: UUID, moves: _Moves) -> EntryMove | None:
    """What would become of one submission; None where no verdict changes."""
    async with worker.database.session() as session:
        grading = GradingRepository(session)
        row = await grading.lock(submission_id)
        assert row
        changed = {
            item.problem_id: (item, verdict)
            for item, verdict in await grade_anew(worker, session, row, job)
            if verdict.outcome is not Outcome.UNSCORED and differs(item, verdict)
        }
        if not changed:
            return None
        _, _, split = await CatalogRepository(session).whereabouts(row.split_id)
        for item, verdict in changed.values():
            moves[item.name, split.name, (verdict.score or 0.0) >= (item.score or 0.0)] += 1
        problems = await grading.scored(row.id, row.split_id)
    before = [problem.item() for problem in problems]
    after = [
        replace(item, score=changed[problem.id][1].score or 0.0) if problem.id in changed else item
        for problem, item in zip(problems, before, strict=True)
    ]
    return EntryMove(
        submission=public_id("sub", row.id),
        organisation=row.organisation,
        model=row.model["name"],
        split=split.name,
        before=score(before, row.scoring).score,
        after=score(after, row.scoring).score,
        answers_changed=len(changed),
    )
