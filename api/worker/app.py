"""What a worker does: the lanes, the job queue with every task by name, and the sweep."""

import asyncio
import signal
from functools import partial
from typing import Any
from uuid import UUID

from procrastinate import App, Blueprint, JobContext, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ConnectorException

from api.core import queue
from api.core.db import SEARCH_PATH, Role, address, libpq
from api.core.outage import Outage
from api.core.settings import Settings
from api.core.telemetry import SWEEP_FAILURES
from api.lanes.models import Lane
from api.worker import (
    calibrating,
    finalizing,
    mailing,
    matches,
    owner_jobs,
    playing,
    regrading,
    reviewing,
    sweep,
    tracing,
    uploads,
)
from api.worker.lanes import Lanes
from api.worker.state import Worker

_HEARTBEAT = 2.0
_SURE = 10.0
_STALLED = 20.0
_SWEEP = 3.0
# Seconds for a connection to the queue.
_PATIENCE = 30.0

tasks = Blueprint()
_TRIES = 8
_retry = RetryStrategy(max_attempts=_TRIES, wait=1, exponential_wait=2)
# A check may take an hour, and what ended one process will end the next.
_CHECKS = 3
_retry_check = RetryStrategy(max_attempts=_CHECKS, wait=5)

# 5 s, 25 s, 2 minutes, 10, 52, then 4 hours: a mail server may be away for a night's first half.
_retry_letter = RetryStrategy(max_attempts=7, exponential_wait=5)


def _worker(context: JobContext) -> Worker:
    worker = context.additional_context["worker"]
    assert isinstance(worker, Worker)
    return worker


@tasks.task(name=queue.FINALIZE_SUBMISSION, aliases=["settle_submission"], pass_context=True, retry=_retry)
async def finalize_submission(context: JobContext, submission: str) -> None:
    """End a submission without items, or after its last review."""
    await finalizing.finalize_submission(_worker(context), UUID(submission))


@tasks.task(name=queue.REVIEWED, pass_context=True, retry=_retry)
async def apply_review(context: JobContext, review: str) -> None:
    """Settle a review, score its item as people settled on, and end its submission after the last."""
    await reviewing.decide_review(_worker(context), UUID(review))
    await calibrating.resume_calibration(_worker(context), UUID(review))
    submission = await reviewing.apply_review(_worker(context), UUID(review))
    if submission:
        await finalizing.finalize_submission(_worker(context), submission)


@tasks.task(name=queue.TRACE, pass_context=True, retry=_retry)
async def trace_leak(context: JobContext, trace: str) -> None:
    """Trace a leak."""
    await tracing.run_trace(_worker(context), UUID(trace))


@tasks.task(name=queue.BEGIN_REGRADE, pass_context=True, retry=_retry)
async def begin_regrade(context: JobContext, regrade: str) -> None:
    """Queue what an owner wants to be regraded."""
    await regrading.begin(_worker(context), UUID(regrade))


@tasks.task(name=queue.REGRADE, pass_context=True, retry=_retry)
async def regrade_submission(context: JobContext, regrade: str, submission: str) -> None:
    """Regrade one stored submission."""
    await regrading.regrade(_worker(context), UUID(regrade), UUID(submission))


@tasks.task(name=queue.CHECK_PACK, pass_context=True, retry=_retry_check)
async def check_pack(context: JobContext, upload: str) -> None:
    """Check an uploaded pack."""
    await uploads.check(_worker(context), UUID(upload), last_try=context.job.attempts >= _CHECKS)


@tasks.task(name=queue.PUBLISH_PACK, pass_context=True, retry=_retry)
async def publish_pack(context: JobContext, upload: str) -> None:
    """Publish an uploaded pack that was checked."""
    await uploads.publish(_worker(context), UUID(upload))


@tasks.task(name=queue.OWNER_JOB, pass_context=True, retry=_retry_check)
async def owner_job(context: JobContext, job: str) -> None:
    """Do what an owner asked for."""
    await owner_jobs.perform(_worker(context), UUID(job), last_try=context.job.attempts >= _CHECKS)


