"""Rubrics: criteria with points, dependencies and alternatives, and how credits become a score."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Credit = float
CREDITS: tuple[Credit, ...] = (0.0, 0.5, 1.0)

CriterionId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]


class RubricError(ValueError):
    """Credits that do not fit the rubric; the message says which and what would be right."""


class Criterion(BaseModel):
    """One thing to look for, worth `points`. `full`, `half` and `none` say what each credit looks like.

    A criterion without `half` is all or nothing. Criteria that share an `alternative` are different ways to earn the
    same points: only the best of them counts. `requires` lists criteria (or groups of alternatives, of which one is
    enough) that must have earned full credit before this one counts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: CriterionId
    text: Annotated[str, StringConstraints(min_length=1, max_length=4000)]
    points: Annotated[float, Field(gt=0)]
    full: str = ""
    half: str = ""
    none: str = ""
    requires: tuple[CriterionId, ...] = ()
    alternative: CriterionId | None = None

    def credits(self) -> tuple[Credit, ...]:
        """The credits that may be given."""
        return CREDITS if self.half else (0.0, 1.0)


class Rubric(BaseModel):
    """Criteria whose points sum to `total` (10 in ARB); each group of alternatives counts once, with its largest."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    total: Annotated[float, Field(gt=0)] = 10.0
    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1, max_length=50)]

    @model_validator(mode="after")
    def _sound(self) -> Self:
        ids = [criterion.id for criterion in self.criteria]
        groups = {criterion.alternative for criterion in self.criteria if criterion.alternative}
        if len(set(ids)) != len(ids) or groups & set(ids):
            raise ValueError("ids of criteria and groups of alternatives must all differ")
        for criterion in self.criteria:
            if unknown := set(criterion.requires) - set(ids) - groups:
                raise ValueError(f"criterion '{criterion.id}' requires unknown criteria: {', '.join(sorted(unknown))}")
        self.order()
        reachable = self.reachable()
        if abs(reachable - self.total) > 1e-9:
            raise ValueError(f"the points sum to {reachable:g}, the stated total is {self.total:g}")
        return self

    def reachable(self) -> float:
        """The sum of points, alternatives counted once with the largest of them."""
        best: dict[str, float] = {}
        for criterion in self.criteria:
            key = f"group {criterion.alternative}" if criterion.alternative else f"criterion {criterion.id}"
            best[key] = max(best.get(key, 0.0), criterion.points)
        return sum(best.values())

    def order(self) -> list[Criterion]:
        """Criteria with every one after those it requires. Raises ValueError for a circle of requirements."""
        waiting, ready = list(self.criteria), list[Criterion]()
        while waiting:
            undone = {name for criterion in waiting for name in (criterion.id, criterion.alternative)}
            free = [criterion for criterion in waiting if not undone & set(criterion.requires)]
            if not free:
                circle = ", ".join(criterion.id for criterion in waiting)
                raise ValueError(f"criteria require each other in a circle: {circle}")
            ready += free
            waiting = [criterion for criterion in waiting if criterion not in free]
        return ready


class Tally(BaseModel):
    """What credits come to: `points` of `total`, points by criterion as counted, and those withheld with the reason."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    points: float
    total: float
    by_criterion: dict[str, float]
    withheld: dict[str, str]

    @property
    def score(self) -> float:
        """Points as a share of the total, in [0, 1]."""
        return self.points / self.total


def check_credits(rubric: Rubric, credits: Mapping[str, Credit]) -> None:
    """Raise RubricError unless every criterion has one of its credits and no other criterion has one."""
    wanted = {criterion.id: criterion.credits() for criterion in rubric.criteria}
    if missing := sorted(set(wanted) - set(credits)):
        raise RubricError(f"no credit for: {', '.join(missing)}")
    if extra := sorted(set(credits) - set(wanted)):
        raise RubricError(f"not in the rubric: {', '.join(extra)}")
    for name, credit in credits.items():
        if credit not in wanted[name]:
            allowed = ", ".join(f"{value:g}" for value in wanted[name])
            raise RubricError(f"credit {credit} for '{name}' is none of {allowed}")


def tally(rubric: Rubric, credits: Mapping[str, Credit]) -> Tally:
    """Turn credits (0, 0.5, 1 by criterion id) into points. Raises RubricError for credits that do not fit."""
    check_credits(rubric, credits)
    earned: dict[str, float] = {}
    withheld: dict[str, str] = {}
    met: set[str] = set()
    for criterion in rubric.order():
        lacking = [name for name in criterion.requires if name not in met]
        earned[criterion.id] = 0.0 if lacking else criterion.points * credits[criterion.id]
        if lacking and credits[criterion.id] > 0:
            withheld[criterion.id] = f"requires {', '.join(lacking)}"
        if not lacking and credits[criterion.id] == 1.0:
            met |= {criterion.id, criterion.alternative or criterion.id}
    _keep_best_alternatives(rubric, earned, withheld)
    return Tally(points=sum(earned.values()), total=rubric.total, by_criterion=earned, withheld=withheld)


def _keep_best_alternatives(rubric: Rubric, earned: dict[str, float], withheld: dict[str, str]) -> None:
    best: dict[str, str] = {}
    for criterion in rubric.criteria:
        if criterion.alternative is None:
            continue
        rival = best.setdefault(criterion.alternative, criterion.id)
        if rival == criterion.id:
            continue
        loser = rival if earned[criterion.id] > earned[rival] else criterion.id
        winner = criterion.id if loser == rival else rival
        best[criterion.alternative] = winner
        if earned[loser] > 0:
            withheld[loser] = f"the alternative {winner} counts instead"
        earned[loser] = 0.0
