"""Episodes on a site with holes: sessions share nothing, graders see what is there, faults are ours."""

import asyncio
import contextlib
import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio

from envs.base import Action, FinishReason, InfrastructureError, Observation, Probe
from envs.browser import chromium, confine
from envs.browser.http1 import Request
from envs.web_sites import install, process, watch
from envs.web_sites.confine import MEMORY_BYTES
from envs.web_sites.environment import WebSites
from envs.web_sites.instance import Instance
from envs.web_sites.site import site

pytestmark = pytest.mark.browser
HERE = Path(__file__).parent
SPEC: dict[str, Any] = {"sites": ["leaky"], "seed": 4, "signed_in": {"leaky": "ada"}, "timeout": 300.0}
PLANTED = "<script>document.querySelector('#who').textContent = 'root'</script>"
WHO = {"page": {"site": "leaky"}, "locator": {"named": "who"}}
Opener = Callable[..., Awaitable[tuple[WebSites, Observation]]]


@pytest_asyncio.fixture
async def leaky(
    shared_browser: chromium.Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Opener]:
    """Opens sessions on the site with holes. Skips where its two packages cannot be installed."""
    (tmp_path / "common").symlink_to(HERE.parents[1] / "envs" / "web_sites" / "sites" / "common")
    (tmp_path / "leaky").symlink_to(HERE / "leaky")
    monkeypatch.setenv("HELDOUT_SITES", str(tmp_path))
    opened: list[WebSites] = []

    async def start(seed: int = 0, **more: Any) -> tuple[WebSites, Observation]:
        world = WebSites()
        opened.append(world)
        return world, await world.reset(SPEC | more, seed)

    try:
        await install.python(site("leaky"))
    except install.SiteUnavailableError as error:
        pytest.skip(f"the site's packages cannot be installed here: {error}")
    yield start
    for world in opened:
        await world.close()
    await process.shared().close()


def instance(world: WebSites) -> Instance:
    found = world._instances["leaky"]
    assert isinstance(found, Instance)
    return found


async def write(world: WebSites, text: str) -> None:
    """Keep a note, as a person does."""
    for action in (f'modify_text("text", "{text}")', "submit"):
        result = await world.step(Action(text=action))
        assert result.error is None


async def probed(world: WebSites, kind: str, **arguments: Any) -> Any:
    """What one probe sees; its error if it saw nothing."""
    (seen,) = await world.probe([Probe(name="probe", type=kind, arguments=arguments)])
    assert not seen.fault, seen.error
    return seen.error or seen.value


async def shown(world: WebSites, selector: str) -> str:
    """What the participant's own page shows."""
    return str(await world.session.page.inner_text(selector))


async def test_sessions_of_one_process_share_no_state_and_no_login(leaky: Opener) -> None:
    first, seen = await leaky(1)
    before = process.shared().processes()
    second, _ = await leaky(2)
    assert process.shared().processes() == before, "the second session has the first one's process"
    assert "seed 4 full" in seen.text
    await write(first, "mine")
    assert "mine" in await shown(first, "ul")
    assert "mine" not in (await second.step(Action(text="noop"))).observation.text
    (cookie,) = await instance(first).cookies("ben")
    request = Request("GET", instance(second).host, "/", headers={"cookie": f"token={cookie['value']}"})
    assert b"nobody" in (await instance(second)(request)).body
    assert b"ben" in (await instance(first)(request)).body
    changed = await probed(first, "state", site="leaky")
    assert [row["text"] for row in changed["tables"]["note"]["inserted"]] == ["mine"]
    assert await probed(second, "state", site="leaky") == {"tables": {}}


async def test_the_header_that_names_a_session_is_the_gateways_alone(leaky: Opener) -> None:
    first, _ = await leaky(1)
    second, _ = await leaky(2)
    await write(second, "theirs")
    ask = "name => fetch('/', {headers: {'X-Heldout-Session': name}}).then(answer => answer.text())"
    assert "theirs" not in await first.session.page.evaluate(ask, instance(second).name)
    # Without the gateway the same header would open the other session.
    running = process.shared()._running["leaky"]
    straight = await running.ask("GET", b"/", [("Host", "x"), ("X-Heldout-Session", instance(second).name)])
    assert b"theirs" in straight.content
    refused = await running.ask("GET", b"/", [("Host", "x"), ("X-Heldout-Session", "../" + "0" * 29)])
    assert refused.status_code == 404


async def test_hosts_of_other_sessions_and_of_the_world_are_refused(leaky: Opener) -> None:
    first, _ = await leaky(1)
    second, _ = await leaky(2)
    assert instance(first).host != instance(second).host
    for address in (instance(second).address, "http://example.org", "file:///etc/passwd"):
        assert "is" in ((await first.step(Action(text=f"goto [{address}/]"))).error or "")
    ask = "address => fetch(address, {mode: 'no-cors'}).then(() => 'let through', () => 'refused')"
    await first.session.page.evaluate(ask, instance(second).address + "/")
    assert [one.host for one in first.session.gateway.refusals()] == [instance(second).host]


