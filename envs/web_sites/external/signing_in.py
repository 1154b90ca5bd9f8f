"""Signing somebody in on a site that its owner runs."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import httpx2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from envs.base import InfrastructureError, SpecError
from envs.browser.actions import ActionSyntaxError, from_text
from envs.browser.errors import ActionFailed
from envs.browser.gateway import Site as Handler
from envs.browser.options import Options
from envs.browser.perform import perform
from envs.browser.session import BrowserSession
from envs.browser.verbs import Command
from envs.web_sites.external import commands
from envs.web_sites.external.deployment import Turn
from envs.web_sites.external.spec import SignIn
from envs.web_sites.served import SignedIn

TEXTS = ("text", "option")


class _StorageState(BaseModel):
    """Playwright's storage state, as its own files have it."""

    model_config = ConfigDict(extra="ignore")

    cookies: tuple[dict[str, Any], ...] = ()
    origins: tuple[dict[str, Any], ...] = Field(default=())


async def signed_in(turn: Turn, role: str, handlers: dict[str, Handler]) -> SignedIn:
    """Somebody signed in in this role; `handlers` answer for the site's hosts.

    Raises SpecError for a role that the file does not have and for steps that cannot be done, InfrastructureError
    where the site or the owner's program fails, or nobody is signed in afterwards.
    """
    way = turn.site.sign_in.get(role)
    if way is None:
        known = ", ".join(turn.site.sign_in) or "none"
        raise SpecError(f"'{turn.site.name}' has no role '{role[:40]}'; it has: {known}")
    found = await _found(turn, way, handlers)
    if way.check and not await holds(turn, way, found):
        raise InfrastructureError(
            f"after signing in on '{turn.site.name}' as '{role}' the page {way.check.path} does not show it"
        )
    return found


async def _found(turn: Turn, way: SignIn, handlers: dict[str, Handler]) -> SignedIn:
    if way.steps is not None:
        return await _by_steps(turn, way, handlers)
    if way.command is not None:
        return _read(turn, await commands.run(turn.owner, "the sign-in", way.command, way.seconds))
    assert way.cookies
    try:
        return _read(turn, await asyncio.to_thread(way.cookies.read_text, "utf-8"))
    except OSError as error:
        raise InfrastructureError(f"the cookies of the site '{turn.site.name}': {error}") from error


def _read(turn: Turn, text: str) -> SignedIn:
    try:
        found = json.loads(text)
        state = _StorageState.model_validate({"cookies": found} if isinstance(found, list) else found)
    except (ValueError, ValidationError) as error:
        raise InfrastructureError(f"the sign-in of the site '{turn.site.name}' gave no storage state") from error
    return SignedIn(state.cookies, state.origins)


async def _by_steps(turn: Turn, way: SignIn, handlers: dict[str, Handler]) -> SignedIn:
    options = replace(Options(), now=turn.site.now, timeout=way.seconds, load_timeout=way.seconds)
    session = BrowserSession(handlers, options=options)
    try:
        await session.open()
        for step in way.steps or ():
            try:
                await perform(session, _command(turn, step))
            except (ActionFailed, ActionSyntaxError) as error:
                raise InfrastructureError(f"signing in on '{turn.site.name}', step `{step}`: {error}") from error
        state = await session.storage_state()
    finally:
        await session.close()
    return SignedIn(tuple(state["cookies"]), tuple(state["origins"]))


def _command(turn: Turn, step: str) -> Command:
    command = from_text(step)
    given = dict(command.arguments)
    for name in TEXTS:
        if name in given:
            given[name] = turn.owner.filled(str(given[name]))
    if command.verb == "goto" and str(given["url"]).startswith("/"):
        given["url"] = turn.place.address + str(given["url"])
    return Command(command.verb, given)


async def holds(turn: Turn, way: SignIn, found: SignedIn) -> bool:
    """Whether somebody is still signed in. Raises InfrastructureError when the site does not answer."""
    if way.check is None:
        return False
    host = turn.place.host
    cookies = "; ".join(
        f"{one['name']}={one['value']}" for one in found.cookies if _belongs(one, host.partition(":")[0])
    )
    headers = {"Cookie": cookies, "Host": host}
    url = turn.place.target + way.check.path
    try:
        async with httpx2.AsyncClient(timeout=way.seconds, verify=turn.site.verify_tls) as client:
            answer = await client.get(url, headers=headers)
    except httpx2.HTTPError as error:
        raise InfrastructureError(f"the site '{turn.site.name}' does not answer at {url}") from error
    return answer.status_code == 200 and way.check.says in answer.text


def _belongs(cookie: dict[str, Any], host: str) -> bool:
    domain = str(cookie.get("domain", "")).lstrip(".")
    return domain in ("", host) or host.endswith(f".{domain}")
