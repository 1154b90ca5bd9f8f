"""What an organisation has used of what splits allow it: submissions in all, problems today."""

from dataclasses import dataclass
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Query


@dataclass(frozen=True)
class Allowance:
    """One split of a served release; a limit of None is none."""

    slug: str
    title: str
    split: str
    submissions: int
    submissions_limit: int | None
    problems: int
    problems_limit: int | None


_ALLOWANCES = Query(
    Allowance,
    "Splits that an organisation has read or submitted to, with what it has used and what they allow.",
    """select b.slug, r.title, s.name as split, coalesce(q.used, 0) as submissions,
              cast(s.config->>'submissions_per_organisation' as integer) as submissions_limit,
              coalesce(d.used, 0) as problems, cast(s.config->>'problems_per_day' as integer) as problems_limit
       from benchmark b join release r on r.id = b.release_id join split s on s.release_id = r.id
       left join quota_use q on q.split_id = s.id and q.organisation_id = :organisation
       left join daily_budget d on d.split_id = s.id and d.organisation_id = :organisation
         and d.day = (now() at time zone 'utc')::date
       where q.split_id is not null or exists (
         select from daily_budget e where e.split_id = s.id and e.organisation_id = :organisation)
       order by b.slug, s.name""",
)


class AllowanceRepository:
    """Use of budgets and quotas."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def of(self, organisation_id: UUID) -> list[Allowance]:
        """Splits that an organisation has read or submitted to."""
        return await self._session.fetch_all(_ALLOWANCES, organisation=organisation_id)
