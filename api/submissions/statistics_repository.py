"""SQL of which submissions item statistics are made of."""

from collections.abc import Sequence
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Query

_NEWEST = Query(
    UUID,
    "The newest graded submission of each model of each organisation on these splits, newest first.",
    """select id from (
         select distinct on (u.organisation_id, u.model->>'name') u.id from submission u
         where u.split_id = any(:splits) and u.state = 'graded'
         order by u.organisation_id, u.model->>'name', u.id desc) newest
       order by id desc limit :limit""",
)


class StatisticsRepository:
    """Submissions to measure items by."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def newest_of_models(self, split_ids: Sequence[UUID], limit: int) -> list[UUID]:
        """The newest graded submission of each model of each organisation on these splits, newest first."""
        return await self._session.fetch_all(_NEWEST, splits=list(split_ids), limit=limit)
