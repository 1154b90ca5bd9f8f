"""SQL of the catalogue."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import col, select

from api.catalog.models import AssetRow, BenchmarkRow, NgramFilterRow, ProblemRow, ReleaseRow, SplitRow
from api.core.db import AsyncSession
from api.core.ids import new_id
from api.core.query import Command, Query, contains
from packs.benchmark import Feedback, SplitConfig, Visibility


@dataclass(frozen=True)
class SplitListed:
    """A split as the catalogue lists it."""

    name: str
    visibility: Visibility
    feedback: Feedback
    problem_count: int
    people: bool
    config: SplitConfig


@dataclass(frozen=True)
class BenchmarkListed:
    """A benchmark as the catalogue lists it: what its current release says, its owner's slug, its splits by name."""

    release_id: UUID
    published_at: datetime
    slug: str
    title: str
    version: str
    owner: str
    licence: str
    summary: str
    splits: list[SplitListed]


@dataclass(frozen=True)
class TypesOfRelease:
    """What kinds of problems a release has."""

    release_id: UUID
    types: list[str]


@dataclass(frozen=True)
class OwnedBenchmark:
    """A benchmark with its current release, for its owner; `version` is None before the first."""

    id: UUID
    slug: str
    title: str
    version: str | None
    owner: str


@dataclass(frozen=True)
class OwnedWithApplicants:
    """A benchmark of an organisation, and how many applicants wait for a decision."""

    slug: str
    title: str
    version: str
    waiting: int


@dataclass(frozen=True)
class SignedAgreement:
    """An agreement that an organisation has asked for or accepted; `name` is what it was signed with."""

    slug: str
    version: str
    name: str
    state: str
    reason: str
    accepted_at: datetime


@dataclass(frozen=True)
class SplitAccess:
    """A split of the current release, and how one organisation stands to its agreement: what serving has to know.

    `agreement_state` is None before the organisation accepted.
    """

    benchmark_id: UUID
    slug: str
    owner_id: UUID
    release_id: UUID
    version: str
    split_id: UUID
    split: str
    visibility: Visibility
    feedback: Feedback
    config: SplitConfig
    problem_count: int
    agreement: dict[str, object] | None
    agreement_state: str | None


@dataclass(frozen=True)
class AssetAccess:
    """A file of a release, and how one organisation stands to the release's agreement."""

    content: bytes
    media_type: str
    agreement: dict[str, object] | None
    agreement_state: str | None


@dataclass(frozen=True)
class OpenAsset:
    """A file that a problem of an open split shows."""

    content: bytes
    media_type: str


@dataclass(frozen=True)
class NamedProblem:
    """A problem with the name that it has in its pack."""

    id: UUID
    name: str


_LISTED = Query(
    BenchmarkListed,
    "Benchmarks by slug: all after one slug, those that match, or one. Splits come as JSON: a page is one statement.",
    """select r.id as release_id, r.created_at as published_at, b.slug, r.title, r.version, o.slug as owner, r.licence,
              r.summary,
              (select coalesce(json_agg(json_build_object('name', s.name, 'visibility', s.visibility,
                 'feedback', s.feedback, 'problem_count', s.problem_count, 'people', s.people, 'config', s.config)
                 order by s.name), '[]') from split s where s.release_id = r.id) as splits
       from benchmark b join release r on r.id = b.release_id join organisation o on o.id = b.organisation_id
       where (cast(:slug as text) is null or b.slug = :slug) and (cast(:after as text) is null or b.slug > :after)
         and (cast(:search as text) is null or concat_ws(' ', b.slug, r.title, r.summary, o.slug) ilike :search)
         and (cast(:tag as text) is null or exists (
                select from problem p where p.release_id = r.id and p.type = :tag))
       order by b.slug limit :limit""",
)
_TYPES = Query(
    TypesOfRelease,
    "The types of problems that releases have.",
    """select r.id as release_id,
              array(select distinct p.type from problem p where p.release_id = r.id order by 1) as types
       from unnest(cast(:releases as uuid[])) as r(id)""",
)
_OWNED = Query(
    OwnedBenchmark,
    "A benchmark, if one of these organisations owns it; nothing of it may be published yet.",
    """select b.id, b.slug, coalesce(r.title, b.slug) as title, r.version, o.slug as owner
       from benchmark b left join release r on r.id = b.release_id join organisation o on o.id = b.organisation_id
       where b.slug = :slug and b.organisation_id = any(:organisations) and b.deleted_at is null""",
)
_RESERVE = Query(
    bool,
    "Make the benchmark of a checked pack, without a release, if it is new; false where it is not the pack's owner's.",
    "select reserve_benchmark(:pack, :fresh) as reserved",
)
_OWNED_BY = Query(
    OwnedWithApplicants,
    "The benchmarks of an organisation, with the number of applicants who wait.",
    """select b.slug, r.title, r.version,
              (select count(*) from agreement_acceptance a join release x on x.id = a.release_id
               where x.benchmark_id = b.id and a.state = 'requested') as waiting
       from benchmark b join release r on r.id = b.release_id
       where b.organisation_id = :organisation order by b.slug""",
)
_AGREEMENTS = Query(
    SignedAgreement,
    "Agreements that an organisation has asked for or accepted, newest first.",
    """select b.slug, r.version, a.name, a.state, a.reason, a.accepted_at
       from agreement_acceptance a join release r on r.id = a.release_id join benchmark b on b.id = r.benchmark_id
       where a.organisation_id = :organisation order by a.accepted_at desc""",
)
SPLIT_ACCESS_COLUMNS = """b.id as benchmark_id, b.slug, b.organisation_id as owner_id, r.id as release_id, r.version,
              s.id as split_id, s.name as split, s.visibility, s.feedback, s.config, s.problem_count,
              r.agreement, a.state as agreement_state"""
