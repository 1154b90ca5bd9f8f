"""A session by the id that its participant uses."""

from api.accounts.principal import Principal
from api.core.ids import parse_id
from api.hosting.models import LiveSession
from api.hosting.session_repository import SessionRepository
from api.sessions.errors import NoSessionError


async def own_session(repository: SessionRepository, principal: Principal, public: str) -> LiveSession:
    """A session of the principal's organisation. Raises NoSessionError."""
    session_id = parse_id("ses", public)
    row = session_id and await repository.one(session_id)
    if not row or row.organisation_id != principal.organisation_id:
        raise NoSessionError("your organisation has no such session")
    return row
