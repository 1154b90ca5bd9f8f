"""What changed between two releases, for their owner."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from api.catalog.errors import NoReleaseError
from api.catalog.models import ProblemRow, ReleaseRow
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.owner_jobs.repository import Job
from api.owner_jobs.schemas import DiffAsk, ItemChange, ReleaseDiff
from api.vault.repository import VaultRepository
from api.worker.reporting import Report
from api.worker.state import Worker

_MOST_ITEMS = 2000
_TERMS = ("title", "licence", "summary", "card", "canary", "source", "scoring", "agreement")
_FIELDS = ("type", "subject", "statement", "choices", "answer_format", "images", "sibling_group", "source", "episode")
# The secret side as the pack gave it; what else the vault keeps is made from it.
_GOLDS = ("reference", "gold", "solution", "variation", "variants", "episode", "oracle")


@dataclass(frozen=True)
class _Side:
    """A problem in one of the releases; `pictures` are digests of what it shows."""

    row: ProblemRow
    split: str
    secret: Mapping[str, Any]
    pictures: tuple[str, ...]


async def diff(
    worker: Worker, session: AsyncSession, job: Job, ask: DiffAsk, report: Report
) -> tuple[ReleaseDiff, None]:
    """Compare two releases of a benchmark problem by problem. Raises NoReleaseError."""
    del report
    old, new = [await _release(session, job, version) for version in (ask.old, ask.new)]
    sides = [await _sides(worker, session, release) for release in (old, new)]
    changes = list(_changes(*sides))
    terms = [name for name in _TERMS if getattr(old, name) != getattr(new, name)]
    if await _splits(session, old) != await _splits(session, new):
        terms.append("splits")
    result = ReleaseDiff(
        old=old.version,
        new=new.version,
        corrects=new.corrects == old.version,
        terms=terms,
        items=changes[:_MOST_ITEMS],
        left_out=max(0, len(changes) - _MOST_ITEMS),
    )
    return result, None


async def _release(session: AsyncSession, job: Job, version: str) -> ReleaseRow:
    found = await CatalogRepository(session).release_by_version(job.benchmark_id, version)
    if found is None:
        raise NoReleaseError(f"{version}: GET /v1/benchmarks/{job.benchmark}/versions lists the releases")
    return found


async def _splits(session: AsyncSession, release: ReleaseRow) -> dict[str, dict[str, Any]]:
    return {split.name: split.config for split in await CatalogRepository(session).splits(release.id)}


async def _sides(worker: Worker, session: AsyncSession, release: ReleaseRow) -> dict[str, _Side]:
    catalog = CatalogRepository(session)
    splits = {split.id: split.name for split in await catalog.splits(release.id)}
    digests = {row.path: hashlib.sha256(row.content).hexdigest() for row in await catalog.assets(release.id)}
    secrets = await VaultRepository(session, worker.settings.vault_secrets.raw("vault")).of_release(release.id)
    return {
        row.name: _Side(
            row,
            splits[row.split_id],
            secrets[row.id].record,
            tuple(digests.get(image["path"], "") for image in row.images),
        )
        for row in await catalog.problems(release.id)
    }


def _changes(old: Mapping[str, _Side], new: Mapping[str, _Side]) -> Iterator[ItemChange]:
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before is None or after is None:
            yield _there_once(name, before, after)
            continue
        fields = [field for field in _FIELDS if getattr(before.row, field) != getattr(after.row, field)]
        if before.split != after.split:
            fields.append("split")
        if before.pictures != after.pictures and "images" not in fields:
            fields.append("images")
        golds = any(before.secret.get(part) != after.secret.get(part) for part in _GOLDS)
        if fields or golds:
            statements = (before.row.statement, after.row.statement)
            yield ItemChange(
                name=name,
                split=after.split,
                change="changed",
                fields=fields,
                gold_changed=golds,
                old=statements[0],
                new=statements[1],
            )


def _there_once(name: str, before: _Side | None, after: _Side | None) -> ItemChange:
    there = after or before
    assert there
    return ItemChange(
        name=name,
        split=there.split,
        change="added" if after else "removed",
        fields=[],
        gold_changed=False,
        old=before.row.statement if before else None,
        new=after.row.statement if after else None,
    )
