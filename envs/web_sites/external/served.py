"""A site that its owner runs, in one session: requests go to it, and nothing of it is kept here."""

import asyncio
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx2
from pydantic import JsonValue

from envs.base import InfrastructureError, SpecError
from envs.browser.http1 import Request, Response
from envs.web_sites.external import deployment, signing_in, state
from envs.web_sites.external.deployment import Turn
from envs.web_sites.external.helpers import HELPERS
from envs.web_sites.external.spec import ExternalSite, Place, gateway_name
from envs.web_sites.served import NOT_FORWARDED, Row, ServedSite, SignedIn, target

ANSWER_SECONDS = 120.0
# What arrives here is decoded, so the browser must not decode it again.
NOT_ANSWERED = NOT_FORWARDED | {"set-cookie", "content-encoding", "alt-svc", "strict-transport-security"}

_TRANSPORTS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[bool, httpx2.AsyncHTTPTransport]] = WeakKeyDictionary()
# Logins that still held when they were last looked at, by place and role.
_LOGINS: dict[tuple[str, str], SignedIn] = {}


def _transport(verify: bool) -> httpx2.AsyncHTTPTransport:
    """Of this event loop. A client would keep one session's cookies and send them with another's requests."""
    known = _TRANSPORTS.setdefault(asyncio.get_running_loop(), {})
    if verify not in known:
        known[verify] = httpx2.AsyncHTTPTransport(verify=verify, limits=httpx2.Limits(max_connections=64))
    return known[verify]


async def close() -> None:
    """End the connections of the running loop."""
    for transport in _TRANSPORTS.pop(asyncio.get_running_loop(), {}).values():
        await transport.aclose()


@dataclass
class External(ServedSite):
    """See `ServedSite`. `turn` is this session's at the deployment; `borrowed` says that another gives it back."""

    turn: Turn
    folder: Path | None = None
    borrowed: bool = False
    upstreams: dict[str, str] = field(default_factory=dict)

    @classmethod
    async def open(cls, site: ExternalSite, requests: list[dict[str, JsonValue]]) -> "External":
        """A turn at the site, put back and well. Raises InfrastructureError and SpecError."""
        made = cls.at(await deployment.turn(site), borrowed=False, scripts=site.scripts)
        made.requests = requests
        try:
            if site.state:
                made.folder = Path(tempfile.mkdtemp(prefix=f"hld-{site.name}-"))
                await state.remember(made.turn, site.state, made.folder)
        except BaseException:
            await made.close()
            raise
        return made

    @classmethod
    def at(cls, turn: Turn, *, borrowed: bool = True, scripts: bool = False) -> "External":
        """A handler of the site's hosts at a place."""
        made = cls(turn, borrowed=borrowed, scripts=scripts)
        made.upstreams = made._upstreams()
        return made

    def check(self) -> None:
        """Raises InfrastructureError when the site has not answered."""
        if self.fault:
            raise InfrastructureError(self.fault)

    def _upstreams(self) -> dict[str, str]:
        origins = {gateway_name(self.place.address): self.place.target}
        origins |= {gateway_name(host): host for host in self.description.hosts}
        return {name: "{0.scheme}://{0.netloc}".format(urlsplit(url)) for name, url in origins.items()}

    @property
    def description(self) -> ExternalSite:
        """What `sites.toml` says of the site."""
        return self.turn.site

    @property
    def place(self) -> Place:
        """Which instance of the site it is."""
        return self.turn.place

    @property
    def address(self) -> str:
        """See `ServedSite`."""
        return self.place.address

    @property
    def hosts(self) -> tuple[str, ...]:
        """See `ServedSite`."""
        return tuple(self.upstreams)

    def reads(self, request: Request) -> bool:
        """Looking may post to what the file names in `posts`."""
        return super().reads(request) or request.path.startswith(self.description.posts or ("\0",))

    async def sign_in(self, role: str) -> SignedIn:
        """Sign in, or take a login that still holds."""
        way = self.description.sign_in.get(role)
        key = (self.place.target, role)
        if way and way.check and key in _LOGINS and await signing_in.holds(self.turn, way, _LOGINS[key]):
            return _LOGINS[key]
        # What signing in asks for is nothing that the participant asked for.
        aside = External.at(self.turn)
        found = await signing_in.signed_in(self.turn, role, dict.fromkeys(self.hosts, aside))
        aside.check()
        _LOGINS[key] = found
        return found

    async def forward(self, request: Request) -> Response:
        """The site's answer, whatever it is. A site that does not answer is a fault."""
        reads = self.reads(request)
        if self.description.read_only and not reads:
            return Response.html("<title>Refused</title><p>This site can only be looked at.</p>", 403)
        if not self.borrowed and not reads:
            self.turn.dirty = True
        headers = [(name, value) for name, value in request.headers.items() if name not in NOT_FORWARDED]
        headers = [pair for pair in headers if not pair[0].startswith(("x-heldout-", "x-forwarded-", "proxy-"))]
        headers += [("Host", request.host), ("Accept-Encoding", "identity"), ("Connection", "keep-alive")]
        try:
            answer = await self._answered(request, headers)
        except httpx2.HTTPError as error:
            self.fault = f"the site '{self.description.name}' did not answer: {type(error).__name__}"
            return Response.html("<title>Fault</title><p>The site does not answer.</p>", 502)
        kept = {name: value for name, value in answer.headers.items() if name not in NOT_ANSWERED}
        return Response(answer.status_code, answer.content, kept, tuple(answer.headers.get_list("set-cookie")))

    async def _answered(self, request: Request, headers: list[tuple[str, str]]) -> httpx2.Response:
        origin = httpx2.URL(self.upstreams[request.host])
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), ANSWER_SECONDS)
        url = origin.copy_with(raw_path=target(request))
        asked = httpx2.Request(
            request.method, url, headers=headers, content=request.body, extensions={"timeout": timeouts}
        )
        answer = await _transport(self.description.verify_tls).handle_async_request(asked)
        try:
            await answer.aread()
        finally:
            await answer.aclose()
        return answer

    async def state(self) -> dict[str, Any]:
        """What changed in the tables that the file names."""
        described = self.description.state
        if described is None or self.folder is None:
            raise SpecError(f"sites.toml does not say where the state of '{self.description.name}' is read")
        return await state.changes(self.turn, described, self.folder, self.description.volatile)

    async def query(self, name: str, values: dict[str, JsonValue]) -> list[Row]:
        """See `ServedSite`."""
        asked = self.description.queries[name]
        if asked.http:
            return await state.over_http(self.turn, asked.http, values)
        if self.description.state is None:
            raise SpecError(f"sites.toml does not say where the state of '{self.description.name}' is read")
        return await state.select(self.turn, self.description.state, asked.sql or "", values)

    async def helper(self, name: str, arguments: tuple[JsonValue, ...]) -> str:
        """See `ServedSite`."""
        if name not in HELPERS:
            return await super().helper(name, arguments)
        return await HELPERS[name](self.turn, *map(str, arguments))

    async def for_graders(self) -> "External":
        """The same deployment, through a handler of the graders' own."""
        return External.at(self.turn, scripts=self.scripts)

    async def close(self) -> None:
        """End the turn."""
        self.shut = True
        if self.folder:
            await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)
        if not self.borrowed:
            self.turn.give_back()
