"""Paired differences between runs on an open split: from their verdicts, problem by problem."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Query
from api.leaderboard.scoring import ScoredItem, contributions
from grading.statistics.comparisons import permutation_test
from grading.statistics.intervals import bootstrap_mean
from packs.benchmark import Scoring

_RESAMPLES = 2000


@dataclass(frozen=True)
class ItemScore:
    """What one run got for one problem of an open split, in [0, 1]; 0 where it did not answer."""

    submission_id: UUID
    name: str
    subject: str
    type: str
    sibling_group: str | None
    score: float


@dataclass(frozen=True)
class PairedDifference:
    """Score of the first run less that of the second over the `problems` that both splits have, with its 95 % interval
    and a two-sided p-value; `differing` of the problems were answered with another result."""

    first: UUID
    second: UUID
    difference: float
    low: float
    high: float
    p_value: float
    problems: int
    differing: int


_SCORES = Query(
    ItemScore,
    "Item scores of runs on open splits, for every problem of their splits.",
    """select u.id as submission_id, p.name, p.subject, p.type, p.sibling_group, coalesce(i.score, 0) as score
       from submission u join split s on s.id = u.split_id and s.visibility = 'dev'
       join problem p on p.split_id = u.split_id
       left join submission_item i on i.submission_id = u.id and i.problem_id = p.id
       where u.id = any(:submissions)""",
)


class ComparisonRepository:
    """Item scores of open splits."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def scores(self, submissions: Sequence[UUID]) -> list[ItemScore]:
        """Item scores of those of the runs that are on an open split."""
        return await self._session.fetch_all(_SCORES, submissions=list(submissions))


async def paired_differences(
    session: AsyncSession, submissions: Sequence[UUID], scoring: Scoring
) -> list[PairedDifference]:
    """Every pair of these runs, in their order; runs on a hidden split are left out, for nothing is said of items."""
    by_run: dict[UUID, dict[str, ItemScore]] = defaultdict(dict)
    for row in await ComparisonRepository(session).scores(submissions):
        by_run[row.submission_id][row.name] = row
    return [
        _pair(first, second, by_run[first], by_run[second], scoring)
        for first, second in combinations([run for run in submissions if run in by_run], 2)
        if by_run[first].keys() & by_run[second].keys()
    ]


def _pair(
    first: UUID, second: UUID, mine: dict[str, ItemScore], theirs: dict[str, ItemScore], scoring: Scoring
) -> PairedDifference:
    names = sorted(mine.keys() & theirs.keys())
    one, other = (contributions([_scored(run[name]) for name in names], scoring) for run in (mine, theirs))
    gaps = [a - b for a, b in zip(one, other, strict=True)]
    interval = bootstrap_mean(gaps, resamples=_RESAMPLES)
    groups = [mine[name].sibling_group or name for name in names]
    test = permutation_test(one, other, groups, permutations=_RESAMPLES)
    return PairedDifference(
        first=first,
        second=second,
        difference=test.difference,
        low=interval.low,
        high=interval.high,
        p_value=test.p_value,
        problems=len(names),
        differing=test.discordant,
    )


def _scored(row: ItemScore) -> ScoredItem:
    return ScoredItem(score=row.score, subject=row.subject, type=row.type, group=row.sibling_group)
