"""SQL of the catalogue."""

from typing import Any
from uuid import UUID

from sqlmodel import col, select

from api.catalog.models import AssetRow, BenchmarkRow, NgramFilterRow, ProblemRow, ReleaseRow, SplitRow
from api.core.db import AsyncSession


class CatalogRepository:
    """Benchmarks, releases, splits, problems: the public side."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def benchmark(self, slug: str) -> BenchmarkRow | None:
        return (await self._session.exec(select(BenchmarkRow).where(BenchmarkRow.slug == slug))).one_or_none()

    async def current(self, slug: str) -> tuple[BenchmarkRow, ReleaseRow] | None:
        """The benchmark with the release that is served."""
        statement = (
            select(BenchmarkRow, ReleaseRow)
            .join(ReleaseRow, col(ReleaseRow.id) == col(BenchmarkRow.release_id))
            .where(BenchmarkRow.slug == slug)
        )
        row = (await self._session.exec(statement)).one_or_none()
        return (row[0], row[1]) if row else None

    async def page(self, after: str | None, limit: int) -> list[tuple[BenchmarkRow, ReleaseRow, str]]:
        """Benchmarks by slug, with the owner's slug."""
        result = await self._session.sql(
            """select b.id, r.id as release_id, o.slug as owner from benchmark b
               join release r on r.id = b.release_id join organisation o on o.id = b.organisation_id
               where cast(:after as text) is null or b.slug > :after order by b.slug limit :limit""",
            {"after": after, "limit": limit},
        )
        rows = result.all()
        found = []
        for row in rows:
            benchmark = await self._session.get(BenchmarkRow, row.id)
            release = await self._session.get(ReleaseRow, row.release_id)
            if benchmark and release:
                found.append((benchmark, release, str(row.owner)))
        return found

    async def owner_slug(self, organisation_id: UUID) -> str:
        result = await self._session.sql("select slug from organisation where id = :id", {"id": organisation_id})
        return str(result.scalar_one())

    async def release(self, release_id: UUID) -> ReleaseRow | None:
        return await self._session.get(ReleaseRow, release_id)

    async def release_by_version(self, benchmark_id: UUID, version: str) -> ReleaseRow | None:
        statement = select(ReleaseRow).where(ReleaseRow.benchmark_id == benchmark_id, ReleaseRow.version == version)
        return (await self._session.exec(statement)).one_or_none()

    async def releases(self, benchmark_id: UUID) -> list[ReleaseRow]:
        statement = select(ReleaseRow).where(ReleaseRow.benchmark_id == benchmark_id)
        return list(await self._session.exec(statement.order_by(col(ReleaseRow.created_at))))

    async def splits(self, release_id: UUID) -> list[SplitRow]:
        statement = select(SplitRow).where(SplitRow.release_id == release_id).order_by(SplitRow.name)
        return list(await self._session.exec(statement))

    async def split(self, release_id: UUID, name: str) -> SplitRow | None:
        statement = select(SplitRow).where(SplitRow.release_id == release_id, SplitRow.name == name)
        return (await self._session.exec(statement)).one_or_none()

    async def split_by_id(self, split_id: UUID) -> SplitRow | None:
        return await self._session.get(SplitRow, split_id)

    async def gate(self, slug: str, split: str, organisation_id: UUID) -> Any | None:
        """Split, release and the organisation's agreement in one row: what serving has to know."""
        result = await self._session.sql(
            """select b.id as benchmark_id, b.slug, b.organisation_id as owner_id, r.id as release_id, r.version,
                      s.id as split_id, s.name as split, s.visibility, s.feedback, s.config, s.problem_count,
                      r.agreement, a.state as agreement_state
               from benchmark b join release r on r.id = b.release_id
               join split s on s.release_id = r.id and s.name = :split
               left join agreement_acceptance a on a.release_id = r.id and a.organisation_id = :organisation
               where b.slug = :slug""",
            {"slug": slug, "split": split, "organisation": organisation_id},
        )
        return result.one_or_none()

    async def asset_gate(self, slug: str, version: str, path: str, organisation_id: UUID) -> Any | None:
        """A file with the organisation's agreement to its release."""
        result = await self._session.sql(
            """select f.content, f.media_type, r.agreement, a.state as agreement_state
               from benchmark b join release r on r.benchmark_id = b.id and r.version = :version
               join asset f on f.release_id = r.id and f.path = :path
               left join agreement_acceptance a on a.release_id = r.id and a.organisation_id = :organisation
               where b.slug = :slug""",
            {"slug": slug, "version": version, "path": path, "organisation": organisation_id},
        )
        return result.one_or_none()

    async def ngram_filter(self, release_id: UUID) -> NgramFilterRow | None:
        return await self._session.get(NgramFilterRow, release_id)

    async def add(self, *rows: BenchmarkRow | ReleaseRow | NgramFilterRow | SplitRow | ProblemRow | AssetRow) -> None:
        self._session.add_all(rows)
        await self._session.flush()
