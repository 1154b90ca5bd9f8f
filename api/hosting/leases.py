"""SQL of placing sessions: who holds what, who has room, and who waits."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.hosting.models import SessionState

# A host that said nothing for so long is taken for dead; its writes are refused from then on.
HOST_SECONDS = 30.0
WAITING_SECONDS = 30.0
PLACING = 0x48454C50  # "HELP": one placement at a time
_FRESH = "not draining and seen_at > clock_timestamp() - make_interval(secs => :fresh)"
_ACTIVE = "state in ('opening', 'running')"


@dataclass(frozen=True)
class LeaseOwner:
    """A session's state and epoch, with the host that holds it; `alive` is None or false when nobody can be asked."""

    state: SessionState
    epoch: int
    host: UUID | None
    address: str | None
    token: str | None
    alive: bool | None


@dataclass(frozen=True)
class FreeHost:
    """A living host: where it listens, how many sessions it can hold and how many it holds."""

    id: UUID
    address: str
    token: str
    slots: int
    used: int


@dataclass(frozen=True)
class Load:
    """What admission looks at: slots in all, sessions in all, an equal share, the most that one organisation or group
    may hold, its own sessions, and how many others wait below that share."""

    slots: int
    used: int
    share: int
    most: int
    own: int
    starved: int

    @property
    def refuses(self) -> bool:
        """Whether the organisation can have no session now. Half stays free for who comes, whether or not somebody
        waits: a session is not taken away again."""
        return self.used >= self.slots or self.own >= self.most or (self.own >= self.share and self.starved > 0)


@dataclass(frozen=True)
class SessionCount:
    """Sessions of one state and finish reason: how many, their steps, their takeovers."""

    state: SessionState
    finish: str | None
    n: int
    steps: int
    takeovers: int


@dataclass(frozen=True)
class HostStats:
    """A host with what it counts about itself; `silent` is seconds since its last heartbeat."""

    slots: int
    draining: bool
    stats: dict[str, Any] | None
    silent: float
    used: int


_HOLDER = "coalesce(case when o.verified_at is null then o.created_by end, group_lead(o.id))"
LOCK_PLACEMENT = Command("Let placements wait for each other.", "select pg_advisory_xact_lock(:lock)")
OWNER = Query(
    LeaseOwner,
    "Who holds a session, and whether it was heard of lately.",
    f"""select l.state, l.epoch, h.id as host, h.address, h.token, ({_FRESH}) as alive
        from live_session l left join session_host h on h.id = l.host_id where l.id = :id""",  # noqa: S608 - constants
)
FREE_HOSTS = Query(
    FreeHost,
    "Living hosts with how many sessions each holds.",
    f"""select h.id, h.address, h.token, h.slots,
               (select count(*) from live_session l where l.host_id = h.id and l.{_ACTIVE}) as used
        from session_host h where {_FRESH} order by h.id""",  # noqa: S608 - constants
)
TAKE = Query(
    int,
    "Give a lease to a host under the next epoch, unless somebody else was quicker.",
    f"""update live_session set host_id = :host, epoch = epoch + 1,
          takeovers = takeovers + case when state = 'running' then 1 else 0 end
        where id = :id and epoch = :epoch and {_ACTIVE} returning epoch""",  # noqa: S608 - a constant
)
END_UNANSWERED = Command(
    "End an episode whose host does not answer, by a fault of ours; a live opening is given back by who waits for it.",
    """update live_session set state = 'ended', finish_reason = 'infrastructure_error', host_id = null,
         epoch = epoch + 1, ended_at = clock_timestamp()
       where id = :id and epoch = :epoch and (state = 'running' or (state = 'opening' and origin = 'posted'))""",
)
IS_ALIVE = Query(
    bool,
    "Whether a host, draining or not, was heard of lately.",
    """select exists (select 1 from session_host where id = :id
                      and seen_at > clock_timestamp() - make_interval(secs => :fresh))""",
)
DEREGISTER = Command("Forget a host that nobody could reach.", "delete from session_host where id = :id")
DEREGISTER_SILENT = Command(
    "Forget hosts that said nothing for so many seconds.",
    "delete from session_host where seen_at < clock_timestamp() - make_interval(secs => :seconds)",
)
CLOCK_SET_BACK = Command(
    "Believe no host that was heard of in the future: the clock was set back since, and the host may be dead.",
    """update session_host set seen_at = clock_timestamp()
       where seen_at > clock_timestamp() + make_interval(secs => :fresh)""",
)
OPEN = Query(
    int,
    "How many sessions are open or about to be.",
    f"select count(*)::integer from live_session where {_ACTIVE}",  # noqa: S608 - a constant
)
LOAD = Query(
    Load,
    "How full the hosts are, and a hand's share of them; whoever was refused lately counts as waiting. A group of"
    " organisations is one hand, and so are those that one account made and nobody verified.",
    f"""with slots as (select coalesce(sum(slots), 0) as n from session_host where {_FRESH}),
          mine as (select {_HOLDER} as id, count(*) as n
                   from live_session l join organisation o on o.id = l.organisation_id
                   where l.{_ACTIVE} and l.host_id is not null group by 1),
          waiting as (select distinct {_HOLDER} as id
                      from session_refusal r join organisation o on o.id = r.organisation_id
                      where r.refused_at > clock_timestamp() - make_interval(secs => :waiting)),
          sharing as (select id from mine union select id from waiting union select cast(:me as uuid)),
          share as (select greatest(1, slots.n / (select count(*) from sharing)) as n from slots)
        select slots.n as slots, (select coalesce(sum(n), 0) from mine) as used, share.n as share,
               greatest(1, floor(slots.n * cast(:most as double precision)))::integer as most,
               (select coalesce(sum(n), 0) from mine where id = :me) as own,
               (select count(*) from waiting where id <> :me
                  and coalesce((select n from mine where mine.id = waiting.id), 0) < share.n) as starved
        from slots, share""",  # noqa: S608 - constants
)
COUNTS = Query(
    SessionCount,
    "Sessions, their steps and takeovers by state and finish reason.",
    """select state, finish_reason as finish, count(*) as n, coalesce(sum(steps), 0) as steps,
              coalesce(sum(takeovers), 0) as takeovers
       from live_session group by state, finish_reason""",
)
HOST_STATS = Query(
    HostStats,
    "Hosts in the order of their starts, with what they count about themselves.",
    f"""select h.slots, h.draining, h.stats,
               extract(epoch from clock_timestamp() - h.seen_at)::double precision as silent,
               (select count(*) from live_session l where l.host_id = h.id and l.{_ACTIVE}) as used
        from session_host h order by h.started_at, h.id""",  # noqa: S608 - a constant
)
NOTE_REFUSAL = Command(
    "Note that an organisation waits for capacity.",
    """insert into session_refusal (organisation_id, refused_at) values (:id, clock_timestamp())
       on conflict (organisation_id) do update set refused_at = excluded.refused_at""",
)


