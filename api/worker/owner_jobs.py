"""What owners ask for, done."""

import tarfile
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from api.catalog.errors import NoReleaseError
from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.errors import ConflictError, ServiceError
from api.owner_jobs.repository import Job, OwnerJobRepository
from api.owner_jobs.schemas import (
    ASKS,
    DeleteAsk,
    DiffAsk,
    DraftRubricsAsk,
    ExportAsk,
    ItemsAsk,
    JobResult,
    PackExport,
    PresetsAsk,
    PublishRubricsAsk,
    RegradePreviewAsk,
    RetireAsk,
    Retired,
)
from api.owner_jobs.sealing import seal_file, seal_result
from api.worker.deleting import delete_benchmark
from api.worker.feedback_presets import preset_costs
from api.worker.item_statistics import measure
from api.worker.regrade_preview import preview
from api.worker.release_diff import diff
from api.worker.release_files import write_release
from api.worker.reporting import Report, reporting
from api.worker.retiring import retire
from api.worker.rubric_drafts import draft_rubrics
from api.worker.rubric_release import publish_rubrics
from api.worker.state import Worker

log = structlog.get_logger(__name__)
_MOST_BYTES = 256 * 2**20
_KEPT_DAYS = 30


class ExportTooLargeError(ConflictError):
    code = "export_too_large"
    title = "The release is too large to be exported like this"


async def perform(worker: Worker, job_id: UUID, *, last_try: bool) -> None:
    """Do a job in one transaction, and keep its result; one that has ended is left alone."""
    async with worker.database.session() as session:
        repository = OwnerJobRepository(session)
        job = await repository.one(job_id)
        if job is None or not await repository.begin(job_id):
            return
    try:
        async with worker.database.session() as session:
            result, file = await _done(worker, session, job, reporting(worker, job_id))
            key = worker.settings.secrets.raw("review")
            sealed = seal_file(key, job_id, file) if file is not None else None
            if not await OwnerJobRepository(session).finish(job_id, seal_result(key, job_id, result), sealed):
                raise ConflictError("the job has ended meanwhile")
    except ServiceError as error:
        await _fail(worker, job_id, f"{error.title}: {error.detail}")
    except Exception:
        if last_try:
            await _fail(worker, job_id, "the service could not do it; its operator finds the cause in the log")
        raise
    log.info("owner_job.ended", job=str(job_id), asked=job.job)


async def forget_owner_jobs(worker: Worker) -> None:
    """Forget results that were made long ago."""
    async with worker.database.session() as session:
        await OwnerJobRepository(session).forget(_KEPT_DAYS)


async def _fail(worker: Worker, job_id: UUID, failure: str) -> None:
    async with worker.database.session() as session:
        await OwnerJobRepository(session).fail(job_id, failure)


async def _done(worker: Worker, session: AsyncSession, job: Job, report: Report) -> tuple[JobResult, bytes | None]:
    ask = ASKS.validate_python(job.arguments)
    doing = _DOING[type(ask)]
    return await doing(worker, session, job, ask, report)


async def _export(
    worker: Worker, session: AsyncSession, job: Job, ask: ExportAsk, report: Report
) -> tuple[PackExport, bytes]:
    """A release as a tar under gzip. Raises NoReleaseError, ExportTooLargeError."""
    del report
    benchmark, release = await CatalogService(session).current(job.benchmark)
    if ask.version is not None:
        found = await CatalogRepository(session).release_by_version(job.benchmark_id, ask.version)
        if found is None:
            raise NoReleaseError(f"GET /v1/benchmarks/{job.benchmark}/versions lists the releases")
        release = found
    name = f"{benchmark.slug}-{release.version}"
    with tempfile.TemporaryDirectory(prefix="heldout-export-") as folder:
        path, packed = Path(folder) / name, Path(folder) / f"{name}.tar.gz"
        kept = await write_release(session, worker.settings, benchmark, release, path, hidden_references=False)
        problems = sum(1 for _ in (path / "problems.jsonl").open("rb"))
        with tarfile.open(packed, "w:gz") as archive:
            archive.add(path, name)
        size = packed.stat().st_size
        if size > _MOST_BYTES:
            raise ExportTooLargeError(f"{size} bytes; the operator can write it with `heldout-server export`")
        content = packed.read_bytes()
    result = PackExport(
        version=release.version, name=packed.name, size=size, problems=problems, without_reference=problems - kept
    )
    return result, content


async def _retire(
    worker: Worker, session: AsyncSession, job: Job, ask: RetireAsk, report: Report
) -> tuple[Retired, None]:
    del report
    done = await retire(
        session,
        worker.settings,
        job.benchmark,
        ask.split,
        ask.version,
        ask.into,
        everything=ask.everything,
        anyway=ask.anyway,
    )
    return Retired(version=done.version, problems=done.problems), None


_Doing = Callable[[Worker, AsyncSession, Job, Any, Report], Awaitable[tuple[JobResult, bytes | None]]]
_DOING: dict[type, _Doing] = {
    DiffAsk: diff,
    ExportAsk: _export,
    RetireAsk: _retire,
    RegradePreviewAsk: preview,
    ItemsAsk: measure,
    PresetsAsk: preset_costs,
    DraftRubricsAsk: draft_rubrics,
    PublishRubricsAsk: publish_rubrics,
    DeleteAsk: delete_benchmark,
}
