"""What an owner does with the rubrics of a benchmark: list, read, edit, approve. A worker drafts and publishes them."""

from typing import Any
from uuid import UUID

from pydantic import ValidationError

from api.accounts.principal import Principal
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.ids import parse_id, public_id
from api.core.settings import Settings
from api.owner_jobs.service import refuse_participants
from api.rubrics.errors import BadRubricError, NoDraftError, NoRubricError, RubricChangedError
from api.rubrics.models import RubricState
from api.rubrics.repository import KeptRubric, RubricRepository
from api.rubrics.schemas import RubricEdit, RubricPage, RubricPublic, RubricSummary
from api.rubrics.sealing import open_rubric, seal_rubric
from grading.judging.rubrics import Criterion, Rubric


class RubricService:
    """Rubrics of the benchmarks of these organisations; a key acts for one, a browser for all of its account's.

    Owners who take part, too, are refused: a rubric tells the solution. Each method raises OwnerTakesPartError.
    """

    def __init__(self, session: AsyncSession, settings: Settings, user_id: UUID, organisations: list[UUID]) -> None:
        self._session = session
        self._user = user_id
        self._organisations = organisations
        self._repository = RubricRepository(session)
        self._key = settings.secrets.raw("review")

    @classmethod
    def of(cls, session: AsyncSession, settings: Settings, principal: Principal) -> "RubricService":
        """For the owner of a key."""
        return cls(session, settings, principal.user_id, [principal.organisation_id])

    async def listed(self, slug: str) -> RubricPage:
        """The problems that have a rubric or could have one. Raises NotYourBenchmarkError."""
        benchmark = await CatalogService(self._session).owned(slug, self._organisations, unpublished=True)
        await refuse_participants(self._session, benchmark.id)
        rows = await self._repository.of_benchmark(benchmark.id)
        return RubricPage(benchmark=slug, items=[_summary(row) for row in rows])

    async def show(self, rubric: str) -> RubricPublic:
        """One, beside its problem and solution. Raises NoRubricError."""
        return self._public(await self._of(rubric))

    async def edit(self, rubric: str, edit: RubricEdit) -> RubricPublic:
        """Write another rubric, sound or not; it has to be approved anew. Raises NoRubricError, RubricChangedError."""
        found = await self._of(rubric)
        document = open_rubric(self._key, found.id, found.sealed)
        written = document.model_copy(update={"rubric": edit.model_dump(mode="json", exclude={"revision"})})
        sealed = seal_rubric(self._key, found.id, written)
        if not await self._repository.write(found.id, edit.revision, found.model, sealed):
            raise _changed(found)
        return await self.show(rubric)

    async def approve(self, rubric: str, revision: int) -> RubricPublic:
        """Say that one has read a draft. Raises NoRubricError, NoDraftError, RubricChangedError, BadRubricError."""
        found = await self._of(rubric)
        if found.revision == revision and (faults := _faults(open_rubric(self._key, found.id, found.sealed).rubric)):
            raise BadRubricError("; ".join(faults))
        if not await self._repository.approve(found.id, revision, self._user):
            if found.revision != revision:
                raise _changed(found)
            if found.state is not RubricState.APPROVED:
                raise NoDraftError(f"it is {found.state.value}; have one drafted, or write it")
        return await self.show(rubric)

    async def _of(self, rubric: str) -> KeptRubric:
        rubric_id = parse_id("rub", rubric)
        found = rubric_id and await self._repository.one(rubric_id)
        if not found or found.owner_id not in self._organisations:
            raise NoRubricError("GET /v1/benchmarks/{slug}/rubrics lists those of your benchmark")
        await refuse_participants(self._session, found.benchmark_id)
        return found

    def _public(self, row: KeptRubric) -> RubricPublic:
        document = open_rubric(self._key, row.id, row.sealed)
        rubric = document.rubric or {"total": 10.0, "criteria": []}
        return RubricPublic(
            **_summary(row).model_dump(),
            benchmark=row.benchmark,
            statement=document.statement,
            solution=document.solution,
            total=rubric["total"],
            criteria=[Criterion.model_validate(one) for one in rubric["criteria"]],
            faults=_faults(document.rubric),
        )


def _faults(rubric: dict[str, Any] | None) -> list[str]:
    """What keeps a rubric from being approved; nothing where there is none."""
    try:
        if rubric is not None:
            Rubric.model_validate(rubric)
    except ValidationError as error:
        return [one["msg"].removeprefix("Value error, ") for one in error.errors()]
    return []


def _changed(found: KeptRubric) -> RubricChangedError:
    return RubricChangedError(f"it is at revision {found.revision}; read it again")


def _summary(row: KeptRubric) -> RubricSummary:
    return RubricSummary(
        id=public_id("rub", row.id),
        problem=row.name,
        split=row.split,
        kind=row.kind,
        state=row.state,
        model=row.model,
        approved_by=row.approved_by,
        revision=row.revision,
        changed_at=row.changed_at,
    )
