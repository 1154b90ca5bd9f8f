"""SQL of sessions, for the web process and the worker. Hosts have their own, which is fenced."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import select

from api.core.db import AsyncSession
from api.sessions.models import LiveSession

# A host that said nothing for so long is taken for dead; its writes are refused from then on.
HOST_SECONDS = 30.0
WAITING_SECONDS = 30.0
_PLACING = 0x48454C50  # "HELP": one placement at a time
_FRESH = "not draining and seen_at > clock_timestamp() - make_interval(secs => :fresh)"
_ACTIVE = "state in ('opening', 'running')"
_COLUMNS = (
    "id",
    "problem_id",
    "split_id",
    "submission_id",
    "organisation_id",
    "key_id",
    "idempotency_key",
    "origin",
    "state",
    "seed",
    "variant",
    "steps",
    "step_limit",
    "seconds",
    "created_at",
    "active_at",
    "holder",
    "epoch",
    "takeovers",
    "faults",
    "failure",
)


class LeaseRepository:
    """Who holds what, and who has room."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def holder(self, session_id: UUID) -> Any | None:
        """The lease with its holder's address; `alive` is None or false when there is nobody to ask."""
        result = await self._session.sql(
            f"""select l.state, l.epoch, h.id as host, h.address, h.token, ({_FRESH}) as alive
                from live_session l left join session_host h on h.id = l.holder where l.id = :id""",  # noqa: S608
            {"id": session_id, "fresh": HOST_SECONDS},
        )
        return result.one_or_none()

    async def hosts(self) -> list[Any]:
        """Living hosts with slots and how many are used; placements wait for each other until the commit."""
        await self._session.sql("select pg_advisory_xact_lock(:lock)", {"lock": _PLACING})
        result = await self._session.sql(
            f"""select h.id, h.address, h.token, h.slots,
                       (select count(*) from live_session l where l.holder = h.id and l.{_ACTIVE}) as used
                from session_host h where {_FRESH} order by h.id""",  # noqa: S608 - constants
            {"fresh": HOST_SECONDS},
        )
        return list(result.all())

    async def take(self, session_id: UUID, epoch: int, host: UUID) -> int | None:
        """Give the lease to `host` under the next epoch; None when somebody else was quicker."""
        result = await self._session.sql(
            f"""update live_session set holder = :host, epoch = epoch + 1,
                  takeovers = takeovers + case when state = 'running' then 1 else 0 end
                where id = :id and epoch = :epoch and {_ACTIVE} returning epoch""",  # noqa: S608 - a constant
            {"id": session_id, "epoch": epoch, "host": host},
        )
        return result.scalar_one_or_none()

    async def beats(self, host: UUID) -> bool:
        """Whether a host, draining or not, was heard of lately."""
        result = await self._session.sql(
            """select exists (select 1 from session_host where id = :id
                              and seen_at > clock_timestamp() - make_interval(secs => :fresh))""",
            {"id": host, "fresh": HOST_SECONDS},
        )
        return bool(result.scalar_one())

    async def strike(self, host: UUID) -> None:
        """Strike a host off that nobody could reach."""
        await self._session.sql("delete from session_host where id = :id", {"id": host})

    async def load(self, organisation_id: UUID) -> Any:
        """What admission looks at: slots in all, sessions in all, the organisation's own, and who else shares.

        `sharing` counts organisations with sessions or waiting; `starved` those waiting below an equal share.
        """
        result = await self._session.sql(
            f"""with slots as (select coalesce(sum(slots), 0) as n from session_host where {_FRESH}),
                  mine as (select organisation_id as id, count(*) as n from live_session where {_ACTIVE} group by 1),
                  waiting as (select organisation_id as id from session_refusal
                              where refused_at > clock_timestamp() - make_interval(secs => :waiting)),
                  sharing as (select id from mine union select id from waiting union select cast(:me as uuid)),
                  share as (select greatest(1, slots.n / (select count(*) from sharing)) as n from slots)
                select slots.n as slots, (select coalesce(sum(n), 0) from mine) as used, share.n as share,
                       (select coalesce(sum(n), 0) from mine where id = :me) as own,
                       (select count(*) from waiting where id <> :me
                          and coalesce((select n from mine where mine.id = waiting.id), 0) < share.n) as starved
                from slots, share""",  # noqa: S608 - constants
            {"fresh": HOST_SECONDS, "waiting": WAITING_SECONDS, "me": organisation_id},
        )
        return result.one()

    async def counted(self) -> list[Any]:
        """Sessions, their steps and takeovers by state and finish reason."""
        result = await self._session.sql(
            """select state, finish_reason as finish, count(*) as n, coalesce(sum(steps), 0) as steps,
                      coalesce(sum(takeovers), 0) as takeovers
               from live_session group by state, finish_reason"""
        )
        return list(result.all())

    async def stats(self) -> list[Any]:
        """Hosts in the order of their starts, with what they count about themselves."""
        result = await self._session.sql(
            f"""select h.slots, h.draining, h.stats,
                       extract(epoch from clock_timestamp() - h.seen_at)::double precision as silent,
                       (select count(*) from live_session l where l.holder = h.id and l.{_ACTIVE}) as used
                from session_host h order by h.started_at, h.id"""  # noqa: S608 - a constant
        )
        return list(result.all())

    async def refuse(self, organisation_id: UUID) -> None:
        """Note that the organisation waits."""
        await self._session.sql(
            """insert into session_refusal (organisation_id, refused_at) values (:id, clock_timestamp())
               on conflict (organisation_id) do update set refused_at = excluded.refused_at""",
            {"id": organisation_id},
        )


