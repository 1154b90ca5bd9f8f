"""A participant's container, run in a sandbox: no network, a socket to the service, and what it says stays here.

The archive is sealed for the worker, unpacked without trust (`envs.sandbox.foreign`) and thrown away with the sandbox.
Of a hidden split nothing that it writes is told. That it ran, how long and how much it wrote are told too coarsely to
carry a problem's text, and its end on the clock.
"""

import asyncio
import hashlib
import math
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import structlog

from api.core.db import Database
from api.endpoints.repository import Run
from api.endpoints.runs import end_episodes
from api.endpoints.schemas import ContainerReport
from api.hosting.client import HostClient
from api.uploads.repository import UploadRepository
from api.vault.pack_parts import PackPartRepository
from api.worker.container_desk import ContainerDesk
from api.worker.container_socket import PLACE, served
from api.worker.endpoint_model import EndpointModel, EndpointStopError
from api.worker.played import end_intake, is_playing
from api.worker.state import Worker
from envs.sandbox.backends import backend_of_foreign, default_backend
from envs.sandbox.base import (
    MIB,
    Backend,
    BackendUnavailableError,
    Image,
    Limits,
    Result,
    Sandbox,
    SandboxError,
    SandboxGoneError,
)
from envs.sandbox.bubblewrap import BubblewrapBackend
from envs.sandbox.foreign import Bounds, ForeignArchiveError, Unpacked, unpack_apart

log = structlog.get_logger(__name__)
BUNDLE = "/work/bundle"
_SWELLS = 8
_LOOK_SECONDS = 1.0
_OUTPUT = 256 * 1024
_LOG = 8000
_NO_START = (
    "a sandbox could not be made of the image: where the service runs images on Docker Engine, one with files in "
    "/home, /run, /tmp, /var/tmp or /work needs 'tar', and room for them in the memory that a container has"
)
_PROCESSES, _FILES = 256, 50_000
_OUTPUT_BANDS = (0, 1, 64, 256)
"""KiB: on a hidden split the largest of these that a container's output reaches is told."""


async def play_container(worker: Worker, database: Database, run: Run, model: EndpointModel | None) -> None:
    """Run it until every problem has an answer. Raises EndpointStopError, ServiceError, BudgetSpentError."""
    if model is not None:
        await model.check()
    with tempfile.TemporaryDirectory(prefix="heldout-container-") as made:
        folder = Path(made)
        unpacked = await _unpacked(worker, run, folder)
        async with AsyncExitStack() as stack:
            try:
                backend, image = await _backend(worker, unpacked, folder)
                await stack.enter_async_context(backend)
                sandbox = await backend.start(image, _limits(worker))
            except BackendUnavailableError as error:
                log.warning("container.no_sandbox", why=str(error))
                raise EndpointStopError("this service has no sandbox for containers; tell its operator") from None
            except SandboxError as error:
                if unpacked.kind == "bundle":
                    raise
                log.warning("container.no_start", why=str(error))
                raise EndpointStopError(_NO_START) from None
            stack.push_async_callback(sandbox.destroy)
            desk = ContainerDesk(worker, database, await stack.enter_async_context(HostClient(database)), run, model)
            await _play(worker, run, desk, sandbox, _command(run, unpacked), unpacked, image.meeting)
    await end_intake(worker, database, run)


