"""Reading the leaderboard, and the owner's hand on it."""

from typing import Any
from uuid import UUID

from api.accounts.principal import Principal
from api.catalog.models import ReleaseRow, SplitRow
from api.catalog.repository import CatalogRepository
from api.catalog.service import NoBenchmarkError
from api.core.db import AsyncSession
from api.core.errors import NotFoundError
from api.core.ids import parse_id, public_id
from api.leaderboard.repository import Filters, LeaderboardRepository
from api.leaderboard.schemas import EntryChange, EntryPublic
from api.problems.errors import NoSplitError
from api.submissions.schemas import Interval, ModelInfo
from grading.statistics.intervals import standard_error
from protection.best_of import adjusted


class LeaderboardService:
    """The public side, and hide, restore and verify for owners."""

    def __init__(self, session: AsyncSession) -> None:
        self._catalog = CatalogRepository(session)
        self._repository = LeaderboardRepository(session)

    async def split(self, slug: str, name: str) -> tuple[ReleaseRow, SplitRow]:
        """The split of the current release. Raises NoBenchmarkError, NoSplitError."""
        found = await self._catalog.current(slug)
        if found is None:
            raise NoBenchmarkError("no benchmark has this slug; GET /v1/benchmarks lists them")
        split = await self._catalog.split(found[1].id, name)
        if split is None:
            raise NoSplitError(f"GET /v1/benchmarks/{slug} lists the splits")
        return found[1], split

    async def page(
        self, split: SplitRow, filters: Filters, after: list[Any] | None, limit: int
    ) -> tuple[list[EntryPublic], list[Any] | None]:
        """Entries, and the key that continues them."""
        rows = await self._repository.page(split.id, filters, after, limit)
        entries: list[EntryPublic] = []
        counted = filters.sort == "score" and _unfiltered(filters)
        start = 0
        for number, row in enumerate(rows):
            if number and rows[number - 1].score == row.score:
                rank = entries[-1].rank
            elif number and counted and start:
                rank = start + number
            else:
                rank = 1 + await self._repository.better(split.id, row.score, filters)
                # On the first row of a first page the places go up with the rows; one count serves the page.
                start = rank if number == 0 and after is None else start
            entries.append(_public(rank, row))
        if len(rows) < limit:
            return entries, None
        last = rows[-1]
        key = last.score if filters.sort == "score" else last.created_at.isoformat()
        return entries, [key, str(last.submission_id)]

    async def change(self, principal: Principal, entry: str, change: EntryChange) -> None:
        """Hide, restore or verify an entry of a benchmark of the principal's organisation."""
        submission_id = parse_id("sub", entry)
        for column in ("hidden", "verified"):
            value = getattr(change, column)
            if value is None:
                continue
            row = submission_id and await self._repository.change(
                submission_id, principal.organisation_id, column, value
            )
            if not row:
                raise NotFoundError("your organisation owns no benchmark with such an entry")
            await self._repository.mark_best(row.split_id, row.organisation_id, row.model_name)


def _unfiltered(filters: Filters) -> bool:
    return filters.model is None and filters.organisation is None and filters.verified is None and not filters.hidden


def _public(rank: int, row: Any) -> EntryPublic:
    return EntryPublic(
        rank=rank,
        submission=public_id("sub", UUID(str(row.submission_id))),
        organisation=row.organisation,
        model=ModelInfo.model_validate(row.model),
        score=row.score,
        interval=Interval(low=row.low, high=row.high),
        coverage=row.coverage,
        attempts=row.attempts,
        verified=row.verified,
        hidden=row.hidden,
        declared=row.declared,
        adjusted=round(adjusted(row.score, standard_error(row.low, row.high), row.attempts), 4),
        contamination=row.contamination,
        correction=row.correction,
        judge_weak=bool((row.correction or {}).get("weak")),
        created_at=row.created_at,
        breakdown=row.breakdown,
        usage=row.usage,
    )
