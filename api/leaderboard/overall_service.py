"""Combined leaderboards: one row for each organisation's model, over the best entries of several splits."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.errors import NotFoundError
from api.leaderboard.combined import Scored, combinations, combine
from api.leaderboard.repository import BestEntry, LeaderboardRepository
from api.leaderboard.schemas import Interval, OverallListed, OverallPage, OverallPart, OverallRow, PartScore

_MOST = 200


class NoCombinationError(NotFoundError):
    code = "no_such_combination"


async def overall(session: AsyncSession, data_dir: Path, name: str) -> OverallPage:
    """The combined leaderboard called `name`. Raises NoCombinationError."""
    found = combinations(data_dir).get(name)
    if found is None:
        raise NoCombinationError("GET /v1/overall lists the combinations")
    catalog, leaderboard = CatalogRepository(session), LeaderboardRepository(session)
    names: dict[tuple[str, str], BestEntry] = {}
    scores: dict[tuple[str, str], dict[int, Scored]] = defaultdict(dict)
    parts = []
    for index, part in enumerate(found.part):
        current = await catalog.current(part.benchmark)
        split = await catalog.split(current[1].id, part.split) if current else None
        parts.append(OverallPart(**part.model_dump(), published=split is not None))
        for row in await leaderboard.best(split.board) if split else ():
            key = (str(row.organisation_id), row.model_name)
            names[key] = row
            scores[key][index] = Scored(row.score, row.low, row.high)
    totals = {key: combine(found, by_part) for key, by_part in scores.items()}
    best = sorted(totals, key=lambda key: (-totals[key].score, names[key].model_name, names[key].organisation))[:_MOST]
    rows = []
    for rank, key in zip(places([round(totals[key].score, 4) for key in best]), best, strict=True):
        total, named, by_part = totals[key], names[key], scores[key]
        shown = [
            PartScore(name=part.name, score=by_part[index].score if index in by_part else None)
            for index, part in enumerate(parts)
        ]
        rows.append(
            OverallRow(
                rank=rank,
                organisation=named.organisation,
                organisation_verified=named.organisation_verified,
                model=named.model_name,
                score=round(total.score, 4),
                interval=Interval(low=round(total.low, 4), high=round(total.high, 4)),
                played=total.played,
                parts=shown,
            )
        )
    return OverallPage(name=name, title=found.title, source=found.source, parts=parts, items=rows)


def places(scores: Sequence[float]) -> list[int]:
    """1 + the number of better scores of each, of scores with the best first."""
    first: dict[float, int] = {}
    return [first.setdefault(score, place) for place, score in enumerate(scores, 1)]


async def played(session: AsyncSession, data_dir: Path) -> list[OverallListed]:
    """Those of which at least one benchmark is here."""
    found = combinations(data_dir)
    slugs = sorted({part.benchmark for one in found.values() for part in one.part})
    here = set(await CatalogRepository(session).published(slugs))
    return [one for one in listed(data_dir) if any(part.benchmark in here for part in found[one.name].part)]


def listed(data_dir: Path) -> list[OverallListed]:
    """Every combination."""
    return [OverallListed(name=name, title=found.title) for name, found in sorted(combinations(data_dir).items())]
