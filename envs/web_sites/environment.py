"""The environment: real sites in a browser, until the participant stops."""

import asyncio
import contextlib
import datetime
import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

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
from envs.browser.options import Options
from envs.browser.perform import perform
from envs.browser.session import BrowserSession
from envs.browser.verbs import Command, tools
from envs.web_sites import known
from envs.web_sites.difference import TooManyChangesError
from envs.web_sites.external.helpers import member_role, post_url
from envs.web_sites.external.served import External
from envs.web_sites.external.spec import ExternalSite
from envs.web_sites.instance import Instance
from envs.web_sites.pages import Look, PageUnavailableError, Window
from envs.web_sites.served import ServedSite, SignedIn
from envs.web_sites.site import Site, SiteDescription
from envs.web_sites.spec import PROBES, PageAddress, PageLocator, PageProbe, QueryProbe, SiteProbe, WebSitesSpec

LAST_URL = "__last_url__"


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
        self._instances: dict[str, ServedSite] = {}
        self._for_graders: dict[str, ServedSite] = {}
        self._signed_in: dict[str, list[SignedIn]] = {}
        self._roles: dict[str, str] = {}
        self._requests: list[dict[str, JsonValue]] = []
        self._last: str | None = None

    async def start(self, spec: dict[str, Any], seed: int) -> tuple[WebSitesSpec, BrowserSession]:
        """See `BrowserEpisode`. Of `seed` come the host names, so that a replay sees the same addresses."""
        read = parse_spec(WebSitesSpec, spec)
        sites = [known.description(name) for name in dict.fromkeys(read.sites)]
        clocks = {one.now for one in sites if one.now}
        if len(clocks) > 1:
            raise SpecError("the sites of a task must have the same clock ('now' in site.toml)")
        self._roles = roles(read, sites)
        await self._open_sites(read, sites, seed)
        session = await self._browser(read, next(iter(clocks), None))
        await self._open_tabs(read, session)
        self._check()
        return read, session

    async def _open_sites(self, read: WebSitesSpec, sites: list[SiteDescription], seed: int) -> None:
        # One after the other and always in this order: two sessions never wait for each other's sites.
        for one in sorted((one for one in sites if isinstance(one, ExternalSite)), key=lambda one: one.name):
            self._instances[one.name] = await External.open(one, self._requests)
        tag = hashlib.sha256(f"host:{seed}".encode()).hexdigest()[:8]
        own = [one for one in sites if isinstance(one, Site)]
        beside: dict[str, Instance] = {}
        # First those with content of their own, then those that work on another's.
        for several in ([one for one in own if not one.data], [one for one in own if one.data]):
            opened = await asyncio.gather(
                *(
                    Instance.open(
                        one,
                        one.host(tag),
                        read.seed,
                        read.size,
                        self._requests,
                        beside=beside.get(one.data),
                        digest=read.extracts.get(one.name),
                    )
                    for one in several
                ),
                return_exceptions=True,
            )
            beside |= {one.site.name: one for one in opened if isinstance(one, Instance)}
            self._instances |= beside
            for problem in opened:
                if isinstance(problem, BaseException):
                    raise problem
        self._instances = {one.name: self._instances[one.name] for one in sites}
        addresses = {name: (one.description.title, one.address) for name, one in self._instances.items()}
        for name, instance in self._instances.items():
            if isinstance(instance, Instance):
                instance.neighbours = [pair for other, pair in addresses.items() if other != name]

    async def _browser(self, read: WebSitesSpec, now: datetime.datetime | None) -> BrowserSession:
        entered = SignedIn.joined([await self._instances[name].sign_in(role) for name, role in self._roles.items()])
        described = [one.description for one in self._instances.values()]
        external = [one for one in described if isinstance(one, ExternalSite)]
        conditions = [one.ready for one in external if one.ready]
        options = replace(
            Options(),
            now=now,
            timeout=read.timeout,
            load_timeout=read.timeout / 2,
            files=read.uploads(),
            storage_state=entered.storage_state(),
            ready=tuple(conditions),
            published_lines=read.lines == "published",
            endless=frozenset(path for one in external for path in one.endless),
        )
        session = BrowserSession(self._handlers(self._instances), options=options)
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

    @staticmethod
    def _handlers(instances: Mapping[str, ServedSite]) -> dict[str, ServedSite]:
        return {host: one for one in instances.values() for host in one.hosts}

    def opening(self, observation: Observation) -> Observation:
        """The first observation, with the addresses of the session's sites and the tools."""
        addresses = "\n".join(
            f"Site {name}: {one.address} ({one.description.title})" for name, one in self._instances.items()
        )
        return observation.model_copy(update={"text": f"{addresses}\n{observation.text}", "tools": tools(forms=True)})

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
        for one in [*self._instances.values(), *self._for_graders.values()]:
            if one.fault or not one.alive:
                raise InfrastructureError(one.fault or f"the site '{one.description.name}' has died")

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
        self._last = session.tabs[min(session.current, len(session.tabs) - 1)].url if session.tabs else ""
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
                value = list(await self._instance(asked.site).query(asked.query, asked.values))
            case SiteProbe() as asked:
                value = await self._instance(asked.site).state()
        return Evidence(name=probe.name, value=value)

    def _instance(self, name: str) -> ServedSite:
        if name not in self._instances:
            raise SpecError(f"'{name}' is not a site of this task")
        return self._instances[name]

    def _addresses(self) -> dict[str, JsonValue]:
        return {one.description.placeholder: one.address for one in self._instances.values()}

    async def _page(self, given: PageProbe) -> dict[str, Any]:
        if not self._for_graders:
            self._for_graders = {name: await one.for_graders() for name, one in self._instances.items()}
        asked = await self._asked_of_a_site(given.locator)
        if asked is not None:
            return {"url": "", "content": asked, "text": None, "sites": self._addresses()}
        entered = await self._entered(given.role)
        scripts = any(one.scripts for one in self._for_graders.values())
        window = Window(self._for_graders, entered, self.spec.timeout, own_scripts=scripts)
        found = await window.look(await self._what(given))
        self._check()
        return found | {"sites": self._addresses()}

    async def _entered(self, role: str | None) -> SignedIn:
        """Signed in once more for looking, in the participant's roles or in this one."""
        key = role or ""
        if key not in self._signed_in:
            self._signed_in[key] = [
                await self._for_graders[name].sign_in(role or own) for name, own in self._roles.items()
            ]
        return SignedIn.joined(self._signed_in[key])

    async def _asked_of_a_site(self, locator: PageLocator) -> str | None:
        """What a helper says that needs no page."""
        if locator.helper is None or "__page__" in locator.arguments:
            return None
        return await self._helper(locator.helper, locator.arguments)

    async def _helper(self, name: str, arguments: tuple[JsonValue, ...]) -> str:
        for one in self._for_graders.values():
            with contextlib.suppress(KeyError):
                return await one.helper(name, arguments)
        raise SpecError(f"no site of this task has the helper '{name[:60]}'; use a locator or a query")

    async def _what(self, given: PageProbe) -> Look:
        page, locator = given.page, given.locator
        scripts = given.scripts or bool(given.prep_actions)
        if page.site is not None and locator.named is not None:
            one = self._instance(page.site)
            found = one.description.locators[locator.named]
            address = one.address + found.path.format_map(locator.values)
            return Look(address, found.expression, given.prep_actions, scripts)
        expression = locator.expression
        if locator.helper is not None:
            account = [str(value) for value in locator.arguments if value != "__page__"]
            if locator.helper != "gitlab_get_project_memeber_role" or len(account) != 1:
                raise SpecError(f"no page has the helper '{locator.helper[:60]}'; use a locator or a query")
            expression = member_role(account[0])
        return Look(await self._address(page), expression, given.prep_actions, scripts)

    async def _address(self, page: PageAddress) -> str:
        if page.helper == "reddit_get_post_url" and page.arguments == (LAST_URL,):
            return post_url(self._last_address())
        if page.helper is not None:
            return await self._helper(page.helper, page.arguments)
        if page.address is None:
            return self._last_address()
        for one in self._instances.values():
            if page.address.startswith(one.description.placeholder):
                return one.address + page.address.removeprefix(one.description.placeholder)
        raise SpecError(f"the address '{page.address[:80]}' starts with no placeholder of a site of this task")

    def _last_address(self) -> str:
        if urlsplit(str(self._last)).netloc.lower() not in self._handlers(self._instances):
            raise PageUnavailableError("the last page is none of a site")
        return str(self._last)

    async def close(self) -> None:
        """Give the browser back and delete the copies; never raises."""
        await super().close()
        for one in [*self._for_graders.values(), *self._instances.values()]:
            with contextlib.suppress(OSError):
                await one.close()


def roles(spec: WebSitesSpec, sites: Sequence[SiteDescription]) -> dict[str, str]:
    """Role by site. Raises SpecError for a role that a site does not have."""
    by_name = {one.name: one for one in sites}
    if isinstance(spec.signed_in, dict):
        chosen = dict(spec.signed_in)
    else:
        chosen = {name: next(iter(by_name[name].roles), "") for name in spec.signed_in}
    for name, role in chosen.items():
        if role not in by_name[name].roles:
            there_are = ", ".join(by_name[name].roles) or "none"
            raise SpecError(f"'{name}' has no role '{role[:40]}'; it has: {there_are}")
    return chosen
