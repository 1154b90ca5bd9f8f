"""The short way of a step: key and session were looked up a moment ago, and only the host has to be asked.
Both the requests of HTTP and the messages of a channel take it.

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
from typing import Annotated, Any
from uuid import UUID

import msgspec
from fastapi import FastAPI, Response
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.accounts.principal import Principal
from api.core import queue
from api.core.errors import ServiceError
from api.core.ratelimit import limited
from api.sessions.view import step_fields

KEY_SECONDS = 5.0
GRACE_SECONDS = 2.0
_KNOWN = 20_000
LARGEST = 1 << 18
_PREFIX, _SUFFIX = "/v1/sessions/", "/steps"
_count = limited("steps")
_SALT = secrets.token_bytes(16)


class _Tool(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    arguments: dict[str, Any] = {}


class _Action(msgspec.Struct, forbid_unknown_fields=True):
    text: str | None = None
    tool: _Tool | None = None


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    number: Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    action: _Action


_asked = msgspec.json.Decoder(_Asked)


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
        response = Response(media_type="application/json")
        told = await short(HTTPConnection(scope), public, found, body, response) if body is not None else None
        if told is None:
            scope["app"].state.tickets.forget(public)
            await self._app(scope, _again(body or b"", receive), send)
        else:
            response.body = told
            response.headers["Content-Length"] = str(len(told))
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


async def short(
    connection: HTTPConnection, public: str, found: tuple[Principal, Ticket], body: bytes, counted: Response
) -> bytes | None:
    """The reply as JSON, or None where the long way has to tell; `counted` gets the headers that tell the rate."""
    principal, ticket = found
    app: FastAPI = connection.scope["app"]
    asked = _read(body)
    if asked is None:
        return None
    connection.state.principal = principal
    try:
        await _count(connection, counted)
    except ServiceError:
        return None
    number, action = asked
    told = await app.state.holders.once(ticket.id, "step", number=number, action=action)
    if told is None:
        return None
    if told["finish"]:
        # The sweep finds what dies between the end of an episode and this line.
        async with app.state.database.session() as session:
            await queue.defer(session, queue.FINALIZE_SESSION, {"session": str(ticket.id)})
        app.state.tickets.forget(public)
    return msgspec.json.encode(step_fields(ticket, told))


def _read(body: bytes) -> tuple[int, dict[str, Any]] | None:
    """The number and the action as `StepCreate` would give them; None for whatever is not plainly right."""
    if b"\\u0000" in body:
        return None
    try:
        asked = _asked.decode(body)
    except msgspec.MsgspecError:
        return None
    text, tool = asked.action.text, asked.action.tool
    if tool is None:
        return None if text is None else (asked.number, {"text": text})
    return (asked.number, {"tool": {"name": tool.name, "arguments": tool.arguments}}) if text is None else None
