"""Reading the leaderboard, and the owner's hand on it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from api.catalog.models import SplitRow
from api.core.db import AsyncSession
from api.core.errors import NotFoundError
from api.core.ids import parse_id, public_id
from api.leaderboard.columns import RankedEntry, cells
from api.leaderboard.filters import Filters
from api.leaderboard.models import EntryRow
from api.leaderboard.repository import LeaderboardRepository
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
        ranks = await self._ranks(split, rows, filters, first_page=after is None)
        entries = [_public(RankedEntry(rank, row)) for rank, row in zip(ranks, rows, strict=True)]
        if len(rows) < limit:
            return entries, None
        return entries, [_key(rows[-1], filters), str(rows[-1].submission_id)]

    async def some(self, split: SplitRow, submissions: Sequence[UUID]) -> list[EntryPublic]:
        """Listed entries by their submissions, in the given order, with their ranks on this board."""
        rows = {row.submission_id: row for row in await self._repository.some(split.board, submissions)}
        found = [rows[submission] for submission in submissions if submission in rows]
        ranks = await self._ranks(split, found, Filters(), first_page=False)
        return [_public(RankedEntry(rank, row)) for rank, row in zip(ranks, found, strict=True)]

    async def _ranks(
        self, split: SplitRow, rows: Sequence[EntryRow], filters: Filters, *, first_page: bool
    ) -> list[int | None]:
        """1 + the number of better scores, of entries that answered every problem; None for the others."""
        full = [row for row in rows if row.coverage >= 1]
        # Best first and with nothing left out the ranks go up with the rows, and nothing has to be asked.
        if first_page and filters.sort == "score" and filters.descending and not filters.narrowed:
            better: dict[float, int] = {}
            for above, row in enumerate(full):
                better.setdefault(row.score, above)
        else:
            better = await self._repository.better(split.board, (row.score for row in full), filters)
        return [1 + better[row.score] if row.coverage >= 1 else None for row in rows]

    async def change(self, by: UUID, owner_id: UUID, entry: str, change: EntryChange) -> None:
        """Hide, restore or verify an entry of a benchmark that the organisation `owner_id` owns, as its member `by`.

        Raises NotFoundError.
        """
        submission_id = parse_id("sub", entry)
        if change.hidden is None and change.verified is None:
            return
        if not submission_id or not await self._repository.change(
            submission_id, by, owner_id, hidden=change.hidden, verified=change.verified
        ):
            raise NotFoundError("your organisation owns no benchmark with such an entry")


def _key(row: EntryRow, filters: Filters) -> str | float:
    """What a page that ends with this entry goes on from; see `api.leaderboard.filters`."""
    match filters.sort:
        case "score":
            return row.score
        case "created_at":
            return row.created_at.isoformat()
        case "model":
            return row.model_name
        case "organisation":
            return row.organisation
        case "coverage":
            return row.coverage
        case "attempts":
            return row.attempts
        case "adjusted":
            return row.score if row.adjusted is None else row.adjusted
        case name:
            found = row.usage.get(name)
            if isinstance(found, int | float) and not isinstance(found, bool):
                return float(found)
            return "-infinity" if filters.descending else "infinity"


def _public(row: RankedEntry) -> EntryPublic:
    entry = row.entry
    return EntryPublic(
        rank=row.rank,
        submission=public_id("sub", entry.submission_id),
        organisation=entry.organisation,
        organisation_slug=entry.organisation_slug,
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
