"""Operating-system and database episodes on Docker Engine, with gVisor too, and what becomes of them when it dies.

Runs where an engine answers (DOCKER_HOST), or where `infra/engine.sh` and `make images` were run; skips elsewhere.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator

import pytest

from envs.base import InfrastructureError, Probe
from envs.database.environment import Database
from envs.operating_system.environment import OperatingSystem
from envs.sandbox.base import Backend, FileRefusedError, Sandbox, SandboxError
from grading.verdict import Outcome
from tests.support.docker_engine import Engine, docker, engine, until_back
from tests.support.live import answer, bash, judged, play, sql

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(900)]

MACHINE = {"problem": "How many words?", "init": [{"code": "mkdir /root/d; seq 7 > /root/d/words"}]}
COUNT = [Probe(name="gold", type="gold", arguments={"script": {"code": "cat /root/d/* | wc -l"}})]
COUNTED = {
    "kind": "commands",
    "gold": ["gold"],
    "checks": [{"compare": "integer", "right": {"source": "probe", "probe": "gold"}}],
}
STATE = [Probe(name="state", type="check", arguments={"script": {"code": "[ $(cat /root/done) = ok ] && id bob"}})]
TABLE = {
    "problem": "Give Bob 80 points.",
    "tables": [{"name": "points", "columns": ["name", "points"], "rows": [["Ada", "90"], ["Bob", None]]}],
}
GOLD = "UPDATE points SET points = '80' WHERE name = 'Bob'"
ROWS = [
    Probe(name="table", type="table", arguments={"table": "points"}),
    Probe(name="gold", type="gold_table", arguments={"table": "points", "statements": [GOLD]}),
]
UPDATED = {"kind": "table", "task": "state", "expected": "gold"}


@pytest.fixture(scope="module")
def running() -> Iterator[Engine]:
    with engine() as found:
        yield found


@pytest.fixture(params=[None, "runsc"], ids=["runc", "gvisor"])
async def backend(running: Engine, request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    async with docker(running, request.param) as found:
        yield found


@pytest.mark.parametrize(("said", "outcome"), [("7", Outcome.CORRECT), ("8", Outcome.INCORRECT)])
async def test_a_machine_is_asked_a_question(backend: Backend, said: str, outcome: Outcome) -> None:
    actions = [bash("rm -rf /root/d; mkdir /root/d; seq 8 > /root/d/words"), answer(said)]
    results, seen = await play(OperatingSystem(backend), MACHINE, COUNT, actions)
    assert judged(results, seen, COUNTED).outcome is outcome, seen


@pytest.mark.parametrize("done", [True, False])
async def test_a_machine_is_changed(backend: Backend, done: bool) -> None:
    actions = [bash("useradd bob; echo ok > /root/done" if done else "echo no > /root/done")]
    results, seen = await play(OperatingSystem(backend), MACHINE, STATE, actions)
    verdict = judged(results, seen, {"kind": "commands", "succeeds": ["state"]})
    assert verdict.outcome is (Outcome.CORRECT if done else Outcome.INCORRECT), seen


@pytest.mark.parametrize("done", [True, False])
async def test_a_database_is_changed(backend: Backend, done: bool) -> None:
    if backend.traits.name == "docker-runsc":
        pytest.skip("a server inside gVisor has no socket that the machine can reach")
    results, seen = await play(Database(backend), TABLE, ROWS, [sql(GOLD if done else "DELETE FROM points")])
    assert judged(results, seen, UPDATED).outcome is (Outcome.CORRECT if done else Outcome.INCORRECT), seen


async def until_begun(sandbox: Sandbox) -> None:
    async with asyncio.timeout(120):
        while True:
            try:
                await sandbox.read_file("/root/begun")
            except FileRefusedError:
                await asyncio.sleep(0.05)
            else:
                return


@pytest.mark.parametrize("death", ["container", "engine"])
async def test_a_step_under_which_it_dies_is_no_observation(running: Engine, death: str) -> None:
    if death == "engine" and running.folder is None:
        pytest.skip("this engine is not a private one: it is not killed")
    async with docker(running) as backend:
        world = OperatingSystem(backend)
        try:
            await world.reset({"problem": "?", "timeout": 600}, 1)
            assert world._world
            sandbox = world._world.sandbox
            step = asyncio.create_task(world.step(bash("touch /root/begun; sleep 600")))
            await until_begun(sandbox)
            victims = [(await sandbox.processes())[0].pid] if death == "container" else running.pids
            for pid in victims:
                os.kill(pid, signal.SIGKILL)
            with pytest.raises(InfrastructureError):
                await step
            if death == "engine":
                await until_back(running)
        finally:
            try:
                await world.close()
            except SandboxError:
                assert death == "engine"
    async with docker(running) as again:
        results, _ = await play(OperatingSystem(again), {"problem": "?"}, [], [bash("echo alive")])
        assert str(results[0].observation.data["output"]).strip() == "alive"
