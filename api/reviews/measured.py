"""The owner's view of a benchmark's judges."""

from uuid import UUID

from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.errors import ForbiddenError
from api.reviews.correction import calibration
from api.reviews.repository import ReviewedPair, ReviewRepository
from api.reviews.schemas import CalibrationReport, CriterionMeasured, JudgeMeasured
from grading.judging.calibration import Reviewed, report_criterion
from grading.judging.rubrics import CREDITS
from grading.judging.sheets import RIGHT


class NotYourJudgeError(ForbiddenError):
    code = "not_your_benchmark"


async def calibration_report(session: AsyncSession, organisation_id: UUID, slug: str) -> CalibrationReport:
    """Every judge that people have looked at. Raises NoBenchmarkError, NotYourJudgeError."""
    benchmark = await CatalogService(session).benchmark(slug)
    if benchmark.organisation_id != organisation_id:
        raise NotYourJudgeError("only the organisation that owns a benchmark sees how its judges do")
    repository = ReviewRepository(session)
    votes: dict[UUID, list[dict[str, float]]] = {}
    for ballot in await repository.ballots(benchmark.id):
        votes.setdefault(ballot.review_id, []).append(ballot.credits)
    by_judge: dict[str, list[ReviewedPair]] = {}
    for pair in await repository.pairs(benchmark.id, []):
        if pair.model:
            by_judge.setdefault(pair.model, []).append(pair)
    judges = [_measured(name, pairs, votes) for name, pairs in sorted(by_judge.items())]
    return CalibrationReport(benchmark=slug, waiting=await repository.uncalibrated(benchmark.id), judges=judges)


def _measured(judge: str, pairs: list[ReviewedPair], votes: dict[UUID, list[dict[str, float]]]) -> JudgeMeasured:
    whole = calibration([(pair.person, pair.judge) for pair in pairs])
    reviewed = [Reviewed(credits, votes[pair.id]) for pair in pairs if (credits := _credits(pair))]
    names = sorted({name for item in reviewed for name in item.judge})
    criteria = [
        report_criterion(name, [item for item in reviewed if _has(item, name)])
        for name in names
        if any(_has(item, name) for item in reviewed)
    ]
    return JudgeMeasured(
        judge=judge,
        n=len(pairs),
        yes_yes=whole.tp,
        yes_no=whole.fn,
        no_no=whole.tn,
        no_yes=whole.fp,
        sensitivity=whole.sensitivity,
        specificity=whole.specificity,
        weak=whole.too_weak(),
        criteria=[CriterionMeasured.model_validate(item.model_dump()) for item in criteria],
    )


def _credits(pair: ReviewedPair) -> dict[str, float]:
    """The judge's credits by criterion; none where its score cannot be split into them.

    Where there is no rubric people say whether the answer is right, and the judge's grade is its credit.
    """
    return pair.credits or ({RIGHT: pair.judge} if pair.judge in CREDITS else {})


def _has(item: Reviewed, name: str) -> bool:
    return name in item.judge and all(name in vote for vote in item.people)
