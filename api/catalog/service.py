"""What can be asked of the catalogue."""

from typing import TypeVar
from uuid import UUID

from api.accounts.errors import AgreementRequiredError
from api.accounts.models import AgreementAcceptance
from api.accounts.repository import AccountRepository
from api.catalog.errors import (
    BenchmarkDeletedError,
    NoBenchmarkError,
    NoReleaseError,
    NoSplitError,
    NotYourBenchmarkError,
)
from api.catalog.models import BenchmarkRow, ReleaseRow, SplitRow
from api.catalog.repository import BenchmarkListed, CatalogRepository, OwnedBenchmark, SplitAccess, SplitListed
from api.catalog.schemas import (
    AgreementPublic,
    AgreementState,
    BenchmarkPublic,
    BenchmarkSummary,
    NgramFilterPublic,
    ReleasePublic,
    SplitPublic,
)
from api.core.db import AsyncSession
from api.core.errors import ConflictError, NotFoundError
from packs.benchmark import Visibility

Row = TypeVar("Row")


class CatalogService:
    """Reads of the public side, and the acceptance of agreements."""

    def __init__(self, session: AsyncSession) -> None:
        self._repository = CatalogRepository(session)
        self._accounts = AccountRepository(session)

    async def page(self, after: str | None, limit: int) -> list[BenchmarkSummary]:
        """Benchmarks by slug."""
        return [_summary(row) for row in await self._repository.listed(after, limit)]

    async def benchmark(self, slug: str, *, unpublished: bool = False) -> BenchmarkRow:
        """Raises NoBenchmarkError, also before the first release unless it may be `unpublished`;
        BenchmarkDeletedError."""
        row = _there(await self._repository.benchmark(slug))
        return _found(row if unpublished or row.release_id else None)

    async def current(self, slug: str) -> tuple[BenchmarkRow, ReleaseRow]:
        """The benchmark with the release that is served. Raises NoBenchmarkError, BenchmarkDeletedError."""
        found = await self._repository.current(slug)
        if found is None:
            await self.benchmark(slug)
        return _found(found)

    async def split(self, slug: str, name: str, version: str | None = None) -> tuple[ReleaseRow, SplitRow]:
        """A split of a release, of the one that is served where no version is named.

        Raises NoBenchmarkError, NoReleaseError, NoSplitError.
        """
        benchmark, release = await self.current(slug)
        if version is not None:
            release = await self._version(benchmark.id, slug, version)
        split = await self._repository.split(release.id, name)
        if split is None:
            raise NoSplitError(f"GET /v1/benchmarks/{slug} lists the splits")
        return release, split

    async def _version(self, benchmark_id: UUID, slug: str, version: str) -> ReleaseRow:
        found = await self._repository.release_by_version(benchmark_id, version)
        if found is None:
            raise NoReleaseError(f"GET /v1/benchmarks/{slug}/versions lists the releases")
        return found

    async def versions(self, slug: str) -> list[ReleasePublic]:
        """Every release, newest first. Raises NoBenchmarkError."""
        benchmark, current = await self.current(slug)
        return [
            ReleasePublic(
                version=row.version,
                digest=row.digest,
                published_at=row.created_at,
                current=row.id == current.id,
                corrects=row.corrects,
            )
            for row in reversed(await self._repository.releases(benchmark.id))
        ]

    async def split_access(self, slug: str, split: str, organisation_id: UUID) -> SplitAccess:
        """A split with how an organisation stands to its agreement. Raises NoBenchmarkError, NoSplitError."""
        found = await self._repository.split_access(slug, split, organisation_id)
        if found is None:
            raise await self.no_split(slug)
        return found

    async def no_split(self, slug: str) -> NoSplitError:
        """What a benchmark without that split is answered with. Raises NoBenchmarkError, BenchmarkDeletedError."""
        await self.benchmark(slug)
        return NoSplitError(f"GET /v1/benchmarks/{slug} lists the splits")

    async def owned(self, slug: str, organisation_ids: list[UUID], *, unpublished: bool = False) -> OwnedBenchmark:
        """A benchmark that one of these organisations owns; it has a release unless it may be `unpublished`.

        Raises NotYourBenchmarkError, BenchmarkDeletedError.
        """
        found = await self._repository.owned(slug, organisation_ids)
        if found is None or (found.version is None and not unpublished):
            row = await self._repository.benchmark(slug)
            if row and row.organisation_id in organisation_ids:
                _there(row)
            raise NotYourBenchmarkError("your organisation owns no benchmark with this slug")
        return found

    async def show(self, slug: str) -> BenchmarkPublic:
        """One benchmark with its card."""
        benchmark, release = await self.current(slug)
        summary = _summary(_found(await self._repository.listed_one(slug)))
        return BenchmarkPublic(
            **summary.model_dump(),
            card=release.card,
            source=release.source,
            scoring=release.scoring,
            agreement=_agreement(release),
            digest=release.digest,
            versions=await self._repository.versions(benchmark.id),
            admission=release.admission,
            sandbox_images=release.sandbox_images or {},
        )

    async def ngram_filter(self, slug: str) -> NgramFilterPublic:
        """The n-gram filter of the current release. Raises NoBenchmarkError, NotFoundError."""
        _, release = await self.current(slug)
        row = await self._repository.ngram_filter(release.id)
        if row is None:
            raise NotFoundError("this release has no hidden problems, so there is nothing to leave out")
        return NgramFilterPublic(benchmark=slug, version=release.version, **row.document)

    async def accept(
        self, slug: str, organisation_id: UUID, user_id: UUID, name: str, digest: str | None = None
    ) -> AgreementState:
        """Accept the agreement of the current version for an organisation; with a digest, only that very text."""
        _, release = await self.current(slug)
        if release.agreement is None or release.agreement_digest is None:
            raise NotFoundError("this benchmark has no agreement to accept")
        if digest is not None and digest != release.agreement_digest:
            raise ConflictError("the agreement has changed since then; read it again")
        state = "requested" if release.agreement.get("approval") else "accepted"
        row = AgreementAcceptance(
            organisation_id=organisation_id,
            release_id=release.id,
            user_id=user_id,
            name=name,
            text_digest=release.agreement_digest,
            state=state,
        )
        await self._accounts.accept_agreement(row)
        kept = await self._accounts.acceptance(organisation_id, release.id)
        return _state(slug, release, kept or row)

    async def accepted(self, slug: str, organisation_id: UUID) -> AgreementState | None:
        """How an organisation stands to the agreement of the current version; None before it accepted."""
        _, release = await self.current(slug)
        row = await self._accounts.acceptance(organisation_id, release.id)
        return _state(slug, release, row) if row else None


