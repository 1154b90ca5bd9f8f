"""SQL of sessions and their logs, for the web process and the worker. Hosts have their own, which is fenced."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlmodel import select

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.hosting.models import LiveSession

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
    "host_id",
    "epoch",
    "takeovers",
    "faults",
    "failure",
)


@dataclass(frozen=True)
class StoredStep:
    """One entry of a session's log. Number 0 is the first observation and has no action."""

    number: int
    action: dict[str, Any] | None
    observation: dict[str, Any]
    finish: str | None
    answer: str | None
    error: str | None
    stored_at: datetime


_STEP = "number, action, observation, finish, answer, error, stored_at"
ADD = Command(
    "Insert a session, unless its submission's episode or its idempotency key has one.",
    f"""insert into live_session ({", ".join(_COLUMNS)}) values ({", ".join(f":{name}" for name in _COLUMNS)})
        on conflict do nothing""",  # noqa: S608 - our names
)
EARLIER = Query(
    UUID,
    "The session that an idempotency key has, else the one of a submission's episode.",
    """select id from (
         select id, 1 as turn from live_session
         where organisation_id = :organisation and idempotency_key = cast(:key as text) and state <> 'failed'
         union all
         select id, 2 from live_session
         where submission_id = cast(:submission as uuid) and problem_id = :problem and state <> 'failed') as found
       order by turn limit 1""",
)
_PLAYED_UNSEEN = Query(
    bool,
    "Whether the service plays a session, on a hidden split.",
    """select exists (select from live_session l join split s on s.id = l.split_id
         join endpoint_run e on e.submission_id = l.submission_id where l.id = :id and s.visibility <> 'dev')""",
)
STEP = Query(
    StoredStep,
    "One entry of a session's log.",
    f"select {_STEP} from session_step where session_id = :id and number = :number",  # noqa: S608 - our names
)
TRANSCRIPT = Query(
    StoredStep,
    "A session's log in order, the first observation included.",
    f"select {_STEP} from session_step where session_id = :id order by number",  # noqa: S608 - our names
)
KEEP_ALIVE = Command(
    "Note that somebody still waits for an opening, or thinks about the next action.",
    f"update live_session set active_at = clock_timestamp() where id = :id and {_ACTIVE}",  # noqa: S608 - a constant
)
FAIL = Query(
    bool,
    "`opening → failed`, no environment could be had: what it took from the day's budget is given back.",
    "select fail_opening(:id, :why)",
)
END_BROKEN = Command(
    "`opening → ended`: its environment can never be built, so nobody is blamed.",
    """update live_session set state = 'ended', finish_reason = 'infrastructure_error', host_id = null,
         epoch = epoch + 1, ended_at = clock_timestamp() where id = :id and state = 'opening'""",
)
CANCEL = Command(
    "End a running episode without looking at it; the host that holds it is fenced out.",
    f"""update live_session set state = 'ended', finish_reason = 'cancelled', host_id = null, epoch = epoch + 1,
         ended_at = clock_timestamp() where id = :id and {_ACTIVE}""",  # noqa: S608 - a constant
)
REPORT_USAGE = Command("What an episode cost.", "update live_session set usage = cast(:usage as jsonb) where id = :id")
ACTIVE = Query(
    UUID,
    "Which of some sessions are opening or running.",
    f"select id from live_session where id = any(:ids) and {_ACTIVE}",  # noqa: S608 - a constant
)


def stored(row: LiveSession) -> dict[str, Any]:
    """The values of `ADD`."""
    return row.model_dump(include=set(_COLUMNS))


class SessionRepository:
    """Sessions and their logs."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: LiveSession) -> bool:
        """Insert; False when the same episode of the submission, or the same idempotency key, is there already."""
        return await self._session.run(ADD, **stored(row)) == 1

    async def one(self, session_id: UUID) -> LiveSession | None:
        statement = select(LiveSession).where(LiveSession.id == session_id)
        return (await self._session.exec(statement)).one_or_none()

    async def played_unseen(self, session_id: UUID) -> bool:
        """Whether the service plays it, on a hidden split: nobody reads it then."""
        return await self._session.fetch_one(_PLAYED_UNSEEN, id=session_id)

    async def step(self, session_id: UUID, number: int) -> StoredStep | None:
        """One entry of the log."""
        return await self._session.fetch_optional(STEP, id=session_id, number=number)

    async def transcript(self, session_id: UUID) -> list[StoredStep]:
        """Every step in order, the first observation included."""
        return await self._session.fetch_all(TRANSCRIPT, id=session_id)

    async def keep_alive(self, session_id: UUID) -> None:
        """Note that somebody still waits for an opening, or thinks about the next action."""
        await self._session.run(KEEP_ALIVE, id=session_id)

    async def fail(self, session_id: UUID, why: str) -> bool:
        """`opening → failed`: no environment could be had. False when it is open after all."""
        return await self._session.fetch_one(FAIL, id=session_id, why=why)

    async def end_broken(self, session_id: UUID) -> bool:
        """`opening → ended`, by a fault of the service. False when it is open after all."""
        return await self._session.run(END_BROKEN, id=session_id) == 1

    async def cancel(self, session_id: UUID) -> bool:
        """End a running episode without looking at it; the host that holds it is fenced out."""
        return await self._session.run(CANCEL, id=session_id) == 1

    async def report_usage(self, session_id: UUID, usage: dict[str, float]) -> None:
        """Keep what the participant says that the episode cost; the last report stands."""
        await self._session.run(REPORT_USAGE, id=session_id, usage=json.dumps(usage))

    async def active(self, sessions: list[UUID]) -> set[UUID]:
        """Which of the sessions are opening or running."""
        return set(await self._session.fetch_all(ACTIVE, ids=sessions))