SPLIT_ACCESS_ROW = """from benchmark b join release r on r.id = b.release_id
       join split s on s.release_id = r.id and s.name = :split
       left join agreement_acceptance a on a.release_id = r.id and a.organisation_id = :organisation
       where b.slug = :slug"""
_SPLIT_ACCESS = Query(
    SplitAccess,
    "Split, release and the organisation's agreement in one row: each request that serves or submits asks this.",
    f"select {SPLIT_ACCESS_COLUMNS} {SPLIT_ACCESS_ROW}",
)
_ASSET = Query(
    AssetAccess,
    "A file with the organisation's agreement to its release.",
    """select f.content, f.media_type, r.agreement, a.state as agreement_state
       from benchmark b join release r on r.benchmark_id = b.id and r.version = :version
       join asset f on f.release_id = r.id and f.path = :path
       left join agreement_acceptance a on a.release_id = r.id and a.organisation_id = :organisation
       where b.slug = :slug""",
)
_OPEN_ASSET = Query(
    OpenAsset,
    "A picture that a problem of an open split shows.",
    """select f.content, f.media_type
       from benchmark b join release r on r.benchmark_id = b.id and r.version = :version
       join asset f on f.release_id = r.id and f.path = :path
       where b.slug = :slug and exists (
         select from split s join problem p on p.split_id = s.id
         where s.release_id = r.id and s.visibility = 'dev'
           and p.images @> jsonb_build_array(jsonb_build_object('path', cast(:path as text))))""",
)
_BENCHMARK_OF = Query(
    UUID,
    "The benchmark of a problem.",
    "select r.benchmark_id from problem p join release r on r.id = p.release_id where p.id = :id",
)


