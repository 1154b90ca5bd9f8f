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
from envs.web_sites.instance import Instance

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

    def __init__(self, instances: Mapping[str, Instance], cookies: list[dict[str, Any]], timeout: float) -> None:
        self._gateway = Gateway({one.host: _Reading(one) for one in instances.values()})
        self._cookies = cookies
        self._timeout = timeout

    async def look(self, target: Look) -> dict[str, Any]:
        """`{"url", "content", "text"}`. Raises PageUnavailableError, and InfrastructureError when the browser fails."""
        try:
            context = await chromium.shared().context(
                self._gateway,
                java_script_enabled=target.scripts,
                service_workers="block",
                accept_downloads=False,
                ignore_https_errors=True,
                storage_state={"cookies": self._cookies, "origins": []},
            )
            try:
                async with asyncio.timeout(self._timeout):
                    page = await context.new_page()
                    return await _read(page, target, await _arrived(page, target, self._timeout))
            except PlaywrightError as error:
                if context.browser is None or not context.browser.is_connected():
                    raise InfrastructureError(f"the browser died: {error.message.splitlines()[0]}") from error
                raise PageUnavailableError(error.message.splitlines()[0]) from error
            except TimeoutError as error:
                # Without scripts nothing of the participant's can make a page hang.
                if not target.scripts:
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


async def _read(page: Page, target: Look, arrived: str) -> dict[str, Any]:
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
    if page.url.partition("#")[0] != arrived.partition("#")[0]:
        raise PageUnavailableError("the page leads to another by itself")
    return {"url": page.url} | seen


class _Reading:
    """A site for looking only: what would change something is refused."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    async def __call__(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return Response.html("<title>Refused</title><p>Only for looking.</p>", 403)
        return await self._instance(request)
