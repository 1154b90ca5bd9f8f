"""SQL of a host. Every write to a session names holder and epoch; the database refuses a holder of yesterday."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.nul import without_nul

_LEASE = "id = :session and holder = :host and epoch = :epoch"
_OPENED = f"""
with mine as (
  update live_session set state = 'running', step_limit = :limit, seconds = :seconds, active_at = clock_timestamp(),
    deadline = clock_timestamp() + make_interval(secs => :seconds)
  where {_LEASE} and state = 'opening' returning id)
insert into session_step (session_id, number, observation, digest, stored_at)
select id, 0, cast(:observation as jsonb), :digest, clock_timestamp() from mine
"""  # noqa: S608 - constants
_ENDED = f"""
with mine as (
  update live_session set state = 'ended', finish_reason = :finish, answer = coalesce(:answer, answer), holder = null,
    epoch = epoch + 1, ended_at = clock_timestamp()
  where {_LEASE} and state in ('opening', 'running') returning id)
insert into vault.evidence (session_id, sealed) select id, :sealed from mine
"""  # noqa: S608 - constants


@dataclass(frozen=True)
class Lease:
    """The right to write to a session, until somebody takes it over."""

    session: UUID
    host: UUID
    epoch: int

    def values(self) -> dict[str, Any]:
        return {"session": self.session, "host": self.host, "epoch": self.epoch}


class HostRepository:
    """Leased sessions, their logs, sealed episodes, and the host's own row."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def beat(
        self, host: UUID, address: str, token: str, slots: int, stats: dict[str, Any], *, draining: bool
    ) -> None:
        """Say that the host lives. One that was struck off in error is there again."""
        await self._session.sql(
            """insert into session_host (id, address, token, slots, draining, stats, started_at, seen_at)
               values (:id, :address, :token, :slots, :draining, cast(:stats as jsonb), clock_timestamp(),
                       clock_timestamp())
               on conflict (id) do update set seen_at = excluded.seen_at, draining = excluded.draining,
                 stats = excluded.stats""",
            {
                "id": host,
                "address": address,
                "token": token,
                "slots": slots,
                "draining": draining,
                "stats": json.dumps(stats),
            },
        )

    async def leave(self, host: UUID) -> None:
        """Give every lease up and strike the host off: the sessions go on elsewhere."""
        await self._session.sql(
            "update live_session set holder = null, epoch = epoch + 1 where holder = :id", {"id": host}
        )
        await self._session.sql("delete from session_host where id = :id", {"id": host})

    async def held(self, host: UUID) -> dict[UUID, int]:
        """Epochs of the sessions that the database says this host holds."""
        rows = await self._session.sql(
            "select id, epoch from live_session where holder = :id and state in ('opening', 'running')", {"id": host}
        )
        return {row.id: row.epoch for row in rows.all()}

    async def leased(self, lease: Lease) -> Any | None:
        """The session with its sealed episode, if the lease stands."""
        result = await self._session.sql(
            f"""select problem_id, state, seed, variant, steps, deadline,
                  (select r.sandbox_images from problem p join release r on r.id = p.release_id
                   where p.id = live_session.problem_id) as sandbox_images,
                  (select e.sealed from vault.episode e where e.problem_id = live_session.problem_id) as sealed
                from live_session where {_LEASE}""",  # noqa: S608 - a constant
            lease.values(),
        )
        return result.one_or_none()

    async def step(self, session: UUID, number: int) -> Any | None:
        result = await self._session.sql(
            """select number, action, observation, digest, finish, answer, error from session_step
               where session_id = :session and number = :number""",
            {"session": session, "number": number},
        )
        return result.one_or_none()

    async def log(self, session: UUID) -> list[Any]:
        """Every step in order, the first observation included."""
        result = await self._session.sql(
            """select number, action, digest, finish, answer from session_step
               where session_id = :session order by number""",
            {"session": session},
        )
        return list(result.all())

    async def sample(self, count: int) -> list[Any]:
        """Some sealed episodes, whichever they are."""
        result = await self._session.sql(
            "select problem_id, sealed from vault.episode order by random() limit :count", {"count": count}
        )
        return list(result.all())

    async def opened(self, lease: Lease, observation: dict[str, Any], digest: str, limit: int, seconds: int) -> bool:
        """`opening → running` with the first observation. False: fenced out."""
        values = {"observation": json.dumps(observation), "digest": digest, "limit": limit, "seconds": seconds}
        return (await self._session.sql(_OPENED, lease.values() | values)).rowcount == 1

    async def ended(self, lease: Lease, finish: str, answer: str | None, sealed: bytes) -> bool:
        """The end, with the evidence, in one statement. False: fenced out."""
        values = {"finish": finish, "answer": without_nul(answer), "sealed": sealed}
        return (await self._session.sql(_ENDED, lease.values() | values)).rowcount == 1

    async def diverged(self, lease: Lease, found: dict[str, Any]) -> None:
        """Note that a replay saw something else than the first time."""
        await self._session.sql(
            f"""update live_session set divergence = coalesce(divergence, '[]'::jsonb) || cast(:found as jsonb)
                where {_LEASE}""",  # noqa: S608 - a constant
            lease.values() | {"found": json.dumps([found])},
        )

    async def fault(self, lease: Lease) -> int:
        """Count a fault of the environment; how many there were."""
        result = await self._session.sql(
            f"update live_session set faults = faults + 1 where {_LEASE} returning faults",  # noqa: S608 - a constant
            lease.values(),
        )
        return int(result.scalar_one_or_none() or 0)
