"""Approved rubrics become a release, in the way that any correction of references does."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.errors import ConflictError
from api.core.settings import Settings
from api.owner_jobs.repository import Job
from api.owner_jobs.schemas import PublishRubricsAsk, RubricsPublished
from api.rubrics.repository import RubricRepository
from api.rubrics.sealing import open_rubric
from api.worker.importing import ReleaseExistsError, import_pack
from api.worker.release_files import write_release
from api.worker.reporting import Report
from api.worker.rubric_candidates import fitting, with_rubrics
from api.worker.state import Worker
from envs import registry
from packs.pack import Pack
from packs.read import read_pack


class NothingApprovedError(ConflictError):
    code = "nothing_approved"
    title = "No approved rubric waits to be published"


@asynccontextmanager
async def approved_rubrics(session: AsyncSession, settings: Settings, pack: Pack) -> AsyncIterator[Pack]:
    """An uploaded pack with the rubrics that were approved for its problems as they stand in it.

    They are published when the caller has published the pack; whatever else was approved waits on.
    """
    benchmark = await CatalogRepository(session).benchmark(pack.benchmark.slug)
    repository = RubricRepository(session)
    rows = await repository.approved(benchmark.id) if benchmark else []
    key = settings.secrets.raw("review")
    documents = {row.name: open_rubric(key, row.id, row.sealed) for row in rows}
    used = fitting(pack, documents)
    yield with_rubrics(pack, {name: documents[name] for name in used}) if used else pack
    for row in rows:
        if row.name in used:
            await repository.publish(row.id)


async def publish_rubrics(
    worker: Worker, session: AsyncSession, job: Job, ask: PublishRubricsAsk, report: Report
) -> tuple[RubricsPublished, None]:
    """Publish the current release with the approved rubrics.

    Raises NothingApprovedError, RubricOutdatedError, ReleaseExistsError; then nothing changed.
    """
    del report
    benchmark, release = await CatalogService(session).current(job.benchmark)
    if await CatalogRepository(session).release_by_version(benchmark.id, ask.version):
        raise ReleaseExistsError(f"'{job.benchmark}' has a version {ask.version} already; name a new one")
    repository = RubricRepository(session)
    rows = await repository.approved(benchmark.id)
    if not rows:
        raise NothingApprovedError(f"GET /v1/benchmarks/{job.benchmark}/rubrics lists them; approve what you have read")
    key = worker.settings.secrets.raw("review")
    documents = {row.name: open_rubric(key, row.id, row.sealed) for row in rows}
    with tempfile.TemporaryDirectory(prefix="heldout-rubrics-") as folder:
        path = Path(folder) / "pack"
        await write_release(session, worker.settings, benchmark, release, path)
        pack = with_rubrics(read_pack(path, registry, grade_gold=False), documents)
        pack = replace(pack, benchmark=pack.benchmark.model_copy(update={"version": ask.version}))
        await import_pack(session, worker.settings, pack, admission=release.admission)
    for row in rows:
        await repository.publish(row.id)
    return RubricsPublished(version=ask.version, problems=sorted(documents)), None
