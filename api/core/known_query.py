"""A query parameter that a route does not have is refused: a misspelt filter would else list everything."""

from collections.abc import Iterator

from fastapi.dependencies.models import Dependant
from starlette.requests import HTTPConnection

from api.core.errors import ServiceError

# By the function that answers: a route of FastAPI has no hash.
_KNOWN: dict[object, list[str]] = {}


class UnknownParameterError(ServiceError):
    status = 400
    code = "unknown_parameter"
    title = "The address has a query parameter that this route does not know"


async def known_query(connection: HTTPConnection) -> None:
    """A dependency of every route of the API; pages may be linked to with anything. Raises UnknownParameterError."""
    if not connection.scope["query_string"] or not connection.scope["path"].startswith("/v1/"):
        return
    endpoint = connection.scope["endpoint"]
    known = _KNOWN.get(endpoint)
    if known is None:
        route = connection.scope["route"]
        known = _KNOWN[endpoint] = sorted(set(parameters(route.dependant)))
    if unknown := sorted(set(connection.query_params) - set(known)):
        named = ", ".join(f"'{name[:40]}'" for name in unknown[:5])
        raise UnknownParameterError(f"{named}: this route knows {', '.join(known) or 'no parameters'}", known=known)


def parameters(dependant: Dependant) -> Iterator[str]:
    """The query parameters that a route knows, those of its dependencies too."""
    for field in dependant.query_params:
        yield field.alias
    for inner in dependant.dependencies:
        yield from parameters(inner)
