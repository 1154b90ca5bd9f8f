"""Whether a release only mends golds of the one before: then its boards and agreements go on."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from api.accounts.repository import AccountRepository
from api.catalog.models import AssetRow, ProblemRow, ReleaseRow, SplitRow
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.worker.release_rows import ReleaseRows

# What identifies a row, what is a gold, and what may be found anew for the same problem.
_OWN = {"id", "release_id", "split_id", "gold", "solution", "lane"}


async def continue_boards(session: AsyncSession, rows: ReleaseRows, earlier_id: UUID | None) -> None:
    """Before a release is stored: if it corrects the release `earlier_id`, its splits carry that one's boards."""
    catalog = CatalogRepository(session)
    earlier = await catalog.release(earlier_id) if earlier_id else None
    if earlier is None or not same_terms(earlier, rows.release):
        return
    splits = {split.name: split for split in await catalog.splits(earlier.id)}
    problems, assets = await catalog.problems(earlier.id), await catalog.assets(earlier.id)
    if same_public_side((splits.values(), problems, assets), (rows.splits, rows.problems, rows.assets)):
        rows.release.corrects = earlier.version
        for split in rows.splits:
            before = splits[split.name]
            split.carries = [before.id, *before.carries]


async def transfer_agreements(session: AsyncSession, release: ReleaseRow, earlier_id: UUID | None) -> None:
    """After a correction is stored: whoever accepted the agreement, or waits for the owner's word, still does."""
    if release.corrects is not None and earlier_id is not None:
        await AccountRepository(session).transfer_agreements(earlier_id, release.id)


def same_terms(one: ReleaseRow, other: ReleaseRow) -> bool:
    """Whether scores are made in the same way and readers are bound to the same text."""
    return one.scoring == other.scoring and one.agreement == other.agreement


Side = tuple[Iterable[SplitRow], Sequence[ProblemRow], Iterable[AssetRow]]


def same_public_side(one: Side, other: Side) -> bool:
    """Whether participants see the very same problems, variants and pictures, in the same order and splits."""
    return _public(one) == _public(other)


def _public(side: Side) -> tuple[Mapping[str, Any], Mapping[tuple[str, int], Any], Mapping[str, bytes]]:
    splits, problems, assets = side
    named = {split.id: split for split in splits}
    configs = {split.name: split.config for split in named.values()}
    shown = {(named[row.split_id].name, row.position): row.model_dump(exclude=_OWN) for row in problems}
    return configs, shown, {asset.path: asset.content for asset in assets}
