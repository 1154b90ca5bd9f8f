"""What a participant does with runs that the service plays: begin and resume; `runs` looks and cancels."""

from uuid import UUID

from api.accounts.errors import ScopeError
from api.accounts.models import Scope
from api.accounts.principal import Principal
from api.catalog.service import CatalogService
from api.core import queue
from api.core.crypto import Aliases, IntakeSeal
from api.core.db import AsyncSession
from api.core.ids import new_id, parse_id
from api.core.outbound import AddressRefusedError, Outbound, UnreachableError
from api.core.settings import Settings
from api.endpoints.errors import (
    EndpointRefusedError,
    NoContainerError,
    NotPlayableError,
    RunStateError,
    TooManyRunsError,
)
from api.endpoints.models import EndpointRun
from api.endpoints.repository import EndpointRunRepository
from api.endpoints.runs import Runs, public, reports_little
from api.endpoints.schemas import (
    ContainerAsked,
    ContainerOfRun,
    EndpointRunCreate,
    EndpointRunPublic,
    EndpointRunResume,
)
from api.endpoints.sealing import key_binding
from api.problems.repository import ProblemRepository
from api.submissions.models import State
from api.submissions.repository import SubmissionRepository
from api.submissions.schemas import SubmissionCreate
from api.submissions.service import SubmissionService
from api.uploads.models import CONTAINER
from api.uploads.repository import UploadRepository
from packs.benchmark import Visibility

_STARTS = 20
"""How often a container is started on a hidden split in one run: each start can tell its owner a few bits."""


class EndpointRunService:
    """Runs of one organisation. The endpoint's key is sealed on the way in; nothing here can read it again."""

    def __init__(self, session: AsyncSession, aliases: Aliases, principal: Principal, settings: Settings) -> None:
        self._session = session
        self._aliases = aliases
        self._principal = principal
        self._settings = settings
        self._repository = EndpointRunRepository(session)
        self.runs = Runs(session, principal.organisation_id)

    async def begin(self, body: EndpointRunCreate, idempotency_key: str | None) -> EndpointRunPublic:
        """Begin a run; the same key again gives the same run.

        Raises NotPlayableError, EndpointRefusedError, TooManyRunsError, and what a submission raises.
        """
        if not self._principal.may(Scope.PROBLEMS_READ):
            raise ScopeError("the endpoint reads problems for you: this needs a key with 'problems:read' too")
        if body.url:
            await self._check_address(body.url)
        if body.container is None:
            await self._check_split(body.benchmark, body.split)
        container = await self._container(body.container) if body.container else None
        await self._check_room()
        submissions = SubmissionService(self._session, self._aliases, self._principal, self._settings)
        asked = SubmissionCreate(benchmark=body.benchmark, split=body.split, model=body.model, finalize=False)
        # A name of its own: no submission that a participant fills can be taken for one that the service fills.
        submission = await submissions.create(asked, idempotency_key and f"endpoint {idempotency_key}"[:200])
        if earlier := await self._repository.of_submission(submission.id):
            return public(earlier)
        taken = await SubmissionRepository(self._session).one(submission.id, lock=True)
        if taken is None or taken.received or taken.state != State.OPEN:
            raise RunStateError("the submission under this Idempotency-Key was used otherwise; use another key")
        run = EndpointRun(
            id=new_id(),
            submission_id=submission.id,
            organisation_id=self._principal.organisation_id,
            key_id=self._principal.key_id,
            container=container.model_dump(mode="json") if container else None,
            **body.model_dump(exclude={"benchmark", "split", "model", "key", "container"}),
        )
        await self._repository.add(run)
        await self._queue(run.id, body.key.get_secret_value(), container=container is not None)
        return public(await self.runs.one(run.id))

    async def resume(self, run: str, body: EndpointRunResume) -> EndpointRunPublic:
        """Go on with the problems that have no answer. Raises NoRunError, RunStateError, TooManyRunsError."""
        found = await self.runs.of(run)
        await self._check_room()
        if reports_little(found) and found.report and found.report.starts >= _STARTS:
            raise RunStateError(f"a container is started {_STARTS} times on a hidden split; begin a new run")
        if not await self._repository.resume(found.id, body.tokens, body.cost):
            raise RunStateError(f"it is {found.state.value}; a run that stopped goes on while its submission is open")
        await self._queue(found.id, body.key.get_secret_value(), container=found.container is not None)
        return public(await self.runs.one(found.id))

    async def _container(self, asked: ContainerAsked) -> ContainerOfRun:
        """The container, all of which has come. Raises NoContainerError, NotPlayableError."""
        if not self._principal.may(Scope.SESSIONS_WRITE):
            raise ScopeError("the container plays for you: this needs a key with 'sessions:write' too")
        upload_id = parse_id("ctr", asked.id)
        upload = upload_id and await UploadRepository(self._session).one(upload_id)
        if not upload or upload.organisation_id != self._principal.organisation_id or upload.kind != CONTAINER:
            raise NoContainerError("GET /v1/containers lists your organisation's containers")
        if missing := upload.parts - len(upload.received):
            raise NotPlayableError(f"{missing} of its {upload.parts} parts have not come; send them first")
        return ContainerOfRun(upload_id=upload.id, name=upload.name, sha256=upload.sha256, command=asked.command)

    async def _queue(self, run_id: UUID, key: str, *, container: bool) -> None:
        sealed = IntakeSeal(await self._repository.public_key()).seal(key.encode(), key_binding(run_id))
        assert await self._repository.keep_key(run_id, sealed)
        arguments, lock = {"run": str(run_id)}, queue.endpoint_lock(run_id)
        where = queue.CONTAINERS if container else queue.ENDPOINTS
        await queue.defer(self._session, queue.PLAY_ENDPOINT, arguments, queue=where, lock=lock)

    async def _check_address(self, url: str) -> None:
        """At once, to say so early; the worker checks it again whenever it connects."""
        outbound = Outbound(self._settings.endpoint_networks)
        try:
            await outbound.target(url)
        except (AddressRefusedError, UnreachableError) as error:
            raise EndpointRefusedError(str(error)) from None
        finally:
            await outbound.close()

    async def _check_split(self, slug: str, split: str) -> None:
        access = await CatalogService(self._session).split_access(slug, split, self._principal.organisation_id)
        if access.visibility is Visibility.PRIVATE:
            raise NotPlayableError("its problems are only played live, in sessions")
        if await ProblemRepository(self._session).episodes(access.split_id, -1, 1):
            raise NotPlayableError("it has episodes; the service plays splits of questions")

    async def _check_room(self) -> None:
        most = self._settings.endpoint_runs
        if most == 0:
            raise NotPlayableError("this service asks no endpoints; its operator sets HELDOUT_ENDPOINT_RUNS")
        if await self._repository.active(self._principal.organisation_id) >= most:
            raise TooManyRunsError(f"{most} of your organisation are played at once; wait for one or cancel it")
