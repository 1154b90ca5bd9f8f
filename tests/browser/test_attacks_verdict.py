"""Each attack within an episode: what it is after is never seen, and the verdict is what it is without the attack."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import psutil
import pytest

from envs.base import Action, InfrastructureError, Probe
from envs.web_forms.environment import WebForms
from grading.answer import Answer, Evidence
from grading.registry import grade
from tests.browser.test_attacks import eventually
from tests.browser.test_confinement import Canary, browsers

pytestmark = pytest.mark.browser
FORM = """<p>Which is a colour?</p><label><input type=radio name=pick value=red>red</label>
<label><input type=radio name=pick value=seven>seven</label>"""
REFERENCE = {"kind": "form", "fields": [{"name": "pick", "type": "radio", "gold": ["red", "red"]}]}
GOLD = ('modify_radio("pick", "red")', "submit")
SECRETS = ("root:x:0", "HELDOUT_", "canary was heard")
PORT = "CANARY_PORT"


@dataclass(frozen=True)
class Attack:
    """What the page does by itself, what the participant does, and words of what is told."""

    name: str
    page: str = ""
    acts: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


def script(body: str) -> str:
    """A script that notes what came of it where the participant can read it."""
    return f"<p id=said>-</p><script>const say = t => said.textContent = t; {body}</script>"


SENT = f"""fetch('http://127.0.0.1:{PORT}/', {{mode: 'no-cors'}}).then(() => say('sent'), () => say('failed'));
navigator.sendBeacon('http://127.0.0.1:{PORT}/', 'x'); new Image().src = 'http://localhost:{PORT}/p.gif';
new WebSocket('ws://127.0.0.1:{PORT}/');
const peer = new RTCPeerConnection({{iceServers: [{{urls: 'turn:127.0.0.1:{PORT}?transport=tcp', username: 'u',
  credential: 'c'}}]}}); peer.createDataChannel('d');
peer.createOffer().then(o => peer.setLocalDescription(o));
navigator.serviceWorker?.register('/w.js').catch(e => say(e.name))"""
ASKED = """const asked = ['geolocation', 'notifications', 'camera'].map(name => navigator.permissions.query({name}));
Promise.allSettled(asked).then(all => all.some(one => one.value?.state === 'granted') && say('HELDOUT_ granted'));
setTimeout(() => { bomb.click(); confirm('Really?') }); onclick = () => open('http://evil.example/')"""
ATTACKS = (
    Attack(
        "addresses",
        acts=(
            "goto [file:///etc/passwd]",
            "goto [file:///proc/self/environ]",
            "goto [data:text/html,<p>x]",
            "goto [view-source:file:///etc/passwd]",
            "goto [chrome://version]",
            "goto [http://example.com/]",
            f"goto [http://127.0.0.1:{PORT}/]",
            "goto [http://s1.shop.test/]",
            "goto [http://127.1.2.3:3128/]",
        ),
        told=("are refused", "not a site"),
    ),
    Attack(
        "requests of all kinds",
        f"<link rel=dns-prefetch href=//leak.example><link rel=preconnect href=http://127.0.0.1:{PORT}>" + script(SENT),
        ("wait [2]",),
    ),
    Attack(
        "pop-up, dialog, download, permissions",
        "<a href='data:application/octet-stream,MZ' download=bomb.exe id=bomb>get</a>" + script(ASKED),
        ("noop", "dialog [dismiss]", "mouse_click [600] [600]"),
        ("A dialog is open", "bomb.exe", "Tab 1 was opened"),
    ),
    Attack(
        "a bomb of nodes",
        script("for (let i = 0; i < 11e4; i++) document.body.append(new Comment())"),
        ("noop",),
        ("more than 100000",),
    ),
)


async def score(world: WebForms) -> float | None:
    """The verdict's score on what the world shows now."""
    seen = (await world.probe([Probe(name="form", type="form")]))[0]
    return grade(Answer(evidence=(Evidence.model_validate(seen.model_dump()),)), REFERENCE).score


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_an_attack_learns_nothing_and_changes_no_verdict(episode: Callable[[str], Any], attack: Attack) -> None:
    async with Canary() as canary:
        with_port = str(canary.port)
        world = await episode(FORM + attack.page.replace(PORT, with_port))
        heard = []
        for text in attack.acts:
            result = await world.step(Action(text=text.replace(PORT, with_port)))
            heard.append(f"{result.error} {result.observation.text}")
            assert result.finish is None
        assert await score(world) == 0
        if world.session.dialog:
            await world.step(Action(text="dialog [dismiss]"))
        # Whatever the attack left in front, the task's page can be had again.
        result = await world.step(Action(text="goto [http://forms.test/]"))
        heard.append(f"{result.error} {result.observation.text}")
        if world.session.dialog:
            await world.step(Action(text="dialog [dismiss]"))
        for text in GOLD:
            result = await world.step(Action(text=text))
            heard.append(f"{result.error} {result.observation.text}")
        assert await score(world) == 1
        assert canary.heard == []
    said = "\n".join(heard)
    assert all(secret not in said for secret in SECRETS)
    assert all(word in said for word in attack.told), said[:2000]


async def test_a_page_that_crashes_is_replayed_once_and_then_told(episode: Callable[[str], Any]) -> None:
    for again in (False, True):
        world = await episode(FORM)
        for process in browsers():
            with contextlib.suppress(psutil.Error):
                if "--type=renderer" in process.cmdline():
                    process.kill()
        await eventually(partial(getattr, world.session, "crashed"), "the crash")
        if not again:
            # The first time it may be the machine's doing: the episode would be replayed.
            with pytest.raises(InfrastructureError):
                await world.step(Action(text="noop"))
            await world.close()
            continue
        result = await world.step(Action(text="noop"))
        assert result.error == "the page crashed and was closed"
        assert await score(world) == 0
        await world.step(Action(text="goto [http://forms.test/]"))
        for text in GOLD:
            await world.step(Action(text=text))
        assert await score(world) == 1
