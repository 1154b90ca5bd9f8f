"""SQL of who has access to a benchmark: the agreements signed for its releases."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query


@dataclass(frozen=True)
class Applicant:
    """One organisation and one release: who signed, what was decided, how much was served since.

    `name` is what was signed with; `decided_by` is a user's name.
    """

    id: UUID
    benchmark: str
    version: str
    organisation: str
    organisation_name: str
    verified: bool
    name: str
    email: str | None
    state: str
    reason: str
    text_digest: str
    accepted_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    served: int
    last_served_at: datetime | None


# Reads releases and the exposure ledger, which belong to features above: a page is one statement this way.
_PAGE = Query(
    Applicant,
    "Signed agreements of a benchmark's releases, newest first, in one state or in all.",
    """select a.id, b.slug as benchmark, r.version, o.slug as organisation, o.name as organisation_name,
              o.verified_at is not null as verified, a.name, u.email, a.state, a.reason, a.text_digest, a.accepted_at,
              a.decided_at, d.name as decided_by, coalesce(e.served, 0) as served, e.last_served_at
       from agreement_acceptance a join release r on r.id = a.release_id join benchmark b on b.id = r.benchmark_id
       join organisation o on o.id = a.organisation_id join account u on u.id = a.user_id
       left join account d on d.id = a.decided_by
       left join lateral (
         select count(*) as served, max(x.served_at) as last_served_at
         from exposure x join split s on s.id = x.split_id
         where x.organisation_id = a.organisation_id and s.release_id = a.release_id) e on true
       where a.release_id in (select id from release where benchmark_id = :benchmark)
         and (cast(:state as text) is null or a.state = :state)
         and (cast(:before as uuid) is null or a.id < cast(:before as uuid))
       order by a.id desc limit :limit""",
)
_DECIDE = Command(
    "Approve, decline or take back one organisation's access to a release.",
    """update agreement_acceptance a set state = :state, reason = :reason, decided_by = :by,
         decided_at = clock_timestamp()
       from release r where a.id = :id and r.id = a.release_id and r.benchmark_id = :benchmark""",
)


class AccessRepository:
    """Signed agreements of a benchmark's releases."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def page(self, benchmark_id: UUID, state: str | None, before: UUID | None, limit: int) -> list[Applicant]:
        """Newest first."""
        return await self._session.fetch_all(_PAGE, benchmark=benchmark_id, state=state, before=before, limit=limit)

    async def decide(self, benchmark_id: UUID, acceptance_id: UUID, by: UUID, state: str, reason: str) -> bool:
        """Whether there was such an agreement."""
        changed = await self._session.run(
            _DECIDE, id=acceptance_id, benchmark=benchmark_id, by=by, state=state, reason=reason
        )
        return changed == 1
