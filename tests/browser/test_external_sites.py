"""Our sites as an owner's own deployments on other ports: tasks of demo-web on them, and their walls."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from api.admission import policies, simulation
from envs import registry
from envs.base import Action, InfrastructureError, Probe
from envs.browser import chromium
from envs.web_sites import generator, install, process
from envs.web_sites.environment import WebSites
from envs.web_sites.external import checking, served
from envs.web_sites.external import deployment as turns
from envs.web_sites.external.registry import using
from envs.web_sites.external.spec import ExternalSite, external_site
from packs.read import read_pack
from tests.support.site_deployment import Deployment, deployment

pytestmark = pytest.mark.browser
PACK = Path(__file__).parents[2] / "benchmarks" / "demo-web"
# The shop's address is where it listens.
HOSTS = {"shop": ""} | {
    name: f"{name.replace('_', '-')}.owner.test" for name in ("forum", "shop_admin", "forge", "encyclopaedia", "map")
}
TASKS = (
    *("into-the-cart-1", "price-into-a-reply-1", "admin-change-a-price-1", "forge-comment-1"),
    *("birthplace-of-a-person-1", "minutes-of-a-way-1"),
)
# Their first pages ask who somebody is.
WELL: dict[str, Any] = {name: {"health": {"path": "/style.css", "seconds": 20}} for name in ("shop_admin", "forge")}
Running = dict[str, Deployment]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns of this test alone."""
    monkeypatch.setattr(turns, "folder", lambda: tmp_path)


@pytest_asyncio.fixture(scope="module")
async def running(shared_browser: chromium.Chromium) -> AsyncIterator[Running]:
    """The sites with the pack's content, deployed elsewhere."""
    try:
        await generator.contents(generator.SEED)
    except install.SiteUnavailableError as error:
        pytest.skip(f"the sites cannot be installed here: {error}")
    async with AsyncExitStack() as stack:
        yield {
            name: await stack.enter_async_context(deployment(name, generator.SEED, "full", host))
            for name, host in HOSTS.items()
        }
    await served.close()
    await process.shared().close()


def described(running: Running, **more: Any) -> dict[str, ExternalSite]:
    """The owner's sites.toml."""
    return {name: external_site(name, one.described(**(WELL.get(name, {}) | more))) for name, one in running.items()}


@pytest.mark.parametrize("name", TASKS)
async def test_a_task_passes_on_its_owners_deployment_and_only_when_it_is_done(
    running: Running, own_cache: None, name: str
) -> None:
    line = read_pack(PACK, registry).reference_by_id[name]
    assert line.episode
    sites: Any = line.episode.spec["sites"]
    used = [running[site] for site in sites]
    before = [one.resets for one in used]
    with using(described(running)):
        done = await simulation.simulate_episode(line, policies.gold(line))
        (idle,) = await simulation.score_answers(line, [""])
    assert (done.error, done.verdict.score, done.verdict.reason) == (None, 1.0, done.verdict.reason)
    assert (idle.error, idle.verdict.score) == (None, 0.0)
    # Each of the two sessions found its sites put back.
    assert [one.resets for one in used] == [count + 2 for count in before] != []


async def test_a_session_reaches_its_owners_sites_and_nothing_else(running: Running, own_cache: None) -> None:
    world = WebSites()
    try:
        with using(described(running)):
            seen = await world.reset(
                {"sites": ["shop", "forum"], "signed_in": {"forum": "member"}, "timeout": 300.0}, 1
            )
            addresses = {name: running[name].address for name in ("shop", "forum")}
            assert seen.data["sites"] == addresses
            for address, refused in (
                (addresses["forum"], False),
                (addresses["shop"], False),
                (running["forum"].upstream, True),
                ("http://127.0.0.1:1", True),
                ("http://owner.test", True),
            ):
                error = (await world.step(Action(text=f"goto [{address}/]"))).error
                assert ("is not a site of this session" in (error or "")) is refused, (address, error)
            # Who is signed in is not led to the login.
            own = (await world.step(Action(text=f"goto [{addresses['forum']}/user/]"))).observation
            assert own.data["url"] == f"{addresses['forum']}/user/"
            asked = Probe(name="state", type="state", arguments={"site": "shop"})
            last, state = await world.probe([Probe(name="page", type="page"), asked])
    finally:
        await world.close()
    value: Any = last.value
    assert value["sites"] == {"__SHOP__": addresses["shop"], "__FORUM__": addresses["forum"]}
    assert state.value == {"tables": {}}


async def test_two_sessions_wait_for_each_other_and_each_finds_the_content(running: Running, own_cache: None) -> None:
    spec = {"sites": ["shop"], "signed_in": {"shop": "customer"}, "timeout": 300.0}
    order: list[str] = []

    async def play(name: str) -> None:
        world = WebSites()
        try:
            await world.reset(spec, 1)
            order.append(f"{name} in")
            await world.step(Action(text="noop"))
            order.append(f"{name} out")
        finally:
            await world.close()

    before = running["shop"].resets
    with using({"shop": described(running)["shop"]}):
        await asyncio.gather(play("a"), play("b"))
    assert order in (["a in", "a out", "b in", "b out"], ["b in", "b out", "a in", "a out"])
    assert running["shop"].resets == before + 2


async def test_a_site_that_goes_away_is_a_fault(running: Running, own_cache: None) -> None:
    site = external_site("shop", running["shop"].described(upstream="http://127.0.0.1:1", health={"seconds": 0.2}))
    with using({"shop": site}), pytest.raises(InfrastructureError, match="ConnectError"):
        await WebSites().reset({"sites": ["shop"]}, 1)


async def test_check_says_of_each_part_whether_it_works(running: Running, own_cache: None) -> None:
    sites = described(running)
    good = await checking.check(sites["shop"], reset=True)
    assert good.works, good.parts
    assert {"address", "reset", "state", "sign-in as customer"} <= set(good.parts)
    broken = running["forum"].described(
        sign_in={"member": {"steps": ["page.get_by_label('No such field').fill('x')"]}},
        state={"database": "sqlite:////nowhere/site.sqlite3"},
    )
    bad = await checking.check(external_site("forum", broken), reset=False)
    assert {part: bool(problem) for part, problem in bad.parts.items()} == {
        "address": False,
        "sign-in as member": True,
        "state": True,
    }
    assert "no element matches" in bad.parts["sign-in as member"]
