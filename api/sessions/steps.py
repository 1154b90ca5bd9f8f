"""One step of a session. A POST and a message of a channel are the same frame, and one handler takes both.

Key and session were mostly looked up a moment ago (`api.sessions.cache`): then only the host is asked. Where they were
not, or the host refuses, the step takes the fallback, which reads the database and says what is wrong. A step may be
asked for twice: the same number and action give the same stored reply.
"""

from typing import Any

import msgspec
from fastapi import Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.accounts import models
from api.accounts.principal import Principal, Require, authenticate_at_once
from api.core.client_address import client_address
from api.core.db import Database
from api.core.errors import problem_of
from api.core.ratelimit import limited
from api.core.routes import ROUTE
from api.hosting.client import HostClient
from api.hosting.client_errors import SessionOverError
from api.hosting.models import OVER
from api.hosting.protocol import StepReply
from api.hosting.session_repository import SessionRepository
from api.hosting.step_views import StepPublic, step_view
from api.lanes.repository import LaneRepository
from api.sessions.cache import CachedSession, StepCache
from api.sessions.errors import StepNumberError, StepTakenError, host_errors
from api.sessions.lookup import own_session
from api.sessions.schemas import StepCreate
from envs.base import Action

LARGEST = 1 << 18
_PREFIX, _SUFFIX = "/v1/sessions/", "/steps"
_ROUTE = f"{_PREFIX}{{session}}{_SUFFIX}"
_require = Require(models.Scope.SESSIONS_WRITE)
_count = limited("steps")


class StepHandler:
    """Takes steps, whichever way they come."""

    def __init__(self, database: Database, host_client: HostClient, cache: StepCache) -> None:
        self._database = database
        self._host_client = host_client
        self._cache = cache

    async def handle(
        self, connection: HTTPConnection, authorization: str, public: str, body: bytes, response: Response
    ) -> Response:
        """`response` with `StepPublic` as JSON to the `StepCreate` in `body`, or a problem document. Raises nothing."""
        try:
            principal = await self._authenticate(connection, authorization)
            await _count(connection, response)
            reply = await self.take(principal, public, _parse(body))
        except Exception as error:  # noqa: BLE001 - as the application does, for ways that do not pass through it
            return await problem_of(connection, error)
        response.body = msgspec.json.encode(reply)
        return response

    async def take(self, principal: Principal, public: str, step: StepCreate) -> StepPublic:
        """Play one step, or repeat what it gave. The reply is stored before this returns.

        Raises NoSessionError, StepTakenError, StepNumberError, SessionOverError, and what the host can end in
        (`api.hosting.client_errors`).
        """
        action = plain_action(step.action)
        session = self._cache.session(public, principal)
        reply = await self._host_client.try_step(session.id, step.number, action) if session else None
        if session is None or reply is None:
            session, reply = await self._fallback(principal, public, step.number, action)
        elif reply.finish:
            await self._finalize(public, session)
        return step_view(session.public, session.step_limit, session.deadline, reply)

    async def _authenticate(self, connection: HTTPConnection, authorization: str) -> Principal:
        principal = self._cache.principal(authorization)
        # A key of some networks alone is looked at again wherever else it is asked with.
        if principal is None or (principal.networks and principal.address != client_address(connection)):
            principal = await authenticate_at_once(connection)
            _require.check(principal)
            self._cache.add_key(authorization, principal)
        connection.state.principal = principal
        return principal

    async def _fallback(
        self, principal: Principal, public: str, number: int, action: dict[str, Any]
    ) -> tuple[CachedSession, StepReply]:
        """Play one step, or repeat what it gave, with a look at all that can be wrong."""
        self._cache.forget(public)
        async with self._database.session() as database:
            repository = SessionRepository(database)
            row = await own_session(repository, principal, public)
            stored = await repository.step(row.id, number)
        session, following = CachedSession.of(row), row.steps + 1
        if stored and stored.action != action:
            raise StepTakenError(f"step {number} was another action; the next is {following}", next=following)
        if stored and (row.state in OVER or stored.finish is None):
            return session, StepReply(number, stored.observation, stored.finish, stored.answer, stored.error)
        if row.state in OVER:
            raise SessionOverError(f"it ended with '{row.finish_reason}'", finish_reason=row.finish_reason)
        if number > following:
            raise StepNumberError(f"the next step is {following}", next=following)
        with host_errors():
            reply = await self._host_client.step(row.id, number, action)
        if reply.finish:
            await self._finalize(public, session)
        else:
            self._cache.add_session(public, session)
        return session, reply

    async def _finalize(self, public: str, session: CachedSession) -> None:
        # The sweep finds what dies between the end of an episode and this line.
        async with self._database.session() as database:
            await LaneRepository(database).add_session(session.organisation_id, session.id)
        self._cache.forget(public)


def plain_action(action: Action) -> dict[str, Any]:
    """An action as `Action.model_dump(mode="json", exclude_none=True)` gives it, in a tenth of the time."""
    if action.tool is None:
        return {"text": action.text}
    return {"tool": {"name": action.tool.name, "arguments": action.tool.arguments}}


def _parse(body: bytes) -> StepCreate:
    try:
        return StepCreate.model_validate_json(body)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**fault, "loc": ("body", *fault["loc"])} for fault in faults]) from None


class StepEntrance:
    """Plain ASGI before the application: gives POSTs of steps to the handler without the way through the router.

    That way costs 190 µs of CPU a request before anything of a step is done (a route that does nothing: 200 µs, here
    9 µs, in the same run), about as much as all that the web process does for a step. Whatever is not a small plain
    JSON request goes to the route, where bodies are limited.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        public = _session(scope)
        if public is None or not _plain(headers := Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        if body is None:
            return
        scope[ROUTE] = _ROUTE
        handler: StepHandler = scope["app"].state.steps
        authorization, response = headers.get("authorization", ""), Response(media_type="application/json")
        response = await handler.handle(HTTPConnection(scope), authorization, public, body, response)
        response.headers["Content-Length"] = str(len(response.body))
        await response(scope, receive, send)


def _session(scope: Scope) -> str | None:
    if scope["type"] != "http" or scope["method"] != "POST":
        return None
    path: str = scope["path"]
    if not (path.startswith(_PREFIX) and path.endswith(_SUFFIX)):
        return None
    return path[len(_PREFIX) : -len(_SUFFIX)]


def _plain(headers: Headers) -> bool:
    length = headers.get("content-length", "")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return length.isdecimal() and int(length) <= LARGEST and kind == "application/json"


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None where the client has gone."""
    parts = []
    while True:
        message: Message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)
