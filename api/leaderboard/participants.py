"""What participants declare before a run."""

from datetime import timedelta

from api.accounts.principal import Principal
from api.catalog.models import SplitRow
from api.catalog.service import CatalogService
from api.core.db import AsyncSession, now
from api.core.errors import ServiceError
from api.core.ids import new_id
from api.leaderboard.models import Declaration
from api.leaderboard.repository import DeclarationRepository
from api.leaderboard.schemas import DeclarationCreate, DeclarationPublic

DECLARATIONS = 10
DAYS = 30


class DeclarationsSpentError(ServiceError):
    status = 429
    code = "declarations_spent"
    title = "Your organisation has declared as many runs as it may"


class ParticipantService:
    """Declarations of the principal's organisation."""

    def __init__(self, session: AsyncSession, principal: Principal) -> None:
        self._session = session
        self._principal = principal

    async def declare(self, slug: str, body: DeclarationCreate, lead_seconds: int) -> DeclarationPublic:
        """Name a run's model and commit so long before it is made.

        Raises NoBenchmarkError, NoSplitError, DeclarationsSpentError.
        """
        split = await self._split(slug, body.split)
        repository, at = DeclarationRepository(self._session), now()
        used = await repository.recent(split.id, self._principal.organisation_id, at - timedelta(days=DAYS))
        if used >= DECLARATIONS:
            raise DeclarationsSpentError(
                f"{used} of {DECLARATIONS} in {DAYS} days are used on this split; a mark on every run says nothing",
                limit=DECLARATIONS,
            )
        row = Declaration(
            id=new_id(),
            split_id=split.id,
            organisation_id=self._principal.organisation_id,
            user_id=self._principal.user_id,
            model_name=body.model,
            commit=body.commit,
            declared_at=at,
            counts_from=at + timedelta(seconds=lead_seconds),
        )
        await repository.add(row)
        return DeclarationPublic(
            benchmark=slug,
            split=body.split,
            model=row.model_name,
            commit=row.commit,
            declared_at=row.declared_at,
            counts_from=row.counts_from,
            left=DECLARATIONS - used - 1,
        )

    async def _split(self, slug: str, name: str) -> SplitRow:
        return (await CatalogService(self._session).split(slug, name))[1]
