"""A session's own copy of a site: its database file, its files, what its browser asked for."""

import asyncio
import json
import re
import secrets
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import httpx2
from pydantic import JsonValue

from envs.base import InfrastructureError, SpecError
from envs.browser.http1 import Request, Response
from envs.web_sites import install, process
from envs.web_sites.process import Running
from envs.web_sites.site import Site

DATABASE = "site.sqlite3"
NOT_FORWARDED = frozenset(("connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "te"))
NOT_FORWARDED |= {"host", "content-length", "accept-encoding", "trailer"}
# The browser's cache goes by the machine's clock, by which the site's time is long past.
NOT_ANSWERED = NOT_FORWARDED | {"set-cookie", "date"}
LONGEST_LOG = 5000
LONGEST_FIELD = 2000
LONGEST_PARTS = 200_000
# Name, name of the file if it is one, content.
PART = re.compile(
    rb'name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?[^\r\n]*(?:\r\n[^\r\n]+)*\r\n\r\n(.*?)\r\n--', re.DOTALL
)
DOCUMENTS = ("text/html", "application/json", "text/csv")


@dataclass
class Instance:
    """A site in one session: the handler of its host name in the session's gateway.

    `neighbours` are the session's sites, title and address, which a site may list (X-Heldout-Neighbours, JSON).
    `fault` is set when the site's process failed, which is never the participant's doing.
    """

    site: Site
    template: Path
    running: Running
    host: str
    requests: list[dict[str, JsonValue]] = field(default_factory=list)
    name: str = field(default_factory=lambda: secrets.token_hex(16))
    neighbours: list[tuple[str, str]] = field(default_factory=list)
    fault: str | None = None
    shut: bool = False
    _busy: int = 0
    _idle: asyncio.Condition = field(default_factory=asyncio.Condition)

    @classmethod
    async def open(
        cls, site: Site, host: str, seed: int, size: str, requests: list[dict[str, JsonValue]] | None = None
    ) -> "Instance":
        """A fresh copy of the seed's content; `requests` gets what is asked for. Raises InfrastructureError."""
        template = await install.template(site, seed, size)
        running = await process.shared().running(site)
        made = cls(site, template, running, host, [] if requests is None else requests)
        await made.restore()
        return made

    @property
    def folder(self) -> Path:
        """Where the session's database and uploads are."""
        return self.running.sessions / self.name

    @property
    def database(self) -> Path:
        """The session's database file."""
        return self.folder / DATABASE

    @property
    def address(self) -> str:
        """The site's address in this session."""
        return f"http://{self.host}"

    async def restore(self) -> None:
        """Put the content back to what it was at the start."""
        await asyncio.to_thread(self._restore, self.template)

    async def successor(self) -> "Instance":
        """A session of its own that starts from how this one was left."""
        made = Instance(self.site, self.template, self.running, self.host, neighbours=self.neighbours)
        await asyncio.to_thread(made._restore, self.folder)
        return made

    def _restore(self, source: Path) -> None:
        fresh = self.folder.with_suffix(".new")
        fresh.mkdir(mode=0o700)
        (fresh / "template").symlink_to(self.template)
        # The template's own files are reached through the link; only a session's uploads are copied.
        if source == self.template:
            (fresh / "media").mkdir()
        else:
            shutil.copytree(source / "media", fresh / "media")
        shutil.copyfile(source / DATABASE, fresh / DATABASE)
        if self.folder.exists():
            self.folder.rename(self.folder.with_suffix(".old"))
        fresh.rename(self.folder)
        shutil.rmtree(self.folder.with_suffix(".old"), ignore_errors=True)

    async def close(self) -> None:
        """Delete the session's copy."""
        self.shut = True
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)

    async def cookies(self, role: str) -> list[dict[str, Any]]:
        """Cookies of somebody signed in in this role, as a browser context takes them. Raises SpecError."""
        if role not in self.site.roles:
            raise SpecError(f"'{self.site.name}' has no role '{role[:40]}'; it has: {', '.join(self.site.roles)}")
        headers = [("Host", self.host), ("X-Heldout-Session", self.name), ("X-Heldout-Control", self.running.control)]
        try:
            told = await self.running.ask("GET", f"/?role={role}".encode(), headers)
        except httpx2.HTTPError as error:
            raise InfrastructureError(f"the site '{self.site.name}' does not answer") from error
        if told.status_code != 200:
            raise InfrastructureError(f"the site '{self.site.name}' gave no cookies for '{role}'")
        return [
            {"name": name, "value": value, "domain": self.host, "path": "/", "httpOnly": True, "sameSite": "Lax"}
            for name, value in json.loads(told.text).items()
        ]

    async def __call__(self, request: Request) -> Response:
        """The site's answer to the session's browser."""
        if self.shut:
            return Response.html("<title>Over</title><p>The session is over.</p>", 403)
        self._busy += 1
        try:
            response = await self._forward(request)
        finally:
            self._busy -= 1
            async with self._idle:
                self._idle.notify_all()
        self._note(request, response)
        return response

    async def still(self) -> None:
        """Take no more requests, and wait until those under way are answered."""
        self.shut = True
        async with self._idle:
            await self._idle.wait_for(lambda: self._busy == 0)

    async def _forward(self, request: Request) -> Response:
        headers = [
            (name, value)
            for name, value in request.headers.items()
            if name not in NOT_FORWARDED and not name.startswith(("x-heldout-", "x-forwarded-", "proxy-"))
        ]
        headers += [("Host", self.host), ("X-Heldout-Session", self.name)]
        headers += [("X-Heldout-Neighbours", json.dumps(self.neighbours))]
        try:
            answer = await self.running.serve(request.method, _target(request), headers, request.body)
        except httpx2.HTTPError as error:
            self.fault = f"the site '{self.site.name}' did not answer: {type(error).__name__}"
            return Response.html("<title>Fault</title><p>The site does not answer.</p>", 502)
        cookies = tuple(answer.headers.get_list("set-cookie"))
        kept = {name: value for name, value in answer.headers.items() if name not in NOT_ANSWERED}
        return Response(answer.status_code, answer.content, kept, cookies)

    def _note(self, request: Request, response: Response) -> None:
        kind = next((value for name, value in response.headers.items() if name.lower() == "content-type"), "")
        plain = request.method == "GET" and response.status < 300
        # Pictures, styles and scripts that a page loads by itself are nobody's doing.
        if (plain and not kind.startswith(DOCUMENTS)) or len(self.requests) >= LONGEST_LOG:
            return
        query = f"?{request.query}" if request.query else ""
        self.requests.append(
            {
                "url": f"{self.address}{request.path}{query}",
                "http_method": request.method,
                "post_data": _fields(request),
                "response_status": response.status,
            }
        )


def _target(request: Request) -> bytes:
    return (request.path + (f"?{request.query}" if request.query else "")).encode("ascii", "replace")


def _fields(request: Request) -> dict[str, JsonValue]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    pairs: list[tuple[str, str]] = []
    if kind == "application/x-www-form-urlencoded":
        text = request.body.decode("utf-8", "replace")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=1000) if text.count("&") < 1000 else []
    elif kind == "multipart/form-data" and len(request.body) <= LONGEST_PARTS:
        for name, file, value in PART.findall(request.body):
            pairs.append((name.decode("utf-8", "replace"), (file or value).decode("utf-8", "replace")))
    found: dict[str, Any] = {}
    for name, value in pairs:
        if not name.startswith("csrf"):
            found.setdefault(name, []).append(value[:LONGEST_FIELD])
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}
