"""What participants declare before a run, and what was released to them so far."""

from api.accounts.principal import Principal
from api.catalog.models import SplitRow
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.ids import new_id
from api.leaderboard.ladder import UNVERIFIED, LadderRepository
from api.leaderboard.models import Declaration
from api.leaderboard.repository import DeclarationRepository
from api.leaderboard.schemas import DeclarationCreate, DeclarationPublic, FeedbackPublic
from packs.benchmark import Feedback, SplitConfig
from protection.ladder import default_budget


class ParticipantService:
    """Declarations and feedback of the principal's organisation."""

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

    async def feedback(self, slug: str, split_name: str) -> FeedbackPublic:
        """Attempts and released bits so far, and the budget that all organisations share."""
        split = await self._split(slug, split_name)
        repository = LadderRepository(self._session)
        climber = await repository.climber(self._principal.organisation_id)
        state = await repository.state(split.id, climber)
        left = None
        if split.feedback == Feedback.LADDER:
            budget = SplitConfig.model_validate(split.config).ladder_budget or default_budget(split.problem_count)
            left = max(0, budget - await repository.releases(split.id))
        return FeedbackPublic(
            benchmark=slug,
            split=split_name,
            feedback=split.feedback,
            attempts=state.attempts if state else 0,
            releases=state.releases if state else 0,
            released=state.released if state else None,
            bits=round(state.bits, 1) if state else 0.0,
            budget_left=left,
            shared=climber == UNVERIFIED,
        )

    async def _split(self, slug: str, name: str) -> SplitRow:
        return (await CatalogService(self._session).split(slug, name))[1]
