"""Containers that the service runs: from the upload to the board, and what a hostile one can do."""

import asyncio
import hashlib
import io
import json
import re
import subprocess
import tarfile
from collections.abc import AsyncIterator, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from api.accounts.models import Scope
from api.core.ids import public_id
from api.core.settings import Settings
from api.hosting.server import Host
from api.sessions.trajectories import TrajectoryRepository
from tests.support.models import scripted_model
from tests.support.service import OPEN, READER, Caller, Service, choice_pack
from tests.support.sessions import echo_pack
from tests.support.sql import sql

pytestmark = pytest.mark.sandbox
AGENT = Path(__file__).parents[2] / "examples/container/agent.py"
KEY = "sk-of-the-participant"
_NUMBER = re.compile(r"in (?:dev|test)-(\d+)\?")


def right(body: dict[str, Any]) -> dict[str, Any]:
    """Knows the answers of `choice_pack`."""
    found = _NUMBER.search(str(body["messages"][-1]["content"]))
    return {"role": "assistant", "content": f"ANSWER: {'ABCD'[int(found[1]) % 4]}" if found else "ready"}


@pytest.fixture
async def played(settings: Settings) -> AsyncIterator[Service]:
    """A service that runs containers, with two splits of questions."""
    changes = {"endpoint_networks": (ip_network("127.0.0.0/8"),), "container_seconds": 60, "container_memory_mb": 256}
    changes["container_end_seconds"] = 3
    async with Service.running(settings.model_copy(update=changes)) as service:
        await service.publish(choice_pack(count=4, hidden=OPEN))
        yield service


def bundle(files: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(text.encode()), 0o755
            archive.addfile(info, io.BytesIO(text.encode()))
    return made.getvalue()


async def uploaded(caller: Caller, content: bytes, name: str = "agent.tar.gz") -> str:
    head = {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    begun = (await caller.post("/v1/containers", json=head)).raise_for_status().json()
    size = begun["part_bytes"]
    for number in begun["missing"]:
        part = content[number * size : (number + 1) * size]
        where = f"/v1/containers/{begun['id']}/parts/{number}"
        kind = {"content-type": "application/octet-stream"}
        (await caller.call("PUT", where, content=part, headers=kind)).raise_for_status()
    return str(begun["id"])


async def begun(caller: Caller, container: str, command: str, split: str = "test", **more: Any) -> dict[str, Any]:
    body = {
        "benchmark": "quiz",
        "split": split,
        "model": {"name": "boxed"},
        "container": {"id": container, "command": ["bash", "-c", command]},
        "requests_per_minute": 600,
    }
    response = await caller.post("/v1/endpoint-runs", json=body | more)
    assert response.status_code == 202, response.text
    return dict(response.json())


async def ended(service: Service, caller: Caller, run: dict[str, Any]) -> dict[str, Any]:
    await service.work()
    return dict((await caller.get(f"/v1/endpoint-runs/{run['id']}")).raise_for_status().json())


async def run_of(service: Service, caller: Caller, program: str, split: str = "dev", **more: Any) -> dict[str, Any]:
    """What became of a Python program in a bundle."""
    container = await uploaded(caller, bundle({"agent.py": AGENT.read_text(), "main.py": program}))
    return await ended(service, caller, await begun(caller, container, "python3 main.py", split, **more))


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
HOSTILE = """
import os, socket, sys
from agent import Service
service = Service("service")
told = {}
def tried(name, work):
    try:
        told[name] = f"open: {work()!r}"
    except BaseException as error:
        told[name] = f"refused: {type(error).__name__}"
def connect(*where):
    with socket.create_connection(where, 2): pass
tried("internet", lambda: connect("192.0.2.2", 80))
tried("metadata", lambda: connect("169.254.169.254", 80))
tried("loopback", lambda: connect("127.0.0.1", int(os.environ["PORT"])))
tried("name", lambda: socket.getaddrinfo("example.org", 80))
def query():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.sendto(b"x", ("8.8.8.8", 53))
tried("dns", query)
tried("keys", lambda: open("/run/heldout/sandbox/x").read())
tried("environment", lambda: {k: v for k, v in os.environ.items() if "KEY" in k} or 1 / 0)
tried("other sockets", lambda: [n for n in os.listdir("/run/heldout") if n not in ("README", "service.sock")] or 1 / 0)
tried("routes", lambda: service.ask("GET", "/v1/me"))
tried("escape", lambda: Service("service").ask("GET", "/v1/benchmarks/quiz/assets/1.0.0/../../../../etc/passwd"))
tried("endpoint", lambda: Service("service").ask("POST", "/v1/chat/completions", {"messages": []}))
print(told)
assert all(word.startswith("refused") for word in told.values()), told
for problem in Service("service").ask("GET", "/v1/problems")["items"]:
    Service("service").ask("POST", "/v1/answers", {"problem": problem["id"], "answer": "ANSWER: A"})
"""


async def test_a_hostile_bundle_reaches_nothing_but_its_socket(played: Service) -> None:
    caller = await played.reader()
    async with scripted_model(right) as model:
        port = model.rsplit(":", 1)[1].split("/")[0]
        done = await run_of(played, caller, HOSTILE.replace('os.environ["PORT"]', f'"{port}"'))
        assert model.asked == []
    assert done["state"] == "done", (done["failure"], done["report"]["log"])
    assert "'internet': 'refused" in done["report"]["log"], "it ran"


LOADS = {
    "fork bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: break\nos._exit(3)",
    "memory": "held = [bytearray(1 << 24) for _ in range(64)]",
    "disk": "open('/tmp/full', 'wb').write(b'x' * (400 << 20))",
    "flood": "import sys\nfor _ in range(200): sys.stdout.write('x' * 100_000)",
}


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


def image(said: str) -> bytes:
    """What `docker save` writes of an image that has bash, what it is linked with, and nothing else."""
    linked = subprocess.run(["ldd", "/usr/bin/bash"], capture_output=True, text=True, check=True).stdout
    files = {Path("/usr/bin/bash"), *(Path(found) for found in re.findall(r"(/\S+) \(0x", linked))}
    layer, made = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        for name in ("bin", "lib", "lib64"):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, f"usr/{name}"
            tar.addfile(link)
        for file in files:
            content = file.read_bytes()
            inside = f"usr{file}" if not file.is_relative_to("/usr") else str(file)
            info = tarfile.TarInfo(inside.lstrip("/"))
            info.size, info.mode, info.uid = len(content), 0o4755, 4242
            tar.addfile(info, io.BytesIO(content))
    config = {
        "config": {"Env": [f"SAID={said}"], "Cmd": ["bash", "-c", "echo $SAID $PWD; exit 9"], "WorkingDir": "/usr"}
    }
    manifest = [{"Config": "c.json", "Layers": ["layer.tar"]}]
    with tarfile.open(fileobj=made, mode="w") as tar:
        parts = {"manifest.json": json.dumps(manifest).encode(), "c.json": json.dumps(config).encode()}
        for name, content in (parts | {"layer.tar": layer.getvalue()}).items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return made.getvalue()


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