class SessionRepository:
    """Sessions and their logs."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: LiveSession) -> bool:
        """Insert; False when the same episode of the submission, or the same idempotency key, is there already."""
        names = ", ".join(_COLUMNS)
        marks = ", ".join(f":{name}" for name in _COLUMNS)
        result = await self._session.sql(
            f"insert into live_session ({names}) values ({marks}) on conflict do nothing",  # noqa: S608 - our names
            row.model_dump(include=set(_COLUMNS)),
        )
        return result.rowcount == 1

    async def one(self, session_id: UUID) -> LiveSession | None:
        statement = select(LiveSession).where(LiveSession.id == session_id)
        return (await self._session.exec(statement)).one_or_none()

    async def of_submission(self, submission_id: UUID, problem_id: UUID) -> LiveSession | None:
        statement = select(LiveSession).where(
            LiveSession.submission_id == submission_id,
            LiveSession.problem_id == problem_id,
            LiveSession.state != "failed",
        )
        return (await self._session.exec(statement)).one_or_none()

    async def by_key(self, organisation_id: UUID, key: str) -> LiveSession | None:
        statement = select(LiveSession).where(
            LiveSession.organisation_id == organisation_id,
            LiveSession.idempotency_key == key,
            LiveSession.state != "failed",
        )
        return (await self._session.exec(statement)).one_or_none()

    async def step(self, session_id: UUID, number: int) -> Any | None:
        result = await self._session.sql(
            """select number, action, observation, finish, answer, error, stored_at from session_step
               where session_id = :id and number = :number""",
            {"id": session_id, "number": number},
        )
        return result.one_or_none()

    async def transcript(self, session_id: UUID) -> list[Any]:
        """Every step in order, the first observation included."""
        result = await self._session.sql(
            """select number, action, observation, finish, answer, error, stored_at from session_step
               where session_id = :id order by number""",
            {"id": session_id},
        )
        return list(result.all())

    async def attend(self, session_id: UUID) -> None:
        """Say that somebody waits for an opening."""
        await self._session.sql(
            "update live_session set active_at = clock_timestamp() where id = :id and state = 'opening'",
            {"id": session_id},
        )

    async def fail(self, session_id: UUID, why: str) -> bool:
        """`opening → failed`: no environment could be had. False when it is open after all."""
        result = await self._session.sql(
            """update live_session set state = 'failed', failure = :why, holder = null, epoch = epoch + 1,
                 ended_at = clock_timestamp() where id = :id and state = 'opening'""",
            {"id": session_id, "why": why},
        )
        return result.rowcount == 1

    async def refund(self, key_id: UUID, split_id: UUID, at: datetime) -> None:
        """Give back what a failed opening took from the day's budget."""
        await self._session.sql(
            """update daily_budget set used = greatest(used - 1, 0) where key_id = :key and split_id = :split
               and day = (cast(:at as timestamptz) at time zone 'utc')::date""",
            {"key": key_id, "split": split_id, "at": at},
        )

    async def add_item(self, submission_id: UUID, problem_id: UUID) -> bool:
        """The submission's item that this session will answer; False when the problem is answered already."""
        result = await self._session.sql(
            """with item as (
                 insert into submission_item (submission_id, problem_id, attempts) values (:id, :problem, 0)
                 on conflict do nothing returning 1)
               update submission set received = received + 1 where id = :id and exists (select 1 from item)""",
            {"id": submission_id, "problem": problem_id},
        )
        return result.rowcount == 1

    async def drop_item(self, submission_id: UUID, problem_id: UUID) -> None:
        """Take the item back: its episode never began."""
        await self._session.sql(
            """with gone as (
                 delete from submission_item where submission_id = :id and problem_id = :problem and graded_at is null
                 returning 1)
               update submission set received = received - 1 where id = :id and exists (select 1 from gone)""",
            {"id": submission_id, "problem": problem_id},
        )

    async def cancel(self, session_id: UUID) -> bool:
        """End a running episode without looking at it; the holder is fenced out."""
        result = await self._session.sql(
            f"""update live_session set state = 'ended', finish_reason = 'cancelled', holder = null, epoch = epoch + 1,
                 ended_at = clock_timestamp() where id = :id and {_ACTIVE}""",  # noqa: S608 - a constant
            {"id": session_id},
        )
        return result.rowcount == 1

    async def served(self, sessions: list[UUID], keys: list[UUID]) -> dict[UUID, tuple[bool, bool]]:
        """Of sessions and the keys that step them: whether each is active, and whether its key is still good."""
        result = await self._session.sql(
            f"""select u.session, coalesce(l.{_ACTIVE}, false) as active, exists (
                  select 1 from api_key k join account a on a.id = k.user_id
                  where k.id = u.key and k.revoked_at is null and a.deleted_at is null
                    and (k.expires_at is null or k.expires_at > now())) as known
                from unnest(cast(:sessions as uuid[]), cast(:keys as uuid[])) as u(session, key)
                left join live_session l on l.id = u.session""",  # noqa: S608 - a constant
            {"sessions": sessions, "keys": keys},
        )
        return {row.session: (row.active, row.known) for row in result.all()}

    async def episodes(self, split_id: UUID, after: int, limit: int) -> list[Any]:
        """Problems of a split that are episodes: nothing of what they ask."""
        result = await self._session.sql(
            """select id, position, type, subject from problem
               where split_id = :split and position > :after and episode order by position limit :limit""",
            {"split": split_id, "after": after, "limit": limit},
        )
        return list(result.all())
