"""Play on real sites in tests: what is needed is installed at the first use, or the test is skipped with the reason."""

import contextlib
import re
import sqlite3
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

import pytest

from envs import places
from envs.base import Action, Observation, Probe, StepResult
from envs.browser.http1 import Request, Response
from envs.web_sites import install
from envs.web_sites.environment import WebSites
from envs.web_sites.instance import Instance
from envs.web_sites.site import site

SEED = 11
PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
WORD = re.compile(r"\w+")
TOKEN = re.compile(r'name="token" value="([0-9a-f]+)"')
SEEN: WeakKeyDictionary[WebSites, Observation] = WeakKeyDictionary()


async def ready(*names: str, seed: int = SEED, size: str = "small") -> None:
    """Have the content of these sites, or skip."""
    for name in names:
        try:
            await install.template(site(name), seed, size)
        except install.SiteUnavailableError as error:
            pytest.skip(f"the site '{name}' cannot be installed here: {error}")


async def begin(*names: str, seed: int = SEED, session: int = 0, **spec: Any) -> WebSites:
    """An episode on the small content of these sites."""
    await ready(*names, seed=seed)
    world = WebSites()
    assert isinstance(world, WebSites)
    start = {"sites": list(names), "seed": seed, "size": "small", "whole_page": True, "timeout": 300.0}
    SEEN[world] = await world.reset(start | spec, session)
    return world


async def act(world: WebSites, *texts: str) -> StepResult:
    """Take the actions, their places filled in from what is seen; every one of them must succeed."""
    result = StepResult(observation=SEEN[world])
    for text in texts:
        action = places.resolve(Action(text=text), SEEN[world])
        result = await world.step(action)
        SEEN[world] = result.observation
        assert result.error is None, (text, action.text, result.error, result.observation.text)
    return result


async def probed(world: WebSites, *probes: tuple[str, dict[str, Any]]) -> Sequence[Any]:
    """The values that probes of these kinds and arguments see."""
    named = [Probe(name=f"p{place}", type=kind, arguments=given) for place, (kind, given) in enumerate(probes)]
    seen = await world.probe(named)
    assert not any(one.error for one in seen), seen
    return [one.value for one in seen]


def instance(world: WebSites, site: str) -> Instance:
    """The session's copy of a site."""
    found = world._instances[site]
    assert isinstance(found, Instance)
    return found


def rows(one: Instance, sql: str, *values: object) -> list[Any]:
    """What a session's database holds."""
    with contextlib.closing(sqlite3.connect(f"file:{one.database}?mode=ro", uri=True)) as connection:
        return connection.execute(sql, values).fetchall()


async def look_at(world: WebSites, site: str, path: str) -> None:
    """Open a page; it must come whole from the site, and the tree must say what the page shows."""
    before = len(world.session.gateway.log)
    await act(world, f"goto [{{{{site {site}}}}}{path}]")
    asked = world.session.gateway.log[before:]
    assert {exchange.host for exchange in asked} == {instance(world, site).host}
    assert [(exchange.path, exchange.status) for exchange in asked if exchange.status >= 400] == []
    assert world.session.script_errors == 0
    seen = await act(world, "observe [accessibility] [1]")
    assert seen.observation.data["cut"] == 0
    tree = seen.observation.text
    assert not PRIVATE_USE.search(tree), PRIVATE_USE.findall(tree)
    # A list that is closed shows one of its options; the tree tells the first hundred.
    await world.session.page.evaluate("() => document.querySelectorAll('select').forEach(list => list.remove())")
    shown = await world.session.page.evaluate("() => document.body.innerText")
    words = WORD.findall(shown)
    assert words
    # As published, a text is not told again where an earlier line holds it; a number always is.
    told = set(WORD.findall(tree))
    missing = sorted(word for word in set(words) - told if word.isdigit() or word not in tree)
    assert missing == [], path


class Visitor:
    """Somebody at a site of our own pages without a browser; `form` is a page of theirs with a form."""

    def __init__(self, instance: Instance, form: str, cookie: str) -> None:
        self.instance = instance
        self.form = form
        self.cookie = cookie

    @classmethod
    async def signed_in(cls, instance: Instance, form: str, role: str) -> "Visitor":
        """Signed in as a role."""
        (cookie,) = await instance.cookies(role)
        return cls(instance, form, f"{cookie['name']}={cookie['value']}")

    async def get(self, path: str, query: str = "") -> Response:
        """A page."""
        headers = {"cookie": self.cookie}
        return await self.instance(Request("GET", self.instance.host, path, query, headers=headers))

    async def token(self) -> str:
        """What the forms of this person's pages carry."""
        found = TOKEN.search((await self.get(self.form)).body.decode())
        return found[1] if found else ""

    async def post(self, path: str, fields: dict[str, str], **headers: str) -> Response:
        """A form, with the token of this person's pages unless `fields` has another."""
        body = urlencode({"token": await self.token()} | fields).encode()
        kind = {"cookie": self.cookie, "content-type": "application/x-www-form-urlencoded"}
        return await self.instance(Request("POST", self.instance.host, path, headers=kind | headers, body=body))
