"""Reading the leaderboard, and the owner's hand on it."""

from typing import Any

from api.accounts.principal import Principal
from api.catalog.models import SplitRow
from api.core.db import AsyncSession
from api.core.errors import NotFoundError
from api.core.ids import parse_id, public_id
from api.leaderboard.columns import RankedEntry, cells
from api.leaderboard.repository import Filters, LeaderboardRepository
from api.leaderboard.schemas import EntryChange, EntryPublic, Interval, ModelListed


class LeaderboardService:
    """The public side, and hide, restore and verify for owners."""

    def __init__(self, session: AsyncSession) -> None:
        self._repository = LeaderboardRepository(session)

    async def page(
        self, split: SplitRow, filters: Filters, after: list[Any] | None, limit: int
    ) -> tuple[list[EntryPublic], list[Any] | None]:
        """Entries, and the key that continues them."""
        rows = await self._repository.page(split.board, filters, after, limit)
        entries: list[EntryPublic] = []
        counted = filters.sort == "score" and _unfiltered(filters)
        start = 0
        for number, row in enumerate(rows):
            if number and rows[number - 1].score == row.score:
                rank = entries[-1].rank
            elif number and counted and start:
                rank = start + number
            else:
                rank = 1 + await self._repository.better(split.board, row.score, filters)
                # On the first row of a first page the ranks go up with the rows; one count serves the page.
                start = rank if number == 0 and after is None else start
            entries.append(_public(RankedEntry(rank, row)))
        if len(rows) < limit:
            return entries, None
        last = rows[-1]
        key = last.score if filters.sort == "score" else last.created_at.isoformat()
        return entries, [key, str(last.submission_id)]

    async def change(self, principal: Principal, entry: str, change: EntryChange) -> None:
        """Hide, restore or verify an entry of a benchmark of the principal's organisation."""
        submission_id = parse_id("sub", entry)
        if change.hidden is None and change.verified is None:
            return
        if not submission_id or not await self._repository.change(
            submission_id,
            principal.user_id,
            principal.organisation_id,
            hidden=change.hidden,
            verified=change.verified,
        ):
            raise NotFoundError("your organisation owns no benchmark with such an entry")


def _unfiltered(filters: Filters) -> bool:
    return filters.model is None and filters.organisation is None and filters.verified is None and not filters.hidden


def _public(row: RankedEntry) -> EntryPublic:
    entry = row.entry
    return EntryPublic(
        rank=row.rank,
        submission=public_id("sub", entry.submission_id),
        organisation=entry.organisation,
        organisation_verified=entry.organisation_verified,
        model=ModelListed.of(entry.model),
        score=row.score,
        interval=Interval(low=entry.low, high=entry.high) if row.interval else None,
        coverage=entry.coverage,
        attempts=entry.attempts,
        adjusted=row.adjusted,
        overfit=entry.overfit,
        contaminated=entry.contaminated,
        verified=entry.verified,
        hidden=entry.hidden,
        declared=entry.declared,
        contamination=entry.contamination,
        correction=entry.correction,
        judge_weak=row.judge_weak,
        created_at=entry.created_at,
        breakdown=entry.breakdown,
        usage=row.usage,
        cells=cells(row),
    )
