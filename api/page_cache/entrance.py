"""Anonymous GETs of pages and boards, answered from what this process has made before while it is still so.

Plain ASGI before the application. Whoever brings a key or one of our cookies, and whatever else is asked, goes on to
the routes. What is kept is what a route answered to nobody in particular: 200, no cookie, not forbidden to be kept.
"""

import asyncio
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from cachetools import LRUCache
from fastapi import Response
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.core.errors import ServiceError
from api.core.ratelimit import limited
from api.core.routes import ROUTE
from api.core.telemetry import PAGES
from api.page_cache.conditions import Condition, conditions_of
from api.page_cache.places import topics_of
from api.page_cache.versions import CurrentVersions, Version

_KEPT_BYTES = 16 << 20
_LARGEST = 1 << 20
# Of a page besides its body, roughly.
_OTHER_BYTES = 2000
# Proxies and browsers may keep a page, and ask before each use whether it is still so.
_SHARED = [(b"cache-control", b"no-cache"), (b"vary", b"Authorization, Cookie")]
_count = limited("public")

Key = tuple[str, bytes, str, bytes]
Pairs = list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Page:
    """An answer that was made, and when it is still so."""

    version: Version
    conditions: tuple[Condition, ...]
    route: str
    tag: bytes
    headers: Pairs
    body: bytes

    def holds(self, version: Version) -> bool:
        """Whether the same would be made now."""
        return self.version == version and all(condition() for condition in self.conditions)


class KeptPages(LRUCache[Key, Page]):
    """The pages of a process; what was asked for longest ago goes first."""

    def __init__(self) -> None:
        super().__init__(_KEPT_BYTES, lambda page: len(page.body) + _OTHER_BYTES)


class CachedPages:
    """Gives an anonymous GET what was made before, or keeps what is made for it."""

    def __init__(self, app: ASGIApp, pages: KeptPages) -> None:
        self._app = app
        self._pages = pages
        self._making: dict[Key, asyncio.Event] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        topics = _topics(scope)
        if topics is None:
            await self._app(scope, receive, send)
            return
        versions: CurrentVersions = scope["app"].state.page_versions
        key, headers = _key(scope), Headers(scope=scope)
        try:
            page, version = await self._find(key, topics, versions)
        except Exception:  # noqa: BLE001 - the route will meet what is wrong with the database, and say it
            await self._app(scope, receive, send)
            return
        if page is not None and await _answered(page, headers, scope, send):
            return
        await self._make(key, version, scope, receive, send)

    async def _find(self, key: Key, topics: tuple[str, ...], versions: CurrentVersions) -> tuple[Page | None, Version]:
        """The page as it is now, where it was made before or is just being made, and the version to make it from."""
        waited = False
        while True:
            version = await versions.of(topics)
            page = self._pages.get(key)
            if page is not None and page.holds(version):
                return page, version
            making = self._making.get(key)
            if making is None or waited:
                return None, version
            # A change is met by all readers of a board at once, and one of them makes it.
            await making.wait()
            waited = True

    async def _make(self, key: Key, version: Version, scope: Scope, receive: Receive, send: Send) -> None:
        made = _Making(self._pages, key, version, scope, send)
        done = self._making.setdefault(key, asyncio.Event())
        try:
            await self._app(scope, receive, made.take)
        finally:
            done.set()
            if self._making.get(key) is done:
                del self._making[key]


class _Making:
    """Sends an answer on, and keeps it where it may be kept."""

    def __init__(self, pages: KeptPages, key: Key, version: Version, scope: Scope, send: Send) -> None:
        self._pages, self._key, self._version, self._scope, self._send = pages, key, version, scope, send
        self._start: Message | None = None
        self._body = bytearray()

    async def take(self, message: Message) -> None:
        """A part of the answer, from the application."""
        if message["type"] == "http.response.start" and _may_be_kept(message):
            self._start = message
            return
        if self._start is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        await self._finish(self._start, bytes(self._body))

    async def _finish(self, start: Message, body: bytes) -> None:
        made = [(name.lower(), value) for name, value in start["headers"]]
        kept = [(name, value) for name, value in made if not name.startswith(b"ratelimit")]
        tag = b'"%s"' % _digest(kept, body)
        page = Page(
            self._version,
            tuple(conditions_of(self._scope)),
            getattr(self._scope.get("route"), "path", ""),
            tag,
            [*kept, (b"etag", tag), *_SHARED],
            body,
        )
        if len(body) <= _LARGEST:
            self._pages[self._key] = page
        counted = [(name, value) for name, value in made if name.startswith(b"ratelimit")]
        await _send(page, counted, Headers(scope=self._scope), self._send, "made")


async def _answered(page: Page, headers: Headers, scope: Scope, send: Send) -> bool:
    """Count the request and answer it; False: it is over its limit, which the route says in its own words."""
    response = Response()
    try:
        await _count(HTTPConnection(scope), response)
    except ServiceError:
        return False
    scope[ROUTE] = page.route
    counted = [(name, value) for name, value in response.raw_headers if name.startswith(b"ratelimit")]
    await _send(page, counted, headers, send, "kept")
    return True


async def _send(page: Page, counted: Pairs, headers: Headers, send: Send, found: str) -> None:
    same = _matches(headers.getlist("if-none-match"), page.tag)
    PAGES.labels("same" if same else found).inc()
    told = [(b"etag", page.tag), *_SHARED] if same else page.headers
    await send({"type": "http.response.start", "status": 304 if same else 200, "headers": [*told, *counted]})
    await send({"type": "http.response.body", "body": b"" if same else page.body})


def _topics(scope: Scope) -> tuple[str, ...] | None:
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    topics = topics_of(scope["path"])
    if topics is None:
        return None
    for name, value in scope["headers"]:
        # A cookie of ours is somebody's: of a session, or of a visitor whose forms are bound to it.
        if name == b"authorization" or (name == b"cookie" and b"heldout_" in value):
            return None
    return topics


def _key(scope: Scope) -> Key:
    """What an answer depends on besides what it shows: pages say under which address they are reached."""
    host = b",".join(value for name, value in scope["headers"] if name == b"host")
    return scope["path"], scope["query_string"], scope["scheme"], host


def _may_be_kept(start: Message) -> bool:
    names = {name.lower() for name, _ in start["headers"]}
    return start["status"] == 200 and not names & {b"set-cookie", b"cache-control", b"etag"}


def _digest(headers: Pairs, body: bytes) -> bytes:
    digest = hashlib.blake2b(body, digest_size=16)
    for name, value in headers:
        digest.update(name + b":" + value)
    return digest.hexdigest().encode()


def _matches(asked: Iterable[str], tag: bytes) -> bool:
    """Whether one of the tags in If-None-Match is this one; a proxy that compressed the page has made it a weak one."""
    own = tag.decode()
    named = [one.strip().removeprefix("W/") for line in asked for one in line.split(",")]
    return own in named or "*" in named
