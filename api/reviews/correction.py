"""A submission's score corrected for its judge's errors, from what people said of a sample. Pure; no SQL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from api.leaderboard.scoring import Result, ScoredItem, contributions, score
from grading.statistics.correction import Calibration, Corrected, Stratum, rogan_gladen, widened
from grading.statistics.intervals import Interval
from grading.statistics.sampling import SEQUENTIAL, Plan, plan
from packs.benchmark import Scoring

PASS_MARK = 0.5
_CERTAIN = "certain"


@dataclass(frozen=True)
class Correction:
    """The raw result, the corrected one where there is one, and what should be looked at next."""

    raw: Result
    method: str | None
    corrected: Corrected
    judged: int
    reviewed: int
    weak: bool
    plan: Plan

    def stored(self) -> dict[str, Any]:
        """What the entry of an open split keeps."""
        counts = {"method": self.method, "judged": self.judged, "reviewed": self.reviewed, "weak": self.weak}
        raw = {"score": self.raw.score, "low": self.raw.low, "high": self.raw.high}
        interval = self.corrected.interval
        best = {"score": self.corrected.score, "low": interval.low, "high": interval.high} if self.method else None
        return counts | {"raw": raw, "corrected": best}


def stratum_of(judged: float) -> str:
    """Strata are the judge's scores: none, some, all."""
    return "none" if judged <= 0 else "full" if judged >= 1 else "partial"


def calibration(pairs: Sequence[tuple[float, float]]) -> Calibration:
    """The judge on whole answers, from (person, judge): at least PASS_MARK is accepted."""
    return Calibration.of([a >= PASS_MARK for a, _ in pairs], [b >= PASS_MARK for _, b in pairs])


def correct(
    items: Sequence[ScoredItem],
    judged: Mapping[int, float | None],
    others: Sequence[tuple[float, float]],
    scoring: Scoring,
    width: float,
) -> Correction:
    """Correct the score of `items`. `judged` are the indices that a judge decided, with people's score or None;
    `others` are (person, judge) of this judge on other submissions' answers.

    The difference estimator where each stratum has its own sample, else Rogan and Gladen from the others' where the
    judge said only yes and no, else no correction. `weak`: greyed.
    """
    raw = score(list(items), scoring)
    known = [(person, items[index].score) for index, person in judged.items() if person is not None]
    strata = _strata(items, judged, scoring)
    further = plan(strata, width)
    judge = calibration([*known, *others])
    unsure = len(known) < len(judged) and judge.too_weak()
    method: str | None = None
    best = further.estimate
    if not best.weak:
        method, best = "difference", widened(best, strata, SEQUENTIAL)
    elif (carried := _carried(items, judged, others, scoring)) is not None:
        method, best = "rogan_gladen", carried
    return Correction(raw, method, best, len(judged), len(known), method is None or best.weak or unsure, further)


def _strata(items: Sequence[ScoredItem], judged: Mapping[int, float | None], scoring: Scoring) -> dict[str, Stratum]:
    """Contributions to the score by stratum; what no judge decided is a stratum of which everything is known."""
    people = [
        replace(item, score=person) if (person := judged.get(index)) is not None else item
        for index, item in enumerate(items)
    ]
    own, theirs = contributions(list(items), scoring), contributions(people, scoring)
    scores: dict[str, list[float]] = {}
    pairs: dict[str, list[tuple[float, float]]] = {}
    for index, item in enumerate(items):
        name = stratum_of(item.score) if index in judged else _CERTAIN
        scores.setdefault(name, []).append(own[index])
        if judged.get(index, 0.0) is not None:
            pairs.setdefault(name, []).append((theirs[index], own[index]))
    return {name: Stratum(values, pairs.get(name, [])) for name, values in scores.items()}


def _carried(
    items: Sequence[ScoredItem],
    judged: Mapping[int, float | None],
    others: Sequence[tuple[float, float]],
    scoring: Scoring,
) -> Corrected | None:
    """Rogan and Gladen on the judge's share; the ends of both shares are added, which is wider than need be."""
    decided = [items[index].score for index in judged]
    if not others or scoring.scheme not in ("mean", "success_rate") or set(decided) - {0.0, 1.0}:
        return None
    found = rogan_gladen(int(sum(decided)), len(decided), calibration(others))
    rest = [item for index, item in enumerate(items) if index not in judged]
    if not rest:
        return found
    share, sure = len(decided) / len(items), score(rest, scoring)
    low = share * found.interval.low + (1 - share) * sure.low
    high = share * found.interval.high + (1 - share) * sure.high
    return Corrected(share * found.score + (1 - share) * sure.score, Interval(low, high), found.weak)
