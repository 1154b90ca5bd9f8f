"""Who reviews a benchmark by name: its owner's list."""

from uuid import UUID

from api.accounts.addresses import normal_email
from api.accounts.repository import AccountRepository
from api.accounts.service import AccountService
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.errors import ConflictError, NotFoundError
from api.reviews.schemas import ReviewerPage, ReviewerPublic

_MOST = 200


class NoReviewerError(NotFoundError):
    code = "no_such_reviewer"


class TooManyReviewersError(ConflictError):
    code = "too_many_reviewers"


async def reviewers(session: AsyncSession, organisation_id: UUID, slug: str) -> ReviewerPage:
    """Everybody on the list. Raises NotYourBenchmarkError."""
    benchmark = await CatalogService(session).owned(slug, [organisation_id])
    emails = await AccountRepository(session).reviewers(benchmark.id)
    return ReviewerPage(benchmark=slug, items=[ReviewerPublic(email=email) for email in emails])


async def add_reviewer(session: AsyncSession, pepper: bytes, organisation_id: UUID, slug: str, email: str) -> None:
    """Put somebody on the list; the account is made when the address is new. Again it changes nothing.

    Raises NotYourBenchmarkError, InvalidError, TooManyReviewersError.
    """
    benchmark = await CatalogService(session).owned(slug, [organisation_id])
    if len(await AccountRepository(session).reviewers(benchmark.id)) >= _MOST:
        raise TooManyReviewersError(f"a benchmark has at most {_MOST} reviewers; remove some")
    await name_reviewer(session, pepper, benchmark.id, email)


async def name_reviewer(session: AsyncSession, pepper: bytes, benchmark_id: UUID, email: str) -> None:
    """Let somebody grade a benchmark's queue. Raises InvalidError for what is no address."""
    accounts = AccountService(session, pepper)
    await accounts.ensure_reviewer(benchmark_id, await accounts.ensure_user(email, email.split("@")[0]))


async def remove_reviewer(session: AsyncSession, organisation_id: UUID, slug: str, email: str) -> None:
    """Take somebody off the list. Raises NotYourBenchmarkError, NoReviewerError."""
    benchmark = await CatalogService(session).owned(slug, [organisation_id])
    address = normal_email(email)
    if address is None or not await AccountRepository(session).remove_reviewer(benchmark.id, address):
        raise NoReviewerError(f"GET /v1/benchmarks/{slug}/reviewers lists them")
