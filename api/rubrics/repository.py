"""SQL of rubrics."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.rubrics.models import RubricState


@dataclass(frozen=True)
class KeptRubric:
    """A rubric; `approved_by` is a name, `owner_id` the organisation that owns the benchmark now."""

    id: UUID
    benchmark_id: UUID
    benchmark: str
    owner_id: UUID
    name: str
    split: str
    kind: str
    state: RubricState
    model: str
    approved_by: str | None
    revision: int
    sealed: bytes
    changed_at: datetime


_SELECT = """select r.id, r.benchmark_id, b.slug as benchmark, b.organisation_id as owner_id, r.name, r.split, r.kind,
    r.state, r.model, a.name as approved_by, r.revision, r.sealed, r.changed_at
  from rubric r join benchmark b on b.id = r.benchmark_id left join account a on a.id = r.approved_by"""
_ONE = Query(KeptRubric, "A rubric.", f"{_SELECT} where r.id = :id")
_OF_BENCHMARK = Query(
    KeptRubric,
    "The rubrics of a benchmark, by the names of the problems.",
    f"{_SELECT} where b.id = :benchmark order by r.split, r.name",
)
_APPROVED = Query(
    KeptRubric,
    "The approved rubrics of a benchmark, which nobody changes now.",
    f"{_SELECT} where b.id = :benchmark and r.state = 'approved' order by r.name for update of r",
)
_ADD = Command(
    "A problem that has a rubric or could have one.",
    """insert into rubric (id, benchmark_id, name, split, kind, state, sealed, changed_at)
       values (:id, :benchmark, :name, :split, :kind, :state, :sealed, now())""",
)
_REFRESH = Command(
    "A problem is another one in the current release.",
    """update rubric set split = :split, kind = :kind, state = :state, sealed = :sealed, approved_by = null,
         revision = revision + 1, changed_at = now() where id = :id and revision = :revision""",
)
_FORGET = Command("A problem is not in the current release.", "delete from rubric where id = :id")
_WRITE = Command(
    "Another rubric, which nobody has approved.",
    """update rubric set state = 'drafted', model = :model, sealed = :sealed, approved_by = null,
         revision = revision + 1, changed_at = now() where id = :id and revision = :revision""",
)
_APPROVE = Command(
    "Somebody has read a rubric.",
    """update rubric set state = 'approved', approved_by = :by, changed_at = now()
       where id = :id and revision = :revision and state = 'drafted'""",
)
_PUBLISH = Command(
    "Answers are graded by a rubric.",
    "update rubric set state = 'published', kind = 'rubric', changed_at = now() where id = :id",
)


class RubricRepository:
    """Rubrics. The worker adds and drafts them, the owner edits and approves them; whoever is late changes nothing."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def one(self, rubric_id: UUID) -> KeptRubric | None:
        return await self._session.fetch_optional(_ONE, id=rubric_id)

    async def of_benchmark(self, benchmark_id: UUID) -> list[KeptRubric]:
        """By split and name."""
        return await self._session.fetch_all(_OF_BENCHMARK, benchmark=benchmark_id)

    async def approved(self, benchmark_id: UUID) -> list[KeptRubric]:
        """Those that wait to be published; nobody changes them until the transaction ends."""
        return await self._session.fetch_all(_APPROVED, benchmark=benchmark_id)

    async def add(
        self, rubric_id: UUID, benchmark_id: UUID, name: str, split: str, kind: str, state: RubricState, sealed: bytes
    ) -> None:
        """A problem that was not known."""
        await self._session.run(
            _ADD,
            id=rubric_id,
            benchmark=benchmark_id,
            name=name,
            split=split,
            kind=kind,
            state=state.value,
            sealed=sealed,
        )

    async def refresh(self, kept: KeptRubric, split: str, kind: str, state: RubricState, sealed: bytes) -> None:
        """What the current release says of a problem."""
        await self._session.run(
            _REFRESH, id=kept.id, revision=kept.revision, split=split, kind=kind, state=state.value, sealed=sealed
        )

    async def forget(self, rubric_id: UUID) -> None:
        """A problem is gone."""
        await self._session.run(_FORGET, id=rubric_id)

    async def write(self, rubric_id: UUID, revision: int, model: str, sealed: bytes) -> bool:
        """Another rubric; False where it is not of this revision any more."""
        return await self._session.run(_WRITE, id=rubric_id, revision=revision, model=model, sealed=sealed) == 1

    async def approve(self, rubric_id: UUID, revision: int, user_id: UUID) -> bool:
        """Approve a draft; False where it is none of this revision."""
        return await self._session.run(_APPROVE, id=rubric_id, revision=revision, by=user_id) == 1

    async def publish(self, rubric_id: UUID) -> None:
        """A release has it."""
        await self._session.run(_PUBLISH, id=rubric_id)
