"""The desk of a container: what it is told, what it hands in, what it asks of its endpoint.

Problems, budgets, ledger and episodes go through the services of the HTTP interface, under the rights of the web role.
What ends the run (a cap, the day's budget, an endpoint that does not answer) is kept in `stopped`; the container is
told that nothing more is served.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any
from uuid import UUID

from pydantic import StringConstraints

from api.accounts.principal import Principal
from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core.crypto import Aliases
from api.core.db import Database
from api.core.errors import ServiceError
from api.core.ids import public_id
from api.core.schemas import Model
from api.endpoints.repository import EndpointRunRepository, LeftEpisode, Run
from api.endpoints.schemas import ContainerReport
from api.hosting.client import HostClient
from api.hosting.step_views import StepPublic
from api.problems.errors import BudgetSpentError
from api.problems.schemas import ProblemPublic
from api.problems.service import ProblemService
from api.sessions.cache import StepCache
from api.sessions.schemas import EpisodeListed, SessionFinish, SessionPublic, StepCreate
from api.sessions.service import SessionService
from api.sessions.steps import StepHandler
from api.sessions.view import view
from api.submissions.errors import UnknownProblemError
from api.submissions.repository import SubmissionRepository
from api.submissions.schemas import MAX_ANSWER
from api.worker.endpoint_model import EndpointModel, EndpointRejectedError, EndpointStopError, Picture
from api.worker.played import CHANNEL, principal_of, within_caps
from api.worker.state import Worker
from packs.benchmark import Visibility

_PAGE = 10
_ASKED_AT_ONCE = 4


class ContainerAnswer(Model):
    """The answer to a question; longer ones are cut at their beginning."""

    problem: Annotated[str, StringConstraints(max_length=80)]
    answer: str


class _NothingMoreError(ServiceError):
    status = 503
    code = "run_ends"
    title = "Nothing more is served to this run"


class ContainerDesk:
    """What one container may do while its run is played."""

    def __init__(
        self, worker: Worker, database: Database, hosts: HostClient, run: Run, model: EndpointModel | None
    ) -> None:
        self._worker, self._database, self._run, self._model = worker, database, run, model
        self._hosts = hosts
        self._aliases = Aliases(worker.settings.secrets.raw("alias"))
        self._cache = StepCache()
        self._steps = StepHandler(database, hosts, self._cache)
        self._asking, self._listing = asyncio.Semaphore(_ASKED_AT_ONCE), asyncio.Lock()
        self._items = (run.spent_tokens, run.spent_cost)
        self.report = run.report.model_copy() if run.report else ContainerReport()
        self.stopped: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    async def problems(self) -> list[ProblemPublic]:
        """Some questions without an answer, in order; none: all have one. Each is served to the ledger."""
        run = self._run
        with self._ending():
            async with self._listing, self._database.session() as session:
                principal = await principal_of(session, run)
                access = await CatalogService(session).split_access(run.benchmark, run.split, run.organisation_id)
                if access.split_id != run.split_id:
                    raise EndpointStopError("the benchmark has a new release; begin a new run")
                if access.visibility is Visibility.PRIVATE:
                    return []
                repository = EndpointRunRepository(session)
                answered = await repository.answered(run.submission_id)
                first = await repository.first_left(run.submission_id, run.split_id)
                after = None if first is None else first - 1
                service = ProblemService(session, self._aliases, principal, self._worker.fingerprints, channel=CHANNEL)
                while after is not None:
                    served = await service.page(run.benchmark, run.split, after, _PAGE)
                    if found := [item for item in served.items if self._is_open(item, answered)]:
                        return found
                    after = served.last
        return []

    async def picture(self, path: str) -> Picture | None:
        """A picture of a question, by the address that the question names; None where there is none."""
        run = self._run
        parts = path.split("/", 6)
        if len(parts) != 7 or parts[3] != run.benchmark:
            return None
        async with self._database.session() as session:
            row = await CatalogRepository(session).asset(parts[3], parts[5], parts[6], run.organisation_id)
        return Picture(row.media_type, row.content) if row else None

    async def answer(self, given: ContainerAnswer) -> None:
        """Keep an answer, with what the endpoint was asked since the last one. The first answer stands."""
        problem = self._aliases.decode(self._run.organisation_id, given.problem)
        async with self._database.session() as session:
            repository = EndpointRunRepository(session)
            if problem is None or not await repository.is_question(self._run.split_id, problem):
                raise UnknownProblemError("answer the questions of GET /v1/problems", positions=[0])
        spent = self._unattributed()
        fields = {"answer": given.answer[-MAX_ANSWER:], "usage": spent}
        async with self._database.session() as session:
            fresh = await SubmissionRepository(session).add_items(self._run.submission_id, [(problem, fields)])
        if fresh:
            await self._attributed(spent)

    async def episodes(self) -> list[EpisodeListed]:
        """Episodes that are not over, in order."""
        mine = self._run.organisation_id
        rows = await self._episodes_left()
        return [
            EpisodeListed(id=self._aliases.encode(mine, row.id), type=row.type, subject=row.subject) for row in rows
        ]

    async def open(self, problem: str) -> SessionPublic:
        """Open an episode of the split, or go on with one."""
        with self._ending():
            sessions, submission = await self._sessions(), public_id("sub", self._run.submission_id)
            async with self._database.session() as begun:
                opening = await sessions.open(begun, problem, submission, None)
        return await self._view(opening.id, whole=True)

    async def show(self, session: str) -> SessionPublic:
        """An episode with its transcript."""
        return await self._view((await (await self._sessions()).own(session)).id, whole=True)

    async def step(self, session: str, step: StepCreate) -> StepPublic:
        """Act in an episode."""
        return await self._steps.take(await self._principal(), session, step)

    async def finish(self, session: str, end: SessionFinish) -> SessionPublic:
        """End an episode, with what the endpoint was asked since the last answer."""
        spent = self._unattributed()
        told = SessionFinish.model_validate(end.model_dump(exclude={"usage"}) | {"usage": spent})
        sessions = await self._sessions()
        async with self._database.session() as begun:
            row = await sessions.finish(begun, session, told)
        await self._attributed(spent)
        return await self._view(row.id, whole=False)

    async def complete(self, asked: dict[str, Any]) -> bytes:
        """The endpoint's own reply to a chat completion. Raises EndpointRejectedError, and what ends the run."""
        if self._model is None:
            raise EndpointRejectedError("this run has no endpoint; begin it with one")
        with self._ending():
            async with self._asking:
                tokens, cost = self._items
                within_caps(self._run, tokens + self.report.tokens, cost + self.report.cost)
                try:
                    content, reply = await self._model.relay(asked)
                except EndpointRejectedError as error:
                    await self._spend(error.reply.tokens, error.reply.cost)
                    raise
                await self._spend(reply.tokens, reply.cost)
        return content

    async def left(self) -> int:
        """How many questions and episodes are still to be done: 0, or at least so many."""
        return len(await self.problems()) + len(await self._episodes_left())

    async def save(self) -> None:
        """Keep the report."""
        async with self._worker.database.session() as session:
            await EndpointRunRepository(session).keep_report(self._run.id, self.report)

    async def _spend(self, tokens: int, cost: float) -> None:
        self.report.tokens += tokens
        self.report.cost += cost
        await self.save()

    def _unattributed(self) -> dict[str, Any] | None:
        return None if self._model is None else {"tokens": self.report.tokens, "cost": self.report.cost}

    async def _attributed(self, spent: dict[str, Any] | None) -> None:
        """What an item carries now is not told a second time."""
        if spent is None:
            return
        tokens, cost = self._items
        self._items = tokens + spent["tokens"], cost + spent["cost"]
        self.report.tokens -= spent["tokens"]
        self.report.cost = max(0.0, self.report.cost - spent["cost"])
        await self.save()

    async def _episodes_left(self) -> list[LeftEpisode]:
        async with self._database.session() as session:
            return await EndpointRunRepository(session).episodes_left(self._run.submission_id, self._run.split_id)

    def _is_open(self, item: ProblemPublic, answered: set[UUID]) -> bool:
        return not item.episode and self._aliases.decode(self._run.organisation_id, item.id) not in answered

    async def _principal(self) -> Principal:
        async with self._database.session() as session:
            return await principal_of(session, self._run)

    async def _sessions(self) -> SessionService:
        share, marks = self._worker.settings.session_share, self._worker.fingerprints
        return SessionService(self._database, self._aliases, await self._principal(), marks, self._hosts, share)

    async def _view(self, session_id: UUID, *, whole: bool) -> SessionPublic:
        async with self._database.session() as session:
            idle = self._worker.settings.session_idle_seconds
            return await view(session, self._aliases, self._worker.fingerprints, session_id, idle, whole=whole)

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """What ends the run is kept, and told as such."""
        if self.stopped.done():
            raise _NothingMoreError("the run ends")
        try:
            yield
        except (BudgetSpentError, EndpointStopError) as error:
            if not self.stopped.done():
                self.stopped.set_result(error)
            raise _NothingMoreError("the run ends") from None
