"""Looking without acting, and browsers that die, over HTTP."""

import base64
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio

from api.core.ids import parse_id
from api.hosting.server import Host
from envs.browser import chromium
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack

LONG = "".join(f"<p>line {number}</p>" for number in range(80))
PAGE = f"""<label>Name <input name=who></label><button type=button onclick="who.value+='x'">Add</button>
<script>const who = document.querySelector('[name=who]')</script>{LONG}<label>Last <input name=last></label>"""
NAMED = 'modify_text("who", "Ada")'


def forms_pack() -> Pack:
    """One form that wants a name."""
    base = echo_pack("forms")
    episode = {"environment": "web_forms", "spec": {"template": PAGE, "timeout": 180.0}, "steps": 30, "seconds": 3600}
    field = {"name": "who", "type": "text", "gold": ["Ada"]}
    problem = Problem.model_validate(
        {"id": "one", "split": "dev", "type": "web_form", "subject": "form", "episode": True, "statement": "Say Ada."}
    )
    line = ReferenceLine.model_validate(
        {
            "id": "one",
            "reference": {"kind": "form", "fields": [field]},
            "episode": episode | {"probes": [{"name": "form", "kind": "form"}]},
        }
    )
    head = base.benchmark.model_copy(update={"splits": {"dev": base.benchmark.splits["dev"]}})
    return Pack(Path(), head, (problem,), (line,), {})


@pytest_asyncio.fixture
async def form(service: Service, player: Player) -> AsyncIterator[dict[str, Any]]:
    """An open session on the form."""
    if chromium.executable() is None:
        pytest.skip("no Chromium on this machine; install chromium-headless-shell")
    await service.publish(forms_pack())
    yield await player.opened((await player.episodes(slug="forms"))[0])
    await chromium.shared().close()


async def look(player: Player, session: str, **view: Any) -> dict[str, Any]:
    told = await player.caller.post(f"/v1/sessions/{session}/observe", json=view)
    assert told.status_code == 200, told.text
    return dict(told.json())


def number(text: str, label: str) -> str:
    """The id on the line with this label."""
    return text.split(f" '{label}'")[0].rsplit("[", 1)[1].split("]")[0]


async def test_what_has_one_view_says_so(player: Player) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    told = await player.caller.post(f"/v1/sessions/{session}/observe", json={})
    assert (told.status_code, told.json()["code"]) == (409, "no_other_view")
    wrong = await player.caller.post(f"/v1/sessions/{session}/observe", json={"mode": "x-ray"})
    assert wrong.status_code == 422
    await player.finish(session)
    over = await player.caller.post(f"/v1/sessions/{session}/observe", json={})
    assert (over.status_code, over.json()["code"]) == (409, "session_over")


@pytest.mark.browser
async def test_a_look_is_no_step_and_a_replay_knows_nothing_of_it(
    player: Player, host: Host, form: dict[str, Any]
) -> None:
    session = form["id"]
    whole = await look(player, session, whole_page=True)
    assert "'Last'" in whole["text"]
    assert "'Last'" not in form["observation"]["text"]
    picture = await look(player, session, mode="screenshot", marks=True)
    assert base64.b64decode(picture["images"]["screenshot"]).startswith(b"\x89PNG")
    assert "<INPUT" in (await look(player, session, mode="html"))["text"]
    # The number that only the look has shown is good for an action, here and in the replay.
    typed = await player.said(session, 1, f"type [{number(whole['text'], 'Last')}] [end] [0]")
    assert (typed["error"], typed["steps_left"]) == (None, 29)
    identifier = parse_id("ses", session)
    assert identifier
    await host.episodes.drop(identifier)
    again = await player.said(session, 2, "noop")
    assert "'end'" in again["observation"]["text"]
    shown = await player.show(session)
    assert shown["divergence"] == []
    assert [step["number"] for step in shown["transcript"]] == [0, 1, 2]


@pytest.mark.browser
async def test_a_browser_that_dies_is_replayed_and_not_failed(
    service: Service, player: Player, form: dict[str, Any]
) -> None:
    session = form["id"]
    await player.said(session, 1, NAMED)
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if process.name().startswith("chrom"):
                process.kill()
    done = await player.said(session, 2, "submit")
    assert done["finish_reason"] == "completed"
    await service.work()
    shown = await player.show(session)
    assert (shown["verdict"]["outcome"], shown["divergence"]) == ("correct", [])
