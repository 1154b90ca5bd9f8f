"""SQL of runs that the service plays."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.endpoints.models import EndpointRun, RunState
from api.endpoints.schemas import ContainerOfRun, ContainerReport


@dataclass(frozen=True)
class Run:
    """A run, the submission that it fills, and what that has cost so far."""

    id: UUID
    submission_id: UUID
    organisation_id: UUID
    key_id: UUID
    benchmark: str
    split: str
    split_id: UUID
    model: str
    url: str
    endpoint_model: str
    system: str
    parameters: dict[str, Any]
    token_cap: int | None
    cost_cap: float | None
    input_price: float
    output_price: float
    requests_per_minute: int
    state: RunState
    failure: str
    answered: int
    expected: int
    spent_tokens: int
    spent_cost: float
    created_at: datetime
    changed_at: datetime
    container: ContainerOfRun | None = None
    report: ContainerReport | None = None
    is_open: bool = False


@dataclass(frozen=True)
class LeftEpisode:
    """An episode that is not over."""

    id: UUID
    type: str
    subject: str


_COLUMNS = """e.id, e.submission_id, e.organisation_id, e.key_id, b.slug as benchmark, s.name as split,
  s.id as split_id, u.model->>'name' as model, e.url, e.endpoint_model, e.system, e.parameters, e.tokens as token_cap,
  e.cost as cost_cap, e.input_price, e.output_price, e.requests_per_minute, e.state, e.failure,
  u.received as answered, u.expected, e.container, e.report, s.visibility = 'dev' as is_open,
  spent.tokens as spent_tokens, spent.cost as spent_cost, e.created_at, e.changed_at
  from endpoint_run e join submission u on u.id = e.submission_id join split s on s.id = u.split_id
  join release r on r.id = u.release_id join benchmark b on b.id = r.benchmark_id
  cross join lateral endpoint_spending(u.id) spent"""
_ONE = Query(Run, "A run.", f"select {_COLUMNS} where e.id = :id")
_OF_SUBMISSION = Query(Run, "The run that fills a submission.", f"select {_COLUMNS} where e.submission_id = :id")
_LISTED = Query(
    Run,
    "Runs of an organisation, newest first.",
    f"select {_COLUMNS} where e.organisation_id = :organisation order by e.id desc limit :limit",
)
_LOCK = Command(
    "Let an organisation's runs begin one after the other.",
    "select pg_advisory_xact_lock(hashtextextended('endpoints ' || cast(:organisation as text), 0))",
)
_ACTIVE = Query(
    int,
    "How many runs of an organisation wait or are played.",
    "select count(*) from endpoint_run where organisation_id = :organisation and state in ('queued', 'playing')",
)
_PUBLIC = Query(bytes, "The public key under which endpoints' keys are sealed.", "select public from intake_key")
_KEEP_KEY = Query(bool, "Keep the sealed key of a run that waits.", "select keep_endpoint_key(:run, :sealed)")
_CANCEL = Query(bool, "Cancel a run that waits or is played.", "select cancel_endpoint_run(:run)")
_RESUME = Query(
    bool,
    "Have a run that stopped or was cancelled played on, under other caps where they are given.",
    "select resume_endpoint_run(:run, cast(:tokens as bigint), cast(:cost as double precision))",
)
_BEGIN = Query(
    UUID,
    "A worker plays a run that waits, or one whose worker died.",
    """update endpoint_run set state = 'playing', changed_at = now()
       where id = :run and state in ('queued', 'playing') returning id""",
)
_END = Command(
    "A run has ended, or waits for another day; one that was cancelled meanwhile stays so.",
    """update endpoint_run set state = :state, failure = :failure, changed_at = now()
       where id = :run and state = 'playing'""",
)
_REPORT = Command(
    "What is said of a container's run.", "update endpoint_run set report = cast(:report as jsonb) where id = :run"
)
_EPISODES_LEFT = Query(
    LeftEpisode,
    "Episodes of a split that a submission has not ended.",
    """select p.id, p.type, p.subject from problem p
         left join submission_item i on i.problem_id = p.id and i.submission_id = :submission
         left join live_session l on l.problem_id = p.id and l.submission_id = :submission
       where p.split_id = :split and p.episode and (i.problem_id is null or l.state in ('opening', 'running'))
       order by p.position limit 100""",
)
_UNDER_WAY = Query(
    UUID,
    "Episodes of a submission that are not over.",
    "select id from live_session where submission_id = :submission and state in ('opening', 'running')",
)
_IS_QUESTION = Query(
    bool,
    "Whether a problem is a question of a split.",
    "select exists (select from problem where id = :problem and split_id = :split and not episode)",
)
_STATE = Query(RunState, "How a run is now.", "select state from endpoint_run where id = :run")
_OTHERS_WAIT = Query(
    bool,
    "Whether a run waits for a place (and not for another day).",
    "select exists (select 1 from endpoint_run where state = 'queued' and failure = '')",
)
_FIRST_LEFT = Query(
    int,
    "The position of the first problem of a split that a submission has no answer to.",
    """select p.position from problem p left join submission_item i
         on i.problem_id = p.id and i.submission_id = :submission
       where p.split_id = :split and i.problem_id is null order by p.position limit 1""",
)
_ANSWERED = Query(
    UUID,
    "Which problems a submission has answers to.",
    "select problem_id from submission_item where submission_id = :submission",
)


class EndpointRunRepository:
    """Runs. What changes their state is a function of the database, or the worker."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: EndpointRun) -> None:
        """Write a run down that waits to be played."""
        begun = row.model_dump(exclude={"state", "failure", "report", "changed_at"})
        await self._session.exec(insert(EndpointRun).values(begun))

    async def one(self, run_id: UUID) -> Run | None:
        return await self._session.fetch_optional(_ONE, id=run_id)

    async def of_submission(self, submission_id: UUID) -> Run | None:
        """The run that fills a submission."""
        return await self._session.fetch_optional(_OF_SUBMISSION, id=submission_id)

    async def of_organisation(self, organisation_id: UUID, limit: int) -> list[Run]:
        """Newest first."""
        return await self._session.fetch_all(_LISTED, organisation=organisation_id, limit=limit)

    async def active(self, organisation_id: UUID) -> int:
        """How many runs wait or are played; no other begins until the transaction ends."""
        await self._session.run(_LOCK, organisation=organisation_id)
        return await self._session.fetch_one(_ACTIVE, organisation=organisation_id)

    async def public_key(self) -> bytes:
        """The public key under which endpoints' keys are sealed."""
        return await self._session.fetch_one(_PUBLIC)

    async def keep_key(self, run_id: UUID, sealed: bytes) -> bool:
        """Keep the key of a run that waits; False where it does not."""
        return await self._session.fetch_one(_KEEP_KEY, run=run_id, sealed=sealed)

    async def cancel(self, run_id: UUID) -> bool:
        """Cancel a run and forget its key; False where it neither waits nor is played."""
        return await self._session.fetch_one(_CANCEL, run=run_id)

    async def resume(self, run_id: UUID, tokens: int | None, cost: float | None) -> bool:
        """Have a run played on; False where it neither stopped nor was cancelled, or its submission is closed."""
        return await self._session.fetch_one(_RESUME, run=run_id, tokens=tokens, cost=cost)

    async def begin(self, run_id: UUID) -> bool:
        """For the worker: play a run; False where it is not to be played."""
        return await self._session.fetch_optional(_BEGIN, run=run_id) is not None

    async def end(self, run_id: UUID, state: RunState, failure: str) -> bool:
        """For the worker: a run has ended (or waits again); False where it was cancelled meanwhile."""
        return await self._session.run(_END, run=run_id, state=state.value, failure=failure[:500]) == 1

    async def keep_report(self, run_id: UUID, report: ContainerReport) -> None:
        """For the worker: how a container's run went so far."""
        await self._session.run(_REPORT, run=run_id, report=report.model_dump_json())

    async def episodes_left(self, submission_id: UUID, split_id: UUID) -> list[LeftEpisode]:
        """At most 100 episodes that were not opened or are not over, in order."""
        return await self._session.fetch_all(_EPISODES_LEFT, submission=submission_id, split=split_id)

    async def is_question(self, split_id: UUID, problem_id: UUID) -> bool:
        """Whether a problem is a question of the split."""
        return await self._session.fetch_one(_IS_QUESTION, split=split_id, problem=problem_id)

    async def state(self, run_id: UUID) -> RunState:
        """How a run is now. Raises NoResultFound."""
        return await self._session.fetch_one(_STATE, run=run_id)

    async def others_wait(self) -> bool:
        """Whether any run waits for a place."""
        return await self._session.fetch_one(_OTHERS_WAIT)

    async def first_left(self, submission_id: UUID, split_id: UUID) -> int | None:
        """The position of the first problem without an answer; None: all have one."""
        return await self._session.fetch_optional(_FIRST_LEFT, submission=submission_id, split=split_id)

    async def answered(self, submission_id: UUID) -> set[UUID]:
        """Which problems have an answer."""
        return set(await self._session.fetch_all(_ANSWERED, submission=submission_id))

    async def under_way(self, submission_id: UUID) -> list[UUID]:
        """Sessions of a submission's episodes that are not over."""
        return await self._session.fetch_all(_UNDER_WAY, submission=submission_id)
