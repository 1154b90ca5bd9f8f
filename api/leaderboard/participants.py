"""What participants declare before a run."""

from api.accounts.principal import Principal
from api.catalog.models import SplitRow
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.ids import new_id
from api.leaderboard.models import Declaration
from api.leaderboard.repository import DeclarationRepository
from api.leaderboard.schemas import DeclarationCreate, DeclarationPublic


class ParticipantService:
    """Declarations of the principal's organisation."""

    def __init__(self, session: AsyncSession, principal: Principal) -> None:
        self._session = session
        self._principal = principal

    async def declare(self, slug: str, body: DeclarationCreate) -> DeclarationPublic:
        """Name a run's model and commit before it is made. Raises NoBenchmarkError, NoSplitError."""
        split = await self._split(slug, body.split)
        row = Declaration(
            id=new_id(),
            split_id=split.id,
            organisation_id=self._principal.organisation_id,
            user_id=self._principal.user_id,
            model_name=body.model,
            commit=body.commit,
        )
        await DeclarationRepository(self._session).add(row)
        return DeclarationPublic(
            benchmark=slug, split=body.split, model=row.model_name, commit=row.commit, declared_at=row.declared_at
        )

    async def _split(self, slug: str, name: str) -> SplitRow:
        return (await CatalogService(self._session).split(slug, name))[1]
