"""Hosts on a Ray cluster of several nodes on this machine: placed by slots, and no session is lost with a node.

Needs the extra `ray`: `make test-ray`.
"""

import asyncio
import importlib.util
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import psutil
import pytest

from api.core.settings import Settings
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql

SLOTS = 4
PATIENCE = 240.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed: make test-ray"),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture
def cluster_nodes(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A head without slots and two nodes with room for one host each; nodes get their settings as machines do."""
    from ray.cluster_utils import Cluster

    chosen = {
        "HELDOUT_DATA_DIR": str(settings.data_dir),
        "HELDOUT_DATABASE_NAME": settings.database_name,
        "HELDOUT_LOG_LEVEL": "error",
        "RAY_USAGE_STATS_ENABLED": "0",
        "PYTHONDONTWRITEBYTECODE": "",
    }
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    small = {"num_cpus": 1, "object_store_memory": 80 * 1024 * 1024, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=small)
    nodes = [cluster.add_node(**small, resources={"sandbox_slots": SLOTS}) for _ in range(2)]
    yield cluster, nodes, lambda: cluster.add_node(**small, resources={"sandbox_slots": SLOTS})
    cluster.shutdown()


@asynccontextmanager
async def keeper(address: str, *options: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """`heldout-server hosts --ray`, ended with SIGTERM."""
    code = "from api.cli.main import main; main()"
    command = (sys.executable, "-c", code, "hosts", "--ray", address, "--slots", str(SLOTS), *options)
    process = await asyncio.create_subprocess_exec(*command)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), PATIENCE)


async def hosts(service: Service) -> dict[Any, int]:
    """Living hosts by id: the port each listens on."""
    async with service.admin.session() as session:
        rows = (await sql(session, "select id, address from session_host where not draining")).all()
    return {row.id: int(row.address.rpartition(":")[2]) for row in rows}


async def until(condition: Callable[[], Any], what: str) -> Any:
    """Ask until it is so."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while asyncio.get_running_loop().time() < deadline:
        if found := await condition():
            return found
        await asyncio.sleep(0.2)
    raise AssertionError(f"waited in vain: {what}")


def listening(port: int) -> psutil.Process:
    """The process that listens on a port of this machine."""
    found = [
        item.pid
        for item in psutil.net_connections("tcp")
        if item.status == "LISTEN" and item.laddr and item.laddr.port == port
    ]
    return psutil.Process(found[0])


def node_of(process: psutil.Process, nodes: list[Any]) -> Any:
    """The Ray node that a host process runs on: one of its ancestors is the node's raylet."""
    above = {parent.pid for parent in process.parents()}
    return next(node for node in nodes if above & {item.process.pid for item in node.all_processes["raylet"]})


async def test_a_lost_node_loses_no_session(service: Service, cluster_nodes: Any) -> None:
    cluster, nodes, another = cluster_nodes
    await service.publish(echo_pack(count=6))
    service.app.state.host_client.timeout = PATIENCE
    player = Player(await service.reader())

    async def two() -> dict[Any, int] | None:
        found = await hosts(service)
        return found if len(found) == 2 else None

    async with keeper(cluster.address) as running:
        placed = await until(two, "a host on each node")
        processes = {host: listening(port) for host, port in placed.items()}
        by_node = {host: node_of(process, nodes) for host, process in processes.items()}
        assert len({id(node) for node in by_node.values()}) == 2
        problems = await player.episodes()
        sessions = [(await player.opened(problem))["id"] for problem in problems[:4]]
        for number in (1, 2):
            await asyncio.gather(*(player.said(session, number, f"word {number}") for session in sessions))
        async with service.admin.session() as session:
            held = (await sql(session, "select host_id, count(*) as n from live_session group by 1")).all()
        assert {row.host_id: row.n for row in held} == dict.fromkeys(placed, 2)

        lost, left = placed
        # A machine that is gone takes everything with it at once.
        steps = [asyncio.create_task(player.said(session, 3, "word 3")) for session in sessions]
        os.kill(processes[lost].pid, signal.SIGKILL)
        cluster.remove_node(by_node[lost], allow_graceful=False)
        told = await asyncio.gather(*steps)
        assert [reply["observation"]["data"]["number"] for reply in told] == [3] * 4
        assert sum([(await player.show(session))["takeovers"] for session in sessions]) >= 1

        # A node that joins gets a host; the one that is left stays.
        another()
        again = await until(two, "a host on the new node")
        assert left in again
        assert lost not in again
        for number, name in enumerate(sessions):
            assert (await player.said(name, 4, f"finish[{number}]"))["finish_reason"] == "completed"
        await service.work()
        for number, name in enumerate(sessions):
            shown = await player.show(name)
            texts = [step["observation"]["text"] for step in shown["transcript"][1:4]]
            assert (texts, shown["divergence"]) == (["word 1", "word 2", "word 3"], [])
            assert shown["verdict"]["outcome"] == "correct", number
        running.terminate()
        assert await asyncio.wait_for(running.wait(), PATIENCE) == 0
    # Drained, not dropped: every host has struck itself off.
    assert await hosts(service) == {}


async def test_the_autoscaler_is_asked_for_what_open_episodes_need(service: Service, cluster_nodes: Any) -> None:
    from ray._private.client_mode_hook import disable_client_hook
    from ray.autoscaler._private.constants import AUTOSCALER_RESOURCE_REQUEST_CHANNEL

    cluster, _, _ = cluster_nodes
    await service.publish(echo_pack(count=8))
    service.app.state.host_client.timeout = PATIENCE
    players = [Player(await service.reader()), Player(await service.reader("bob@example.org", "second"))]
    gcs = importlib.import_module("ray._raylet").GcsClient(address=cluster.address)

    async def asked(count: int) -> bool:
        with disable_client_hook():
            told = await asyncio.to_thread(gcs.internal_kv_get, AUTOSCALER_RESOURCE_REQUEST_CHANNEL, None)
        found = [item.get("resources", item) for item in json.loads(told or b"[]")]
        return found == [{"sandbox_slots": SLOTS}] * count

    async with keeper(cluster.address, "--autoscale", "3") as running:
        await until(lambda: asked(1), "room for one host is asked for")
        taken: set[str] = set()
        episodes = [await player.episodes() for player in players]
        # One organisation holds half at most.
        for opened, hosted, needed in (((2, 0), 1, 1), ((2, 2), 2, 2), ((4, 4), 2, 3)):
            for player, problems, count in zip(players, episodes, opened, strict=True):
                for problem in problems[:count]:
                    if problem not in taken:
                        await player.opened(problem)
                        taken.add(problem)

            async def as_needed(needed: int = needed, hosted: int = hosted) -> bool:
                return await asked(needed) and len(await hosts(service)) == hosted

            await until(as_needed, f"room for {needed} hosts is asked for, and {hosted} are there")
        running.terminate()
        assert await asyncio.wait_for(running.wait(), PATIENCE) == 0
