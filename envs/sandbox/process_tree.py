"""Stop, continue and kill the processes of one pid namespace from outside, where no control group does it."""

import asyncio
import signal
import time
from collections.abc import Callable

from envs.sandbox import procs
from envs.sandbox.base import SandboxError

SECONDS = 20.0


async def freeze(pids: Callable[[], list[int]], *, frozen: bool) -> None:
    """Stop or continue everything, again and again until nothing new appears. Raises SandboxError."""
    deadline = time.monotonic() + SECONDS
    before: list[int] | None = None
    while (now := sorted(pids())) != before:
        if time.monotonic() > deadline:
            raise SandboxError("the sandbox's processes could not be frozen")
        procs.send(now, signal.SIGSTOP if frozen else signal.SIGCONT)
        before = now
        await asyncio.sleep(0)


async def kill(pids: Callable[[], list[int]], spare: frozenset[int]) -> None:
    """Kill everything but `spare`, and wait until it is gone. Raises SandboxError."""
    deadline = time.monotonic() + SECONDS
    while left := [pid for pid in pids() if pid not in spare and lives(pid)]:
        if time.monotonic() > deadline:
            raise SandboxError(f"{len(left)} processes of the sandbox survived")
        # Stopped first, so that a fork bomb cannot outrun the list.
        procs.send(left, signal.SIGSTOP)
        procs.send(left, signal.SIGKILL)
        await asyncio.sleep(0.002)


async def kill_tree(pids: Callable[[], list[int]], top: int) -> None:
    """Kill a command with everything that descends from it or stayed in its session."""
    deadline = time.monotonic() + SECONDS
    while left := procs.tree(pids(), top):
        procs.send(left, signal.SIGSTOP)
        procs.send(procs.tree(pids(), top), signal.SIGKILL)
        if time.monotonic() > deadline:
            return
        await asyncio.sleep(0.002)


def lives(pid: int) -> bool:
    """Whether it lives in a namespace below ours: not a waiting parent of ours, and not dead."""
    seen = procs.look(pid)
    return seen is not None and seen.inside and seen.state != "Z"
