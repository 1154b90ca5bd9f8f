"""Containers that the service runs: from the upload to the board, and what a hostile one can do."""

import asyncio
import io
import tarfile
from collections.abc import AsyncIterator
from typing import Any

import pytest

from api.accounts.models import Scope
from api.core.ids import public_id
from api.core.settings import Settings
from api.hosting.server import Host
from api.sessions.trajectories import TrajectoryRepository
from tests.support.containers import (
    AGENT,
    CHANGES,
    HOSTILE,
    KEY,
    LOADS,
    begun,
    bundle,
    ended,
    image,
    right,
    run_of,
    uploaded,
)
from tests.support.models import scripted_model
from tests.support.service import OPEN, READER, Service, choice_pack
from tests.support.sessions import echo_pack
from tests.support.sql import sql

pytestmark = pytest.mark.sandbox


@pytest.fixture
async def played(settings: Settings) -> AsyncIterator[Service]:
    """A service that runs containers, with two splits of questions."""
    async with Service.running(settings.model_copy(update=CHANGES)) as service:
        await service.publish(choice_pack(count=4, hidden=OPEN))
        yield service


async def test_a_bundle_plays_a_hidden_split_through_its_endpoint_and_is_marked_on_the_board(played: Service) -> None:
    caller = await played.reader()
    container = await uploaded(caller, bundle({"agent.py": AGENT.read_text()}))
    async with scripted_model(right) as model:
        run = await begun(
            caller, container, "echo spoken; python3 agent.py", url=model, endpoint_model="gpt", key=KEY, tokens=500
        )
        done = await ended(played, caller, run)
    assert (done["state"], done["answered"], done["tokens"]) == ("done", 4, 40), done
    assert (done["container"], done["report"]["status"], done["report"]["output_kib"]) == ("agent.tar.gz", 0, 1)
    assert done["report"]["log"] == "spoken\n", "an open split"
    assert model.headers["authorization"] == f"Bearer {KEY}"
    assert {body["model"] for body in model.asked} == {"gpt"}
    graded = (await caller.get(f"/v1/submissions/{run['submission']}")).json()
    assert (graded["state"], graded["score"], graded["usage"]["tokens"]) == ("graded", 1.0, 40)
    board = (await caller.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test"})).json()
    assert [row["cells"]["by_service"] for row in board["items"]] == [True]


async def test_what_a_container_writes_and_plays_on_a_hidden_split_is_told_to_nobody(played: Service) -> None:
    await played.publish(choice_pack("sealed", count=2))
    await played.publish(echo_pack(count=2))
    caller = await played.reader()
    container = await uploaded(caller, bundle({"agent.py": AGENT.read_text(), "main.py": PLAYER}))
    for slug in ("sealed", "parrot"):
        run = await begun(caller, container, "python3 main.py", benchmark=slug)
        async with Host.running(played.settings):
            done = await ended(played, caller, run)
        assert (done["state"], done["answered"]) == ("done", 2), done
        assert (done["report"]["log"], done["report"]["output_kib"]) == ("", 1)
    async with played.admin.session() as session:
        episode = (await sql(session, "select id from live_session limit 1")).scalar_one()
    public = public_id("ses", episode)
    assert (await caller.get(f"/v1/sessions/{public}")).status_code == 404
    step = {"number": 2, "action": {"text": "x"}}
    assert (await caller.post(f"/v1/sessions/{public}/steps", json=step)).status_code == 404
    async with played.admin.session() as session:
        found = await TrajectoryRepository(session).access(episode)
    assert found
    assert found.unseen


TELLER = """
import sys
from agent import Service
service, word = Service("service"), int(sys.argv[1])
for problem in service.ask("GET", "/v1/problems")["items"][:4 + word % 4]:
    service.ask("POST", "/v1/answers", {"problem": problem["id"], "answer": "ANSWER: A"})
sys.stdout.write("x" * 1024 * (2 + word % 60))
sys.exit(1 + word % 250)
"""


async def test_a_container_on_a_hidden_split_cannot_tell_its_owner_words(played: Service) -> None:
    await played.publish(choice_pack("sealed", count=40))
    caller = await played.reader()
    container = await uploaded(caller, bundle({"agent.py": AGENT.read_text(), "main.py": TELLER}))
    told = []
    for word in (0, 203):
        run = await begun(caller, container, f"python3 main.py {word}", benchmark="sealed")
        stopped = await ended(played, caller, run)
        assert stopped["state"] == "stopped", stopped
        assert stopped["report"]["seconds"] > 0
        assert stopped["report"].pop("seconds") % 3 == 0
        submission = (await caller.get(f"/v1/submissions/{run['submission']}")).json()
        row = {**submission, **stopped}
        told.append({name: row[name] for name in row if name not in VARY})
    assert told[0] == told[1]
    assert (told[0]["answered"], told[0]["received"], told[0]["coverage"]) == (4, 4, 0.1)
    assert told[0]["report"] == {**told[0]["report"], "status": 1, "output_kib": 1, "log": "", "starts": 1}
    async with played.admin.session() as session:
        await sql(session, """update endpoint_run set report = report || '{"starts": 20}'""")
    refused = await caller.post(f"/v1/endpoint-runs/{run['id']}/resume", json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "run_state")


async def test_when_a_container_answers_is_told_to_nobody_on_a_hidden_split(played: Service) -> None:
    await played.publish(choice_pack("sealed", count=40))
    caller = await played.reader()
    container = await uploaded(caller, bundle({"agent.py": AGENT.read_text(), "main.py": TELLER}))
    run = await begun(caller, container, "python3 main.py 0; while :; do sleep 1; done", benchmark="sealed")
    working = asyncio.ensure_future(played.work())
    came = 0
    while not came:
        await asyncio.sleep(0.1)
        async with played.admin.session() as session:
            came = (await sql(session, "select max(received) from submission")).scalar_one()
    shown = (await caller.get(f"/v1/endpoint-runs/{run['id']}")).json()
    submission = (await caller.get(f"/v1/submissions/{run['submission']}")).json()
    assert (shown["state"], shown["answered"], submission["received"], submission["coverage"]) == ("playing", 0, 0, 0.0)
    await caller.post(f"/v1/endpoint-runs/{run['id']}/cancel")
    await working
    assert (await caller.get(f"/v1/endpoint-runs/{run['id']}")).json()["state"] == "cancelled"


VARY = ("id", "submission", "created_at", "changed_at", "attempt")
PLAYER = """
from agent import Service
service = Service("service")
print("a hidden statement", flush=True)
for problem in service.ask("GET", "/v1/problems")["items"]:
    service.ask("POST", "/v1/answers", {"problem": problem["id"], "answer": problem["statement"]})
for episode in service.ask("GET", "/v1/episodes")["items"]:
    session = service.ask("POST", "/v1/sessions", {"problem": episode["id"]})
    step = {"number": 1, "action": {"text": "finish[0]"}}
    service.ask("POST", f"/v1/sessions/{session['id']}/steps", step)
    print(session["id"], flush=True)
"""


async def test_a_hostile_bundle_reaches_nothing_but_its_socket(played: Service) -> None:
    caller = await played.reader()
    async with scripted_model(right) as model:
        port = model.rsplit(":", 1)[1].split("/")[0]
        done = await run_of(played, caller, HOSTILE.replace('os.environ["PORT"]', f'"{port}"'))
        assert model.asked == []
    assert done["state"] == "done", (done["failure"], done["report"]["log"])
    assert "'internet': 'refused" in done["report"]["log"], "it ran"


async def test_a_bundle_that_takes_everything_is_stopped_and_says_how_it_ended(played: Service) -> None:
    caller = await played.reader()
    for load, program in LOADS.items():
        stopped = await run_of(played, caller, program)
        assert (stopped["state"], stopped["answered"]) == ("stopped", 0), load
        assert "before everything had an answer" in stopped["failure"], load
        assert len(stopped["report"]["log"]) <= 8000, load


async def test_a_container_without_end_is_ended_and_a_cancelled_one_at_once(settings: Settings) -> None:
    async with Service.running(settings.model_copy(update={"container_seconds": 1})) as service:
        await service.publish(choice_pack(count=2, hidden=OPEN))
        caller = await service.reader()
        container = await uploaded(caller, bundle({"x": ""}))
        run = await begun(caller, container, "trap '' TERM INT; while :; do :; done")
        stopped = await ended(service, caller, run)
        assert "ran for 1 s, all that it may" in stopped["failure"]
        refused = await caller.call("DELETE", f"/v1/containers/{container}")
        assert refused.status_code == 204
        again = await caller.post(f"/v1/endpoint-runs/{run['id']}/resume", json={})
        assert again.status_code == 202
        assert "was deleted" in (await ended(service, caller, run))["failure"]


async def test_what_was_answered_stays_and_a_resumed_run_asks_for_the_rest(played: Service) -> None:
    caller = await played.reader()
    half = """
from agent import Service
import os
service = Service("service")
left = service.ask("GET", "/v1/problems")["items"]
for problem in left[:2]:
    service.ask("POST", "/v1/answers", {"problem": problem["id"], "answer": "ANSWER: A"})
os._exit(7)
"""
    stopped = await run_of(played, caller, half, "test")
    assert (stopped["state"], stopped["answered"]) == ("stopped", 2)
    assert stopped["failure"] == "the container ended with status 7 before everything had an answer: it wrote 0 KiB"
    assert (await caller.post(f"/v1/endpoint-runs/{stopped['id']}/resume", json={})).status_code == 202
    done = await ended(played, caller, stopped)
    assert (done["state"], done["answered"], done["report"]["starts"]) == ("done", 4, 2)


async def test_an_image_is_the_root_of_its_sandbox_and_brings_its_own_command(played: Service) -> None:
    caller = await played.reader()
    container = await uploaded(caller, image("hello"), "image.tar")
    body = {"benchmark": "quiz", "split": "test", "model": {"name": "boxed"}, "container": {"id": container}}
    run = (await caller.post("/v1/endpoint-runs", json=body)).raise_for_status().json()
    stopped = await ended(played, caller, run)
    assert (stopped["report"]["status"], stopped["report"]["log"]) == (9, "hello /usr\n")
    look = "[ -S $HELDOUT_SOCKET ] && [ ! -e /usr/bin/python3 ] && [ ! -u /usr/bin/bash ] && exit 7"
    stopped = await ended(played, caller, await begun(caller, container, look))
    assert stopped["report"]["status"] == 7, stopped


def _with(**fields: Any) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        info = tarfile.TarInfo("x")
        for name, value in fields.items():
            setattr(info, name, value)
        archive.addfile(info, io.BytesIO(b""))
    return made.getvalue()


ARCHIVES = {
    "a path that leads out": (_with(name="../../etc/cron.d/x"), "leads out"),
    "a link": (_with(type=tarfile.SYMTYPE, linkname="/etc/passwd"), "no plain file"),
    "a device": (_with(type=tarfile.CHRTYPE, devmajor=1, devminor=1), "no plain file"),
    "no archive": (b"MZ" * 600, "cannot be unpacked"),
}


async def test_an_archive_with_tricks_is_refused_before_a_problem_is_served(played: Service) -> None:
    caller = await played.reader()
    for content, words in ARCHIVES.values():
        stopped = await ended(played, caller, await begun(caller, await uploaded(caller, content), "true"))
        assert stopped["state"] == "stopped"
        assert "the container is refused" in stopped["failure"]
        assert words in stopped["failure"]
    async with played.admin.session() as session:
        assert (await sql(session, "select count(*) from exposure")).scalar_one() == 0


async def test_nobody_else_runs_or_reads_a_container_and_a_part_must_not_be_missing(played: Service) -> None:
    mine = await played.reader(scopes=[*READER, Scope.BENCHMARKS_WRITE])
    other = await played.reader("eve@example.org", "others")
    container = await uploaded(mine, bundle({"x": ""}))
    assert (await other.get(f"/v1/containers/{container}")).status_code == 404
    assert (await other.get("/v1/containers")).json() == {"items": []}
    assert (await mine.get("/v1/packs")).json() == {"items": []}
    pack = container.replace("ctr", "pck")
    assert (await mine.post(f"/v1/packs/{pack}/check")).status_code == 404
    body = {"benchmark": "quiz", "split": "test", "model": {"name": "m"}, "container": {"id": container}}
    assert (await other.post("/v1/endpoint-runs", json=body)).json()["code"] == "no_such_container"
    narrow = await played.reader("narrow@example.org", scopes=[Scope.SUBMISSIONS_WRITE, Scope.PROBLEMS_READ])
    assert (await narrow.post("/v1/endpoint-runs", json=body)).status_code == 403
    head = {"name": "x.tar", "size": 10, "sha256": "0" * 64}
    partial = (await mine.post("/v1/containers", json=head)).json()["id"]
    refused = await mine.post("/v1/endpoint-runs", json=body | {"container": {"id": partial}})
    assert refused.json()["code"] == "not_playable"
    async with played.admin.session() as session:
        kept = (await sql(session, "select sealed from vault.pack_part")).all()
    assert all(b"ustar" not in bytes(row.sealed) for row in kept)
