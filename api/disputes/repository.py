"""SQL of disputes."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.disputes.models import DisputeState


@dataclass(frozen=True)
class Dispute:
    """A dispute with the public side of what it is about; `organisation` is the name of who raised it."""

    id: UUID
    benchmark_id: UUID
    benchmark: str
    owner_id: UUID
    problem_id: UUID
    name: str
    split: str
    version: str
    organisation_id: UUID
    organisation: str
    reason: bytes
    created_at: datetime
    state: DisputeState
    answer: bytes | None
    decided_at: datetime | None


@dataclass(frozen=True)
class ShownProblemRow:
    """A problem that an organisation was shown."""

    benchmark_id: UUID
    open_disputes: int


@dataclass(frozen=True)
class StateCount:
    """How many disputes are in a state."""

    state: DisputeState
    count: int


_SELECT = """select d.id, d.benchmark_id, b.slug as benchmark, b.organisation_id as owner_id, d.problem_id, p.name,
    s.name as split, r.version, d.organisation_id, o.name as organisation, d.reason, d.created_at, d.state, d.answer,
    d.decided_at
  from gold_dispute d join benchmark b on b.id = d.benchmark_id join problem p on p.id = d.problem_id
  join split s on s.id = p.split_id join release r on r.id = p.release_id
  join organisation o on o.id = d.organisation_id"""
_ONE = Query(Dispute, "A dispute.", f"{_SELECT} where d.id = :id")
_OF_BENCHMARK = Query(
    Dispute,
    "Disputes of a benchmark, newest first.",
    f"{_SELECT} where b.id = :benchmark order by d.id desc limit :limit",
)
_OF_ORGANISATION = Query(
    Dispute,
    "Disputes that an organisation raised, newest first.",
    f"{_SELECT} where o.id = :organisation order by d.id desc limit :limit",
)
_COUNTS = Query(
    StateCount,
    "How many disputes of a benchmark are in each state.",
    "select state, count(*) as count from gold_dispute where benchmark_id = :benchmark group by state",
)
_SHOWN = Query(
    ShownProblemRow,
    "A problem, if the organisation was shown it or it is public, with its open disputes on the same benchmark.",
    """select r.benchmark_id, (select count(*) from gold_dispute d where d.benchmark_id = r.benchmark_id
              and d.organisation_id = :organisation and d.state = 'open') as open_disputes
       from problem p join release r on r.id = p.release_id join split s on s.id = p.split_id
       where p.id = :problem and (s.visibility = 'dev' or exists (
         select from exposure e where e.problem_id = p.id and e.organisation_id = :organisation))""",
)
_LOCK = Command(
    "One dispute of an organisation at a time, so that the number of open ones is exact.",
    "select pg_advisory_xact_lock(hashtextextended('disputes ' || cast(:organisation as text), 0))",
)
_ADD = Query(
    UUID,
    "An organisation disputes a gold, once.",
    """insert into gold_dispute (id, benchmark_id, problem_id, organisation_id, user_id, reason, created_at)
       values (:id, :benchmark, :problem, :organisation, :user, :reason, now())
       on conflict (problem_id, organisation_id) do nothing returning id""",
)
_DECIDE = Query(
    bool,
    "A member of the benchmark's owner decides an open dispute.",
    "select decide_dispute(:id, :by, :state, :answer) as decided",
)


class DisputeRepository:
    """Disputes. A function of the database looks up who decides one."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def one(self, dispute_id: UUID) -> Dispute | None:
        return await self._session.fetch_optional(_ONE, id=dispute_id)

    async def of_benchmark(self, benchmark_id: UUID, limit: int) -> list[Dispute]:
        """Newest first."""
        return await self._session.fetch_all(_OF_BENCHMARK, benchmark=benchmark_id, limit=limit)

    async def of_organisation(self, organisation_id: UUID, limit: int) -> list[Dispute]:
        """Newest first."""
        return await self._session.fetch_all(_OF_ORGANISATION, organisation=organisation_id, limit=limit)

    async def counts(self, benchmark_id: UUID) -> dict[DisputeState, int]:
        """How many disputes of a benchmark are in each state."""
        return {row.state: row.count for row in await self._session.fetch_all(_COUNTS, benchmark=benchmark_id)}

    async def shown(self, problem_id: UUID, organisation_id: UUID) -> ShownProblemRow | None:
        """The problem, if the organisation was shown it or it is public; it disputes nothing else meanwhile."""
        await self._session.run(_LOCK, organisation=organisation_id)
        return await self._session.fetch_optional(_SHOWN, problem=problem_id, organisation=organisation_id)

    async def add(
        self,
        dispute_id: UUID,
        benchmark_id: UUID,
        problem_id: UUID,
        organisation_id: UUID,
        user_id: UUID,
        reason: bytes,
    ) -> bool:
        """Raise a dispute; False where the organisation has raised one on the problem."""
        added = await self._session.fetch_optional(
            _ADD,
            id=dispute_id,
            benchmark=benchmark_id,
            problem=problem_id,
            organisation=organisation_id,
            user=user_id,
            reason=reason,
        )
        return added is not None

    async def decide(self, dispute_id: UUID, user_id: UUID, state: DisputeState, answer: bytes) -> bool:
        """Decide an open dispute; False where it is none, or the account is no member of the owner."""
        return await self._session.fetch_one(_DECIDE, id=dispute_id, by=user_id, state=state.value, answer=answer)
