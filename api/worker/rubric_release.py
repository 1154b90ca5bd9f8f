"""Approved rubrics become a release, in the way that any correction of references does."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.errors import ConflictError
from api.owner_jobs.repository import Job
from api.owner_jobs.schemas import PublishRubricsAsk, RubricsPublished
from api.rubrics.repository import RubricRepository
from api.rubrics.schemas import RubricDocument
from api.rubrics.sealing import open_rubric
from api.worker.importing import ReleaseExistsError, import_pack
from api.worker.release_files import write_release
from api.worker.reporting import Report
from api.worker.rubric_drafts import candidate
from api.worker.state import Worker
from envs import registry
from packs.pack import Pack
from packs.problem import ReferenceLine
from packs.read import read_pack


class NothingApprovedError(ConflictError):
    code = "nothing_approved"
    title = "No approved rubric waits to be published"


class RubricOutdatedError(ConflictError):
    code = "rubric_outdated"
    title = "A problem has changed since its rubric was approved"


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
        pack = _with_rubrics(read_pack(path, registry, grade_gold=False), documents, ask.version)
        await import_pack(session, worker.settings, pack, admission=release.admission)
    for row in rows:
        await repository.publish(row.id)
    return RubricsPublished(version=ask.version, problems=sorted(documents)), None


def _with_rubrics(pack: Pack, documents: dict[str, RubricDocument], version: str) -> Pack:
    """The pack as this version, its references with these rubrics. Raises RubricOutdatedError."""
    problems = {problem.id: problem for problem in pack.problems}
    lines = {line.id: line for line in pack.references}
    for name, document in documents.items():
        now = candidate(problems[name], lines[name]) if name in problems else None
        if now is None or (now.document.statement, now.document.solution) != (document.statement, document.solution):
            raise RubricOutdatedError(f"{name}: the job 'draft_rubrics' looks at the current release")
        lines[name] = _graded_by(lines[name], document)
    head = pack.benchmark.model_copy(update={"version": version})
    return replace(pack, benchmark=head, references=tuple(lines.values()))


def _graded_by(line: ReferenceLine, document: RubricDocument) -> ReferenceLine:
    """The line with the rubric; of a final answer, that decides full marks and the rubric partial credit."""
    reference: dict[str, Any] = dict(line.reference)
    if reference["kind"] != "rubric":
        reference = {
            "kind": "rubric",
            "first": reference,
            "question": document.statement,
            "solution": document.solution,
        }
    return line.model_copy(update={"reference": reference | {"rubric": document.rubric}})
