"""SQL of organisations."""

from typing import Any
from uuid import UUID

from sqlmodel import select

from api.accounts.models import Invitation, MemberRole, Membership, Organisation
from api.core.db import AsyncSession


class OrganisationRepository:
    """Organisations, members, invitations."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def by_slug(self, slug: str) -> Organisation | None:
        return (await self._session.exec(select(Organisation).where(Organisation.slug == slug))).one_or_none()

    async def by_domain(self, domain: str) -> Organisation | None:
        return (await self._session.exec(select(Organisation).where(Organisation.domain == domain))).one_or_none()

    async def by_id(self, organisation_id: UUID) -> Organisation | None:
        return await self._session.get(Organisation, organisation_id)

    async def all(self, limit: int) -> list[Any]:
        """Organisations with the number of their members, newest first."""
        result = await self._session.sql(
            """select o.id, o.slug, o.name, o.created_at, o.verified_at, o.domain, u.name as verified_by,
                      (select count(*) from membership m where m.organisation_id = o.id) as members
               from organisation o left join account u on u.id = o.verified_by
               order by o.verified_at is not null, o.created_at desc limit :limit""",
            {"limit": limit},
        )
        return list(result.all())

    async def add(self, row: Organisation | Membership | Invitation) -> None:
        self._session.add(row)
        await self._session.flush()

    async def lock(self, organisation_id: UUID) -> None:
        """One change of members at a time, or two owners could each remove the other."""
        await self._session.sql("select 1 from organisation where id = :id for update", {"id": organisation_id})

    async def membership(self, user_id: UUID, organisation_id: UUID) -> Membership | None:
        return await self._session.get(Membership, (user_id, organisation_id))

    async def members(self, organisation_id: UUID) -> list[Any]:
        result = await self._session.sql(
            """select m.user_id, m.role, u.name, u.email,
                      (select max(k.last_used_at) from api_key k
                       where k.user_id = u.id and k.organisation_id = m.organisation_id) as used_at
               from membership m join account u on u.id = m.user_id
               where m.organisation_id = :organisation order by m.role desc, u.name, u.id""",
            {"organisation": organisation_id},
        )
        return list(result.all())

    async def owners(self, organisation_id: UUID) -> int:
        result = await self._session.sql(
            "select count(*) from membership where organisation_id = :organisation and role = :role",
            {"organisation": organisation_id, "role": MemberRole.OWNER.value},
        )
        return int(result.scalar_one())

    async def set_role(self, user_id: UUID, organisation_id: UUID, role: str) -> None:
        await self._session.sql(
            "update membership set role = :role where user_id = :user and organisation_id = :organisation",
            {"role": role, "user": user_id, "organisation": organisation_id},
        )

    async def remove(self, user_id: UUID, organisation_id: UUID) -> None:
        await self._session.sql(
            "delete from membership where user_id = :user and organisation_id = :organisation",
            {"user": user_id, "organisation": organisation_id},
        )

    async def revoke_keys(self, user_id: UUID, organisation_id: UUID, scopes: list[str] | None = None) -> int:
        """End a member's keys for an organisation; only those with one of `scopes`, where it is given."""
        result = await self._session.sql(
            """update api_key set revoked_at = clock_timestamp()
               where user_id = :user and organisation_id = :organisation and revoked_at is null
                 and (cast(:scopes as text[]) is null or scopes && cast(:scopes as text[]))""",
            {"user": user_id, "organisation": organisation_id, "scopes": scopes},
        )
        return int(result.rowcount)

    async def invitations(self, organisation_id: UUID) -> list[Any]:
        """Invitations that still hold, newest first."""
        result = await self._session.sql(
            """select i.id, i.email, i.role, i.created_at, i.expires_at, u.name as invited_by
               from invitation i join account u on u.id = i.invited_by
               where i.organisation_id = :organisation and i.used_at is null and i.withdrawn_at is null
                 and i.expires_at > clock_timestamp() order by i.created_at desc""",
            {"organisation": organisation_id},
        )
        return list(result.all())

    async def invitation(self, digest: bytes) -> Any | None:
        """An invitation that still holds, locked until the transaction ends."""
        result = await self._session.sql(
            """select i.id, i.organisation_id, i.email, i.role, o.slug, o.name
               from invitation i join organisation o on o.id = i.organisation_id
               where i.digest = :digest and i.used_at is null and i.withdrawn_at is null
                 and i.expires_at > clock_timestamp() for update of i""",
            {"digest": digest},
        )
        return result.one_or_none()

    async def use(self, invitation_id: UUID) -> None:
        await self._session.sql(
            "update invitation set used_at = clock_timestamp() where id = :id", {"id": invitation_id}
        )

    async def withdraw(self, invitation_id: UUID, organisation_id: UUID) -> bool:
        result = await self._session.sql(
            """update invitation set withdrawn_at = clock_timestamp()
               where id = :id and organisation_id = :organisation and used_at is null and withdrawn_at is null""",
            {"id": invitation_id, "organisation": organisation_id},
        )
        return result.rowcount == 1

    async def made_by(self, user_id: UUID) -> int:
        """Organisations that a user owns."""
        result = await self._session.sql(
            "select count(*) from membership where user_id = :user and role = :role",
            {"user": user_id, "role": MemberRole.OWNER.value},
        )
        return int(result.scalar_one())

    async def feedback(self, holder: UUID) -> list[Any]:
        """What the holder of a ladder has been told of hidden splits."""
        result = await self._session.sql(
            """select b.slug, r.version, s.name as split, l.attempts, l.releases, l.released, l.bits
               from ladder_state l join split s on s.id = l.split_id join release r on r.id = s.release_id
               join benchmark b on b.id = r.benchmark_id
               where l.organisation_id = :holder order by b.slug, r.created_at desc, s.name""",
            {"holder": holder},
        )
        return list(result.all())

    async def agreements(self, organisation_id: UUID) -> list[Any]:
        """Agreements that an organisation has asked for or accepted, newest first."""
        result = await self._session.sql(
            """select b.slug, r.version, a.name, a.state, a.reason, a.accepted_at, a.decided_at, a.text_digest
               from agreement_acceptance a join release r on r.id = a.release_id
               join benchmark b on b.id = r.benchmark_id
               where a.organisation_id = :organisation order by a.accepted_at desc""",
            {"organisation": organisation_id},
        )
        return list(result.all())

    async def benchmarks(self, organisation_id: UUID) -> list[Any]:
        """Benchmarks that an organisation owns, with the number of applicants who wait."""
        result = await self._session.sql(
            """select b.slug, r.title, r.version,
                      (select count(*) from agreement_acceptance a join release x on x.id = a.release_id
                       where x.benchmark_id = b.id and a.state = 'requested') as waiting
               from benchmark b join release r on r.id = b.release_id
               where b.organisation_id = :organisation order by b.slug""",
            {"organisation": organisation_id},
        )
        return list(result.all())