def load_values(hand: UUID, most: float) -> dict[str, object]:
    """The values of `LOAD`: `hand` is whoever a principal is capped by, `most` of all slots what one may hold."""
    return {"fresh": HOST_SECONDS, "waiting": WAITING_SECONDS, "me": hand, "most": most}


class LeaseRepository:
    """Who holds what, and who has room."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def owner(self, session_id: UUID) -> LeaseOwner | None:
        """The lease with the address of the host that holds it; None where there is no such session."""
        return await self._session.fetch_optional(OWNER, id=session_id, fresh=HOST_SECONDS)

    async def hosts(self) -> list[FreeHost]:
        """Living hosts, with room or without; placements wait for each other until the commit."""
        await self._session.run(LOCK_PLACEMENT, lock=PLACING)
        return await self._session.fetch_all(FREE_HOSTS, fresh=HOST_SECONDS)

    async def take(self, session_id: UUID, epoch: int, host: UUID) -> int | None:
        """Give the lease to `host`; its epoch, or None when somebody else was quicker."""
        return await self._session.fetch_optional(TAKE, id=session_id, epoch=epoch, host=host)

    async def end_unanswered(self, session_id: UUID, epoch: int) -> bool:
        """End an episode as our fault; False for a live opening, and where somebody else has the lease by now."""
        return await self._session.run(END_UNANSWERED, id=session_id, epoch=epoch) == 1

    async def is_alive(self, host: UUID) -> bool:
        """Whether a host, draining or not, was heard of lately."""
        return await self._session.fetch_one(IS_ALIVE, id=host, fresh=HOST_SECONDS)

    async def deregister(self, host: UUID) -> None:
        """Forget a host that nobody could reach."""
        await self._session.run(DEREGISTER, id=host)

    async def open_sessions(self) -> int:
        """How many sessions are open or about to be."""
        return await self._session.fetch_one(OPEN)

    async def deregister_silent(self, seconds: float) -> None:
        """Forget hosts that said nothing for so long."""
        await self._session.run(DEREGISTER_SILENT, seconds=seconds)

    async def clock_was_set_back(self) -> None:
        """Count the silence of hosts that were heard of in the future from now on."""
        await self._session.run(CLOCK_SET_BACK, fresh=HOST_SECONDS)

    async def counts(self) -> list[SessionCount]:
        """Sessions by state and finish reason."""
        return await self._session.fetch_all(COUNTS)

    async def host_stats(self) -> list[HostStats]:
        """Hosts in the order of their starts."""
        return await self._session.fetch_all(HOST_STATS)

    async def note_refusal(self, organisation_id: UUID) -> None:
        """Note that the organisation waits."""
        await self._session.run(NOTE_REFUSAL, id=organisation_id)
