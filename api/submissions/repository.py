"""SQL of submissions."""

import json
from typing import Any
from uuid import UUID

from sqlmodel import col, select

from api.core.db import AsyncSession
from api.core.nul import without_nul
from api.core.query import Command
from api.leaderboard.ladder import UNVERIFIED
from api.submissions.models import State, Submission, SubmissionItem

_INSERT_ITEMS = """
insert into submission_item (submission_id, problem_id, answer, data, trajectory, usage, attempts)
select :submission, u.problem, u.answer, cast(u.data as jsonb), cast(u.trajectory as jsonb), cast(u.usage as jsonb), 0
from unnest(cast(:problems as uuid[]), cast(:answers as text[]), cast(:data as text[]),
            cast(:trajectories as text[]), cast(:usages as text[])) as u(problem, answer, data, trajectory, usage)
on conflict do nothing
"""


_QUOTA = """
insert into quota_use as q (organisation_id, split_id, used, made)
select :organisation, :split, 1, 1 where cast(:limit as integer) is null or cast(:limit as integer) >= 1
on conflict (organisation_id, split_id) do update set used = q.used + 1, made = q.made + 1
  where cast(:limit as integer) is null or q.used < cast(:limit as integer)
returning made
"""


ADD_EPISODE = Command(
    "Insert the item that a session will answer, and count it as received.",
    """with item as (
         insert into submission_item (submission_id, problem_id, attempts) values (:id, :problem, 0)
         on conflict do nothing returning 1)
       update submission set received = received + 1 where id = :id and exists (select 1 from item)""",
)
DROP_EPISODE = Command(
    "Take back an item whose episode never began.",
    """with gone as (
         delete from submission_item where submission_id = :id and problem_id = :problem and graded_at is null
         returning 1)
       update submission set received = received - 1 where id = :id and exists (select 1 from gone)""",
)