async def test_a_planted_script_changes_what_people_see_and_not_what_graders_see(leaky: Opener) -> None:
    world, _ = await leaky(1)
    await write(world, PLANTED)
    assert await shown(world, "#who") == "root"
    assert (await probed(world, "page_content", **WHO))["content"] == "ada"
    # With the page's own scripts the grader would see what the participant planted.
    assert (await probed(world, "page_content", **WHO, scripts=True))["content"] == "root"


async def test_a_loop_of_dialogs_and_a_dirty_page_hide_nothing_from_graders(leaky: Opener) -> None:
    world, _ = await leaky(1)
    dirty = "onbeforeunload = e => e.preventDefault(); document.cookie = 'token=x; path=/'; localStorage.who = 'root'"
    loop = f"<script>{dirty}; for (;;) alert('again')</script>"
    await world.step(Action(text=f'modify_text("text", "{loop}")'))
    seen = (await world.step(Action(text="submit"))).observation
    assert "A dialog is open (alert): 'again'" in seen.text
    assert "A dialog is open" in (await world.step(Action(text="dialog [accept]"))).observation.text
    assert (await world.step(Action(text="stop [done]"))).finish is FinishReason.COMPLETED
    changed = await probed(world, "state", site="leaky")
    assert [row["text"] for row in changed["tables"]["note"]["inserted"]] == [loop]
    assert (await probed(world, "page_content", **WHO))["content"] == "ada"


async def test_a_page_may_not_put_a_service_worker_before_its_site(leaky: Opener) -> None:
    world, _ = await leaky(1)
    # Only under https, which the gateway speaks too, does a browser offer service workers at all.
    await world.step(Action(text=f"goto [https://{instance(world).host}/]"))
    register = (
        "navigator.serviceWorker.register('/worker.js').then(made => made ? 'made' : 'none', error => error.name)"
    )
    assert await world.session.page.evaluate(f"() => {register}") == "none"
    result = await world.step(Action(text=f"goto [https://{instance(world).host}/again]"))
    assert result.error is None
    assert await shown(world, "#who") == "ada"
    assert (await probed(world, "page_content", **WHO))["content"] == "ada"


async def test_a_page_that_leads_elsewhere_by_itself_is_not_taken_for_another(leaky: Opener) -> None:
    world, _ = await leaky(1)
    away = "<meta http-equiv=refresh content=0;url=/away>"
    request = Request("POST", instance(world).host, "/", headers={}, body=f"text={away}".encode())
    await instance(world)(request)
    told = await probed(world, "page_content", **WHO)
    # Away it says "root"; the redirect may win or lose the race, but it is never what was asked for.
    assert isinstance(told, str) or told["content"] == "ada"


async def test_what_a_page_does_after_the_end_changes_nothing(leaky: Opener) -> None:
    world, _ = await leaky(1)
    late = Request("POST", instance(world).host, "/", headers={}, body=b"text=late")
    assert (await instance(world)(late)).status == 200
    last = (await world.step(Action(text="noop"))).observation
    assert (await world.step(Action(text="stop [done]"))).observation == last
    before = await probed(world, "state", site="leaky")
    assert (await instance(world)(late)).status == 403
    assert await probed(world, "state", site="leaky") == before
    assert [row["text"] for row in before["tables"]["note"]["inserted"]] == ["late"]


async def test_looking_is_not_counted_against_the_participant(leaky: Opener) -> None:
    world, _ = await leaky(1)
    await world.session.page.evaluate("() => { document.querySelector('#who').textContent = 'changed by hand' }")
    assert (await probed(world, "page_content", page={"last": True}))["text"].startswith("ada")
    assert await probed(world, "state", site="leaky") == {"tables": {}}


async def test_a_site_that_dies_is_a_fault_and_the_next_session_has_a_new_one(leaky: Opener) -> None:
    world, _ = await leaky(1)
    number = process.shared().processes()["leaky"]
    os.kill(number, signal.SIGKILL)
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(number).wait(60)
    with pytest.raises(InfrastructureError):
        await world.step(Action(text=f"goto [{instance(world).address}/]"))
    again, seen = await leaky(1)
    assert "seed 4 full" in seen.text
    assert process.shared().processes()["leaky"] != number
    assert await probed(again, "state", site="leaky") == {"tables": {}}


async def test_a_replay_sees_the_same_and_the_clock_stands_still(leaky: Opener) -> None:
    actions = ('modify_text("text", "again")', "submit", "goto [{}/other]", "go_back")
    told = []
    for _ in range(2):
        world, first = await leaky(7)
        steps = [Action(text=action.format(instance(world).address)) for action in actions]
        seen = [first, *[(await world.step(action)).observation for action in steps]]
        told.append([one.model_dump_json() for one in seen])
        assert await shown(world, "#time") == "2026-01-15T12:00:00+00:00"
        assert await world.session.page.evaluate("() => new Date().toISOString()") == "2026-01-15T12:00:00.000Z"
    assert told[0] == told[1]


