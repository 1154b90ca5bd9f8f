"""A run against a participant's endpoint: problems are served, asked and answered one by one, as the participant would.

They are served through the same gate (access, budget, ledger) under the rights of the web role; answers are sealed and
committed as they come, so that a run goes on where it was broken off. What an endpoint does wrong stops its run and is
never an answer; only a question that it rejects by itself, again and again, is answered with nothing.
"""

import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import structlog

from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core import queue
from api.core.crypto import Aliases
from api.core.db import AsyncSession, Database, Role
from api.core.errors import ServiceError
from api.core.outbound import Outbound
from api.endpoints.models import RunState
from api.endpoints.repository import EndpointRunRepository, Run
from api.problems.errors import BudgetSpentError
from api.problems.schemas import ProblemPublic
from api.problems.service import ProblemService
from api.submissions.repository import SubmissionRepository
from api.submissions.schemas import MAX_ANSWER
from api.vault.endpoint_keys import EndpointKeyRepository
from api.worker.containers import play_container
from api.worker.endpoint_model import (
    EndpointModel,
    EndpointRejectedError,
    EndpointStopError,
    Picture,
    prompt,
)
from api.worker.played import CHANNEL, end_intake, is_playing, principal_of, within_caps
from api.worker.state import Worker

log = structlog.get_logger(__name__)
_PAGE = 10
_REJECTIONS = 10
# Where others wait, a run goes behind them after so long: slow endpoints do not keep all places of a worker.
_TURN_SECONDS = 60.0


class _TurnOverError(Exception):
    """Others wait for the place."""


async def play_endpoint(worker: Worker, run_id: UUID, outbound: Outbound | None = None) -> None:
    """Play a run until it is done, stops, is cancelled, or has to wait for tomorrow's budget."""
    async with worker.database.session() as session:
        repository = EndpointRunRepository(session)
        begun = await repository.begin(run_id)
        run = await repository.one(run_id)
        key = await EndpointKeyRepository(session, worker.settings.vault_secrets.raw("vault")).open(run_id)
    if not begun or run is None:
        return
    if key is None:
        await _end(worker, run_id, RunState.STOPPED, "the endpoint's key is gone; resume the run with it")
        return
    outbound = outbound or Outbound(worker.settings.endpoint_networks)
    database = Database.of(worker.settings, Role.WEB)
    state, failure = RunState.DONE, ""
    try:
        model = EndpointModel(run, key, outbound) if run.url else None
        if run.container is not None:
            await play_container(worker, database, run, model)
        elif model is not None:
            await _Player(worker, database, run, model).play()
    except BudgetSpentError as error:
        now = datetime.now(UTC)
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        seconds = int((midnight - now).total_seconds()) + 1
        await _later(worker, run, seconds, f"goes on at {midnight:%H:%M} UTC: {error.detail}")
        return
    except _TurnOverError:
        await _later(worker, run, 0, "")
        return
    except (EndpointStopError, ServiceError) as error:
        state, failure = RunState.STOPPED, error.detail if isinstance(error, ServiceError) else str(error)
    finally:
        await outbound.close()
        await database.close()
    await _end(worker, run_id, state, failure)


async def give_up(worker: Worker, run_id: UUID) -> None:
    """Stop a run that the service could not play for a fault of its own."""
    await _end(worker, run_id, RunState.STOPPED, "a fault of the service, not of the endpoint; resume it later")


async def _end(worker: Worker, run_id: UUID, state: RunState, failure: str) -> None:
    async with worker.database.session() as session:
        # One that was cancelled, and perhaps resumed, meanwhile keeps its state and its new key.
        if await EndpointRunRepository(session).end(run_id, state, failure):
            await EndpointKeyRepository(session, worker.settings.vault_secrets.raw("vault")).forget(run_id)
            log.info("endpoint_run.ended", run=str(run_id), state=state.value)