class SubmissionRepository:
    """Submissions, their items, quotas."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: Submission) -> bool:
        """Insert; False when the organisation has used this idempotency key already."""
        values = row.model_dump(include=set(_COLUMNS))
        values["model"] = json.dumps(values["model"])
        names = ", ".join(_COLUMNS)
        marks = ", ".join(f"cast(:{name} as jsonb)" if name == "model" else f":{name}" for name in _COLUMNS)
        result = await self._session.sql(
            f"insert into submission ({names}, failure) values ({marks}, '') "  # noqa: S608 - the names are ours
            "on conflict (organisation_id, idempotency_key) do nothing",
            values,
        )
        return result.rowcount == 1

    async def by_idempotency_key(self, organisation_id: UUID, key: str) -> Submission | None:
        statement = select(Submission).where(
            Submission.organisation_id == organisation_id, Submission.idempotency_key == key
        )
        return (await self._session.exec(statement)).one_or_none()

    async def one(self, submission_id: UUID, *, lock: bool = False) -> Submission | None:
        statement = select(Submission).where(Submission.id == submission_id)
        if lock:
            statement = statement.with_for_update()
        return (await self._session.exec(statement)).one_or_none()

    async def page(self, organisation_id: UUID, before: UUID | None, limit: int) -> list[Submission]:
        statement = select(Submission).where(Submission.organisation_id == organisation_id)
        if before:
            statement = statement.where(col(Submission.id) < before)
        return list(await self._session.exec(statement.order_by(col(Submission.id).desc()).limit(limit)))

    async def take_quota(self, organisation_id: UUID, split_id: UUID, limit: int | None) -> int | None:
        """Use one of the quota: the number of this attempt, or None when the quota is spent. Atomic."""
        values = {"organisation": organisation_id, "split": split_id, "limit": limit}
        return (await self._session.sql(_QUOTA, values)).scalar_one_or_none()

    async def set_attempt(self, submission_id: UUID, number: int) -> None:
        await self._session.sql("update submission set attempt = :n where id = :id", {"n": number, "id": submission_id})

    async def refund(self, organisation_id: UUID, split_id: UUID) -> None:
        """Give one submission back: the fault was ours."""
        await self._session.sql(
            """update quota_use set used = greatest(used - 1, 0), made = greatest(made - 1, 0)
               where organisation_id = :organisation and split_id = :split""",
            {"organisation": organisation_id, "split": split_id},
        )

    async def add_items(self, submission_id: UUID, items: list[tuple[UUID, dict[str, Any]]]) -> int:
        """Insert items by (problem, fields); those already there stay. Returns how many are new."""
        texts = {name: [_json(fields.get(name)) for _, fields in items] for name in ("data", "trajectory", "usage")}
        result = await self._session.sql(
            _INSERT_ITEMS,
            {
                "submission": submission_id,
                "problems": [problem for problem, _ in items],
                "answers": [fields.get("answer") for _, fields in items],
                "data": texts["data"],
                "trajectories": texts["trajectory"],
                "usages": texts["usage"],
            },
        )
        return int(result.rowcount)

    async def add_episode(self, submission_id: UUID, problem_id: UUID) -> bool:
        """Insert the item that a session will answer; False when the problem is answered already."""
        return await self._session.run(ADD_EPISODE, id=submission_id, problem=problem_id) == 1

    async def drop_episode(self, submission_id: UUID, problem_id: UUID) -> None:
        """Take the item back: its episode never began."""
        await self._session.run(DROP_EPISODE, id=submission_id, problem=problem_id)

    async def count_received(self, submission_id: UUID, more: int) -> None:
        await self._session.sql(
            "update submission set received = received + :more where id = :id", {"more": more, "id": submission_id}
        )

    async def finalise(self, submission_id: UUID) -> bool:
        """`open → queued`, once."""
        result = await self._session.sql(
            "update submission set state = :queued, finalised_at = now() where id = :id and state = :open",
            {"queued": State.QUEUED.value, "open": State.OPEN.value, "id": submission_id},
        )
        return result.rowcount == 1

    async def item_ids(self, submission_id: UUID) -> list[UUID]:
        statement = select(SubmissionItem.problem_id).where(SubmissionItem.submission_id == submission_id)
        return list(await self._session.exec(statement.order_by(col(SubmissionItem.problem_id))))

    async def progress(self, row: Submission) -> Any:
        """Items graded, submissions before this one, and the recent seconds an item."""
        result = await self._session.sql(
            """select (select count(*) from submission_item
                        where submission_id = :id and graded_at is not null) as graded,
                      (select count(*) from submission where state in ('queued', 'grading')
                        and finalised_at < :finalised) as place,
                      (select coalesce(sum(received), 0) from submission where state in ('queued', 'grading')
                        and finalised_at <= :finalised) as items_before,
                      (select extract(epoch from sum(graded_at - finalised_at)) / nullif(sum(received), 0)
                         from (select graded_at, finalised_at, received from submission where graded_at is not null
                               order by graded_at desc limit 20) recent) as seconds_an_item""",
            {"id": row.id, "finalised": row.finalised_at},
        )
        return result.one()

    async def told(self, row: Submission) -> Any:
        """What the leaderboard tells of the submission (columns None: nothing), and its ladder's released score."""
        result = await self._session.sql(
            """select e.score, e.low, e.high, e.breakdown, e.visible_from, l.released,
                      o.verified_at is not null as verified
               from organisation o left join entry e on e.submission_id = :id
               left join ladder_state l on l.split_id = :split
                 and l.organisation_id = case when o.verified_at is null then cast(:unverified as uuid) else o.id end
               where o.id = :organisation""",
            {
                "id": row.id,
                "split": row.split_id,
                "organisation": row.organisation_id,
                "unverified": UNVERIFIED,
            },
        )
        return result.one()

    async def items(self, submission_id: UUID) -> list[Any]:
        """Verdicts with the gold of dev problems."""
        result = await self._session.sql(
            """select i.problem_id, i.score, i.outcome, i.reason, i.grader, p.gold
               from submission_item i join problem p on p.id = i.problem_id
               where i.submission_id = :id order by p.position""",
            {"id": submission_id},
        )
        return list(result.all())


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(without_nul(value))


_COLUMNS = (
    "id",
    "release_id",
    "split_id",
    "organisation_id",
    "user_id",
    "key_id",
    "idempotency_key",
    "request_digest",
    "model",
    "state",
    "expected",
    "received",
    "attempt",
    "created_at",
)
