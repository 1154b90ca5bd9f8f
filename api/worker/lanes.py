"""The lanes at work: jobs are taken in turn, a few at a time, as soon as PostgreSQL says that there are some."""

import asyncio
import contextlib
import time
from collections.abc import Sequence

import structlog
from psycopg import AsyncConnection
from psycopg import Error as DriverError
from sqlalchemy.exc import DBAPIError

from api.core import traces
from api.core.db import Role, address, libpq
from api.core.outage import Outage
from api.core.telemetry import JOB_SECONDS, JOBS
from api.lanes.models import CHANNEL, SPECS, Lane
from api.lanes.repository import LEASE_SECONDS, LaneRepository, TakenJob
from api.worker.finalizing_sessions import finalize_session
from api.worker.grade import grade_jobs
from api.worker.state import Worker
from api.worker.warming import warm

log = structlog.get_logger(__name__)
# For what no notification says: jobs of dead workers, jobs given back.
_POLL_SECONDS = 2.0
_PAUSE_SECONDS = 1.0


class Lanes:
    """One worker's lanes. `run` until cancelled, or `drain` what is there."""

    def __init__(self, worker: Worker, lanes: Sequence[Lane] = tuple(Lane)) -> None:
        self._worker = worker
        self._wake = {lane: asyncio.Event() for lane in lanes}
        self._running: dict[Lane, dict[asyncio.Task[None], list[int]]] = {lane: {} for lane in lanes}
        # Jobs that could not be given back: the database did not answer.
        self._owed: list[int] = []

    async def run(self) -> None:
        """Work on every lane until cancelled; then give back what is under way."""
        await warm(self._worker)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._listen())
                group.create_task(self._keep())
                for lane in self._wake:
                    group.create_task(self._work(lane))
        finally:
            await self._stop()

    async def drain(self) -> bool:
        """Work until no job is free in any lane; whether there was one."""
        worked = False
        while True:
            for lane in self._wake:
                await self._fill(lane)
            tasks = [task for running in self._running.values() for task in running]
            if not tasks:
                return worked
            worked = True
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)

    async def _work(self, lane: Lane) -> None:
        wake, outage = self._wake[lane], Outage("lane.unreachable")
        while True:
            wake.clear()
            try:
                await self._fill(lane)
                outage.worked(lane=lane.value)
            except (OSError, DBAPIError) as error:
                outage.failed(error, lane=lane.value)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), _POLL_SECONDS)

    async def _fill(self, lane: Lane) -> None:
        """Take jobs while there are some and room for them."""
        spec, running = SPECS[lane], self._running[lane]
        if self._owed:
            await self._give_back([])
        while len(running) < self._at_once(lane):
            async with self._worker.database.session() as session:
                jobs = await LaneRepository(session).take(lane, spec.batch)
            if not jobs:
                return
            task = asyncio.create_task(self._grade(jobs))
            running[task] = [job.id for job in jobs]
            task.add_done_callback(lambda done: self._ended(lane, done))

    def _at_once(self, lane: Lane) -> int:
        # Enough that no process is idle between two jobs; each more is one more to wait behind.
        busy = self._worker.settings.grading_processes // 2 + 1 if lane is Lane.PROCESSES else 1
        return max(SPECS[lane].at_once, busy)

    def _ended(self, lane: Lane, task: asyncio.Task[None]) -> None:
        del self._running[lane][task]
        self._wake[lane].set()

    async def _grade(self, jobs: list[TakenJob]) -> None:
        ids, lane = [job.id for job in jobs], jobs[0].lane.value
        result, began = "done", time.perf_counter()
        try:
            await self._worked(jobs)
            JOB_SECONDS.labels(lane).observe(time.perf_counter() - began)
        except (OSError, DBAPIError) as error:
            result = "interrupted"
            # No fault of theirs, so no attempt.
            log.warning("jobs.interrupted", jobs=ids, error=type(error).__name__)
            await self._give_back(ids)
        except Exception as error:
            result = "failed"
            log.exception("jobs.failed", jobs=ids, error=type(error).__name__)
            await self._retry(ids)
        finally:
            JOBS.labels(lane, result).inc(len(jobs))

    async def _worked(self, jobs: list[TakenJob]) -> None:
        episodes = [job for job in jobs if job.session_id]
        for job in episodes:
            with traces.span("finalize_session", parent=job.trace or "", lane=job.lane.value):
                await finalize_session(self._worker, job)
        if answers := [job for job in jobs if job.submission_id]:
            with traces.spans("grade", (job.trace or "" for job in answers), lane=answers[0].lane.value):
                await grade_jobs(self._worker, answers)

    async def _retry(self, ids: list[int]) -> None:
        try:
            async with self._worker.database.session() as session:
                await LaneRepository(session).retry(ids)
        except (OSError, DBAPIError):
            self._owed += ids

    async def _give_back(self, ids: list[int], seconds: float = _PAUSE_SECONDS) -> None:
        owed, self._owed = self._owed + ids, []
        try:
            async with self._worker.database.session() as session:
                await LaneRepository(session).give_back(owed, seconds)
        except (OSError, DBAPIError):
            self._owed += owed

    async def _keep(self) -> None:
        """Say every few seconds that the jobs under way are."""
        outage = Outage("lanes.unreachable")
        while True:
            await asyncio.sleep(LEASE_SECONDS / 4)
            ids = [job for running in self._running.values() for jobs in running.values() for job in jobs]
            if not ids:
                continue
            try:
                async with self._worker.database.session() as session:
                    await LaneRepository(session).keep(ids)
                outage.worked()
            except (OSError, DBAPIError) as error:
                outage.failed(error)

    async def _listen(self) -> None:
        """Wake a lane at every notification for it, on a connection that is held open."""
        outage = Outage("lanes.deaf")
        while True:
            try:
                await self._heed_notifications(outage)
            except (OSError, DriverError) as error:
                outage.failed(error)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _heed_notifications(self, outage: Outage) -> None:
        url = libpq(address(self._worker.settings, Role.WORKER))
        connection = await AsyncConnection.connect(url, autocommit=True, application_name="heldout-lanes")
        async with connection:
            await connection.execute(f"listen {CHANNEL}")
            outage.worked()
            for wake in self._wake.values():
                wake.set()
            async for notification in connection.notifies():
                lane = Lane(notification.payload)
                if lane in self._wake:
                    self._wake[lane].set()

    async def _stop(self) -> None:
        running = {task: ids for running in self._running.values() for task, ids in running.items()}
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._give_back([job for ids in running.values() for job in ids], 0.0)
