"""Statistics of a split's items for its owner."""

from uuid import UUID

from api.catalog.errors import NoSplitError
from api.catalog.models import ProblemRow
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.owner_jobs.repository import Job
from api.owner_jobs.schemas import ItemMeasured, ItemsAsk, ItemStatistics, WrongAnswer
from api.owner_jobs.service import refuse_participants
from api.reviews.repository import ReviewRepository
from api.submissions.answers import GivenAnswer
from api.submissions.grading_repository import GradingRepository
from api.submissions.statistics_repository import StatisticsRepository
from api.worker.reporting import Report
from api.worker.state import Worker
from grading import Answer
from grading.language.choices import chosen
from grading.language.extract import extract
from grading.statistics.items import ItemMeasure, ItemRun, measure_items, strongest
from protection.fingerprints import ShownProblem

_MOST_SUBMISSIONS = 500
_MOST_LETTERS = 200
_DISAGREEING = 0.5


async def measure(
    worker: Worker, session: AsyncSession, job: Job, ask: ItemsAsk, report: Report
) -> tuple[ItemStatistics, None]:
    """Measure the items of a split of the current release. Raises NoSplitError, OwnerTakesPartError."""
    await refuse_participants(session, job.benchmark_id)
    catalog = CatalogRepository(session)
    found = await catalog.current(job.benchmark)
    split = await catalog.split(found[1].id, ask.split) if found else None
    if found is None or split is None:
        raise NoSplitError(f"GET /v1/benchmarks/{job.benchmark} lists the splits")
    problems = await catalog.problems_of_split(split.id)
    chosen = await StatisticsRepository(session).newest_of_models(split.board, _MOST_SUBMISSIONS)
    runs = []
    for number, submission_id in enumerate(chosen):
        await report(number, len(chosen))
        runs.append(await _run(worker, submission_id))
    disagreeing = await _disagreeing(session, job.benchmark_id)
    measured = measure_items(runs, [problem.name for problem in problems])
    items = [_public(problem, measured[problem.name], disagreeing.get(problem.name)) for problem in problems]
    items.sort(key=lambda item: (not item.suspected, -item.suspicion if item.suspected else 0.0, _difficulty(item)))
    result = ItemStatistics(
        version=found[1].version,
        split=split.name,
        submissions=len(runs),
        strong=len(strongest(runs)),
        items=items,
    )
    return result, None


def _difficulty(item: ItemMeasured) -> float:
    return 2.0 if item.right is None else item.right


async def _run(worker: Worker, submission_id: UUID) -> dict[str, ItemRun]:
    """What one submission did on each problem that it answered, by the problem's name."""
    async with worker.database.session() as session:
        grading = GradingRepository(session)
        submission = await grading.lock(submission_id)
        assert submission
        verdicts = await grading.verdicts(submission_id)
        rows = await grading.scored(submission_id, submission.split_id)
        names = await CatalogRepository(session).names([row.id for row in rows])
    answers = {
        item.problem_id: _written(item.given, worker.fingerprints.shown(submission.organisation_id, item))
        for item in verdicts
    }
    return {
        names[row.id]: ItemRun(row.score, answers.get(row.id), (row.usage or {}).get("seconds"))
        for row in rows
        if row.outcome is not None
    }


def _written(given: GivenAnswer, shown: ShownProblem) -> str | None:
    """The final answer in one spelling; answers to different variants of a problem are different answers."""
    text = extract(Answer(text=given.answer, data=given.data)).text
    if text is None or not text.strip():
        return None
    if shown.choices:
        labels = tuple(choice["label"] for choice in shown.choices)
        text = chosen(text, labels, tuple(choice["text"] for choice in shown.choices))[0] or text
    plain = " ".join(text.split())[:_MOST_LETTERS]
    return f"{plain} (variant {shown.variant})" if shown.variant else plain


async def _disagreeing(session: AsyncSession, benchmark_id: UUID) -> dict[str, float]:
    """The share of answers on which people and a judge differ, by problem."""
    found: dict[UUID, list[bool]] = {}
    for pair in await ReviewRepository(session).pairs(benchmark_id, []):
        if pair.model:
            found.setdefault(pair.problem_id, []).append(abs(pair.person - pair.judge) >= _DISAGREEING)
    names = await CatalogRepository(session).names(list(found))
    by_name: dict[str, list[bool]] = {}
    for problem_id, differ in found.items():
        by_name.setdefault(names[problem_id], []).extend(differ)
    return {name: sum(differ) / len(differ) for name, differ in by_name.items()}


def _public(problem: ProblemRow, item: ItemMeasure, disagrees: float | None) -> ItemMeasured:
    return ItemMeasured(
        name=problem.name,
        subject=problem.subject,
        type=problem.type,
        answered=item.answered,
        right=item.right,
        discrimination=item.discrimination,
        seconds=item.seconds,
        judge_disagrees=disagrees,
        wrong=[WrongAnswer(text=one.answer, count=one.count, strong=one.strong) for one in item.rejected],
        suspicion=item.suspicion,
        suspected=item.suspected,
    )
