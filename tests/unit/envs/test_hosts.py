"""Placing host processes on a cluster: how many, which, and what becomes of one whose actor is gone."""

import os
import queue
import signal
import sys
from typing import Any

import pytest

from envs.hosts.plan import changes, hosts_for, room
from envs.hosts.process import HostProcess


def node(slots: float | None, *, alive: bool = True) -> dict[str, Any]:
    return {"Alive": alive, "Resources": {"CPU": 8.0} | ({} if slots is None else {"sandbox_slots": slots})}


@pytest.mark.parametrize(
    ("nodes", "hosts"),
    [
        ([], 0),
        ([node(None)], 0),
        ([node(64), node(64)], 2),
        ([node(130), node(63)], 2),
        # What is left over on two nodes is no place for one host.
        ([node(100), node(100)], 2),
        ([node(64), node(64, alive=False)], 1),
    ],
)
def test_room_is_counted_by_node(nodes: list[dict[str, Any]], hosts: int) -> None:
    assert room(nodes, 64) == hosts


@pytest.mark.parametrize(("sessions", "hosts"), [(0, 1), (63, 1), (64, 2), (128, 3), (1_000, 5)])
def test_there_is_room_for_one_episode_more(sessions: int, hosts: int) -> None:
    assert hosts_for(sessions, 64, most=5) == hosts


@pytest.mark.parametrize(
    ("expected", "placed", "start", "stop"),
    [
        (2, {}, ["host-0", "host-1"], []),
        (3, {"host-1": True}, ["host-0", "host-2"], []),
        (2, {"host-0": True, "host-1": True}, [], []),
        # The one that waits for a place goes, whatever its number; of two that run, the later one.
        (1, {"host-0": False, "host-1": True}, [], ["host-0"]),
        (1, {"host-0": True, "host-1": True}, [], ["host-1"]),
        (0, {"host-10": True, "host-9": False, "host-2": True}, [], ["host-9", "host-10", "host-2"]),
    ],
)
def test_changes(expected: int, placed: dict[str, bool], start: list[str], stop: list[str]) -> None:
    assert changes(expected, placed) == (start, stop)


READ = "import sys; print('up', flush=True); sys.stdin.read(); print('lifeline cut', flush=True)"


def test_a_process_ends_with_its_lifeline_and_is_told_of() -> None:
    ended: queue.Queue[int] = queue.Queue()
    process = HostProcess([sys.executable, "-c", READ], {}, ended.put)
    os.kill(process.pid, signal.SIGKILL)
    assert ended.get(timeout=120) == -signal.SIGKILL


def test_a_process_that_is_asked_to_end_is_no_fault() -> None:
    ended: queue.Queue[int] = queue.Queue()
    process = HostProcess([sys.executable, "-c", READ], {}, ended.put)
    assert process.stop() == -signal.SIGTERM
    assert ended.empty()


def test_a_host_process_gives_up_when_its_actor_is_gone() -> None:
    """The actor is killed; its process reads the end of the lifeline."""
    read, write = os.pipe()
    os.set_inheritable(write, True)
    actor = (
        "import os, sys, time\n"
        "from envs.hosts.process import HostProcess\n"
        f"os.dup2({write}, 1)\n"
        f"HostProcess([sys.executable, '-c', {READ!r}], {{}}, lambda status: None)\n"
        "time.sleep(3600)\n"
    )
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", actor], os.environ, file_actions=[])
    os.close(write)
    with os.fdopen(read) as said:
        assert said.readline() == "up\n"
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        assert said.readline() == "lifeline cut\n"
        assert said.read() == ""
