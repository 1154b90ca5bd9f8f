"""What can be asked of the catalogue."""

from uuid import UUID

from api.accounts.errors import AgreementRequiredError
from api.accounts.models import AgreementAcceptance
from api.accounts.repository import AccountRepository
from api.catalog.models import BenchmarkRow, ReleaseRow, SplitRow
from api.catalog.repository import CatalogRepository
from api.catalog.schemas import (
    AgreementPublic,
    AgreementState,
    BenchmarkPublic,
    BenchmarkSummary,
    NgramFilterPublic,
    SplitPublic,
)
from api.core.db import AsyncSession
from api.core.errors import ConflictError, NotFoundError
from packs.benchmark import SplitConfig


class NoBenchmarkError(NotFoundError):
    code = "no_such_benchmark"


class CatalogService:
    """Reads of the public side, and the acceptance of agreements."""

    def __init__(self, session: AsyncSession) -> None:
        self._repository = CatalogRepository(session)
        self._accounts = AccountRepository(session)

    async def page(self, after: str | None, limit: int) -> list[BenchmarkSummary]:
        """Benchmarks by slug."""
        rows = await self._repository.page(after, limit)
        return [_summary(b, r, owner, await self._repository.splits(r.id)) for b, r, owner in rows]

    async def current(self, slug: str) -> tuple[BenchmarkRow, ReleaseRow]:
        """Raises NoBenchmarkError."""
        found = await self._repository.current(slug)
        if found is None:
            raise NoBenchmarkError("no benchmark has this slug; GET /v1/benchmarks lists them")
        return found

    async def show(self, slug: str) -> BenchmarkPublic:
        """One benchmark with its card."""
        benchmark, release = await self.current(slug)
        summary = _summary(
            benchmark,
            release,
            await self._repository.owner_slug(benchmark.organisation_id),
            await self._repository.splits(release.id),
        )
        return BenchmarkPublic(
            **summary.model_dump(),
            card=release.card,
            source=release.source,
            scoring=release.scoring,
            agreement=_agreement(release),
            digest=release.digest,
            published_at=release.created_at,
            versions=[row.version for row in await self._repository.releases(benchmark.id)],
            gate=release.gate,
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
            raise ConflictError("the text is another one by now; read it again")
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
        f"read it at /v1/benchmarks/{slug} and accept it with POST /v1/benchmarks/{slug}/agreement", state="none"
    )


def _agreement(release: ReleaseRow) -> AgreementPublic | None:
    if release.agreement is None:
        return None
    return AgreementPublic(
        text=release.agreement["text"],
        approval=bool(release.agreement.get("approval")),
        digest=release.agreement_digest or "",
    )


def _summary(benchmark: BenchmarkRow, release: ReleaseRow, owner: str, splits: list[SplitRow]) -> BenchmarkSummary:
    return BenchmarkSummary(
        slug=benchmark.slug,
        title=release.title,
        version=release.version,
        owner=owner,
        licence=release.licence,
        summary=release.summary,
        splits=[_split(row) for row in splits],
    )


def _split(row: SplitRow) -> SplitPublic:
    config = SplitConfig.model_validate(row.config)
    return SplitPublic(
        name=row.name,
        visibility=row.visibility,
        feedback=row.feedback,
        count=row.problem_count,
        problems_per_day=config.problems_per_day,
        submissions_per_organisation=config.submissions_per_organisation,
        people=row.people,
    )
