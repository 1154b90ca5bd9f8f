"""A session's own copy of one of our sites: its database file, its files, its handler in the gateway."""

import asyncio
import json
import secrets
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from pydantic import JsonValue

from envs.base import InfrastructureError, SpecError
from envs.browser.http1 import Request, Response
from envs.web_sites import install, process
from envs.web_sites.difference import difference, rows
from envs.web_sites.process import Running
from envs.web_sites.served import NOT_FORWARDED, Row, ServedSite, SignedIn, target
from envs.web_sites.site import Site

DATABASE = "site.sqlite3"
# The browser's cache goes by the machine's clock, by which the site's time is long past.
NOT_ANSWERED = NOT_FORWARDED | {"set-cookie", "date"}


@dataclass
class Instance(ServedSite):
    """A site in one session: the handler of its host name in the session's gateway.

    `neighbours` are the session's sites, title and address, which a site may list (X-Heldout-Neighbours, JSON).
    """

    site: Site
    template: Path
    running: Running
    host: str
    name: str = field(default_factory=lambda: secrets.token_hex(16))
    neighbours: list[tuple[str, str]] = field(default_factory=list)

    @classmethod
    async def open(
        cls,
        site: Site,
        host: str,
        seed: int,
        size: str,
        requests: list[dict[str, JsonValue]] | None = None,
        *,
        beside: "Instance | None" = None,
        digest: str | None = None,
    ) -> "Instance":
        """A fresh copy of the seed's content, or the copy of the site `beside` it, whose data it works on.

        `requests` gets what is asked for; `digest` as in `install.template`. Raises InfrastructureError.
        """
        template = await install.template(site, seed, size, digest)
        running = await process.shared().running(site)
        made = cls(site, template, running, host, requests=[] if requests is None else requests)
        if beside:
            made.folder.symlink_to(beside.folder)
        else:
            await made.restore()
        return made

    @property
    def description(self) -> Site:
        """See `ServedSite`."""
        return self.site

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

    @property
    def hosts(self) -> tuple[str, ...]:
        """The session's host name of the site."""
        return (self.host,)

    @property
    def alive(self) -> bool:
        """Whether the site's process runs."""
        return self.running.alive

    async def restore(self) -> None:
        """Put the content back to what it was at the start."""
        await asyncio.to_thread(self._restore, self.template)

    async def for_graders(self) -> "Instance":
        """A session of its own that starts from how this one was left: looking may count views, and must not count
        against the participant."""
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
        if self.folder.is_symlink():
            self.folder.unlink()
        else:
            await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)

    async def sign_in(self, role: str) -> SignedIn:
        """See `ServedSite`."""
        return SignedIn(tuple(await self.cookies(role)))

    async def cookies(self, role: str) -> list[dict[str, Any]]:
        """Cookies of somebody signed in in this role, as a browser context takes them. Raises SpecError."""
        if role not in self.site.roles:
            raise SpecError(f"'{self.site.name}' has no role '{role[:40]}'; it has: {', '.join(self.site.roles)}")
        headers = [("Host", self.host), ("X-Heldout-Session", self.name), ("X-Heldout-Control", self.running.control)]
        try:
            answer = await self.running.ask("GET", f"/?role={role}".encode(), headers)
        except httpx2.HTTPError as error:
            raise InfrastructureError(f"the site '{self.site.name}' does not answer") from error
        if answer.status_code != 200:
            raise InfrastructureError(f"the site '{self.site.name}' gave no cookies for '{role}'")
        return [
            {"name": name, "value": value, "domain": self.host, "path": "/", "httpOnly": True, "sameSite": "Lax"}
            for name, value in json.loads(answer.text).items()
        ]

    async def state(self) -> dict[str, Any]:
        """What the session changed in its database."""
        return await asyncio.to_thread(difference, self.template / DATABASE, self.database, self.site.volatile)

    async def query(self, name: str, values: dict[str, JsonValue]) -> list[Row]:
        """See `ServedSite`."""
        return await asyncio.to_thread(rows, self.database, self.site.queries[name].sql, values)

    async def forward(self, request: Request) -> Response:
        """The answer of the site's process."""
        headers = [
            (name, value)
            for name, value in request.headers.items()
            if name not in NOT_FORWARDED and not name.startswith(("x-heldout-", "x-forwarded-", "proxy-"))
        ]
        headers += [("Host", self.host), ("X-Heldout-Session", self.name)]
        headers += [("X-Heldout-Neighbours", json.dumps(self.neighbours))]
        try:
            answer = await self.running.serve(request.method, target(request), headers, request.body)
        except httpx2.HTTPError as error:
            self.fault = f"the site '{self.site.name}' did not answer: {type(error).__name__}"
            return Response.html("<title>Fault</title><p>The site does not answer.</p>", 502)
        cookies = tuple(answer.headers.get_list("set-cookie"))
        kept = {name: value for name, value in answer.headers.items() if name not in NOT_ANSWERED}
        return Response(answer.status_code, answer.content, kept, cookies)
