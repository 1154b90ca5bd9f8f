"""SQL of groups of organisations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Query


@dataclass(frozen=True)
class GroupRow:
    """A group with its members' short names, the lead's first; `formed_by` and `ended_by` are names of users."""

    lead: str
    members: list[str]
    reason: str
    formed_at: datetime
    formed_by: str | None
    ended_at: datetime | None
    ended_by: str | None


_GROUPS = Query(
    GroupRow,
    "Groups, those that hold first, then the newest.",
    """select l.slug as lead, array_agg(o.slug order by o.id <> l.id, o.slug) as members,
              (array_agg(g.reason order by g.formed_at desc))[1] as reason, min(g.formed_at) as formed_at,
              min(f.name) as formed_by, g.ended_at, min(e.name) as ended_by
       from organisation_group g join organisation l on l.id = g.lead_id join organisation o on o.id = g.organisation_id
       left join account f on f.id = g.formed_by left join account e on e.id = g.ended_by
       group by l.id, l.slug, g.ended_at
       order by g.ended_at is not null, max(g.formed_at) desc, l.slug limit :limit""",
)
_OF = Query(
    str,
    "Short names of the organisations that one shares limits with, the lead first; none where it is in no group.",
    """select o.slug from organisation_group g join organisation o on o.id = g.organisation_id
       where g.ended_at is null and g.lead_id = group_lead(:organisation)
       order by g.organisation_id <> g.lead_id, o.slug""",
)
_FORM = Query(
    bool,
    "Group verified organisations, by the database's own check of who may; False where one is in another group.",
    "select form_group(:lead, cast(:members as uuid[]), cast(:by as uuid), :reason) as formed",
)
_END = Query(bool, "End a group.", "select end_group(:lead, cast(:by as uuid)) as ended")


class GroupRepository:
    """Groups of organisations. Functions of the database look up who forms and ends them."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def all(self, limit: int) -> list[GroupRow]:
        """Those that hold first, then those that ended; the newest first."""
        return await self._session.fetch_all(_GROUPS, limit=limit)

    async def of(self, organisation_id: UUID) -> list[str]:
        """With whom an organisation shares limits, itself included, the lead first; empty: it is in no group."""
        return await self._session.fetch_all(_OF, organisation=organisation_id)

    async def form(self, lead: UUID, members: Sequence[UUID], by: UUID | None, reason: str) -> bool:
        """Group organisations, or put more into a group; False where one is unverified or in another group."""
        return await self._session.fetch_one(_FORM, lead=lead, members=list(members), by=by, reason=reason)

    async def end(self, lead: UUID, by: UUID | None) -> bool:
        """End a group; False where the organisation leads none."""
        return await self._session.fetch_one(_END, lead=lead, by=by)
