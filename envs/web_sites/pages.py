"""Looking at a page for a grader: in a context of our own, in which nothing of the participant's is left."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from envs.base import InfrastructureError
from envs.browser import chromium
from envs.browser.gateway import Gateway
from envs.browser.http1 import Request, Response
from envs.web_sites.served import ServedSite, SignedIn

LONGEST_CONTENT = 500_000


@dataclass(frozen=True)
class Look:
    """What to look at: an address, an expression (none for the whole page), and whether the page's scripts run."""

    address: str
    expression: str | None = None
    prepare: tuple[str, ...] = ()
    scripts: bool = False


class PageUnavailableError(Exception):
    """The page could not be looked at, which is evidence: it is not there, or it leads elsewhere."""


class Window:
    """A context of our own on copies of the sites as they were left. Use it for one page, then close it."""

    def __init__(
        self, sites: Mapping[str, ServedSite], entered: SignedIn, timeout: float, *, own_scripts: bool = False
    ) -> None:
        """`own_scripts`: the sites' pages say nothing without their scripts."""
        self._gateway = Gateway({host: _Reading(one) for one in sites.values() for host in one.hosts})
        self._entered = entered
        self._timeout = timeout
        self._own_scripts = own_scripts

    async def look(self, target: Look) -> dict[str, Any]:
        """`{"url", "content", "text"}`. Raises PageUnavailableError, and InfrastructureError when the browser fails."""
        try:
            context = await chromium.shared().context(
                self._gateway,
                java_script_enabled=target.scripts or self._own_scripts,
                service_workers="block",
                accept_downloads=False,
                ignore_https_errors=True,
                storage_state=self._entered.storage_state(),
            )
            try:
                async with asyncio.timeout(self._timeout):
                    page = await context.new_page()
                    arrived = await _arrived(page, target, self._timeout)
                    return await _read(page, target, None if self._own_scripts else arrived)
            except PlaywrightError as error:
                if not chromium.shared().alive(context):
                    raise InfrastructureError(f"the browser died: {error.message.splitlines()[0]}") from error
                raise PageUnavailableError(error.message.splitlines()[0]) from error
            except TimeoutError as error:
                # Without scripts nothing of the participant's can make a page hang.
                if not target.scripts and not self._own_scripts:
                    raise InfrastructureError("the page did not answer") from error
                raise PageUnavailableError("the page did not answer") from error
            finally:
                await chromium.shared().release(context)
        finally:
            await self._gateway.close()


async def _arrived(page: Page, target: Look, timeout: float) -> str:
    """The address that the site itself sends one to."""
    try:
        answer = await page.goto(target.address, wait_until="load", timeout=timeout * 1000)
    except PlaywrightError as error:
        raise InfrastructureError(f"a page could not be opened: {error.message.splitlines()[0]}") from error
    return answer.url if answer else target.address


async def _read(page: Page, target: Look, arrived: str | None) -> dict[str, Any]:
    """What is looked for. A page that is not at `arrived` any more is none, unless its site may lead on by itself."""
    for action in target.prepare:
        try:
            await page.evaluate(f"() => {{ {action} }}")
        except PlaywrightError:
            continue  # as published: a preparation that fails changes nothing
    if target.expression is None:
        content, text = await page.content(), await page.inner_text("body")
        seen: dict[str, Any] = {"content": content[:LONGEST_CONTENT], "text": text[:LONGEST_CONTENT]}
    else:
        found = await page.evaluate(f"() => {{ const found = ({target.expression}); return found ?? null }}")
        seen = {"content": None if found is None else str(found)[:LONGEST_CONTENT], "text": None}
    if arrived is not None and page.url.partition("#")[0] != arrived.partition("#")[0]:
        raise PageUnavailableError("the page leads to another by itself")
    return {"url": page.url} | seen


class _Reading:
    """A site for looking only: what would change something is refused."""

    def __init__(self, site: ServedSite) -> None:
        self._site = site

    async def __call__(self, request: Request) -> Response:
        if not self._site.reads(request):
            return Response.html("<title>Refused</title><p>Only for looking.</p>", 403)
        return await self._site(request)
