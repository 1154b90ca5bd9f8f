"""SQL of the device flow. Times are the database's, so that processes with other clocks agree."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.login.models import DeviceGrant


class DeviceRepository:
    """Grants, and the count of wrong guesses."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: DeviceGrant) -> None:
        self._session.add(row)
        await self._session.flush()

    async def waiting(self, digest: bytes) -> Any | None:
        result = await self._session.sql(
            """select id, client, address, scopes, created_at from device_grant
               where user_digest = :digest and state = 'pending' and expires_at > clock_timestamp()""",
            {"digest": digest},
        )
        return result.one_or_none()

    async def approve(self, grant_id: UUID, user_id: UUID, organisation_id: UUID, days: int | None) -> bool:
        result = await self._session.sql(
            """update device_grant set state = 'approved', user_id = :user, organisation_id = :organisation,
                 days = cast(:days as integer)
               where id = :id and state = 'pending' and expires_at > clock_timestamp()""",
            {"id": grant_id, "user": user_id, "organisation": organisation_id, "days": days},
        )
        return result.rowcount == 1

    async def deny(self, grant_id: UUID, user_id: UUID) -> bool:
        result = await self._session.sql(
            "update device_grant set state = 'denied', user_id = :user where id = :id and state = 'pending'",
            {"id": grant_id, "user": user_id},
        )
        return result.rowcount == 1

    async def locked(self, digest: bytes) -> Any | None:
        """A grant, held until the transaction ends: polls at the same moment come one after the other."""
        result = await self._session.sql(
            """select id, client, scopes, state, user_id, organisation_id, days,
                      expires_at <= clock_timestamp() as expired,
                      coalesce(clock_timestamp() < polled_at + make_interval(secs => interval), false) as too_soon
               from device_grant where device_digest = :digest for update""",
            {"digest": digest},
        )
        return result.one_or_none()

    async def polled(self, grant_id: UUID, slower: int = 0) -> None:
        await self._session.sql(
            "update device_grant set polled_at = clock_timestamp(), interval = interval + :slower where id = :id",
            {"id": grant_id, "slower": slower},
        )

    async def consume(self, grant_id: UUID) -> None:
        await self._session.sql("update device_grant set state = 'consumed' where id = :id", {"id": grant_id})

    async def organisation(self, organisation_id: UUID) -> str:
        result = await self._session.sql("select slug from organisation where id = :id", {"id": organisation_id})
        return str(result.scalar_one())

    async def too_many(self, limits: dict[str, int], window: timedelta) -> bool:
        """Whether one of the subjects has used up its wrong guesses. Subjects are locked: guesses come in turn."""
        for subject in sorted(limits):
            await self._session.sql(
                "select pg_advisory_xact_lock(hashtextextended(:name, 0))", {"name": f"code_guess:{subject}"}
            )
        result = await self._session.sql(
            """select subject, wrong from code_guess
               where subject = any(:subjects) and since > clock_timestamp() - cast(:window as interval)""",
            {"subjects": list(limits), "window": window},
        )
        return any(row.wrong >= limits[row.subject] for row in result.all())

    async def count_miss(self, subjects: list[str], window: timedelta) -> None:
        for subject in sorted(subjects):
            await self._session.sql(
                """insert into code_guess as g (subject, since, wrong) values (:subject, clock_timestamp(), 1)
                   on conflict (subject) do update set
                     wrong = case when g.since > clock_timestamp() - cast(:window as interval) then g.wrong + 1
                       else 1 end,
                     since = case when g.since > clock_timestamp() - cast(:window as interval) then g.since
                       else clock_timestamp() end""",
                {"subject": subject, "window": window},
            )