async def _play(
    worker: Worker,
    run: Run,
    desk: ContainerDesk,
    sandbox: Sandbox,
    command: list[str],
    unpacked: Unpacked,
    meeting: Path | None,
) -> None:
    began = time.monotonic()
    environment = unpacked.environment | {"HELDOUT_SOCKET": PLACE, "HELDOUT_SPLIT": run.split}
    workdir = BUNDLE if unpacked.kind == "bundle" else unpacked.workdir
    seconds = worker.settings.container_seconds
    async with served(sandbox, desk, meeting):
        running: asyncio.Future[Any] = asyncio.ensure_future(
            sandbox.run(command, timeout=seconds, cap=_OUTPUT, workdir=workdir, environment=environment)
        )
        watching: asyncio.Future[Any] = asyncio.ensure_future(_cancelled(worker, run))
        try:
            await asyncio.wait({running, watching, desk.stopped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            watching.cancel()
            if not running.done():
                running.cancel()
        ended = (await asyncio.gather(running, return_exceptions=True))[0]
    _note(desk.report, run, ended if isinstance(ended, Result) else None, time.monotonic() - began)
    if not run.is_open:
        await _until_told(worker, desk.report)
    await desk.save()
    if desk.stopped.done():
        raise desk.stopped.result()
    if watching.done() and not watching.cancelled():
        watching.result()
        await _end_late_episodes(worker, run)
        return
    if isinstance(ended, BaseException) and not isinstance(ended, SandboxGoneError):
        raise ended
    left = await desk.left()
    if left:
        how = _how(ended, desk.report.status, seconds)
        raise EndpointStopError(f"{how} before everything had an answer: {_wrote(desk.report)}")


async def _until_told(worker: Worker, report: ContainerReport) -> None:
    """An end is told on the clock: the moment would carry as many bits as anybody measures it finely."""
    grain = worker.settings.container_end_seconds
    await asyncio.sleep(-time.time() % grain)
    report.seconds = math.ceil(max(report.seconds, 1) / grain) * grain


async def _cancelled(worker: Worker, run: Run) -> None:
    while await is_playing(worker, run):  # noqa: ASYNC110 - another process cancels it
        await asyncio.sleep(_LOOK_SECONDS)


async def _end_late_episodes(worker: Worker, run: Run) -> None:
    """Those that the container opened before its cancelled run was seen here."""
    async with worker.database.session() as session:
        await end_episodes(session, run)


async def _unpacked(worker: Worker, run: Run, folder: Path) -> Unpacked:
    """The archive's content on disk. Raises EndpointStopError."""
    assert run.container
    archive, target, digest = folder / "archive", folder / "content", hashlib.sha256()
    async with worker.database.session() as session:
        upload = await UploadRepository(session).one(run.container.upload_id)
        if upload is None:
            raise EndpointStopError("its container was deleted; begin a new run")
        parts = PackPartRepository(session, worker.settings.vault_secrets.raw("vault"))
        with archive.open("wb") as file:
            async for part in parts.content(upload):
                digest.update(part)
                file.write(part)
    if digest.hexdigest() != run.container.sha256:
        raise EndpointStopError("what came has not the SHA-256 that was announced; upload the container again")
    target.mkdir()
    try:
        unpacked = await unpack_apart(archive, target, Bounds(content=_SWELLS * worker.settings.container_bytes))
    except ForeignArchiveError as error:
        raise EndpointStopError(f"the container is refused: {error}") from None
    archive.unlink()
    return unpacked


async def _backend(worker: Worker, unpacked: Unpacked, folder: Path) -> tuple[Backend, Image]:
    """An image becomes the root of a sandbox; a bundle lies in one of the service's own."""
    prefer, content = worker.settings.sandbox, folder / "content"
    if unpacked.kind == "image":
        backend, image = await backend_of_foreign(content, prefer=prefer)
    else:
        backend, image = await default_backend(prefer=prefer), _laid_over(content, folder / "layer")
    if not isinstance(backend, BubblewrapBackend):
        meeting = folder / "meeting"
        meeting.mkdir(mode=0o755)
        image = image.model_copy(update={"meeting": meeting})
    return backend, image


def _laid_over(content: Path, layer: Path) -> Image:
    (layer / "root/work").mkdir(parents=True)
    layer.parent.chmod(0o755)
    content.rename(layer / "root" / BUNDLE.lstrip("/"))
    return Image(layers=(layer,))


def _limits(worker: Worker) -> Limits:
    settings = worker.settings
    memory = settings.container_memory_mb * MIB
    return Limits(
        memory=memory,
        disk=memory // 2,
        cpus=settings.container_cpus,
        processes=_PROCESSES,
        files=_FILES,
        output=_OUTPUT,
    )


def _command(run: Run, unpacked: Unpacked) -> list[str]:
    assert run.container
    command = run.container.command or unpacked.command
    if not command:
        raise EndpointStopError("nobody says what is to be run: begin a new run with a command")
    return list(command)


def _note(report: ContainerReport, run: Run, ended: Result | None, seconds: float) -> None:
    """How it ended; on a hidden split only whether it failed, and a band of how much it wrote."""
    report.starts += 1
    report.seconds = round(seconds)
    report.status = ended.status if ended else None
    report.output_kib = (len(ended.stdout) + len(ended.stderr) + ended.dropped + 1023) // 1024 if ended else 0
    if run.is_open:
        said = (ended.stdout + ended.stderr).decode(errors="replace").replace("\0", "") if ended else ""
        report.log = said[-_LOG:]
        return
    report.status = None if report.status is None else min(1, report.status)
    report.output_kib = max(band for band in _OUTPUT_BANDS if band <= report.output_kib)
    report.log = ""


def _how(ended: Result | BaseException, status: int | None, seconds: int) -> str:
    if not isinstance(ended, Result):
        return "the container's memory ran out, or it was killed,"
    if ended.timed_out:
        return f"the container ran for {seconds} s, all that it may,"
    return f"the container ended with status {status}"


def _wrote(report: ContainerReport) -> str:
    return f"it wrote {report.output_kib} KiB" + ("; see 'log'" if report.log else "")
