"""A session by the id that its participant uses."""

from api.accounts.principal import Principal
from api.core.ids import parse_id
from api.hosting.models import LiveSession
from api.hosting.session_repository import SessionRepository
from api.sessions.errors import NoSessionError


async def own_session(repository: SessionRepository, principal: Principal, public: str) -> LiveSession:
    """A session of the principal's organisation. Raises NoSessionError.

    What the service plays on a hidden split nobody reads: its problems were shown to nobody.
    """
    session_id = parse_id("ses", public)
    row = session_id and await repository.one(session_id)
    if not row or row.organisation_id != principal.organisation_id:
        raise NoSessionError("your organisation has no such session")
    if row.submission_id and not principal.by_service and await repository.played_unseen(row.id):
        raise NoSessionError("the service plays it, on a hidden split; what it shows is for the container alone")
    return row