async def _later(worker: Worker, run: Run, seconds: int, why: str) -> None:
    """Go on after so long, behind what waits by then."""
    async with worker.database.session() as session:
        await EndpointRunRepository(session).end(run.id, RunState.QUEUED, why)
        again, lock = {"run": str(run.id)}, queue.endpoint_lock(run.id)
        where = queue.ENDPOINTS if run.container is None else queue.CONTAINERS
        await queue.defer(session, queue.PLAY_ENDPOINT, again, queue=where, lock=lock, after_seconds=seconds)


class _Player:
    """One run while it is played."""

    def __init__(self, worker: Worker, database: Database, run: Run, model: EndpointModel) -> None:
        self._worker, self._database, self._run, self._model = worker, database, run, model
        self._aliases = Aliases(worker.settings.secrets.raw("alias"))
        self._tokens, self._cost = run.spent_tokens, run.spent_cost
        self._rejected = 0
        self._after: int | None = None
        self._turn_ends = time.monotonic() + _TURN_SECONDS

    async def play(self) -> None:
        """Ask for every answer that is missing, then end the intake.

        Raises EndpointStopError, ServiceError, and _TurnOverError where it is another run's turn.
        """
        await self._model.check()
        while await self._page():
            pass
        await end_intake(self._worker, self._database, self._run)

    async def _page(self) -> bool:
        """Some more problems; whether there may be others. Each page is served just before it is asked."""
        run = self._run
        within_caps(self._run, self._tokens, self._cost)
        if not await is_playing(self._worker, self._run):
            return False
        async with self._database.session() as session:
            principal = await principal_of(session, run)
            access = await CatalogService(session).split_access(run.benchmark, run.split, run.organisation_id)
            if access.split_id != run.split_id:
                raise EndpointStopError("the benchmark has a new release; begin a new run")
            repository = EndpointRunRepository(session)
            first = await repository.first_left(run.submission_id, run.split_id)
            if first is None:
                return False
            problems = ProblemService(session, self._aliases, principal, self._worker.fingerprints, channel=CHANNEL)
            after = first - 1 if self._after is None else self._after
            served = await problems.page(run.benchmark, run.split, after, _PAGE)
            answered = await repository.answered(run.submission_id)
            pictures = [await self._pictures(session, item) for item in served.items]
        for item, shown in zip(served.items, pictures, strict=True):
            problem_id = self._aliases.decode(run.organisation_id, item.id)
            if problem_id is not None and problem_id not in answered:
                within_caps(self._run, self._tokens, self._cost)
                if not await is_playing(self._worker, run):
                    return False
                await self._answer(problem_id, item, shown)
                await self._give_way()
        self._after = served.last
        return served.last is not None

    async def _answer(self, problem_id: UUID, item: ProblemPublic, pictures: Sequence[Picture]) -> None:
        try:
            reply = await self._model.ask(prompt(item), pictures)
            self._rejected = 0
        except EndpointRejectedError as error:
            self._rejected += 1
            if self._rejected >= _REJECTIONS:
                raise EndpointStopError(f"{self._rejected} questions in a row were rejected: {error}") from None
            reply = error.reply
        self._tokens += reply.tokens
        self._cost += reply.cost
        fields = {"answer": reply.text[-MAX_ANSWER:], "usage": {"tokens": reply.tokens, "cost": reply.cost}}
        async with self._database.session() as session:
            await SubmissionRepository(session).add_items(self._run.submission_id, [(problem_id, fields)])

    async def _pictures(self, session: AsyncSession, item: ProblemPublic) -> list[Picture]:
        start = f"/v1/benchmarks/{item.benchmark}/assets/{item.version}/"
        found = []
        for image in item.images:
            path = image.url.removeprefix(start)
            row = await CatalogRepository(session).asset(item.benchmark, item.version, path, self._run.organisation_id)
            if row is not None:
                found.append(Picture(row.media_type, row.content))
        return found

    async def _give_way(self) -> None:
        """Raises _TurnOverError."""
        if time.monotonic() < self._turn_ends:
            return
        async with self._worker.database.session() as session:
            if await EndpointRunRepository(session).others_wait():
                raise _TurnOverError
