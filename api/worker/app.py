"""The job queue's app: every task by name, and the loop that runs them."""

import asyncio
import contextlib
from typing import Any
from uuid import UUID

import structlog
from procrastinate import App, Blueprint, JobContext, PsycopgConnector, RetryStrategy

from api.core import queue
from api.core.db import SEARCH_PATH, Role, address
from api.core.settings import Settings
from api.worker import calibrating, finalizing, finalizing_sessions, grade, regrading, reviewing, sweep, tracing
from api.worker.state import Worker

log = structlog.get_logger(__name__)
_HEARTBEAT = 2.0
_STALLED = 20.0
_SWEEP = 3.0

tasks = Blueprint()
_retry = RetryStrategy(max_attempts=8, wait=1, exponential_wait=2)


def _worker(context: JobContext) -> Worker:
    worker = context.additional_context["worker"]
    assert isinstance(worker, Worker)
    return worker


@tasks.task(name=queue.GRADE, pass_context=True, retry=_retry)
async def grade_chunk(context: JobContext, submission: str, problems: list[str]) -> None:
    """Grade a chunk of items."""
    await grade.grade_chunk(_worker(context), UUID(submission), [UUID(hex=problem) for problem in problems])


@tasks.task(name=queue.FINALIZE_SUBMISSION, aliases=["settle_submission"], pass_context=True, retry=_retry)
async def finalize_submission(context: JobContext, submission: str) -> None:
    """End a submission without items, or after its last review."""
    await finalizing.finalize_submission(_worker(context), UUID(submission))


@tasks.task(name=queue.FINALIZE_SESSION, aliases=["conclude_session"], pass_context=True, retry=_retry)
async def finalize_session(context: JobContext, session: str) -> None:
    """Bring an episode to its end and judge it."""
    await finalizing_sessions.finalize_session(_worker(context), UUID(session))


@tasks.task(name=queue.REVIEWED, pass_context=True, retry=_retry)
async def apply_review(context: JobContext, review: str) -> None:
    """Score an item as people settled on, and end its submission after the last."""
    await calibrating.resume_calibration(_worker(context), UUID(review))
    submission = await reviewing.apply_review(_worker(context), UUID(review))
    if submission:
        await finalizing.finalize_submission(_worker(context), submission)


@tasks.task(name=queue.TRACE, pass_context=True, retry=_retry)
async def trace_leak(context: JobContext, trace: str) -> None:
    """Trace a leak."""
    await tracing.run_trace(_worker(context), UUID(trace))


@tasks.task(name=queue.REGRADE, pass_context=True, retry=_retry)
async def regrade_submission(context: JobContext, regrade: str, submission: str) -> None:
    """Regrade one stored submission."""
    await regrading.regrade(_worker(context), UUID(regrade), UUID(submission))


def make_app(settings: Settings, *, connections: int = 6) -> App:
    """The queue's app as the worker's role."""
    url = address(settings, Role.WORKER).set(drivername="postgresql").render_as_string(hide_password=False)
    options = {"options": f"-c search_path={SEARCH_PATH}", "application_name": "heldout-worker"}
    app = App(connector=PsycopgConnector(conninfo=url, kwargs=options, min_size=1, max_size=connections))
    for task in tasks.tasks.values():
        task.blueprint = app
    app.tasks.update(tasks.tasks)
    return app


async def run(worker: Worker, *, wait: bool = True) -> None:
    """Run jobs until cancelled; with `wait=False` until none is left that is due."""
    app = make_app(worker.settings)
    async with app.open_async():
        background = asyncio.create_task(_sweep(worker, app)) if wait else None
        options: dict[str, Any] = {
            "concurrency": worker.settings.worker_concurrency,
            "wait": wait,
            "listen_notify": wait,
            "delete_jobs": "successful",
            "install_signal_handlers": wait,
            "update_heartbeat_interval": _HEARTBEAT,
            "stalled_worker_timeout": _STALLED,
            "fetch_job_polling_interval": 1.0,
            "additional_context": {"worker": worker},
        }
        try:
            await app.run_worker_async(**options)
        finally:
            if background:
                background.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await background


async def _sweep(worker: Worker, app: App) -> None:
    while True:
        try:
            await sweep.sweep(worker, app, _STALLED)
        except Exception as error:  # noqa: BLE001 - the next round tries again; the database may be restarting
            log.warning("sweep.failed", error=type(error).__name__)
        await asyncio.sleep(_SWEEP)
