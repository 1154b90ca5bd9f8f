"""What runs that the service plays have in common, whether it asks an endpoint itself or runs a container."""

from api.accounts.principal import Principal
from api.accounts.repository import AccountRepository
from api.core.crypto import Aliases
from api.core.db import AsyncSession, Database
from api.endpoints.models import RunState
from api.endpoints.repository import EndpointRunRepository, Run
from api.submissions.service import SubmissionService
from api.worker.endpoint_model import EndpointStopError
from api.worker.state import Worker

CHANNEL = "endpoint"
"""The ledger's word for problems that the service served to what it plays."""


async def principal_of(session: AsyncSession, run: Run) -> Principal:
    """Who began the run, as long as their key holds. Raises EndpointStopError."""
    row = await AccountRepository(session).key_by_id(run.key_id)
    if row is None:
        raise EndpointStopError("the key that began this run is not in force any more")
    return Principal.of(row, address="", by_service=True)


async def is_playing(worker: Worker, run: Run) -> bool:
    """Whether nobody has cancelled it."""
    async with worker.database.session() as session:
        return await EndpointRunRepository(session).state(run.id) is RunState.PLAYING


async def end_intake(worker: Worker, database: Database, run: Run) -> None:
    """Have what was answered graded, unless the run was cancelled."""
    if await is_playing(worker, run):
        async with database.session() as session:
            aliases = Aliases(worker.settings.secrets.raw("alias"))
            service = SubmissionService(session, aliases, await principal_of(session, run), worker.settings)
            await service.finalise_played(run.submission_id)


def within_caps(run: Run, tokens: int, cost: float) -> None:
    """Raises EndpointStopError once one of the run's caps is reached."""
    if run.token_cap is not None and tokens >= run.token_cap:
        raise EndpointStopError(f"{tokens} tokens are used, and the cap is {run.token_cap}")
    if run.cost_cap is not None and cost >= run.cost_cap:
        raise EndpointStopError(f"${cost:.4f} are spent, and the cap is ${run.cost_cap:.4f}")
