"""SQL of accounts."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import col, select

from api.accounts.models import AgreementAcceptance, ApiKey, Membership, Organisation, Reviewer, User
from api.core.db import AsyncSession
from api.core.query import Query

VALID_KEYS = Query(
    UUID,
    "Which of some keys are good: neither revoked nor expired, of an account that was not deleted.",
    """select k.id from api_key k join account a on a.id = k.user_id
       where k.id = any(:ids) and k.revoked_at is null and a.deleted_at is null
         and (k.expires_at is null or k.expires_at > now())""",
)


class AccountRepository:
    """Users, organisations, keys, agreements."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def key_by_digest(self, digest: bytes) -> Any | None:
        """Key, user and organisation in one row, and notes the use (at most once a minute)."""
        result = await self._session.sql(
            """with found as (
                 select k.id, k.user_id, k.organisation_id, k.scopes, k.expires_at, k.name, k.last_used_at,
                        u.is_operator, o.slug, o.name as organisation
                 from api_key k join account u on u.id = k.user_id join organisation o on o.id = k.organisation_id
                 where k.digest = :digest and k.revoked_at is null and u.deleted_at is null
                   and (k.expires_at is null or k.expires_at > now())),
               used as (
                 update api_key set last_used_at = now() from found where api_key.id = found.id
                   and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute'))
               select * from found""",
            {"digest": digest},
        )
        return result.one_or_none()

    async def valid_keys(self, ids: list[UUID]) -> set[UUID]:
        """Which of the keys are neither revoked nor expired, of accounts that were not deleted."""
        return set(await self._session.fetch_all(VALID_KEYS, ids=ids))

    async def user_by_email(self, email: str) -> User | None:
        return (await self._session.exec(select(User).where(User.email == email))).one_or_none()

    async def user(self, user_id: UUID) -> User | None:
        return await self._session.get(User, user_id)

    async def organisation_by_slug(self, slug: str) -> Organisation | None:
        return (await self._session.exec(select(Organisation).where(Organisation.slug == slug))).one_or_none()

    async def organisation(self, organisation_id: UUID) -> Organisation:
        """Raises NoResultFound."""
        return await self._session.get_one(Organisation, organisation_id)

    async def membership(self, user_id: UUID, organisation_id: UUID) -> Membership | None:
        return await self._session.get(Membership, (user_id, organisation_id))

    async def organisations_of(self, user_id: UUID) -> list[tuple[Organisation, str]]:
        statement = (
            select(Organisation, Membership.role)
            .join(Membership, col(Membership.organisation_id) == col(Organisation.id))
            .where(Membership.user_id == user_id)
            .order_by(Organisation.slug)
        )
        return [(row[0], row[1]) for row in await self._session.exec(statement)]

    async def members(self, organisation_id: UUID) -> list[tuple[User, str]]:
        statement = (
            select(User, Membership.role)
            .join(Membership, col(Membership.user_id) == col(User.id))
            .where(Membership.organisation_id == organisation_id)
            .order_by(col(User.created_at))
        )
        return [(row[0], row[1]) for row in await self._session.exec(statement)]

    async def keys_of(self, user_id: UUID) -> list[tuple[ApiKey, str]]:
        """A user's keys, newest first, each with the slug of its organisation."""
        statement = (
            select(ApiKey, Organisation.slug)
            .join(Organisation, col(Organisation.id) == col(ApiKey.organisation_id))
            .where(ApiKey.user_id == user_id)
            .order_by(col(ApiKey.created_at).desc())
        )
        return [(row[0], row[1]) for row in await self._session.exec(statement)]

    async def add(self, row: User | Organisation | Membership | ApiKey | Reviewer) -> None:
        self._session.add(row)
        await self._session.flush()

    async def revoke(self, key_id: UUID, user_id: UUID, at: datetime) -> bool:
        result = await self._session.sql(
            "update api_key set revoked_at = :at where id = :key and user_id = :user and revoked_at is null",
            {"at": at, "key": key_id, "user": user_id},
        )
        return result.rowcount == 1

    async def accept_agreement(self, row: AgreementAcceptance) -> None:
        """Record an acceptance; an earlier one of the same release stays as it was."""
        await self._session.sql(
            """insert into agreement_acceptance
                 (id, organisation_id, release_id, user_id, name, text_digest, state, reason, accepted_at)
               values (:id, :organisation_id, :release_id, :user_id, :name, :text_digest, :state, '', :accepted_at)
               on conflict (organisation_id, release_id) do nothing""",
            row.model_dump(exclude={"reason", "decided_at", "decided_by"}),
        )

    async def acceptance(self, organisation_id: UUID, release_id: UUID) -> AgreementAcceptance | None:
        statement = select(AgreementAcceptance).where(
            AgreementAcceptance.organisation_id == organisation_id, AgreementAcceptance.release_id == release_id
        )
        return (await self._session.exec(statement)).one_or_none()

    async def is_reviewer(self, benchmark_id: UUID, user_id: UUID) -> bool:
        return await self._session.get(Reviewer, (benchmark_id, user_id)) is not None
