"""Containers that the service runs, on Docker Engine and with gVisor: the same submissions, the same attacks.

Runs where an engine answers (DOCKER_HOST), or where `infra/engine.sh` and `make images` were run; skips elsewhere.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from docker import DockerClient

from api.core.settings import Settings
from envs.sandbox.engine import LABEL
from envs.sandbox.engine_names import FOREIGN
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
from tests.support.docker_engine import Engine, docker, engine
from tests.support.models import scripted_model
from tests.support.service import OPEN, Service, choice_pack

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def running() -> Iterator[Engine]:
    with engine() as found:
        yield found


@pytest.fixture(params=["docker", "docker-runsc"])
async def engined(
    settings: Settings, running: Engine, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Settings]:
    """Settings of a service whose workers run containers on the engine."""
    async with docker(running, "runsc" if request.param == "docker-runsc" else None):
        monkeypatch.setenv("DOCKER_HOST", running.url)
        yield settings.model_copy(update=CHANGES | {"sandbox": request.param})


@pytest.fixture
async def played(engined: Settings) -> AsyncIterator[Service]:
    async with Service.running(engined) as service:
        await service.publish(choice_pack(count=4, hidden=OPEN))
        yield service


def left(url: str) -> tuple[list[str], list[str]]:
    """The engine's containers of sandboxes, and images of strangers."""
    client = DockerClient(base_url=url)
    try:
        containers = client.containers.list(all=True, filters={"label": LABEL})
        return [str(one.name) for one in containers], [str(one.tags) for one in client.images.list(name=FOREIGN)]
    finally:
        client.close()


async def test_a_bundle_plays_a_split_through_its_endpoint(played: Service) -> None:
    caller = await played.reader()
    container = await uploaded(caller, bundle({"agent.py": AGENT.read_text()}))
    async with scripted_model(right) as model:
        run = await begun(
            caller, container, "python3 agent.py; uname -a", url=model, endpoint_model="gpt", key=KEY, tokens=500
        )
        done = await ended(played, caller, run)
    assert (done["state"], done["answered"], done["tokens"]) == ("done", 4, 40), done
    graded = (await caller.get(f"/v1/submissions/{run['submission']}")).json()
    assert (graded["state"], graded["score"]) == ("graded", 1.0)


async def test_an_image_is_run_with_nothing_of_it_but_its_files(played: Service, running: Engine) -> None:
    caller = await played.reader()
    container = await uploaded(caller, image("hello"), "image.tar")
    body = {"benchmark": "quiz", "split": "dev", "model": {"name": "boxed"}, "container": {"id": container}}
    run = (await caller.post("/v1/endpoint-runs", json=body)).raise_for_status().json()
    stopped = await ended(played, caller, run)
    assert (stopped["report"]["status"], stopped["report"]["log"]) == (9, "hello /usr\n"), stopped
    look = (
        "[ -S $HELDOUT_SOCKET ] && [ $UID = 1000 ] && [ ! -e /usr/bin/python3 ] && [ ! -u /usr/bin/bash ] "
        "&& echo x > /work/x && exit 7"
    )
    stopped = await ended(played, caller, await begun(caller, container, look, "dev"))
    assert stopped["report"]["status"] == 7, stopped
    assert left(running.url) == ([], []), "nothing stays on the engine"


async def test_an_image_that_cannot_be_started_stops_its_run_and_says_so(played: Service, running: Engine) -> None:
    """Its /home has files, and it brings no tar to put them there."""
    caller = await played.reader()
    container = await uploaded(caller, image("hello", {"home/x": b"words"}), "image.tar")
    stopped = await ended(played, caller, await begun(caller, container, "true", "dev"))
    assert stopped["state"] == "stopped"
    assert "needs 'tar'" in stopped["failure"], stopped
    assert left(running.url) == ([], [])


MEETING = """
tried("write where it meets", lambda: open("/run/heldout/x", "w"))
tried("take the socket away", lambda: os.unlink("/run/heldout/service.sock"))
tried("put another there", lambda: os.rename("/run/heldout/service.sock", "/run/heldout/y"))
tried("shut others out", lambda: os.chmod("/run/heldout/service.sock", 0))
tried("the machine's folders", lambda: {"content", "archive"} & {*os.listdir("/run/heldout/..")} or 1 / 0)
tried("the engine", lambda: [p for p in ("/run/docker.sock", "/var/run/docker.sock") if os.path.exists(p)] or 1 / 0)
tried("another's memory", lambda: open("/proc/1/mem", "rb").read(1))
"""


async def test_a_hostile_bundle_reaches_nothing_but_its_socket(played: Service) -> None:
    caller = await played.reader()
    async with scripted_model(right) as model:
        port = model.rsplit(":", 1)[1].split("/")[0]
        program = HOSTILE.replace('os.environ["PORT"]', f'"{port}"').replace("print(told)", MEETING + "print(told)")
        done = await run_of(played, caller, program)
        assert model.asked == []
    assert done["state"] == "done", (done["failure"], done["report"]["log"])
    assert "'the engine': 'refused" in done["report"]["log"], "it ran"


async def test_a_bundle_that_takes_everything_is_stopped_and_says_how_it_ended(
    played: Service, running: Engine
) -> None:
    caller = await played.reader()
    for load, program in LOADS.items():
        stopped = await run_of(played, caller, program)
        assert (stopped["state"], stopped["answered"]) == ("stopped", 0), load
        assert "before everything had an answer" in stopped["failure"], load
        assert len(stopped["report"]["log"]) <= 8000, load
    assert left(running.url) == ([], [])


async def test_one_without_end_is_ended_and_a_cancelled_one_at_once(engined: Settings, running: Engine) -> None:
    async with Service.running(engined.model_copy(update={"container_seconds": 2})) as service:
        await service.publish(choice_pack(count=2, hidden=OPEN))
        caller = await service.reader()
        container = await uploaded(caller, bundle({"x": ""}))
        run = await begun(caller, container, "trap '' TERM INT; while :; do :; done")
        assert "ran for 2 s, all that it may" in (await ended(service, caller, run))["failure"]
    async with Service.running(engined) as service:
        await service.publish(choice_pack(count=2, hidden=OPEN))
        caller = await service.reader()
        container = await uploaded(caller, bundle({"x": ""}))
        run = await begun(caller, container, "trap '' TERM INT; while :; do :; done")
        working = asyncio.ensure_future(service.work())
        while not left(running.url)[0]:
            await asyncio.sleep(0.2)
        await caller.post(f"/v1/endpoint-runs/{run['id']}/cancel")
        await working
        assert (await caller.get(f"/v1/endpoint-runs/{run['id']}")).json()["state"] == "cancelled"
    assert left(running.url) == ([], [])
