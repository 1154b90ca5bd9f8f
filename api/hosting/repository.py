"""SQL of a host. Every write to a session names host and epoch, and is refused where the lease is another's by now."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.nul import without_nul
from api.core.query import Command, Query
from api.hosting.models import SessionState

_LEASE = "id = :session and host_id = :host and epoch = :epoch"


@dataclass(frozen=True)
class Lease:
    """The right to write to a session, until somebody takes it over."""

    session: UUID
    host: UUID
    epoch: int

    def values(self) -> dict[str, Any]:
        return {"session": self.session, "host": self.host, "epoch": self.epoch}


@dataclass(frozen=True)
class LeaseEpoch:
    """A session that the database says a host holds."""

    id: UUID
    epoch: int


@dataclass(frozen=True)
class LeasedSession:
    """A session under a lease, with its sealed episode and the images its release was published with."""

    problem_id: UUID
    state: SessionState
    seed: int
    variant: str
    steps: int
    deadline: datetime | None
    sandbox_images: dict[str, list[str]] | None
    sealed: bytes | None


@dataclass(frozen=True)
class LoggedStep:
    """What a replay needs of a step: the action, and what to compare with."""

    number: int
    action: dict[str, Any] | None
    digest: str
    finish: str | None
    answer: str | None


@dataclass(frozen=True)
class SealedEpisodeRow:
    """A sealed episode and the problem it is bound to."""

    problem_id: UUID
    sealed: bytes


HEARTBEAT = Command(
    "Say that a host lives; one that was deregistered in error is there again.",
    """insert into session_host (id, address, token, slots, draining, stats, started_at, seen_at)
       values (:id, :address, :token, :slots, :draining, cast(:stats as jsonb), clock_timestamp(), clock_timestamp())
       on conflict (id) do update set seen_at = excluded.seen_at, draining = excluded.draining,
         stats = excluded.stats""",
)
RELEASE_LEASES = Command(
    "Give every lease of a host up: its sessions go on elsewhere.",
    "update live_session set host_id = null, epoch = epoch + 1 where host_id = :id",
)
DEREGISTER = Command("Forget a host.", "delete from session_host where id = :id")
EPOCHS = Query(
    LeaseEpoch,
    "The sessions that the database says a host holds.",
    "select id, epoch from live_session where host_id = :id and state in ('opening', 'running')",
)
LEASED = Query(
    LeasedSession,
    "A session with its sealed episode, if the lease stands.",
    f"""select problem_id, state, seed, variant, steps, deadline,
          (select r.sandbox_images from problem p join release r on r.id = p.release_id
           where p.id = live_session.problem_id) as sandbox_images,
          (select e.sealed from vault.episode e where e.problem_id = live_session.problem_id) as sealed
        from live_session where {_LEASE}""",  # noqa: S608 - a constant
)
LOG = Query(
    LoggedStep,
    "Every step of a session in order, the first observation included.",
    "select number, action, digest, finish, answer from session_step where session_id = :session order by number",
)
SAMPLE = Query(
    SealedEpisodeRow,
    "Some sealed episodes, whichever they are.",
    "select problem_id, sealed from vault.episode order by random() limit :count",
)
ENDED = Command(
    "The end of an episode with its evidence, if the lease stands.",
    f"""with mine as (
          update live_session set state = 'ended', finish_reason = :finish, answer = coalesce(:answer, answer),
            host_id = null, epoch = epoch + 1, ended_at = clock_timestamp()
          where {_LEASE} and state in ('opening', 'running') returning id)
        insert into vault.evidence (session_id, sealed) select id, :sealed from mine""",  # noqa: S608 - constants
)
DIVERGED = Command(
    "Note that a replay saw something else than the first time.",
    f"""update live_session set divergence = coalesce(divergence, '[]'::jsonb) || cast(:found as jsonb)
        where {_LEASE}""",  # noqa: S608 - a constant
)
FAULT = Query(
    int,
    "Count a fault of the environment, if the lease stands; how many there were.",
    f"update live_session set faults = faults + 1 where {_LEASE} returning faults",  # noqa: S608 - a constant
)


class HostRepository:
    """Leased sessions, their logs, sealed episodes, and the host's own row."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def heartbeat(
        self, host: UUID, address: str, token: str, slots: int, stats: dict[str, Any], *, draining: bool
    ) -> None:
        """Say that the host lives. One that was deregistered in error is there again."""
        await self._session.run(
            HEARTBEAT,
            id=host,
            address=address,
            token=token,
            slots=slots,
            draining=draining,
            stats=json.dumps(stats),
        )

    async def deregister(self, host: UUID) -> None:
        """Give every lease up and forget the host: its sessions go on elsewhere."""
        await self._session.run(RELEASE_LEASES, id=host)
        await self._session.run(DEREGISTER, id=host)

    async def epochs(self, host: UUID) -> dict[UUID, int]:
        """Epochs of the sessions that the database says this host holds."""
        return {row.id: row.epoch for row in await self._session.fetch_all(EPOCHS, id=host)}

    async def leased(self, lease: Lease) -> LeasedSession | None:
        """The session with its sealed episode, if the lease stands."""
        return await self._session.fetch_optional(LEASED, **lease.values())

    async def log(self, session: UUID) -> list[LoggedStep]:
        """Every step in order, the first observation included."""
        return await self._session.fetch_all(LOG, session=session)

    async def sample(self, count: int) -> list[SealedEpisodeRow]:
        """Some sealed episodes, whichever they are."""
        return await self._session.fetch_all(SAMPLE, count=count)

    async def ended(self, lease: Lease, finish: str, answer: str | None, sealed: bytes) -> bool:
        """The end, with the evidence, in one statement. False: fenced out."""
        values = {"finish": finish, "answer": without_nul(answer), "sealed": sealed}
        return await self._session.run(ENDED, **lease.values(), **values) == 1

    async def diverged(self, lease: Lease, found: dict[str, Any]) -> None:
        """Note that a replay saw something else than the first time."""
        await self._session.run(DIVERGED, **lease.values(), found=json.dumps([found]))

    async def fault(self, lease: Lease) -> int:
        """Count a fault of the environment; how many there were (0: fenced out)."""
        return await self._session.fetch_optional(FAULT, **lease.values()) or 0
