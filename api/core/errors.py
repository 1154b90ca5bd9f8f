"""RFC 9457: every error is `application/problem+json` with a stable code and a request id, and echoes nothing."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, ClassVar

import psycopg
import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import DataError, InternalError, OperationalError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.routing import compile_path
from starlette.types import Scope

from api.core.db import full, lost, read_only
from api.core.telemetry import HTTP_ERRORS

log = structlog.get_logger(__name__)
MEDIA_TYPE = "application/problem+json"


class Problem(BaseModel):
    """The body of every error."""

    model_config = ConfigDict(extra="allow")

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    instance: str
    request_id: str


FULL = "the database's disk is full, and nothing of this request was kept; ask again"
FULL_SECONDS = 30
"""After so many seconds."""


class ServiceError(Exception):
    """Base of errors that the caller can do something about; subclasses set status, code and title."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "bad_request"
    title: ClassVar[str] = "The request could not be processed"

    def __init__(
        self,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        retry_after: int | None = None,
        **extensions: object,
    ) -> None:
        """`retry_after`: seconds, in the header and in the body; `extensions`: further fields of the body."""
        super().__init__(detail)
        self.detail = detail
        self.headers = dict(headers or {})
        self.extensions = extensions
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)
            self.extensions["retry_after"] = retry_after


class NotFoundError(ServiceError):
    status = 404
    code = "not_found"
    title = "Not found, or not visible to you"


class InvalidError(ServiceError):
    status = 422
    code = "invalid"
    title = "The request is not valid"


class ConflictError(ServiceError):
    status = 409
    code = "conflict"
    title = "The resource is not in a state that allows this"


class ForbiddenError(ServiceError):
    status = 403
    code = "forbidden"
    title = "You are not allowed to do this"


_CODES = {
    400: "bad_request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "rate_limited",
    503: "unavailable",
}


def problem_response(
    scope: Scope,
    status: int,
    code: str,
    detail: str,
    title: str = "",
    headers: dict[str, str] | None = None,
    **more: Any,
) -> JSONResponse:
    """A problem document for the request in `scope`."""
    HTTP_ERRORS.labels(code).inc()
    body = Problem(
        title=title or HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        code=code,
        instance=scope["path"],
        request_id=scope.get("state", {}).get("request_id", ""),
        **more,
    )
    return JSONResponse(body.model_dump(), status, headers, media_type=MEDIA_TYPE)


async def service_error(request: HTTPConnection, error: Exception) -> JSONResponse:
    """The problem document of a service error."""
    assert isinstance(error, ServiceError)
    return problem_response(
        request.scope, error.status, error.code, error.detail, error.title, error.headers, **error.extensions
    )


async def _http_error(request: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "error")
    details = {
        404: "there is nothing at this address",
        405: "this address does not support that method",
        413: "the request body is too large",
    }
    detail = details.get(error.status_code, HTTPStatus(error.status_code).phrase)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_methods(request))
    return problem_response(request.scope, error.status_code, code, detail, headers=headers)


def _methods(request: HTTPConnection) -> list[str]:
    """The methods that an address has: each is a route of its own, and the router names those of the first alone."""
    path = request.scope["path"]
    found: set[str] = set()
    for context in iter_route_contexts(request.app.routes):
        if context.path and context.methods and compile_path(context.path)[0].match(path):
            found |= context.methods
    return sorted(found)


async def _invalid(request: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    # The input itself is never echoed: it may hold answers or keys.
    faults = [{"field": ".".join(str(p) for p in e["loc"]), "fault": e["msg"]} for e in error.errors()[:20]]
    detail = "; ".join(f"{f['field']}: {f['fault']}" for f in faults[:3])
    return problem_response(request.scope, 422, "invalid", detail, InvalidError.title, faults=faults)


async def _unstorable(request: HTTPConnection, _error: Exception) -> JSONResponse:
    detail = "a value contains a character or a number that cannot be stored, most often NUL (U+0000)"
    return problem_response(request.scope, 422, "invalid", detail, InvalidError.title)


async def _database_error(request: HTTPConnection, error: Exception) -> JSONResponse:
    if not lost(error):
        return await _unexpected(request, error)
    if full(error):
        log.error("database.full")
        detail, seconds = FULL, str(FULL_SECONDS)
    elif read_only(error):
        log.warning("database.read_only")
        detail, seconds = "the database takes no changes for the moment; ask again", "2"
    else:
        request.app.state.database.away.failed(error)
        detail, seconds = "the database does not answer for the moment; ask again", "2"
    return problem_response(request.scope, 503, "unavailable", detail, headers={"Retry-After": seconds})


async def _client_left(request: HTTPConnection, _error: Exception) -> JSONResponse:
    # Nobody reads the answer: it ends the request without a fault of ours.
    log.info("client.left")
    return problem_response(request.scope, 400, "client_left", "the connection ended before the body had come")


async def _unexpected(request: HTTPConnection, error: Exception) -> JSONResponse:
    # The exception's text may quote a row, so only its type and place are logged.
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    log.error("request.failed", error=type(error).__name__, place=place)
    return problem_response(request.scope, 500, "internal", "an error on our side; please report the request_id")


_HANDLERS: dict[type[Exception], Callable[[HTTPConnection, Exception], Awaitable[JSONResponse]]] = {
    ServiceError: service_error,
    HTTPException: _http_error,
    RequestValidationError: _invalid,
    DataError: _unstorable,
    OperationalError: _database_error,
    InternalError: _database_error,
    psycopg.OperationalError: _database_error,
    psycopg.InternalError: _database_error,
    ClientDisconnect: _client_left,
    Exception: _unexpected,
}


async def problem_of(connection: HTTPConnection, error: Exception) -> JSONResponse:
    """The problem document of any error, for what is answered beside the application."""
    handler = next(_HANDLERS[kind] for kind in type(error).__mro__ if kind in _HANDLERS)
    return await handler(connection, error)


def install(app: FastAPI) -> None:
    """Register the handlers."""
    for kind, handler in _HANDLERS.items():
        app.add_exception_handler(kind, handler)
