"""The short way of a step: key and session were looked up a moment ago, and only the host has to be asked.

Whatever is unusual (a key not seen lately, a first step, a refusal, an error) goes the long way, which is the one that
tells what is wrong: a step may be asked for twice. A revoked key is noticed KEY_SECONDS and twice GRACE_SECONDS later
at the latest.
"""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from fastapi import FastAPI, Request, Response
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.accounts.principal import Principal
from api.core import queue
from api.core.errors import ServiceError
from api.core.ratelimit import limited
from api.sessions.schemas import StepCreate
from api.sessions.view import step_view

KEY_SECONDS = 5.0
GRACE_SECONDS = 2.0
_KNOWN = 20_000
_LARGEST = 1 << 18
_PREFIX, _SUFFIX = "/v1/sessions/", "/steps"
_count = limited("steps")
_SALT = secrets.token_bytes(16)


@dataclass(frozen=True)
class Ticket:
    """What a step needs to know of a session; none of it changes while the session runs."""

    id: UUID
    organisation_id: UUID
    deadline: datetime | None
    step_limit: int


@dataclass(frozen=True)
class Seen:
    """A key that was checked, and until when that counts; `last`: it is being checked again."""

    until: float
    principal: Principal
    last: bool = False


class Tickets:
    """Keys that were checked lately, and sessions of their organisations."""

    def __init__(self) -> None:
        self._keys: OrderedDict[bytes, Seen] = OrderedDict()
        self._sessions: OrderedDict[str, Ticket] = OrderedDict()

    def give(self, authorization: str, principal: Principal, public: str, ticket: Ticket) -> None:
        """Remember a key that was just checked, and a session it has just opened or stepped."""
        _keep(self._keys, _mark(authorization), Seen(asyncio.get_running_loop().time() + KEY_SECONDS, principal))
        _keep(self._sessions, public, ticket)

    def look(self, authorization: str, public: str) -> tuple[Principal, Ticket] | None:
        """The principal and the session, if both are known, fresh, and of one organisation."""
        ticket = self._sessions.get(public)
        principal = self._fresh(_mark(authorization))
        if ticket is None or principal is None or principal.organisation_id != ticket.organisation_id:
            return None
        return principal, ticket

    def _fresh(self, mark: bytes) -> Principal | None:
        seen = self._keys.get(mark)
        now = asyncio.get_running_loop().time()
        if seen is None or now <= seen.until:
            return seen.principal if seen else None
        # The first to find a key stale goes the long way, which checks it; others need not go with it.
        if seen.last or now > seen.until + GRACE_SECONDS:
            del self._keys[mark]
        else:
            self._keys[mark] = Seen(now + GRACE_SECONDS, seen.principal, last=True)
        return None

    def forget(self, public: str) -> None:
        """Let the next step of a session go the long way."""
        self._sessions.pop(public, None)


def _mark(authorization: str) -> bytes:
    return hashlib.sha256(_SALT + authorization.encode()).digest()


def _keep(kept: OrderedDict[Any, Any], name: Any, value: Any) -> None:
    kept[name] = value
    kept.move_to_end(name)
    if len(kept) > _KNOWN:
        kept.popitem(last=False)


class FastSteps:
    """Plain ASGI before the application: answers the steps it can, hands everything else on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        public = _session(scope)
        found = None
        if public is not None:
            headers = Headers(scope=scope)
            found = scope["app"].state.tickets.look(headers.get("authorization", ""), public)
        if public is None or found is None or not _plain(headers):
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        principal, ticket = found
        response = await _step(scope, public, principal, ticket, body) if body is not None else None
        if response is None:
            scope["app"].state.tickets.forget(public)
            await self._app(scope, _again(body or b"", receive), send)
        else:
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
    return length.isdecimal() and int(length) <= _LARGEST and kind == "application/json"


async def _body(receive: Receive) -> bytes | None:
    parts = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    """What was read is read again by the application."""
    left = [body]

    async def told() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return told


async def _step(scope: Scope, public: str, principal: Principal, ticket: Ticket, body: bytes) -> Response | None:
    """The reply, or None where the long way has to tell."""
    app: FastAPI = scope["app"]
    try:
        asked = StepCreate.model_validate_json(body)
        counted = Response(media_type="application/json")
        request = Request(scope)
        request.state.principal = principal
        await _count(request, counted)
    except (ValidationError, ServiceError):
        return None
    action = asked.action.model_dump(mode="json", exclude_none=True)
    told = await app.state.holders.once(ticket.id, "step", number=asked.number, action=action)
    if told is None:
        return None
    if told["finish"]:
        # The sweep finds what dies between the end of an episode and this line.
        async with app.state.database.session() as session:
            await queue.defer(session, queue.CONCLUDE, {"session": str(ticket.id)})
        app.state.tickets.forget(public)
    counted.body = step_view(ticket, told).model_dump_json().encode()
    counted.headers["Content-Length"] = str(len(counted.body))
    return counted
