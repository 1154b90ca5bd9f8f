"""Uploaded packs: checked in a process of their own, and published in one transaction."""

import asyncio
import os
import signal
import sys
from uuid import UUID

import structlog

from api.core.errors import ConflictError
from api.uploads.models import PackState
from api.uploads.repository import UploadRepository
from api.uploads.schemas import PackFault, PackReport
from api.uploads.sealing import open_report, seal_pictures, seal_report
from api.vault.pack_parts import PackPartRepository
from api.worker.examiner import Examined
from api.worker.importing import import_pack
from api.worker.pack_archives import Fetched, fetched
from api.worker.release_rows import DraftRubricError
from api.worker.rubric_release import approved_rubrics
from api.worker.state import Worker

log = structlog.get_logger(__name__)
STAGES = ("unpacking", "reading", "admission", "preview")
_ABANDONED_DAYS = 14


class ExaminerError(Exception):
    """The process that reads a pack ended without a report."""


async def check(worker: Worker, upload_id: UUID, *, last_try: bool) -> None:
    """Check an uploaded pack and write down what was found. What is not waiting for it is left alone.

    Raises ExaminerError where its process died, unless it is the `last_try`: then the pack is refused.
    """
    async with fetched(worker, upload_id, PackState.CHECKING) as found:
        if found is None:
            return
        try:
            examined = await _examined(worker, found)
        except ExaminerError as error:
            if not last_try:
                raise
            examined = refused("the check ended without a result", f"tell the operator: {error}")
    state = PackState.REFUSED if examined.slug is None else PackState.CHECKED
    async with worker.database.session() as session:
        repository = UploadRepository(session)
        if not await _is(repository, upload_id, PackState.CHECKING):
            return
        key = worker.settings.secrets.raw("review")
        report = seal_report(key, upload_id, examined.report)
        await repository.checked(
            upload_id,
            state,
            report,
            examined.slug,
            examined.version,
            pictures=seal_pictures(key, upload_id, examined.pictures),
            admissible=examined.admissible,
        )
    log.info("pack.checked", upload=str(upload_id), state=state.value)


async def publish(worker: Worker, upload_id: UUID) -> None:
    """Publish a checked pack as a release, with the rubrics that were approved for it; done twice it changes nothing
    more. One that cannot be is refused."""
    async with fetched(worker, upload_id, PackState.PUBLISHING) as found:
        if found is None:
            return
        pack = await asyncio.to_thread(found.pack)
        key = worker.settings.secrets.raw("review")
        badge = open_report(key, upload_id, found.upload.report).badge
        try:
            async with worker.database.session() as session:
                repository = UploadRepository(session)
                if not await _is(repository, upload_id, PackState.PUBLISHING):
                    return
                async with approved_rubrics(session, worker.settings, pack) as completed:
                    await import_pack(session, worker.settings, completed, admission=badge)
                await repository.published(upload_id)
                await PackPartRepository(session, worker.settings.vault_secrets.raw("vault")).forget(upload_id)
        except DraftRubricError:
            # A rubric was edited since publication was asked for: it can be approved again.
            async with worker.database.session() as session:
                await UploadRepository(session).not_published(upload_id)
        except ConflictError as error:
            async with worker.database.session() as session:
                report = seal_report(key, upload_id, refused(error.title, error.detail).report)
                await UploadRepository(session).checked(upload_id, PackState.REFUSED, report)
    log.info("pack.published", upload=str(upload_id))


async def drop_abandoned(worker: Worker) -> None:
    """Delete uploads that nobody went on with."""
    async with worker.database.session() as session:
        repository = UploadRepository(session)
        for upload_id in await repository.abandoned(_ABANDONED_DAYS):
            await repository.drop(upload_id)


def refused(problem: str, remedy: str) -> Examined:
    """A pack that cannot be taken for a reason that is in none of its lines."""
    fault = PackFault(file="benchmark.toml", line=0, field="", problem=problem, remedy=remedy)
    return Examined(report=PackReport(faults=[fault]))


async def _is(repository: UploadRepository, upload_id: UUID, state: PackState) -> bool:
    upload = await repository.locked(upload_id)
    return upload is not None and upload.state is state


async def _examined(worker: Worker, found: Fetched) -> Examined:
    upload, archive = found.upload, found.archive
    if not found.intact:
        return refused("what came has not the SHA-256 that was announced", "upload the archive again")
    folder, result = archive.parent / "pack", archive.parent / "result.json"
    folder.mkdir()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "api.worker.examiner",
        str(archive),
        str(folder),
        upload.organisation,
        str(result),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    seconds = worker.settings.pack_check_seconds
    try:
        async with asyncio.timeout(seconds):
            await _followed(worker, upload.id, process)
    except TimeoutError:
        return refused(
            f"the check took more than {seconds} s", "split the benchmark, or make its golds cheaper to grade"
        )
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    if process.returncode != 0 or not result.exists():
        raise ExaminerError(f"the examiner ended with {process.returncode}")
    return Examined.model_validate_json(await asyncio.to_thread(result.read_bytes))


async def _followed(worker: Worker, upload_id: UUID, process: asyncio.subprocess.Process) -> None:
    assert process.stdout
    async for line in process.stdout:
        stage = line.decode(errors="replace").strip()
        if stage in STAGES:
            async with worker.database.session() as session:
                await UploadRepository(session).progress(upload_id, stage, STAGES.index(stage), len(STAGES))
    await process.wait()
