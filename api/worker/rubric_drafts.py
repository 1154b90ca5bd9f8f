"""Which problems of a benchmark have a rubric or could have one, and drafts of rubrics by the judge's model."""

import asyncio
from functools import partial
from uuid import UUID

from api.catalog.service import CatalogService
from api.core.db import AsyncSession, vault_key
from api.core.errors import ConflictError
from api.core.ids import new_id, parse_id
from api.core.settings import Settings
from api.owner_jobs.repository import Job
from api.owner_jobs.schemas import DraftRubricsAsk, RubricsDrafted
from api.rubrics.models import RubricState
from api.rubrics.repository import KeptRubric, RubricRepository
from api.rubrics.sealing import open_rubric, seal_rubric
from api.uploads.models import PackState
from api.worker import judge_store
from api.worker.judge import OpenAIJudge, configured_judge
from api.worker.judge_store import StoredBudget, StoredCache
from api.worker.pack_archives import fetched
from api.worker.release_files import stored_pack
from api.worker.reporting import Report
from api.worker.rubric_candidates import Candidate, candidates
from api.worker.state import Worker
from grading.judging.drafting import DraftError, draft
from grading.tools import JudgeUnavailableError


class PackGoneError(ConflictError):
    code = "pack_gone"
    title = "The pack does not wait to be published any more"


class NoJudgeError(ConflictError):
    code = "no_judge"
    title = "The service has no judge that could draft"


async def draft_rubrics(
    worker: Worker, session: AsyncSession, job: Job, ask: DraftRubricsAsk, report: Report
) -> tuple[RubricsDrafted, None]:
    """Look at the current release, or at an uploaded pack, and have the named problems drafted. Raises NoJudgeError.

    Each draft is kept when it is made; what the owner changed meanwhile stays as it is.
    """
    version, found = await _looked_at(worker, session, job, ask)
    key = worker.settings.secrets.raw("review")
    async with worker.database.session() as own:
        rows = await _kept(RubricRepository(own), key, job.benchmark_id, found)
    faults = [f"{name}: no such problem with a solution" for name in set(ask.problems) - set(rows)]
    drafted: list[str] = []
    wanted = [rows[name] for name in dict.fromkeys(ask.problems) if name in rows]
    judge = _judge(worker, worker.settings) if wanted else None
    try:
        for number, row in enumerate(wanted):
            await report(number, len(wanted))
            assert judge
            fault = await _drafted(worker, judge, row, ask)
            if fault is None:
                drafted.append(row.name)
            else:
                faults.append(f"{row.name}: {fault}")
    finally:
        if judge:
            judge.close()
    result = RubricsDrafted(version=version, listed=len(found), drafted=drafted, faults=sorted(faults))
    return result, None


async def _looked_at(
    worker: Worker, session: AsyncSession, job: Job, ask: DraftRubricsAsk
) -> tuple[str, list[Candidate]]:
    """The version whose problems are meant, and those with a rubric. Raises NoBenchmarkError, PackGoneError."""
    if ask.pack is None:
        benchmark, release = await CatalogService(session).current(job.benchmark)
        stored = await stored_pack(session, worker.settings, benchmark, release)
        return release.version, candidates(stored.problems, stored.references)
    upload_id = parse_id("pck", ask.pack)
    if upload_id is not None:
        async with fetched(worker, upload_id, PackState.CHECKED) as found:
            if found is not None and (found.upload.organisation_id, found.upload.slug) == (job.owner_id, job.benchmark):
                pack = await asyncio.to_thread(found.pack)
                return pack.benchmark.version, candidates(pack.problems, pack.references)
    raise PackGoneError("it was published or deleted since; ask again for the release, or for another pack")


async def _kept(
    repository: RubricRepository, key: bytes, benchmark_id: UUID, found: list[Candidate]
) -> dict[str, KeptRubric]:
    """The rows of these problems, as the release has them; what an owner works on stays while its problem does."""
    rows = {row.name: row for row in await repository.of_benchmark(benchmark_id)}
    for one in found:
        row = rows.pop(one.name, None)
        if row is None:
            row_id = new_id()
            sealed = seal_rubric(key, row_id, one.document)
            await repository.add(row_id, benchmark_id, one.name, one.split, one.kind, one.state, sealed)
            continue
        kept = open_rubric(key, row.id, row.sealed)
        state, document = one.state, one.document
        if row.state in (RubricState.DRAFTED, RubricState.APPROVED):
            # Approved of another text, it is a draft.
            state, document = RubricState.DRAFTED, one.document.model_copy(update={"rubric": kept.rubric})
        if document != kept or (one.split, one.kind) != (row.split, row.kind):
            await repository.refresh(row, one.split, one.kind, state, seal_rubric(key, row.id, document))
    for gone in rows.values():
        await repository.forget(gone.id)
    return {row.name: row for row in await repository.of_benchmark(benchmark_id)}


def _judge(worker: Worker, settings: Settings) -> OpenAIJudge:
    cache = StoredCache(worker.judges, partial(vault_key, settings))
    judge = configured_judge(settings, cache, StoredBudget(worker.judges, settings.judge_calls))
    if judge is None:
        raise NoJudgeError("its operator sets HELDOUT_JUDGE_URL and HELDOUT_JUDGE_MODEL; or write the rubric yourself")
    return judge


async def _drafted(worker: Worker, judge: OpenAIJudge, row: KeptRubric, ask: DraftRubricsAsk) -> str | None:
    """Draft one; None, or why it was not."""
    key = worker.settings.secrets.raw("review")
    document = open_rubric(key, row.id, row.sealed)
    if document.rubric is not None and not ask.again:
        return "it has a rubric; ask with 'again' to have another drafted"
    if not document.solution:
        return "there is no solution to draft from"
    token = judge_store.benchmark.set(row.benchmark_id)
    try:
        made = await asyncio.to_thread(draft, judge, document.statement, document.solution, ask.total)
    except (DraftError, JudgeUnavailableError) as error:
        return str(error)
    finally:
        judge_store.benchmark.reset(token)
    written = document.model_copy(update={"rubric": made.rubric.model_dump(mode="json")})
    async with worker.database.session() as session:
        sealed = seal_rubric(key, row.id, written)
        kept = await RubricRepository(session).write(row.id, row.revision, made.model, sealed)
    return None if kept else "it was changed meanwhile"
