"""SQL of submissions: intake, quotas, and what their makers see. Their grading is in `grading_repository`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from api.core.crypto import IntakeSeal
from api.core.db import AsyncSession
from api.core.nul import without_nul
from api.core.query import Command, Query
from api.submissions.answers import sealed_answer
from api.submissions.models import RESULTS, State, Submission
from api.submissions.verdicts import COLUMNS, SEALED, StoredVerdict


@dataclass(frozen=True)
class GradedItem:
    """An item's verdict, with the gold of a dev problem."""

    problem_id: UUID
    score: float | None
    outcome: str | None
    reason: str | None
    grader: str | None
    gold: str | None


@dataclass(frozen=True)
class _Sealing:
    """Whether the answers of a submission are sealed, and under which public key."""

    hidden: bool
    public: bytes


@dataclass(frozen=True)
class EpisodeRun:
    """What the opening of an episode looks at in the submission that it is for; `played`: by the service itself."""

    organisation_id: UUID
    split_id: UUID
    state: State
    played: bool


@dataclass(frozen=True)
class NamedVerdict:
    """The verdict of the problem that the pack calls `name`."""

    name: str
    score: float | None
    outcome: str | None
    reason: str | None
    finish_reason: str | None = None


@dataclass(frozen=True)
class _NamedRow(StoredVerdict):
    name: str
    problem_id: UUID
    finish_reason: str | None


_SHOWN_REFERENCES = Query(
    bool,
    "Whether an account, or a member of an organisation or of its group, was shown a hidden reference of a benchmark.",
    """select exists (
         select from review_shown v where v.benchmark_id = :benchmark and (v.user_id = :user or exists (
           select from membership m where m.user_id = v.user_id
             and m.organisation_id in (select sharing_limits(:organisation)))))""",
)
_LOCK_TAKING_PART = Query(
    object,
    "Let no reviewer be shown a benchmark's references until the end of the transaction; others may take part.",
    """select cast(pg_advisory_xact_lock_shared(
         hashtextextended('taking part:' || cast(:benchmark as text), 0)) as text)""",
)
_TAKE_QUOTA = Query(
    int,
    "Use one of an organisation's submissions on a split, if one is left: the number of this attempt.",
    "select * from take_submission(:submission)",
)
_REFUND = Command(
    "Give an organisation one submission back.",
    """update quota_use set used = greatest(used - 1, 0), made = greatest(made - 1, 0)
       where organisation_id = :organisation and split_id = :split""",
)
ADD_ITEMS = Command(
    "Add items to a submission; those already there stay.",
    """insert into submission_item (submission_id, problem_id, answer, data, trajectory, usage)
       select :submission, u.problem, u.answer, cast(u.data as jsonb), cast(u.trajectory as jsonb),
              cast(u.usage as jsonb)
       from unnest(cast(:problems as uuid[]), cast(:answers as text[]), cast(:data as text[]),
                   cast(:trajectories as text[]), cast(:usages as text[]))
            as u(problem, answer, data, trajectory, usage)
       on conflict do nothing""",
)
ADD_SEALED = Command(
    "Add sealed items to a submission to a hidden split; those already there stay.",
    """insert into submission_item (submission_id, problem_id, sealed, usage)
       select :submission, u.problem, u.sealed, cast(u.usage as jsonb)
       from unnest(cast(:problems as uuid[]), cast(:sealed as bytea[]), cast(:usages as text[]))
            as u(problem, sealed, usage)
       on conflict do nothing""",
)
_SEALING = Query(
    _Sealing,
    "Whether the answers of a submission are sealed, and under which public key.",
    """select s.visibility <> 'dev' as hidden, k.public
       from intake_key k, submission u join split s on s.id = u.split_id where u.id = :id""",
)
_FINALISE = Query(bool, "`open → queued`, once.", "select finalise_submission(:id)")
LOCK_SUBMISSION = Query(
    bool, "Lock a submission until the end of the transaction.", "select * from lock_submission(:id)"
)
EPISODE_RUN = Query(
    EpisodeRun,
    "A submission as the opening of an episode looks at it.",
    """select u.organisation_id, u.split_id, u.state,
              exists (select from endpoint_run e where e.submission_id = u.id) as played
       from submission u where u.id = :id""",
)
_COUNT_GRADED = Query(
    int,
    "How many of a submission's answers have a verdict.",
    "select count(*) from submission_item where submission_id = :id and graded_at is not null",
)
_ITEMS = Query(
    GradedItem,
    "Verdicts with the gold of dev problems, in the order of the problems.",
    """select i.problem_id, i.score, i.outcome, i.reason, i.grader, p.gold
       from submission_item i join problem p on p.id = i.problem_id
       where i.submission_id = :id order by p.position""",
)
_OPENED = Query(
    GradedItem,
    "Verdicts on problems of a hidden split that were published, in the order of the problems.",
    """select o.problem_id, o.score, o.outcome, o.reason, o.grader, p.gold
       from opened_verdict o join problem p on p.id = o.problem_id
       where o.submission_id = :id order by p.position""",
)
_STATE = Query(State, "The state as it is, whatever the split's policy.", "select state from submission where id = :id")
_NAMED_VERDICTS = Query(
    _NamedRow,
    "Verdicts by the pack's names of the problems.",
    f"""select p.name, i.problem_id, i.finish_reason, {COLUMNS} from submission_item i
        join problem p on p.id = i.problem_id {SEALED} where i.submission_id = :id""",  # noqa: S608 - constants
)


