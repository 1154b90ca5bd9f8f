"""A container's run is cancelled: its sandbox goes, its episodes end, what was seen stays used."""

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.core.settings import Settings
from api.hosting.server import Host
from tests.support.containers import AGENT, CHANGES, begun, bundle, ended, uploaded
from tests.support.service import Caller, Service, choice_pack
from tests.support.sessions import echo_pack
from tests.support.sql import sql
from tests.support.visitor import enter

pytestmark = pytest.mark.sandbox
MARK = f"held-{uuid.uuid4().hex}"
HOLDER = """
import sys, time
from agent import Service
service = Service("service")
first, *others = service.ask("GET", "/v1/episodes")["items"]
session = service.ask("POST", "/v1/sessions", {"problem": first["id"]})
if not sys.argv[1:]:
    time.sleep(600)
for episode in [first, *others]:
    session = service.ask("POST", "/v1/sessions", {"problem": episode["id"]})
    step = {"number": 1, "action": {"text": "finish[0]"}}
    service.ask("POST", f"/v1/sessions/{session['id']}/steps", step)
"""
ANSWERER = """
from agent import Service
service = Service("service")
for problem in service.ask("GET", "/v1/problems")["items"][:10]:
    service.ask("POST", "/v1/answers", {"problem": problem["id"], "answer": "ANSWER: A"})
"""


@pytest.fixture
async def played(settings: Settings) -> AsyncIterator[Service]:
    async with Service.running(settings.model_copy(update=CHANGES)) as service, Host.running(service.settings):
        await service.publish(echo_pack(count=3))
        await service.publish(choice_pack(count=4))
        yield service


def processes(mark: str) -> list[str]:
    """Command lines of this machine with a mark in them."""
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    return [line.decode(errors="replace") for line in lines if mark.encode() in line]


async def until(service: Service, query: str, wanted: int) -> None:
    for _ in range(1200):
        async with service.admin.session() as session:
            if (await sql(session, query)).scalar_one() == wanted:
                return
        await asyncio.sleep(0.05)
    raise AssertionError(query)


async def held(service: Service, caller: Caller) -> tuple[dict[str, Any], asyncio.Future[None]]:
    """A run that has an episode open and does nothing more, and the work of the service."""
    container = await uploaded(caller, bundle({"agent.py": AGENT.read_text(), f"{MARK}.py": HOLDER}))
    run = await begun(caller, container, f"exec python3 {MARK}.py", "dev", benchmark="parrot")
    working = asyncio.ensure_future(service.work())
    await until(service, "select count(*) from live_session where state = 'running'", 1)
    return run, working


async def test_a_cancelled_container_stops_with_its_episodes_and_keeps_what_it_used(played: Service) -> None:
    caller = await played.reader()
    run, working = await held(played, caller)
    assert processes(MARK), "it runs"
    used = "select coalesce(sum(used), 0) from daily_budget"
    async with played.admin.session() as session:
        before = (await sql(session, used)).scalar_one()
    cancelled = (await caller.post(f"/v1/endpoint-runs/{run['id']}/cancel")).raise_for_status().json()
    assert (cancelled["state"], cancelled["failure"]) == ("cancelled", "")
    await working
    assert not processes(MARK), "its sandbox is gone"
    async with played.admin.session() as session:
        over = (await sql(session, "select state, finish_reason from live_session")).one()
        assert (await sql(session, used)).scalar_one() == before > 0, "what was seen is used"
    assert (over.finish_reason, over.state != "running") == ("cancelled", True)
    submission = (await caller.get(f"/v1/submissions/{run['submission']}")).json()
    assert (submission["state"], submission["received"]) == ("open", 1)
    refused = await caller.post(f"/v1/endpoint-runs/{run['id']}/cancel")
    assert (refused.status_code, refused.json()["detail"]) == (409, "it is cancelled")


async def test_a_cancelled_run_is_resumed_without_the_episode_that_it_gave_up(played: Service) -> None:
    caller = await played.reader()
    run, working = await held(played, caller)
    await caller.post(f"/v1/endpoint-runs/{run['id']}/cancel")
    await working
    async with played.admin.session() as session:
        await sql(
            session,
            "update endpoint_run set container = jsonb_set(container, '{command}', :command)",
            {"command": json.dumps(["python3", f"{MARK}.py", "on"])},
        )
    (await caller.post(f"/v1/endpoint-runs/{run['id']}/resume", json={})).raise_for_status()
    done = await ended(played, caller, run)
    assert (done["state"], done["answered"]) == ("done", 3), done
    await played.work()
    graded = (await caller.get(f"/v1/submissions/{run['submission']}")).json()
    assert (graded["state"], graded["score"]) == ("graded", pytest.approx(0.0))
    async with played.admin.session() as session:
        reasons = (await sql(session, "select finish_reason from live_session order by created_at")).scalars().all()
    assert list(reasons) == ["cancelled", "completed", "completed"]


async def test_a_run_that_waits_is_cancelled_and_nobody_cancels_anothers(played: Service) -> None:
    caller, other = await played.reader(), await played.reader("eve@example.org", "others")
    container = await uploaded(caller, bundle({"x": ""}))
    run = await begun(caller, container, "true", "dev")
    assert (await other.post(f"/v1/endpoint-runs/{run['id']}/cancel")).status_code == 404
    assert (await caller.post(f"/v1/endpoint-runs/{run['id']}/cancel")).json()["state"] == "cancelled"
    assert (await ended(played, caller, run))["report"] is None, "it never ran"
    assert (await caller.call("DELETE", f"/v1/containers/{container}")).status_code == 204
    closed = await caller.post(f"/v1/submissions/{run['submission']}/finalize")
    assert closed.status_code in (200, 202), closed.text


async def test_a_page_lists_runs_and_cancels_them_without_a_script(played: Service) -> None:
    await played.publish(choice_pack("sealed", count=40))
    caller = await played.reader()
    container = await uploaded(caller, bundle({"agent.py": AGENT.read_text(), "main.py": ANSWERER}))
    run = await begun(caller, container, f"python3 main.py; echo secret-words; sleep 600 # {MARK}", benchmark="sealed")
    working = asyncio.ensure_future(played.work())
    await until(played, "select max(received) from submission", 10)
    stranger = await enter(played, "eve@example.org", "others")
    where = f"/account/runs/{run['id']}"
    assert (await stranger.get(where)).status_code == 404
    assert (await stranger.fill("/account", f"{where}/cancel")).status_code == 404
    assert run["id"] not in (await stranger.get("/account/runs")).text
    member = await enter(played, "ada@example.org")
    assert "– of 40" in (await member.get("/account/runs")).text
    shown = (await member.get(where)).text
    assert "told when it has ended" in shown
    assert not re.search(r"\b10 of 40", shown)
    assert (await member.fill(where, f"{where}/cancel")).status_code == 303
    await working
    assert not processes(MARK)
    shown = (await member.get(where)).text
    assert "secret-words" not in shown
    for words in ("cancelled", "8 of 40, in tenths", f"heldout finalize {run['submission']}", "The split is hidden"):
        assert words in shown, words
    assert f'action="{where}/cancel"' not in shown
    assert (await member.get(f"/s/{run['submission']}")).status_code == 200
    await member.get("/account/keys")
    assert (await member.post(f"{where}/cancel")).status_code == 409
