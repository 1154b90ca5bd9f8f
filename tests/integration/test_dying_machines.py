"""A machine that dies under a command, or while it is looked at, is a fault of ours and never an observation."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from envs.base import InfrastructureError, Probe
from envs.operating_system.environment import OperatingSystem
from envs.sandbox.base import Backend, FileRefusedError, Image, Limits, Sandbox
from envs.sandbox.bubblewrap import BubblewrapBackend
from tests.support.live import bash, sandboxes

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]
SPEC = {"problem": "?", "timeout": 600}


@pytest.fixture
async def backend() -> AsyncIterator[Backend]:
    async with sandboxes() as found:
        yield found


async def kill_engine(backend: Backend, sandbox: Sandbox) -> None:
    if not isinstance(backend, BubblewrapBackend) or backend.supervisor is None:
        pytest.skip("Docker Engine is killed in test_docker_engine.py")
    os.kill(backend.supervisor, signal.SIGKILL)


async def kill_machine(_: Backend, sandbox: Sandbox) -> None:
    init = (await sandbox.processes())[0]
    os.kill(init.pid, signal.SIGKILL)


def replace_start(backend: Backend, start: Any) -> Backend:
    """The backend, with another way to start."""
    return cast(Backend, SimpleNamespace(start=start, traits=backend.traits))


async def until_written(sandbox: Sandbox, path: str) -> None:
    async with asyncio.timeout(120):
        while True:
            try:
                await sandbox.read_file(path)
            except FileRefusedError:
                await asyncio.sleep(0.01)
            else:
                return


@pytest.mark.parametrize("death", [kill_engine, kill_machine])
async def test_a_step_is_not_observed_on_a_dead_machine(backend: Backend, death: type) -> None:
    world = OperatingSystem(backend)
    try:
        await world.reset(SPEC, 1)
        assert world._world
        sandbox = world._world.sandbox
        step = asyncio.create_task(world.step(bash("echo before; touch /root/begun; sleep 600; echo after")))
        await until_written(sandbox, "/root/begun")
        await death(backend, sandbox)
        with pytest.raises(InfrastructureError):
            await step
        again = OperatingSystem(backend)
        try:
            await again.reset(SPEC, 1)
            assert str((await again.step(bash("echo alive"))).observation.data["output"]).strip() == "alive"
        finally:
            await again.close()
    finally:
        await world.close()


async def test_a_clone_that_dies_gives_no_evidence(backend: Backend) -> None:
    """The gold command's machine ends under it: its empty output must not be taken for the gold."""
    gold = {"script": {"code": "echo 5; touch /root/begun; sleep 600"}}
    world = OperatingSystem(backend)
    clones: list[Sandbox] = []
    start = backend.start

    async def noted(image: Image, limits: Limits) -> Sandbox:
        clones.append(await start(image, limits))
        return clones[-1]

    try:
        await world.reset(SPEC, 1)
        world._backend = replace_start(backend, noted)
        looking = asyncio.create_task(world.probe([Probe(name="p", type="gold", arguments=gold)]))
        async with asyncio.timeout(120):
            while not clones:
                await asyncio.sleep(0.01)
        await until_written(clones[0], "/root/begun")
        await kill_machine(backend, clones[0])
        with pytest.raises(InfrastructureError):
            await looking
    finally:
        await world.close()


KILLER = "echo kept > /root/kept; setsid sh -c 'while :; do kill -9 -1; done' >/dev/null 2>&1 & sleep 600"


async def test_an_agent_that_kills_every_shell_is_no_fault_of_ours(backend: Backend) -> None:
    world = OperatingSystem(backend)
    try:
        await world.reset(SPEC, 1)
        told = await world.step(bash(KILLER))
        assert "opened anew" in told.observation.text
        assert str((await world.step(bash("cat /root/kept"))).observation.data["output"]).strip() == "kept"
    finally:
        await world.close()
