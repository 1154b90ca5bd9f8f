"""How a benchmark's judges do: measured by a worker, which alone reads verdicts, and kept sealed for the owner."""

import math
from uuid import UUID

from pydantic import TypeAdapter

from api.catalog.service import CatalogService
from api.core.crypto import seal, unseal
from api.core.db import AsyncSession
from api.core.errors import ForbiddenError
from api.core.ids import public_id
from api.feedback.errors import OwnerTakesPartError
from api.feedback.repository import FeedbackRepository
from api.reviews.correction import PASS_MARK, calibration
from api.reviews.records import ReviewedPair
from api.reviews.repository import ReviewRepository
from api.reviews.schemas import AnswerMeasured, CalibrationReport, CriterionMeasured, JudgeMeasured
from grading.judging.calibration import Reviewed, consensus, report_criterion
from grading.judging.rubrics import CREDITS
from grading.judging.sheets import RIGHT
from grading.statistics.agreement import cohen_kappa, pearson


class NotYourJudgeError(ForbiddenError):
    code = "not_your_benchmark"


_ANSWERS = 5000
_JUDGES = TypeAdapter(list[JudgeMeasured])


async def calibration_report(
    session: AsyncSession, key: bytes, organisation_ids: list[UUID], slug: str
) -> CalibrationReport:
    """Every judge that people have looked at, as it was last measured.

    Raises NoBenchmarkError, NotYourJudgeError, OwnerTakesPartError: the counts say how an owner's own answers did.
    """
    benchmark = await CatalogService(session).benchmark(slug)
    if benchmark.organisation_id not in organisation_ids:
        raise NotYourJudgeError("only the organisation that owns a benchmark sees how its judges do")
    if found := await FeedbackRepository(session).owners_who_take_part(benchmark.id):
        raise OwnerTakesPartError(f"{', '.join(found)}: who submits to a hidden split is told nothing more of it")
    repository = ReviewRepository(session)
    sealed = await repository.report(benchmark.id)
    judges = _JUDGES.validate_json(unseal(key, sealed, measure_binding(benchmark.id))) if sealed else []
    return CalibrationReport(benchmark=slug, waiting=await repository.uncalibrated(benchmark.id), judges=judges)


async def measure_judges(session: AsyncSession, key: bytes, benchmark_id: UUID) -> None:
    """Measure every judge that people have looked at, and keep what the owner is shown. `key` is that of reviews."""
    repository = ReviewRepository(session)
    await repository.lock_report(benchmark_id)
    by_judge: dict[str, list[ReviewedPair]] = {}
    for pair in await repository.pairs(benchmark_id, []):
        if pair.model:
            by_judge.setdefault(pair.model, []).append(pair)
    votes: dict[UUID, list[dict[str, float]]] = {}
    # After the pairs: what is settled in between has votes and no pair, never a pair without votes.
    for ballot in await repository.ballots(benchmark_id):
        votes.setdefault(ballot.review_id, []).append(ballot.credits)
    judges = [_measured(name, pairs, votes) for name, pairs in sorted(by_judge.items())]
    await repository.keep_report(benchmark_id, seal(key, _JUDGES.dump_json(judges), measure_binding(benchmark_id)))


def _measured(judge: str, pairs: list[ReviewedPair], votes: dict[UUID, list[dict[str, float]]]) -> JudgeMeasured:
    whole = calibration([(pair.person, pair.judge) for pair in pairs])
    reviewed = [Reviewed(credits, votes[pair.id]) for pair in pairs if (credits := _credits(pair))]
    names = sorted({name for item in reviewed for name in item.judge})
    criteria = [
        report_criterion(name, [item for item in reviewed if _has(item, name)])
        for name in names
        if any(_has(item, name) for item in reviewed)
    ]
    scores = [(pair.person, pair.judge) for pair in pairs]
    people, judged = ([value >= PASS_MARK for value in side] for side in zip(*scores, strict=True))
    kappa = cohen_kappa(people, judged, [False, True])
    return JudgeMeasured(
        judge=judge,
        pearson=pearson(scores),
        kappa=None if math.isnan(kappa) else kappa,
        answers=[_answer(pair, votes[pair.id]) for pair in pairs[-_ANSWERS:]],
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


def _answer(pair: ReviewedPair, votes: list[dict[str, float]]) -> AnswerMeasured:
    names = [name for name in votes[0] if all(name in vote for vote in votes)]
    return AnswerMeasured(
        review=public_id("rev", pair.id),
        problem=pair.problem,
        people=pair.person,
        judge=pair.judge,
        people_credits={name: consensus([vote[name] for vote in votes]) for name in names},
        judge_credits=_credits(pair),
    )


def measure_binding(benchmark_id: UUID) -> str:
    """What it is bound to."""
    return f"calibration_report:{benchmark_id}:1"


def calibration_rows(report: CalibrationReport) -> list[list[str | float]]:
    """Every measured answer as rows of a table, its heading first; what was not judged is empty."""
    names = sorted({name for one in report.judges for answer in one.answers for name in answer.people_credits})
    head = ["judge", "review", "problem", "people", "judge_score"]
    rows: list[list[str | float]] = [[*head, *(f"{who}:{name}" for name in names for who in ("people", "judge"))]]
    for one in report.judges:
        for answer in one.answers:
            given = (answer.people_credits, answer.judge_credits)
            credits = [credits.get(name, "") for name in names for credits in given]
            rows.append([one.judge, answer.review, answer.problem, answer.people, answer.judge, *credits])
    return rows


def _credits(pair: ReviewedPair) -> dict[str, float]:
    """The judge's credits by criterion; none where its score cannot be split into them.

    Where there is no rubric people say whether the answer is right, and the judge's grade is its credit.
    """
    return pair.credits or ({RIGHT: pair.judge} if pair.judge in CREDITS else {})


def _has(item: Reviewed, name: str) -> bool:
    return name in item.judge and all(name in vote for vote in item.people)