async def test_the_rules_that_end_an_episode_can_be_switched(leaky: Opener) -> None:
    world, _ = await leaky(1, steps=2)
    results = [await world.step(Action(text="noop")) for _ in range(2)]
    assert [result.finish for result in results] == [None, FinishReason.TASK_LIMIT]
    world, _ = await leaky(1, repeats=3)
    results = [await world.step(Action(text="scroll [down]")) for _ in range(3)]
    assert [result.finish for result in results] == [None, None, FinishReason.INVALID_ACTION]


async def run(world: WebSites, program: str) -> Any:
    """What a program says that somebody runs who took the site over."""
    one = instance(world)
    headers = {"content-type": "text/plain"}
    reply = await one.forward(Request("POST", one.host, "/run", headers=headers, body=program.encode()))
    return json.loads(reply.body) if reply.status == 200 else reply.status


@pytest.fixture
def confined() -> None:
    """Skips where a site cannot be confined."""
    if obstacle := confine.obstacle():
        pytest.skip(obstacle)


async def test_a_site_that_was_taken_over_reaches_nothing_but_its_own(
    confined: None, leaky: Opener, tmp_path: Path
) -> None:
    world, _ = await leaky(1)
    secret = tmp_path / "secret"
    secret.write_text("the machine's")
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    for place in (secret, "/etc/passwd", "/etc/hostname", Path(__file__), f"/proc/{os.getpid()}/environ"):
        assert str(await run(world, f"result = open({str(place)!r}).read()")).startswith("FileNotFoundError"), place
    connect = "import socket; socket.create_connection({}, 5); result = 'reached'"
    assert str(await run(world, connect.format(("127.0.0.1", port)))).startswith("ConnectionRefusedError")
    assert str(await run(world, connect.format(("1.1.1.1", 53)))).startswith("OSError: [Errno 101]")
    listening.close()
    processes = "import os; result = sum(name.isdigit() for name in os.listdir('/proc'))"
    assert await run(world, processes) <= 4
    status = "result = [line.split()[1] for line in open('/proc/self/status') if line.startswith('CapEff')]"
    assert await run(world, status) == ["0000000000000000"]


async def test_a_site_that_was_taken_over_changes_nothing_but_its_sessions(confined: None, leaky: Opener) -> None:
    world, _ = await leaky(1)
    places = (
        "folder / 'template' / 'new'",
        "__import__('pathlib').Path(__import__('sys').prefix) / 'lib' / 'new.py'",
        "__import__('pathlib').Path(__import__('app.site_app').site_app.__file__).parent / 'new.py'",
        "__import__('pathlib').Path(__import__('tenancy').__file__)",
        "'/usr/new'",
    )
    for place in places:
        assert "Read-only file system" in str(await run(world, f"open({place}, 'ab'); result = 'open'")), place
    unlocked = "import os; os.chmod(folder / 'template' / 'site.sqlite3', 0o666)"
    assert "Read-only file system" in str(await run(world, unlocked))
    assert await run(world, "open(folder / 'own', 'w').write('x'); result = 'written'") == "written"
    assert (instance(world).folder / "own").read_text() == "x"


async def test_a_site_that_takes_too_much_memory_dies_which_is_a_fault(confined: None, leaky: Opener) -> None:
    world, _ = await leaky(1)
    took = await run(world, f"result = len(b'x' * {MEMORY_BYTES + (64 << 20)})")
    assert took == 502 or str(took).startswith("MemoryError")
    if took == 502:
        with pytest.raises(InfrastructureError):
            await world.step(Action(text=f"goto [{instance(world).address}/]"))


async def test_a_site_that_spins_is_ended_which_is_a_fault(leaky: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "MOST_SECONDS", 1.0)
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.2)
    world, _ = await leaky(1)
    assert await run(world, "result = 'well'") == "well"
    running = instance(world).running
    assert await run(world, "while True: pass") == 502
    assert running.watch.ended
    await asyncio.wait_for(running.process.wait(), 60)
    with pytest.raises(InfrastructureError, match="leaky"):
        await world.step(Action(text=f"goto [{instance(world).address}/]"))


async def test_a_site_that_spins_when_nobody_asks_is_ended(leaky: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "MOST_SECONDS", 1.0)
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.2)
    world, _ = await leaky(1)
    spin = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'while True: pass']); result = 'begun'"
    assert await run(world, spin) == "begun"
    await asyncio.wait_for(instance(world).running.process.wait(), 60)
    assert instance(world).running.watch.ended


async def test_a_site_has_half_of_the_machine(confined: None, leaky: Opener) -> None:
    world, _ = await leaky(1)
    if (group := instance(world).running.group) is None:
        pytest.skip("only root can bound a group of processes")
    wanted = max(1.0, (os.cpu_count() or 1) / 2)
    if group.version == 2:
        quota, period = map(int, (group.folders[0] / "cpu.max").read_text().split())
    else:
        quota, period = (int((group.folders[2] / f"cpu.cfs_{name}_us").read_text()) for name in ("quota", "period"))
    assert quota / period == wanted
