"""SQL of runs that go on in another release: their verdicts on what it still has, and not their answers, which were
given to the variants of the release before."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.ids import new_id
from api.core.query import Command, Query
from api.submissions.models import Submission
from api.submissions.verdicts import COLUMNS, SEALED, StoredVerdict, sealed_verdict


@dataclass(frozen=True)
class CarriedItem:
    """Where a verdict went on: the item of a submission to another release."""

    submission_id: UUID
    problem_id: UUID


@dataclass(frozen=True)
class _VerdictRow(StoredVerdict):
    problem_id: UUID
    successor: UUID
    usage: dict[str, Any] | None
    finish_reason: str | None
    graded_at: datetime


_VERDICTS = Query(
    _VerdictRow,
    "A submission's verdicts on problems that another split has under the same name.",
    f"""select i.problem_id, q.id as successor, i.usage, i.finish_reason, i.graded_at, {COLUMNS}
        from submission_item i join problem p on p.id = i.problem_id
        join problem q on q.split_id = :split and q.name = p.name {SEALED}
        where i.submission_id = :id and i.graded_at is not null""",  # noqa: S608 - constants
)
_ADD = Command(
    "Graded items without answers, their verdicts sealed.",
    """with added as (
         insert into submission_item (submission_id, problem_id, usage, finish_reason, graded_at)
         select :submission, u.problem, cast(u.usage as jsonb), u.finish, u.graded_at
         from unnest(cast(:problems as uuid[]), cast(:usages as text[]), cast(:finishes as text[]),
                     cast(:graded as timestamptz[])) as u(problem, usage, finish, graded_at)
         returning problem_id)
       insert into vault.verdict (submission_id, problem_id, sealed)
       select :submission, u.problem, u.sealed
       from unnest(cast(:problems as uuid[]), cast(:sealed as bytea[])) as u(problem, sealed)
       join added a on a.problem_id = u.problem""",
)
_COPIES = Query(
    CarriedItem,
    "The items in which an item of a submission went on.",
    """select u.id as submission_id, q.id as problem_id
       from submission u join problem p on p.id = :problem
       join problem q on q.split_id = u.split_id and q.name = p.name
       join submission_item i on i.submission_id = u.id and i.problem_id = q.id
       where u.carried_from = :submission""",
)


class CarryingRepository:
    """Runs that go on in another release."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def transfer(self, row: Submission, release_id: UUID, split_id: UUID, expected: int) -> UUID:
        """A graded submission to a hidden split of another release, with this one's verdicts on what that still has."""
        key, carried = self._session.verdict_key, new_id()
        same = row.model_dump(
            include={"organisation_id", "user_id", "key_id", "model", "state", "attempt", "created_at"}
        )
        ended = row.model_dump(include={"finalised_at", "graded_at", "breakdown", "usage"})
        self._session.add(
            Submission(
                id=carried,
                release_id=release_id,
                split_id=split_id,
                expected=expected,
                carried_from=row.carried_from or row.id,
                **same,
                **ended,
            )
        )
        await self._session.flush()
        sealed = {}
        rows = await self._session.fetch_all(_VERDICTS, id=row.id, split=split_id)
        for one in rows:
            verdict = one.opened(key, row.id, one.problem_id)
            assert verdict, "an item with graded_at has a verdict"
            sealed[one.successor] = sealed_verdict(key, carried, one.successor, verdict)
        await self._session.run(
            _ADD,
            submission=carried,
            problems=list(sealed),
            usages=[None if one.usage is None else json.dumps(one.usage) for one in rows],
            finishes=[one.finish_reason for one in rows],
            graded=[one.graded_at for one in rows],
            sealed=list(sealed.values()),
        )
        return carried

    async def copies(self, submission_id: UUID, problem_id: UUID) -> list[CarriedItem]:
        """Where an item of a submission went on: what is said of the one is said of the others."""
        return await self._session.fetch_all(_COPIES, submission=submission_id, problem=problem_id)
