"""What an owner asks of a worker, and what came of it."""

from uuid import UUID

from api.accounts.principal import Principal
from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core import queue
from api.core.db import AsyncSession
from api.core.ids import new_id, parse_id, public_id
from api.core.settings import Settings
from api.feedback.errors import OwnerTakesPartError
from api.feedback.repository import FeedbackRepository
from api.owner_jobs.errors import (
    NoJobFileError,
    NoOwnerJobError,
    NotConfirmedError,
    NotMeasuredError,
    TooManyJobsError,
)
from api.owner_jobs.models import JobState
from api.owner_jobs.repository import Job, OwnerJobRepository
from api.owner_jobs.schemas import (
    DeleteAsk,
    DraftRubricsAsk,
    ItemsAsk,
    ItemStatistics,
    ItemStatisticsPublic,
    OwnerJobAsk,
    OwnerJobPublic,
)
from api.owner_jobs.sealing import open_file, open_result
from api.uploads.errors import NoPackError, PackStateError
from api.uploads.models import PACK, PackState
from api.uploads.repository import UploadRepository

_LISTED = 50
_MOST_OPEN = 5
# What speaks of how participants do, or of solutions: an owner who takes part, too, is told nothing of it.
OF_PARTICIPANTS = frozenset({"items", "regrade_preview", "draft_rubrics", "publish_rubrics"})


async def refuse_participants(session: AsyncSession, benchmark_id: UUID) -> None:
    """Raises OwnerTakesPartError where the owner, or an organisation that shares a member with it, submitted."""
    if found := await FeedbackRepository(session).owners_who_take_part(benchmark_id):
        raise OwnerTakesPartError(f"{', '.join(found)}: who submits to a hidden split is told nothing more of it")


class OwnerJobService:
    """Jobs of the benchmarks of these organisations; a key acts for one, a browser for all of its account's."""

    def __init__(self, session: AsyncSession, settings: Settings, user_id: UUID, organisations: list[UUID]) -> None:
        self._session = session
        self._user = user_id
        self._organisations = organisations
        self._repository = OwnerJobRepository(session)
        self._key = settings.secrets.raw("review")

    @classmethod
    def of(cls, session: AsyncSession, settings: Settings, principal: Principal) -> "OwnerJobService":
        """For the owner of a key."""
        return cls(session, settings, principal.user_id, [principal.organisation_id])

    async def ask(self, slug: str, ask: OwnerJobAsk) -> OwnerJobPublic:
        """Have a job done; one that waits already and is asked for again stays one.

        Raises NotYourBenchmarkError, NotConfirmedError, OwnerTakesPartError, TooManyJobsError, NoPackError,
        PackStateError.
        """
        pack = ask.pack if isinstance(ask, DraftRubricsAsk) else None
        if pack is not None:
            await self._reserve(slug, pack)
        unpublished = isinstance(ask, DeleteAsk) or pack is not None
        benchmark = await CatalogService(self._session).owned(slug, self._organisations, unpublished=unpublished)
        if isinstance(ask, DeleteAsk) and ask.confirm != benchmark.slug:
            raise NotConfirmedError(f"'confirm' is '{benchmark.slug}', written out, where it is to be deleted for good")
        if ask.job in OF_PARTICIPANTS:
            await refuse_participants(self._session, benchmark.id)
        arguments = ask.model_dump(mode="json")
        waiting = await self._repository.open_ones(benchmark.id)
        for job in waiting:
            if job.arguments == arguments:
                return self._public(job)
        if len(waiting) >= _MOST_OPEN:
            raise TooManyJobsError(f"{_MOST_OPEN} are the limit; wait for one of GET /v1/benchmarks/{slug}/jobs")
        job_id = new_id()
        await self._repository.add(job_id, benchmark.id, self._user, ask.job, arguments)
        # One after the other: a retirement makes the release that the next one begins from.
        lock = f"owner_job:{benchmark.id}"
        await queue.defer(self._session, queue.OWNER_JOB, {"job": str(job_id)}, queue=queue.SLOW, lock=lock)
        return await self.show(public_id("job", job_id))

    async def _reserve(self, slug: str, pack: str) -> None:
        """Let the benchmark of a checked pack be there before its first release. Raises NoPackError, PackStateError."""
        upload_id = parse_id("pck", pack)
        upload = upload_id and await UploadRepository(self._session).one(upload_id)
        if not upload or upload.organisation_id not in self._organisations or upload.kind != PACK:
            raise NoPackError("GET /v1/packs lists your organisation's packs")
        if upload.state is not PackState.CHECKED or upload.slug != slug:
            raise PackStateError(f"it is {upload.state.value}; rubrics are drafted for a checked pack of '{slug}'")
        if not await CatalogRepository(self._session).reserve(upload.id):
            raise PackStateError(f"another benchmark has the slug '{slug}', or had it; choose another slug")

    async def listed(self, slug: str) -> list[OwnerJobPublic]:
        """The newest jobs of a benchmark. Raises NotYourBenchmarkError."""
        benchmark = await CatalogService(self._session).owned(slug, self._organisations, unpublished=True)
        return [self._public(job) for job in await self._repository.of_benchmark(benchmark.id, _LISTED)]

    async def show(self, job: str) -> OwnerJobPublic:
        """One job with its result. Raises NoOwnerJobError, OwnerTakesPartError."""
        found = await self._of(job)
        shown = self._public(found)
        if found.result is not None:
            shown.result = open_result(self._key, found.id, found.result)
        return shown

    async def file(self, job: str) -> bytes:
        """What a job wrote. Raises NoOwnerJobError, NoJobFileError."""
        found = await self._of(job)
        sealed = await self._repository.file(found.id)
        if sealed is None:
            raise NoJobFileError("only an export that is done has one")
        return open_file(self._key, found.id, sealed)

    async def items(self, slug: str, split: str) -> ItemStatisticsPublic:
        """The newest statistics of a split's items. Raises NotYourBenchmarkError, OwnerTakesPartError,
        NotMeasuredError."""
        benchmark = await CatalogService(self._session).owned(slug, self._organisations)
        await refuse_participants(self._session, benchmark.id)
        arguments = ItemsAsk(job="items", split=split).model_dump(mode="json")
        found = await self._repository.newest(benchmark.id, "items", arguments)
        result = open_result(self._key, found.id, found.result) if found and found.result else None
        if not isinstance(result, ItemStatistics) or found is None or found.finished_at is None:
            raise NotMeasuredError(f'POST {{"job": "items", "split": …}} to /v1/benchmarks/{slug}/jobs')
        return ItemStatisticsPublic(benchmark=slug, measured_at=found.finished_at, statistics=result)

    async def _of(self, job: str) -> Job:
        job_id = parse_id("job", job)
        found = job_id and await self._repository.one(job_id)
        if not found or found.owner_id not in self._organisations:
            raise NoOwnerJobError("GET /v1/benchmarks/{slug}/jobs lists those of your benchmark")
        if found.job in OF_PARTICIPANTS and found.state is JobState.DONE:
            await refuse_participants(self._session, found.benchmark_id)
        return found

    def _public(self, job: Job) -> OwnerJobPublic:
        return OwnerJobPublic(
            id=public_id("job", job.id),
            benchmark=job.benchmark,
            job=job.job,
            arguments={name: value for name, value in job.arguments.items() if name != "job"},
            state=job.state.value,
            done=job.done,
            total=job.total,
            failure=job.failure,
            created_at=job.created_at,
            finished_at=job.finished_at,
        )
