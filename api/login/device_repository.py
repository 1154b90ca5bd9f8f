"""SQL of the device flow. Times are the database's, so that processes with other clocks agree."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from api.accounts.models import Scope
from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.login.models import DeviceGrant, GrantState


@dataclass(frozen=True)
class PendingGrant:
    """A command line that waits for a decision."""

    id: UUID
    client: str
    address: str
    scopes: list[Scope]
    created_at: datetime


@dataclass(frozen=True)
class PolledGrant:
    """A grant as a poll finds it. `too_soon`: before the interval has passed. User and organisation once approved."""

    id: UUID
    client: str
    scopes: list[Scope]
    state: GrantState
    user_id: UUID | None
    organisation_id: UUID | None
    days: int | None
    expired: bool
    too_soon: bool


@dataclass(frozen=True)
class WrongGuesses:
    """Wrong codes of a user or an address within the window."""

    subject: str
    wrong: int


_PENDING = Query(
    PendingGrant,
    "The grant that waits behind a user code.",
    """select id, client, address, scopes, created_at from device_grant
       where user_digest = any(:digests) and state = 'pending' and expires_at > clock_timestamp()""",
)
_APPROVE = Command(
    "Approve a grant that still waits.",
    """update device_grant set state = 'approved', user_id = :user, organisation_id = :organisation,
         days = cast(:days as integer)
       where id = :id and state = 'pending' and expires_at > clock_timestamp()""",
)
_DENY = Command(
    "Deny a grant that still waits.",
    "update device_grant set state = 'denied', user_id = :user where id = :id and state = 'pending'",
)
_LOCKED = Query(
    PolledGrant,
    "A grant, held until the transaction ends: polls at the same moment come one after the other.",
    """select id, client, scopes, state, user_id, organisation_id, days,
              expires_at <= clock_timestamp() as expired,
              coalesce(clock_timestamp() < polled_at + make_interval(secs => interval), false) as too_soon
       from device_grant where device_digest = any(:digests) for update""",
)
_POLLED = Command(
    "Note a poll, and lengthen the interval of one who polls too often.",
    "update device_grant set polled_at = clock_timestamp(), interval = interval + :slower where id = :id",
)
_CONSUME = Command("The key was given out.", "update device_grant set state = 'consumed' where id = :id")
_LOCK_SUBJECT = Command("Guesses come in turn.", "select pg_advisory_xact_lock(hashtextextended(:name, 0))")
_WRONG = Query(
    WrongGuesses,
    "Wrong guesses within the window.",
    """select subject, wrong from code_guess
       where subject = any(:subjects) and since > clock_timestamp() - cast(:window as interval)""",
)
_COUNT = Command(
    "Count a wrong guess; a window that has passed begins again.",
    """insert into code_guess as g (subject, since, wrong) values (:subject, clock_timestamp(), 1)
       on conflict (subject) do update set
         wrong = case when g.since > clock_timestamp() - cast(:window as interval) then g.wrong + 1
           else 1 end,
         since = case when g.since > clock_timestamp() - cast(:window as interval) then g.since
           else clock_timestamp() end""",
)


class DeviceRepository:
    """Grants, and the count of wrong guesses."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: DeviceGrant) -> None:
        self._session.add(row)
        await self._session.flush()

    async def pending(self, digests: list[bytes]) -> PendingGrant | None:
        """The grant that waits behind a user code."""
        return await self._session.fetch_optional(_PENDING, digests=digests)

    async def approve(self, grant_id: UUID, user_id: UUID, organisation_id: UUID, days: int | None) -> bool:
        changed = await self._session.run(_APPROVE, id=grant_id, user=user_id, organisation=organisation_id, days=days)
        return changed == 1

    async def deny(self, grant_id: UUID, user_id: UUID) -> bool:
        return await self._session.run(_DENY, id=grant_id, user=user_id) == 1

    async def locked(self, digests: list[bytes]) -> PolledGrant | None:
        """A grant, held until the transaction ends: polls at the same moment come one after the other."""
        return await self._session.fetch_optional(_LOCKED, digests=digests)

    async def polled(self, grant_id: UUID, slower: int = 0) -> None:
        """Note a poll; `slower`: seconds to add to the interval."""
        await self._session.run(_POLLED, id=grant_id, slower=slower)

    async def consume(self, grant_id: UUID) -> None:
        await self._session.run(_CONSUME, id=grant_id)

    async def too_many(self, limits: dict[str, int], window: timedelta) -> bool:
        """Whether one of the subjects has used up its wrong guesses. Subjects are locked: guesses come in turn."""
        for subject in sorted(limits):
            await self._session.run(_LOCK_SUBJECT, name=f"code_guess:{subject}")
        found = await self._session.fetch_all(_WRONG, subjects=list(limits), window=window)
        return any(row.wrong >= limits[row.subject] for row in found)

    async def count_miss(self, subjects: list[str], window: timedelta) -> None:
        for subject in sorted(subjects):
            await self._session.run(_COUNT, subject=subject, window=window)