_PUBLISHED = Query(
    str,
    "Names of the problems in the dev splits of a benchmark's current release.",
    """select p.name from problem p join split s on s.id = p.split_id and s.visibility = 'dev'
       join benchmark b on b.release_id = p.release_id where b.id = :benchmark""",
)
_NAMES = Query(NamedProblem, "Problems by name.", "select id, name from problem where id = any(:problems)")
_RETIRE = Command(
    "Write down that items of a split were published.", "update split set retired_at = now() where id = :id"
)
_SERVED = Query(
    str,
    "Which of some benchmarks have a release that is served.",
    "select slug from benchmark where slug = any(:slugs) and release_id is not null",
)
_WITHOUT_LANES = Query(
    UUID,
    "A release that was published before there were lanes.",
    "select release_id from problem where lane is null limit 1",
)


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

    async def listed(
        self, after: str | None, limit: int, search: str | None = None, tag: str | None = None
    ) -> list[BenchmarkListed]:
        """Benchmarks by slug; `search` is a part of slug, title, summary or owner, `tag` a type of their problems."""
        like = None if search is None else contains(search)
        return await self._session.fetch_all(_LISTED, slug=None, after=after, limit=limit, search=like, tag=tag)

    async def types(self, releases: list[UUID]) -> dict[UUID, list[str]]:
        """The types of problems that releases have."""
        rows = await self._session.fetch_all(_TYPES, releases=releases)
        return {row.release_id: row.types for row in rows}

    async def published(self, slugs: list[str]) -> list[str]:
        """Which of these benchmarks there are."""
        return await self._session.fetch_all(_SERVED, slugs=slugs)

    async def listed_one(self, slug: str) -> BenchmarkListed | None:
        return await self._session.fetch_optional(_LISTED, slug=slug, after=None, limit=1, search=None, tag=None)

    async def owned(self, slug: str, organisation_ids: list[UUID]) -> OwnedBenchmark | None:
        """The benchmark, if one of these organisations owns it."""
        return await self._session.fetch_optional(_OWNED, slug=slug, organisations=organisation_ids)

    async def reserve(self, pack_id: UUID) -> bool:
        """Make the benchmark of a checked pack, without a release, if it is new; False where it is another's."""
        return await self._session.fetch_one(_RESERVE, pack=pack_id, fresh=new_id())

    async def owned_by(self, organisation_id: UUID) -> list[OwnedWithApplicants]:
        """Benchmarks that an organisation owns, by slug."""
        return await self._session.fetch_all(_OWNED_BY, organisation=organisation_id)

    async def agreements_of(self, organisation_id: UUID) -> list[SignedAgreement]:
        """Agreements that an organisation has asked for or accepted, newest first."""
        return await self._session.fetch_all(_AGREEMENTS, organisation=organisation_id)

    async def release(self, release_id: UUID) -> ReleaseRow | None:
        return await self._session.get(ReleaseRow, release_id)

    async def release_by_version(self, benchmark_id: UUID, version: str) -> ReleaseRow | None:
        statement = select(ReleaseRow).where(ReleaseRow.benchmark_id == benchmark_id, ReleaseRow.version == version)
        return (await self._session.exec(statement)).one_or_none()

    async def releases(self, benchmark_id: UUID) -> list[ReleaseRow]:
        statement = select(ReleaseRow).where(ReleaseRow.benchmark_id == benchmark_id)
        return list(await self._session.exec(statement.order_by(col(ReleaseRow.created_at))))

    async def versions(self, benchmark_id: UUID) -> list[str]:
        """Versions of a benchmark's releases, oldest first."""
        statement = select(ReleaseRow.version).where(ReleaseRow.benchmark_id == benchmark_id)
        return list(await self._session.exec(statement.order_by(col(ReleaseRow.created_at))))

    async def splits(self, release_id: UUID) -> list[SplitRow]:
        statement = select(SplitRow).where(SplitRow.release_id == release_id).order_by(SplitRow.name)
        return list(await self._session.exec(statement))

    async def split(self, release_id: UUID, name: str) -> SplitRow | None:
        statement = select(SplitRow).where(SplitRow.release_id == release_id, SplitRow.name == name)
        return (await self._session.exec(statement)).one_or_none()

    async def split_access(self, slug: str, split: str, organisation_id: UUID) -> SplitAccess | None:
        """A split with how an organisation stands to its agreement."""
        return await self._session.fetch_optional(_SPLIT_ACCESS, slug=slug, split=split, organisation=organisation_id)

    async def asset(self, slug: str, version: str, path: str, organisation_id: UUID) -> AssetAccess | None:
        """A file with how an organisation stands to the agreement of its release."""
        return await self._session.fetch_optional(
            _ASSET, slug=slug, version=version, path=path, organisation=organisation_id
        )

    async def open_asset(self, slug: str, version: str, path: str) -> OpenAsset | None:
        """A picture of a problem of an open split; None for any other file."""
        return await self._session.fetch_optional(_OPEN_ASSET, slug=slug, version=version, path=path)

    async def problems(self, release_id: UUID) -> list[ProblemRow]:
        """Every problem of a release by split and position."""
        statement = select(ProblemRow).where(ProblemRow.release_id == release_id)
        order = (col(ProblemRow.split_id), col(ProblemRow.position))
        return list(await self._session.exec(statement.order_by(*order)))

    async def whereabouts(self, split_id: UUID) -> tuple[BenchmarkRow, ReleaseRow, SplitRow]:
        """A split with its release and benchmark. Raises NoResultFound."""
        statement = (
            select(BenchmarkRow, ReleaseRow, SplitRow)
            .join(ReleaseRow, col(ReleaseRow.benchmark_id) == BenchmarkRow.id)
            .join(SplitRow, col(SplitRow.release_id) == ReleaseRow.id)
            .where(SplitRow.id == split_id)
        )
        return (await self._session.exec(statement)).one()

    async def release_without_lanes(self) -> UUID | None:
        """A release of which it is not known where its problems are graded."""
        return await self._session.fetch_optional(_WITHOUT_LANES)

    async def problems_of_split(self, split_id: UUID) -> list[ProblemRow]:
        """Every problem of a split by position."""
        statement = select(ProblemRow).where(ProblemRow.split_id == split_id)
        return list(await self._session.exec(statement.order_by(col(ProblemRow.position))))

    async def assets(self, release_id: UUID) -> list[AssetRow]:
        """Every file of a release."""
        return list(await self._session.exec(select(AssetRow).where(AssetRow.release_id == release_id)))

    async def published_names(self, benchmark_id: UUID) -> list[str]:
        """Names of the problems in the dev splits of the current release."""
        return await self._session.fetch_all(_PUBLISHED, benchmark=benchmark_id)

    async def names(self, problem_ids: list[UUID]) -> dict[UUID, str]:
        """The names that problems have in their packs."""
        return {row.id: row.name for row in await self._session.fetch_all(_NAMES, problems=problem_ids)}

    async def retire(self, split_id: UUID) -> None:
        """Items of a split were published in a later release."""
        await self._session.run(_RETIRE, id=split_id)

    async def benchmark_of(self, problem_id: UUID) -> UUID:
        """Whose problem it is."""
        return await self._session.fetch_one(_BENCHMARK_OF, id=problem_id)

    async def ngram_filter(self, release_id: UUID) -> NgramFilterRow | None:
        return await self._session.get(NgramFilterRow, release_id)

    async def add(self, *rows: BenchmarkRow | ReleaseRow | NgramFilterRow | SplitRow | ProblemRow | AssetRow) -> None:
        self._session.add_all(rows)
        await self._session.flush()
