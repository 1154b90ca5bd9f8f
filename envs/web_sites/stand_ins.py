"""Scripted stand-ins for sites that are not here: real HTTP servers with a page for every address.

With them a pack's tasks can be opened, stepped and judged before its sites are there; nothing can be solved on them.
"""

import asyncio
import html
import json
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from envs.browser.http1 import HEAD_LIMIT, Request, Response
from envs.web_sites.external.registry import external_sites, using
from envs.web_sites.external.spec import ExternalSite, external_site
from envs.web_sites.listening import answered
from envs.web_sites.site import names as own_names

# WebArena's published ports and paths; another site gets the port of its scheme.
ADDRESSES = {
    "shopping": ":7770",
    "shopping_admin": ":7780/admin",
    "reddit": ":9999",
    "gitlab": ":8023",
    "map": ":3000",
    "wikipedia": ":8888",
    "wiki": ":8888",
    "homepage": ":4399",
    "home": ":4399",
}
ROLE = "member"
LOGIN = "/stand-in/login"
ACCOUNT = "/stand-in/account"
LONGEST_LOG = 200_000

Asked = tuple[Mapping[str, Any], Sequence[tuple[str, Mapping[str, Any]]]]
"""An episode's specification, and its probes: type and arguments of each."""


@dataclass
class SiteNeeds:
    """What the tasks of a pack name of one site."""

    roles: set[str] = field(default_factory=set)
    locators: set[str] = field(default_factory=set)
    queries: set[str] = field(default_factory=set)


def needs_of(episodes: Iterable[Asked]) -> dict[str, SiteNeeds]:
    """By site, from specifications and their probes (type and arguments)."""
    found: dict[str, SiteNeeds] = defaultdict(SiteNeeds)
    for spec, probes in episodes:
        for name in spec.get("sites", ()):
            found[str(name)]
        entered = spec.get("signed_in", ())
        for name in entered:
            found[str(name)].roles |= {str(entered[name])} if isinstance(entered, Mapping) else set()
        for kind, arguments in probes:
            if kind == "query":
                found[str(arguments.get("site"))].queries.add(str(arguments.get("query")))
            page, locator = arguments.get("page"), arguments.get("locator")
            if isinstance(page, Mapping) and isinstance(locator, Mapping) and page.get("site") and locator.get("named"):
                found[str(page["site"])].locators.add(str(locator["named"]))
            if arguments.get("role"):
                for name in spec.get("sites", ()):
                    found[str(name)].roles.add(str(arguments["role"]))
    return dict(found)


class StandIn:
    """One site's server. `log` holds what was asked: method, address below the site's, status."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.base = urlsplit(f"//{ADDRESSES.get(name, '')}").path
        self.log: list[tuple[str, str, int]] = []
        self._server: asyncio.Server | None = None

    async def start(self) -> int:
        """Listen on a free port of this machine; returns it."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=HEAD_LIMIT)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stop listening."""
        if self._server:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def answer(request: Request) -> Response:
            return self.answer(request)

        await answered(answer, reader, writer)

    def answer(self, request: Request) -> Response:
        """The answer to a request."""
        response = self._answer(request)
        query = f"?{request.query}" if request.query else ""
        if len(self.log) < LONGEST_LOG:
            self.log.append((request.method, f"{request.path}{query}", response.status))
        return response

    def _answer(self, request: Request) -> Response:
        signed_in = "stand_in=" in request.headers.get("cookie", "")
        path = request.path.removeprefix(self.base)
        if path == LOGIN and request.method == "POST":
            return Response(
                302,
                b"",
                {"Location": self.base + ACCOUNT},
                (f"stand_in={dict(request.form()).get('who', '')}; Path=/",),
            )
        if path == LOGIN:
            return Response.html(FORM.format(base=self.base))
        if path == ACCOUNT and not signed_in:
            return Response(302, b"", {"Location": self.base + LOGIN})
        if path.startswith("/rest/"):
            return Response(200, _interface(path), {"Content-Type": "application/json"})
        who = "Signed in" if signed_in else "Nobody is signed in"
        return Response.html(PAGE.format(name=html.escape(self.name), path=html.escape(path), base=self.base, who=who))


FORM = """<!doctype html><title>Sign in</title><form method=post action="{base}/stand-in/login">
<label>Name <input name=who></label> <button>Sign in</button></form>"""
PAGE = """<!doctype html><title>Stand-in for {name}</title><h1>Stand-in for {name}</h1><p>{who}. This is {path}.</p>
<nav><a href="{base}/stand-in/one">One</a> <a href="{base}/stand-in/two">Two</a></nav>
<form action="{base}/stand-in/search"><label>Search <input name=q></label> <button>Go</button></form>
<p style="margin-top:900px">The end</p>"""


def _interface(path: str) -> bytes:
    """What the shop's own interface says: a token, one order, no reviews."""
    if path.endswith("/token"):
        return json.dumps("stand-in").encode()
    if path.endswith("/reviews"):
        return b"[]"
    return json.dumps({"items": [{"increment_id": "000000001"}]}).encode()


@dataclass
class StandIns:
    """The servers by the site's name."""

    servers: dict[str, StandIn] = field(default_factory=dict)


@asynccontextmanager
async def stand_ins(asked: Mapping[str, SiteNeeds]) -> AsyncIterator[StandIns]:
    """Within the block every site that is neither an owner's nor our own is a stand-in."""
    made, known = StandIns(), dict(external_sites())
    with tempfile.TemporaryDirectory(prefix="hld-stand-ins-") as folder:
        state = Path(folder) / "state.sqlite3"
        sqlite3.connect(state).close()
        try:
            for name, one in asked.items():
                if name not in known and name not in own_names():
                    server = made.servers[name] = StandIn(name)
                    known[name] = _described(name, one, await server.start(), state)
            with using(known):
                yield made
        finally:
            for server in made.servers.values():
                await server.close()


def _described(name: str, asked: SiteNeeds, port: int, state: Path) -> ExternalSite:
    way = {
        "steps": [
            f"page.goto('{LOGIN}')",
            f"page.get_by_label('Name').fill('{ROLE}')",
            "page.get_by_role('button', name='Sign in').click()",
        ],
        "check": {"path": ACCOUNT, "says": "Signed in"},
    }
    return external_site(
        name,
        {
            "title": f"Stand-in for {name}",
            "address": f"http://{name.replace('_', '-')}.stand-in.test{ADDRESSES.get(name, '')}",
            "upstream": f"http://127.0.0.1:{port}",
            "sharing": "shared",
            "health": {"path": "/stand-in/health"},
            "sign_in": dict.fromkeys(sorted(asked.roles) or [ROLE], way),
            "locators": {key: {"path": "/", "expression": "document.title"} for key in asked.locators},
            "queries": {key: {"sql": "select 1 where 0"} for key in asked.queries},
            "state": {"database": f"sqlite:///{state}"},
            "magento": {"username": "stand-in", "password": "stand-in"},
        },
    )