def _state(slug: str, release: ReleaseRow, row: AgreementAcceptance) -> AgreementState:
    return AgreementState(
        benchmark=slug,
        version=release.version,
        digest=row.text_digest,
        name=row.name,
        state=row.state,
        accepted_at=row.accepted_at,
        decided_at=row.decided_at,
        reason=row.reason,
    )


def require_agreement(agreement: object | None, state: str | None, slug: str) -> None:
    """Raises AgreementRequiredError unless there is no agreement or it is accepted."""
    if agreement is None or state == "accepted":
        return
    if state == "requested":
        raise AgreementRequiredError("the owner has not decided on your request yet", state=state)
    if state == "declined":
        raise AgreementRequiredError("the owner has declined your request", state=state)
    raise AgreementRequiredError(
        f"read it at /v1/benchmarks/{slug} and accept it with POST /v1/benchmarks/{slug}/agreement, or read and accept "
        f"it with `heldout agree -b {slug} --name NAME`",
        state="none",
    )


def require_access(access: SplitAccess) -> None:
    """Raises AgreementRequiredError unless the split is public or the organisation has accepted the agreement."""
    if access.visibility is not Visibility.DEV:
        require_agreement(access.agreement, access.agreement_state, access.slug)


def _agreement(release: ReleaseRow) -> AgreementPublic | None:
    if release.agreement is None:
        return None
    return AgreementPublic(
        text=release.agreement["text"],
        approval=bool(release.agreement.get("approval")),
        digest=release.agreement_digest or "",
    )


def _found(row: Row | None) -> Row:
    if row is None:
        raise NoBenchmarkError("no benchmark has this slug; GET /v1/benchmarks lists them")
    return row


def _there(row: BenchmarkRow | None) -> BenchmarkRow:
    """Raises NoBenchmarkError, BenchmarkDeletedError."""
    if row is not None and row.deleted_at is not None:
        raise BenchmarkDeletedError(f"'{row.slug}' was deleted on {row.deleted_at:%Y-%m-%d}: {row.deletion_reason}")
    return _found(row)


def _summary(row: BenchmarkListed) -> BenchmarkSummary:
    return BenchmarkSummary(
        slug=row.slug,
        title=row.title,
        version=row.version,
        owner=row.owner,
        licence=row.licence,
        summary=row.summary,
        published_at=row.published_at,
        splits=[_split(split) for split in row.splits],
    )


def _split(row: SplitListed) -> SplitPublic:
    return SplitPublic(
        name=row.name,
        visibility=row.visibility,
        feedback=row.feedback,
        count=row.problem_count,
        problems_per_day=row.config.problems_per_day,
        submissions_per_organisation=row.config.submissions_per_organisation,
        people=row.people,
    )
