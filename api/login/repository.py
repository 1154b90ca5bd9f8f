"""SQL of the login."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlmodel import select

from api.core.db import AsyncSession
from api.core.ids import new_id
from api.core.query import Command, Query
from api.login.models import Identity, LoginLink, WebSession

# A session that nobody used for so long has ended, whatever its last day.
IDLE = timedelta(days=3)


@dataclass(frozen=True)
class SessionUser:
    """A web session that goes on, with its user."""

    id: UUID
    user_id: UUID
    name: str
    email: str | None
    is_operator: bool


@dataclass(frozen=True)
class BrowserSession:
    """A browser that is signed in."""

    id: UUID
    address: str
    agent: str
    created_at: datetime
    seen_at: datetime


_LINK_IDENTITY = Command(
    "Make someone at a provider this user; a second sign-in at the same moment changes nothing.",
    """insert into identity (id, user_id, issuer, subject, email, created_at, used_at)
       values (:id, :user, :issuer, :subject, :email, clock_timestamp(), clock_timestamp())
       on conflict (issuer, subject) do nothing""",
)
_VIEWER = Query(
    SessionUser,
    "The user behind a session that goes on, and a note that it was used, at most once a minute.",
    """with found as (
         select s.id, s.user_id, s.seen_at, u.name, u.email, u.is_operator
         from web_session s join account u on u.id = s.user_id
         where s.digest = any(:digests) and s.ended_at is null and s.expires_at > now()
           and s.seen_at > now() - cast(:idle as interval) and u.deleted_at is null),
       used as (
         update web_session set seen_at = now() from found where web_session.id = found.id
           and found.seen_at < now() - interval '1 minute')
       select id, user_id, name, email, is_operator from found""",
)
_SESSIONS = Query(
    BrowserSession,
    "A user's sessions that go on, the one used last first.",
    """select id, address, agent, created_at, seen_at from web_session
       where user_id = :user and ended_at is null and expires_at > now()
         and seen_at > now() - cast(:idle as interval) order by seen_at desc limit 50""",
)
_END_SESSION = Command(
    "End one session.",
    "update web_session set ended_at = clock_timestamp() where digest = any(:digests) and ended_at is null",
)
_END_SESSIONS = Command(
    "End every session of a user, except one.",
    """update web_session set ended_at = clock_timestamp()
       where user_id = :user and ended_at is null and id is distinct from cast(:but as uuid)""",
)
_USE_LINK = Query(
    UUID,
    "Use a link up and say whose it was.",
    """update login_link set used_at = clock_timestamp()
       where digest = any(:digests) and used_at is null and expires_at > clock_timestamp() returning user_id""",
)
_SWEEP = (
    Command(
        "Forget sessions that ended.",
        "delete from web_session where least(expires_at, coalesce(ended_at, expires_at)) < :before",
    ),
    Command("Forget old links.", "delete from login_link where expires_at < :before"),
    Command("Forget old device codes.", "delete from device_grant where expires_at < :before"),
    Command("Forget old counts of guesses.", "delete from code_guess where since < :before"),
)
_ERASE = (
    Command("Erase who a person is at providers.", "delete from identity where user_id = :user"),
    Command("Erase a person's browsers.", "delete from web_session where user_id = :user"),
    Command("Erase a person's links.", "delete from login_link where user_id = :user"),
    Command("Erase a person's device codes.", "delete from device_grant where user_id = :user"),
    Command("Erase a person's guesses.", "delete from code_guess where subject = 'user:' || cast(:user as text)"),
)
_LOCK_LINKS = Command(
    "Let those who ask for a user's links wait for each other.",
    "select pg_advisory_xact_lock(hashtextextended('links:' || :user, 0))",
)
_OPEN_LINKS = Query(
    int,
    "Links of a user that still work.",
    "select count(*) from login_link where user_id = :user and used_at is null and expires_at > now()",
)


class LoginRepository:
    """Identities, web sessions, links."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def identity(self, issuer: str, subject: str) -> Identity | None:
        statement = select(Identity).where(Identity.issuer == issuer, Identity.subject == subject)
        return (await self._session.exec(statement)).one_or_none()

    async def link_identity(self, user_id: UUID, issuer: str, subject: str, email: str) -> None:
        """Make someone at a provider this user; a second sign-in at the same moment changes nothing."""
        await self._session.run(_LINK_IDENTITY, id=new_id(), user=user_id, issuer=issuer, subject=subject, email=email)

    async def emails_at(self, user_id: UUID, issuer: str) -> list[str]:
        """The verified addresses that a provider gave for a user."""
        statement = select(Identity.email).where(Identity.user_id == user_id, Identity.issuer == issuer)
        return list(await self._session.exec(statement))

    async def emails_of(self, user_id: UUID) -> list[str]:
        """The verified addresses that all providers gave for a user."""
        return list(await self._session.exec(select(Identity.email).where(Identity.user_id == user_id)))

    async def add(self, row: WebSession | LoginLink | Identity) -> None:
        self._session.add(row)
        await self._session.flush()

    async def viewer(self, digests: list[bytes]) -> SessionUser | None:
        """The user behind a session that goes on, and notes the use (at most once a minute)."""
        return await self._session.fetch_optional(_VIEWER, digests=digests, idle=IDLE)

    async def sessions_of(self, user_id: UUID) -> list[BrowserSession]:
        """A user's sessions that go on, the one used last first."""
        return await self._session.fetch_all(_SESSIONS, user=user_id, idle=IDLE)

    async def end_session(self, digests: list[bytes]) -> None:
        await self._session.run(_END_SESSION, digests=digests)

    async def end_sessions(self, user_id: UUID, *, but: UUID | None = None) -> int:
        """End every session of a user, except one."""
        return await self._session.run(_END_SESSIONS, user=user_id, but=but)

    async def open_links(self, user_id: UUID) -> int:
        """How many links of a user are neither used nor expired; one asks at a time until the transaction ends."""
        await self._session.run(_LOCK_LINKS, user=str(user_id))
        return await self._session.fetch_one(_OPEN_LINKS, user=user_id)

    async def use_link(self, digests: list[bytes]) -> UUID | None:
        """Use a link up; None when it is spent, too old or none."""
        return await self._session.fetch_optional(_USE_LINK, digests=digests)

    async def sweep(self, before: datetime) -> None:
        """Forget what ended before a day: sessions, links, grants and counts of guesses."""
        for command in _SWEEP:
            await self._session.run(command, before=before)

    async def erase(self, user_id: UUID) -> None:
        """Erase all that the login holds of a person."""
        for command in _ERASE:
            await self._session.run(command, user=user_id)
