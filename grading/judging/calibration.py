"""How far a judge can be believed: people's credits beside the judge's, criterion by criterion."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from grading.judging.rubrics import CREDITS, Rubric, tally
from grading.statistics.agreement import cohen_kappa, confusion_matrix, krippendorff_alpha, pearson
from grading.statistics.correction import Calibration, Corrected, Stratum, difference_estimate
from grading.statistics.drift import first_alarm
from grading.statistics.intervals import Interval, wilson

MIN_BASELINE = 20


@dataclass(frozen=True)
class Reviewed:
    """One judged answer that people have looked at: credits by criterion, the judge's and each reviewer's.

    In the order in which they were reviewed; `stratum` is the one it was drawn from.
    """

    judge: Mapping[str, float]
    people: Sequence[Mapping[str, float]]
    stratum: str = "all"


class CriterionReport(BaseModel):
    """Judge against people on one criterion. Rows of `confusion` are people's credits, columns the judge's."""

    model_config = ConfigDict(frozen=True)

    criterion: str
    n: int
    confusion: list[list[int]]
    agreement: float
    agreement_low: float
    agreement_high: float
    kappa: float | None
    pearson: float | None = None
    alpha_people: float | None
    drift_after: int | None


@dataclass(frozen=True)
class JudgeReport:
    """All criteria, and the judge on whole answers: accepted means a score of at least `pass_mark`."""

    criteria: list[CriterionReport]
    whole: Calibration
    weak: bool
    correct: Callable[[Mapping[str, Sequence[float]]], Corrected] = field(repr=False)


def consensus(votes: Sequence[float]) -> float:
    """People's credit on a criterion: the middle vote; of two that differ the lower, which a third would settle."""
    return sorted(votes)[(len(votes) - 1) // 2]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def report_criterion(name: str, reviewed: Sequence[Reviewed], run_length: float = 1000.0) -> CriterionReport:
    """One criterion over all reviewed answers. Drift is watched after the first MIN_BASELINE, against their rate.

    Raises ValueError without a reviewed answer.
    """
    people = [consensus([vote[name] for vote in item.people]) for item in reviewed]
    judge = [item.judge[name] for item in reviewed]
    same = [a == b for a, b in zip(people, judge, strict=True)]
    if not same:
        raise ValueError("a report needs at least one reviewed answer")
    interval: Interval = wilson(sum(same), len(same))
    return CriterionReport(
        criterion=name,
        n=len(same),
        confusion=confusion_matrix(people, judge, CREDITS),
        agreement=sum(same) / len(same),
        agreement_low=interval.low,
        agreement_high=interval.high,
        kappa=_number(cohen_kappa(people, judge, CREDITS, "linear")),
        pearson=pearson(list(zip(people, judge, strict=True))),
        alpha_people=_number(
            krippendorff_alpha([[vote[name] for vote in item.people] for item in reviewed], "interval")
        ),
        drift_after=_drift(same, run_length),
    )


def _drift(same: Sequence[bool], run_length: float) -> int | None:
    """After how many items the alarm is raised. The baseline is the lower end of the first items' interval."""
    if len(same) <= MIN_BASELINE:
        return None
    low = wilson(sum(same[:MIN_BASELINE]), MIN_BASELINE, 0.8).low
    after = first_alarm(same[MIN_BASELINE:], min(0.99, max(0.01, low)), run_length)
    return None if after is None else after + MIN_BASELINE


def report(rubric: Rubric, reviewed: Sequence[Reviewed], pass_mark: float = 0.5) -> JudgeReport:
    """The judge on every criterion and on whole answers."""
    pairs = [(_person_score(rubric, item), tally(rubric, item.judge).score, item.stratum) for item in reviewed]
    whole = Calibration.of([a >= pass_mark for a, _, _ in pairs], [b >= pass_mark for _, b, _ in pairs])

    def correct(judged: Mapping[str, Sequence[float]]) -> Corrected:
        strata = {
            name: Stratum(scores, [(a, b) for a, b, stratum in pairs if stratum == name])
            for name, scores in judged.items()
        }
        estimate = difference_estimate(strata)
        return Corrected(estimate.score, estimate.interval, weak=estimate.weak or whole.too_weak())

    names = [criterion.id for criterion in rubric.criteria]
    return JudgeReport([report_criterion(name, reviewed) for name in names], whole, whole.too_weak(), correct)


def _person_score(rubric: Rubric, item: Reviewed) -> float:
    scores = sorted(tally(rubric, vote).score for vote in item.people)
    middle = len(scores) // 2
    return scores[middle] if len(scores) % 2 else (scores[middle - 1] + scores[middle]) / 2
