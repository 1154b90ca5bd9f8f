"""SQL of the login."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlmodel import select

from api.accounts.models import User
from api.core.db import AsyncSession
from api.core.ids import new_id
from api.login.models import Identity, LoginLink, WebSession

# A session that nobody used for so long has ended, whatever its last day.
IDLE = timedelta(days=3)


class LoginRepository:
    """Identities, web sessions, links."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def identity(self, issuer: str, subject: str) -> Identity | None:
        statement = select(Identity).where(Identity.issuer == issuer, Identity.subject == subject)
        return (await self._session.exec(statement)).one_or_none()

    async def link_identity(self, user_id: UUID, issuer: str, subject: str, email: str) -> None:
        """Make someone at a provider this user; a second sign-in at the same moment changes nothing."""
        await self._session.sql(
            """insert into identity (id, user_id, issuer, subject, email, created_at, used_at)
               values (:id, :user, :issuer, :subject, :email, clock_timestamp(), clock_timestamp())
               on conflict (issuer, subject) do nothing""",
            {"id": new_id(), "user": user_id, "issuer": issuer, "subject": subject, "email": email},
        )

    async def user_with(self, email: str, name: str) -> User:
        """The user of an address, made when it is new."""
        await self._session.sql(
            """insert into account (id, email, name, is_operator, created_at)
               values (:id, :email, :name, false, clock_timestamp()) on conflict (email) do nothing""",
            {"id": new_id(), "email": email, "name": name},
        )
        return (await self._session.exec(select(User).where(User.email == email))).one()

    async def user(self, user_id: UUID) -> User | None:
        return await self._session.get(User, user_id)

    async def user_by_email(self, email: str) -> User | None:
        return (await self._session.exec(select(User).where(User.email == email))).one_or_none()

    async def is_invited(self, email: str) -> bool:
        result = await self._session.sql(
            """select 1 from invitation where email = :email and used_at is null and withdrawn_at is null
                 and expires_at > now() limit 1""",
            {"email": email},
        )
        return result.one_or_none() is not None

    async def emails_at(self, user_id: UUID, issuer: str) -> list[str]:
        """The verified addresses that a provider gave for a user."""
        statement = select(Identity.email).where(Identity.user_id == user_id, Identity.issuer == issuer)
        return list(await self._session.exec(statement))

    async def add(self, row: WebSession | LoginLink | Identity) -> None:
        self._session.add(row)
        await self._session.flush()

    async def viewer(self, digest: bytes) -> Any | None:
        """The user behind a session that goes on, and notes the use (at most once a minute)."""
        result = await self._session.sql(
            """with found as (
                 select s.id, s.user_id, s.seen_at, u.name, u.email, u.is_operator
                 from web_session s join account u on u.id = s.user_id
                 where s.digest = :digest and s.ended_at is null and s.expires_at > now()
                   and s.seen_at > now() - cast(:idle as interval) and u.deleted_at is null),
               seen as (
                 update web_session set seen_at = now() from found where web_session.id = found.id
                   and found.seen_at < now() - interval '1 minute')
               select * from found""",
            {"digest": digest, "idle": IDLE},
        )
        return result.one_or_none()

    async def sessions_of(self, user_id: UUID) -> list[Any]:
        result = await self._session.sql(
            """select id, address, agent, created_at, seen_at from web_session
               where user_id = :user and ended_at is null and expires_at > now()
                 and seen_at > now() - cast(:idle as interval) order by seen_at desc limit 50""",
            {"user": user_id, "idle": IDLE},
        )
        return list(result.all())

    async def end_session(self, digest: bytes) -> None:
        await self._session.sql(
            "update web_session set ended_at = clock_timestamp() where digest = :digest and ended_at is null",
            {"digest": digest},
        )

    async def end_sessions(self, user_id: UUID, *, but: UUID | None = None) -> int:
        """End every session of a user, except one."""
        result = await self._session.sql(
            """update web_session set ended_at = clock_timestamp()
               where user_id = :user and ended_at is null and id is distinct from cast(:but as uuid)""",
            {"user": user_id, "but": but},
        )
        return int(result.rowcount)

    async def use_link(self, digest: bytes) -> UUID | None:
        """Use a link up; None when it is spent, too old or none."""
        result = await self._session.sql(
            """update login_link set used_at = clock_timestamp()
               where digest = :digest and used_at is null and expires_at > clock_timestamp() returning user_id""",
            {"digest": digest},
        )
        row = result.one_or_none()
        return UUID(str(row.user_id)) if row else None

    async def sweep(self, before: datetime) -> None:
        """Forget what ended before a day: sessions, links, grants and counts of guesses."""
        for statement in (
            "delete from web_session where least(expires_at, coalesce(ended_at, expires_at)) < :before",
            "delete from login_link where expires_at < :before",
            "delete from device_grant where expires_at < :before",
            "delete from code_guess where since < :before",
        ):
            await self._session.sql(statement, {"before": before})
