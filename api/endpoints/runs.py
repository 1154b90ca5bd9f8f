"""An organisation's runs: what its members see of them, and that they cancel them."""

from uuid import UUID

from api.core.db import AsyncSession
from api.core.ids import parse_id, public_id
from api.endpoints.errors import NoRunError, RunStateError
from api.endpoints.models import RunState
from api.endpoints.repository import EndpointRunRepository, Run
from api.endpoints.schemas import EndpointRunPublic
from api.hosting.session_repository import SessionRepository
from api.lanes.repository import LaneRepository
from api.submissions.view import in_tenths

_LISTED = 50


class Runs:
    """Runs of one organisation, by their public ids; what hidden splits keep to themselves is left out."""

    def __init__(self, session: AsyncSession, organisation_id: UUID) -> None:
        self._session = session
        self._organisation = organisation_id
        self._repository = EndpointRunRepository(session)

    async def show(self, run: str) -> EndpointRunPublic:
        """One run. Raises NoRunError."""
        return public(await self.of(run))

    async def listed(self) -> list[EndpointRunPublic]:
        """The organisation's runs, newest first."""
        return [public(row) for row in await self._repository.of_organisation(self._organisation, _LISTED)]

    async def cancel(self, run: str) -> EndpointRunPublic:
        """Ask nothing more; answers stay, episodes under way end unjudged. Raises NoRunError, RunStateError."""
        found = await self.of(run)
        if not await self._repository.cancel(found.id):
            raise RunStateError(f"it is {found.state.value}")
        await end_episodes(self._session, found)
        return public(await self.one(found.id))

    async def of(self, run: str) -> Run:
        """A run of the organisation. Raises NoRunError."""
        run_id = parse_id("run", run)
        found = run_id and await self._repository.one(run_id)
        if not found or found.organisation_id != self._organisation:
            raise NoRunError("GET /v1/endpoint-runs lists your organisation's runs")
        return found

    async def one(self, run_id: UUID) -> Run:
        """A run that is there."""
        found = await self._repository.one(run_id)
        assert found
        return found


async def end_episodes(session: AsyncSession, run: Run) -> None:
    """End the episodes under way of a cancelled run: they count as not solved, as any that their player gives up."""
    sessions, lanes = SessionRepository(session), LaneRepository(session)
    for episode in await EndpointRunRepository(session).under_way(run.submission_id):
        if await sessions.cancel(episode):
            await lanes.add_session(run.organisation_id, episode)


def reports_little(run: Run) -> bool:
    """Whether a container plays it on a hidden split: what that does could tell its owner of problems."""
    return run.container is not None and not run.is_open


def _answered(run: Run) -> int:
    if not reports_little(run):
        return run.answered
    return 0 if run.state in (RunState.QUEUED, RunState.PLAYING) else in_tenths(run.answered, run.expected)


def public(run: Run) -> EndpointRunPublic:
    """A run as its organisation sees it."""
    return EndpointRunPublic(
        id=public_id("run", run.id),
        submission=public_id("sub", run.submission_id),
        benchmark=run.benchmark,
        split=run.split,
        model=run.model,
        url=run.url,
        endpoint_model=run.endpoint_model,
        state=run.state.value,
        failure=run.failure,
        answered=_answered(run),
        expected=run.expected,
        tokens=run.spent_tokens + (run.report.tokens if run.report else 0),
        cost=run.spent_cost + (run.report.cost if run.report else 0.0),
        token_cap=run.token_cap,
        cost_cap=run.cost_cap,
        requests_per_minute=run.requests_per_minute,
        container=run.container.name if run.container else None,
        report=run.report,
        created_at=run.created_at,
        changed_at=run.changed_at,
    )