_PLAYED = Query(
    bool,
    "Whether the service itself asks for a submission's answers: ever, or now; of anybody, or of a container.",
    """select exists (select from endpoint_run where submission_id = :id
                      and (state in ('queued', 'playing') or not :now)
                      and (container is not null or not :container))""",
)


ADD_EPISODE = Command(
    "Insert the item that a session will answer; it is counted as received.",
    """insert into submission_item (submission_id, problem_id) values (:id, :problem)
       on conflict do nothing""",
)
DROP_EPISODE = Query(bool, "Take back an item whose episode never began.", "select drop_item(:id, :problem)")


class SubmissionRepository:
    """Submissions, their items, quotas."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: Submission) -> bool:
        """Insert; False when the organisation has used this idempotency key already."""
        statement = insert(Submission).values(row.model_dump(exclude=set(RESULTS)))
        again = statement.on_conflict_do_nothing(index_elements=["organisation_id", "idempotency_key"])
        return (await self._session.exec(again.returning(col(Submission.id)))).first() is not None

    async def by_idempotency_key(self, organisation_id: UUID, key: str) -> Submission | None:
        statement = select(Submission).where(
            Submission.organisation_id == organisation_id, Submission.idempotency_key == key
        )
        return (await self._session.exec(statement)).one_or_none()

    async def one(self, submission_id: UUID, *, lock: bool = False) -> Submission | None:
        if lock:
            await self._session.fetch_optional(LOCK_SUBMISSION, id=submission_id)
        # Functions of the database change the row behind the session's back.
        statement = select(Submission).where(Submission.id == submission_id).execution_options(populate_existing=True)
        return (await self._session.exec(statement)).one_or_none()

    async def page(self, organisation_id: UUID, before: UUID | None, limit: int) -> list[Submission]:
        """An organisation's submissions, newest first, before one of them."""
        statement = select(Submission).where(Submission.organisation_id == organisation_id)
        if before:
            statement = statement.where(col(Submission.id) < before)
        return list(await self._session.exec(statement.order_by(col(Submission.id).desc()).limit(limit)))

    async def shown_references(self, benchmark_id: UUID, organisation_id: UUID, user_id: UUID) -> bool:
        """Whether the user, or a member of the organisation, reviewed hidden answers of a benchmark.

        Nobody of them begins to until the transaction ends.
        """
        await self._session.fetch_one(_LOCK_TAKING_PART, benchmark=benchmark_id)
        return await self._session.fetch_one(
            _SHOWN_REFERENCES, benchmark=benchmark_id, organisation=organisation_id, user=user_id
        )

    async def take_quota(self, submission_id: UUID) -> int | None:
        """Use one of the split's quota: the number of this attempt, or None when the quota is spent. Atomic."""
        return await self._session.fetch_optional(_TAKE_QUOTA, submission=submission_id)

    async def refund(self, organisation_id: UUID, split_id: UUID) -> None:
        """Give one submission back: the fault was ours."""
        await self._session.run(_REFUND, organisation=organisation_id, split=split_id)

    async def add_items(self, submission_id: UUID, items: Sequence[tuple[UUID, Mapping[str, Any]]]) -> int:
        """Insert items by (problem, fields); those already there stay. Returns how many are new.

        What was answered on a hidden split is sealed here: only a worker opens it.
        """
        problems = [problem for problem, _ in items]
        usages = [_json(fields.get("usage")) for _, fields in items]
        sealing = await self._session.fetch_one(_SEALING, id=submission_id)
        if sealing.hidden:
            seal = IntakeSeal(sealing.public)
            return await self._session.run(
                ADD_SEALED,
                submission=submission_id,
                problems=problems,
                sealed=[sealed_answer(seal, submission_id, problem, fields) for problem, fields in items],
                usages=usages,
            )
        return await self._session.run(
            ADD_ITEMS,
            submission=submission_id,
            problems=problems,
            answers=[fields.get("answer") for _, fields in items],
            data=[_json(fields.get("data")) for _, fields in items],
            trajectories=[_json(fields.get("trajectory")) for _, fields in items],
            usages=usages,
        )

    async def drop_episode(self, submission_id: UUID, problem_id: UUID) -> None:
        """Take the item back: its episode never began."""
        await self._session.fetch_one(DROP_EPISODE, id=submission_id, problem=problem_id)

    async def finalise(self, submission_id: UUID) -> bool:
        """`open → queued`, once."""
        return await self._session.fetch_one(_FINALISE, id=submission_id)

    async def played_by_service(self, submission_id: UUID, *, now: bool = False, container: bool = False) -> bool:
        """Whether the service asks for its answers itself; `now`: and has not ended; `container`: of a container."""
        return await self._session.fetch_one(_PLAYED, id=submission_id, now=now, container=container)

    async def graded(self, submission_id: UUID) -> int:
        """How many answers have a verdict."""
        return await self._session.fetch_one(_COUNT_GRADED, id=submission_id)

    async def items(self, submission_id: UUID) -> list[GradedItem]:
        """Verdicts with the gold of dev problems."""
        return await self._session.fetch_all(_ITEMS, id=submission_id)

    async def opened_items(self, submission_id: UUID) -> list[GradedItem]:
        """Verdicts on hidden problems that were published since."""
        return await self._session.fetch_all(_OPENED, id=submission_id)

    async def state(self, submission_id: UUID) -> State:
        """The state as it is: a hidden split's makers are not shown this one. Raises NoResultFound."""
        return await self._session.fetch_one(_STATE, id=submission_id)

    async def named_verdicts(self, submission_id: UUID) -> dict[str, NamedVerdict]:
        """Verdicts by the pack's own names of the problems, for the benchmark's owner alone."""
        found = {}
        for row in await self._session.fetch_all(_NAMED_VERDICTS, id=submission_id):
            verdict = row.opened(self._session.verdict_key, submission_id, row.problem_id)
            found[row.name] = NamedVerdict(
                name=row.name,
                score=verdict.score if verdict else None,
                outcome=verdict.outcome.value if verdict else None,
                reason=verdict.reason if verdict else None,
                finish_reason=row.finish_reason,
            )
        return found


def _json(value: object) -> str | None:
    return None if value is None else json.dumps(without_nul(value))
