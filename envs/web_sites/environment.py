"""The environment: real sites in a browser, until the participant stops."""

import asyncio
import contextlib
import hashlib
import sqlite3
from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from envs.base import (
    Action,
    Evidence,
    InfrastructureError,
    NoArguments,
    Observation,
    Probe,
    SpecError,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.browser.actions import from_text
from envs.browser.episode import BrowserEpisode
from envs.browser.errors import ActionFailed
from envs.browser.perform import perform
from envs.browser.session import BrowserSession, Options
from envs.browser.verbs import Command, tools
from envs.web_sites.difference import TooManyChangesError, difference, rows
from envs.web_sites.instance import Instance
from envs.web_sites.pages import Look, PageUnavailableError, Window
from envs.web_sites.site import Site, site
from envs.web_sites.spec import PROBES, PageProbe, QueryProbe, SiteProbe, WebSitesSpec


class WebSites(BrowserEpisode):
    """An episode on sites. Probes:

    `page`: the last address, `{"url", "sites"}`. `page_content` (`PageProbe`): `{"url", "content", "text"}` of a page
    opened in a context of our own. `state` (`site`): what changed in its database, see `difference`. `query` (`site`,
    `query`, `values`): rows of one of the site's queries. `network`: `{"requests", "sites"}`, what the browser asked.
    `sites` gives the session's address for each placeholder such as `__SHOP__`.
    """

    spec: WebSitesSpec

    def __init__(self) -> None:
        super().__init__()
        self._instances: dict[str, Instance] = {}
        self._successors: dict[str, Instance] = {}
        self._roles: dict[str, str] = {}
        self._requests: list[dict[str, JsonValue]] = []
        self._last: str | None = None

    async def start(self, spec: dict[str, Any], seed: int) -> tuple[WebSitesSpec, BrowserSession]:
        """See `BrowserEpisode`. Of `seed` come the host names, so that a replay sees the same addresses."""
        read = parse_spec(WebSitesSpec, spec)
        sites = [site(name) for name in dict.fromkeys(read.sites)]
        if len({one.now for one in sites}) > 1:
            raise SpecError("the sites of a task must have the same clock ('now' in site.toml)")
        self._roles = roles(read, sites)
        tag = hashlib.sha256(f"host:{seed}".encode()).hexdigest()[:8]
        opened = await asyncio.gather(
            *(Instance.open(one, one.host(tag), read.seed, read.size, self._requests) for one in sites),
            return_exceptions=True,
        )
        self._instances = {one.site.name: one for one in opened if isinstance(one, Instance)}
        for problem in opened:
            if isinstance(problem, BaseException):
                raise problem
        for one in self._instances.values():
            one.neighbours = [
                (other.site.title, other.address) for other in self._instances.values() if other is not one
            ]
        session = await self._browser(read, sites[0])
        await self._open_tabs(read, session)
        self._check()
        return read, session

    async def _browser(self, read: WebSitesSpec, first: Site) -> BrowserSession:
        cookies = [c for name, role in self._roles.items() for c in await self._instances[name].cookies(role)]
        options = replace(
            Options(),
            now=first.now,
            timeout=read.timeout,
            load_timeout=read.timeout / 2,
            files=read.uploads(),
            storage_state={"cookies": cookies, "origins": []},
        )
        session = BrowserSession({one.host: one for one in self._instances.values()}, options=options)
        self._session = session
        await session.open()
        return session

    async def _open_tabs(self, read: WebSitesSpec, session: BrowserSession) -> None:
        try:
            for number, tab in enumerate(read.tabs()):
                if number:
                    await session.new_tab()
                await perform(session, from_text(f"goto [{self._instances[tab.site].address}{tab.path}]"))
            if len(read.tabs()) > 1:
                await perform(session, from_text("tab_focus [0]"))
        except ActionFailed as error:
            self._check()
            raise SpecError(f"a page of the start cannot be opened: {error}") from error

    def opening(self, observation: Observation) -> Observation:
        """The first observation, with the addresses of the session's sites and the tools."""
        told = "\n".join(f"Site {name}: {one.address} ({one.site.title})" for name, one in self._instances.items())
        return observation.model_copy(update={"text": f"{told}\n{observation.text}", "tools": tools(forms=True)})

    async def _see(self, command: Command | None) -> Observation:
        seen = await super()._see(command)
        here: dict[str, JsonValue] = {name: one.address for name, one in self._instances.items()}
        return seen.model_copy(update={"data": {**seen.data, "sites": here}})

    async def step(self, action: Action) -> StepResult:
        """See `BrowserEpisode`. A site that failed is a fault of ours, whatever its page looked like."""
        result = await super().step(action)
        self._check()
        return result

    def _check(self) -> None:
        for one in [*self._instances.values(), *self._successors.values()]:
            if one.fault or not one.running.alive:
                raise InfrastructureError(one.fault or f"the site '{one.site.name}' has died")

    async def done(self, command: Command | None) -> bool:
        """Only the participant ends the task."""
        del command
        return False

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """See `BrowserEpisode`. The participant's browser is closed first; nothing it left can act any more."""
        await self._freeze()
        return await super().probe(probes)

    async def _freeze(self) -> None:
        if self._session is None or self._last is not None:
            return
        session = self._session
        if not session.alive():
            raise InfrastructureError("the browser died")
        self._last = session.tabs[min(session.current, len(session.tabs) - 1)].page.url if session.tabs else ""
        for one in self._instances.values():
            await one.still()
        await session.close()
        self._check()

    async def look(self, probe: Probe) -> Evidence:
        """What one probe sees; a probe that is written wrongly is a fault, never the participant's."""
        try:
            return await self._seen(probe)
        except (KeyError, SpecError, sqlite3.Error) as error:
            return Evidence(name=probe.name, error=f"the probe is written wrongly: {error}"[:500], fault=True)
        except (PageUnavailableError, TooManyChangesError) as error:
            return Evidence(name=probe.name, error=str(error))

    async def _seen(self, probe: Probe) -> Evidence:
        value: JsonValue
        match parse_probe(PROBES, probe):
            case NoArguments() if probe.type == "page":
                value = {"url": self._last or "", "sites": self._addresses()}
            case NoArguments():
                value = {"requests": list(self._requests), "sites": self._addresses()}
            case PageProbe() as asked:
                value = await self._page(asked)
            case QueryProbe() as asked:
                one = self._instance(asked.site)
                sql = one.site.queries[asked.query].sql
                value = list(await asyncio.to_thread(rows, one.database, sql, asked.values))
            case SiteProbe() as asked:
                one = self._instance(asked.site)
                kept = one.template / "site.sqlite3"
                value = await asyncio.to_thread(difference, kept, one.database, one.site.volatile)
        return Evidence(name=probe.name, value=value)

    def _instance(self, name: str) -> Instance:
        if name not in self._instances:
            raise SpecError(f"'{name}' is not a site of this task")
        return self._instances[name]

    def _addresses(self) -> dict[str, JsonValue]:
        return {one.site.placeholder: one.address for one in self._instances.values()}

    async def _page(self, given: PageProbe) -> dict[str, Any]:
        if not self._successors:
            # Copies of what was left: looking may count views, and must not count against the participant.
            self._successors = {name: await one.successor() for name, one in self._instances.items()}
        cookies = []
        for name, role in self._roles.items():
            cookies += await self._successors[name].cookies(given.role or role)
        window = Window(self._successors, cookies, self.spec.timeout)
        seen = await window.look(self._what(given))
        self._check()
        return seen

    def _what(self, given: PageProbe) -> Look:
        page, locator = given.page, given.locator
        scripts = given.scripts or bool(given.prep_actions)
        if page.site is not None and locator.named is not None:
            one = self._instance(page.site)
            found = one.site.locators[locator.named]
            address = one.address + found.path.format_map(locator.values)
            return Look(address, found.expression, given.prep_actions, scripts)
        if page.helper is not None or locator.helper is not None:
            raise SpecError("this site has no helpers; use a locator or a query")
        return Look(self._address(page.address), locator.expression, given.prep_actions, scripts)

    def _address(self, address: str | None) -> str:
        """An address on a site, or the last page for none."""
        if address is None:
            if not any(str(self._last).startswith(f"{one.address}/") for one in self._instances.values()):
                raise PageUnavailableError("the last page is none of a site")
            return str(self._last)
        for one in self._instances.values():
            if address.startswith(one.site.placeholder):
                return one.address + address.removeprefix(one.site.placeholder)
        raise SpecError(f"the address '{address[:80]}' starts with no placeholder of a site of this task")

    async def close(self) -> None:
        """Give the browser back and delete the copies; never raises."""
        await super().close()
        for one in [*self._instances.values(), *self._successors.values()]:
            with contextlib.suppress(OSError):
                await one.close()


def roles(spec: WebSitesSpec, sites: list[Site]) -> dict[str, str]:
    """Role by site. Raises SpecError for a role that a site does not have."""
    by_name = {one.name: one for one in sites}
    if isinstance(spec.signed_in, dict):
        chosen = dict(spec.signed_in)
    else:
        chosen = {name: next(iter(by_name[name].roles)) for name in spec.signed_in}
    for name, role in chosen.items():
        if role not in by_name[name].roles:
            raise SpecError(f"'{name}' has no role '{role[:40]}'; it has: {', '.join(by_name[name].roles)}")
    return chosen