@tasks.task(name=queue.DECIDE_MATCH, pass_context=True, retry=_retry)
async def decide_match(context: JobContext, match: str) -> None:
    """Decide a match of two participants that is over."""
    await matches.decide(_worker(context), UUID(match))


@tasks.task(name=queue.SEND_LETTER, pass_context=True, retry=_retry_letter)
async def send_letter(context: JobContext, letter: str, sealed: str) -> None:
    """Send an e-mail."""
    await mailing.send_letter(_worker(context), UUID(letter), sealed)


@tasks.task(name=queue.PLAY_ENDPOINT, pass_context=True, retry=_retry)
async def play_endpoint(context: JobContext, run: str) -> None:
    """Play a split against a participant's endpoint."""
    try:
        await playing.play_endpoint(_worker(context), UUID(run))
    except Exception:
        if context.job.attempts >= _TRIES - 1:
            await playing.give_up(_worker(context), UUID(run))
        raise


def make_app(settings: Settings, *, connections: int = 8) -> App:
    """The queue's app as the worker's role."""
    options = {"options": f"-c search_path={SEARCH_PATH}", "application_name": "heldout-worker"}
    app = App(
        connector=PsycopgConnector(
            conninfo=lambda: libpq(address(settings, Role.WORKER)),  # the password may be replaced meanwhile
            kwargs=options,
            min_size=1,
            max_size=connections,
            timeout=_PATIENCE,
        )
    )
    for task in tasks.tasks.values():
        task.blueprint = app
    app.tasks.update(tasks.tasks)
    return app


async def run(worker: Worker, *, wait: bool = True) -> None:
    """Grade what the lanes hold and run jobs, until cancelled or SIGTERM; with `wait=False` until nothing is due."""
    app = make_app(worker.settings)
    lanes = Lanes(worker, [Lane(name) for name in worker.settings.worker_lanes])
    async with app.open_async():
        if not wait:
            await _jobs(app, worker, wait=False)
            while await lanes.drain():
                await _jobs(app, worker, wait=False)
            return
        stopping, loop = asyncio.Event(), asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopping.set)
        working = [
            asyncio.create_task(lanes.run()),
            asyncio.create_task(_sweep(worker, app)),
            *(asyncio.create_task(_jobs(app, worker, name)) for name in queue.QUEUES),
        ]
        stopped = asyncio.create_task(stopping.wait())
        try:
            await asyncio.wait([stopped, *working], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (stopped, *working):
                task.cancel()
            ended = await asyncio.gather(*working, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error


async def _jobs(app: App, worker: Worker, name: str | None = None, *, wait: bool = True) -> None:
    """Run the jobs of one queue, or of all."""
    options: dict[str, Any] = {
        "queues": [name] if name else None,
        "concurrency": worker.settings.worker_concurrency,
        "wait": wait,
        "listen_notify": wait,
        "delete_jobs": "successful",
        "install_signal_handlers": False,
        "update_heartbeat_interval": _HEARTBEAT,
        "stalled_worker_timeout": _STALLED,
        "fetch_job_polling_interval": 1.0,
        "additional_context": {"worker": worker},
    }
    outage, loop = Outage("queue.unreachable"), asyncio.get_running_loop()
    while True:
        # It says nothing once it runs: what has not failed for a while is back.
        back = loop.call_later(_SURE, partial(outage.worked, queue=name))
        try:
            return await app.run_worker_async(**options)
        except ConnectorException as error:
            if not wait:
                raise
            outage.failed(error.__cause__ or error, queue=name)
            # The queue ends where it can say neither that it lives nor that it is stopped.
            if (task := asyncio.current_task()) and task.cancelling():
                return None
        finally:
            back.cancel()
        await asyncio.sleep(_HEARTBEAT)


async def _sweep(worker: Worker, app: App) -> None:
    outage = Outage("sweep.failed")
    while True:
        try:
            await sweep.sweep(worker, app, _STALLED)
            outage.worked()
        except Exception as error:  # noqa: BLE001 - the next round tries again; the database may be restarting
            SWEEP_FAILURES.inc()
            outage.failed(error)
        await asyncio.sleep(_SWEEP)
