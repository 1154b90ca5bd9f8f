"""Host processes on a Ray cluster: one actor for so many free sandbox slots, started again where there is room.

Needs the optional extra `ray`. A node says what it can hold with `--resources '{"sandbox_slots": 64}'`. The actors are
detached: they outlive the process that placed them, which finds them again by their names.

An autoscaler can be told how many hosts the open episodes need (`ray.autoscaler.sdk.request_resources`); hosts are then
placed for these alone, and nodes without one are the autoscaler's to take back.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Self

from envs.hosts import SLOTS
from envs.hosts.plan import PREFIX, changes, hosts_for, room
from envs.hosts.process import STOP_SECONDS, HostProcess

NAMESPACE = "heldout"
PAUSE = 1.0
ANSWER_SECONDS = 5.0
KEPT_SECONDS = 300.0
"""A host that is not needed any more stays so long: its sessions would have to move."""


class ClusterError(Exception):
    """The cluster cannot be used; the message says what is missing."""


class HostActor:
    """What Ray places: a host process that listens on its node's address. Its settings are the node's own."""

    def __init__(self, arguments: Sequence[str], slots: int) -> None:
        import ray

        self._node = str(ray.get_runtime_context().get_node_id())
        variables = {"HELDOUT_HOST_ADDRESS": ray.util.get_node_ip_address(), "HELDOUT_HOST_SLOTS": str(slots)}
        # An actor without its process is no use: Ray starts it again, here or elsewhere.
        self._process = HostProcess([sys.executable, *arguments], variables, lambda _: os._exit(1))

    def placed(self) -> tuple[str, int]:
        """The node it is on, and the process it runs."""
        return self._node, self._process.pid

    def drain(self) -> int:
        """Give every session to other hosts and end; the status of the process."""
        return self._process.stop()


class ClusterHosts:
    """Keeps as many hosts of `slots` sandboxes as the cluster has room for. An async context manager."""

    def __init__(
        self,
        address: str,
        arguments: Sequence[str],
        slots: int,
        *,
        most: int = 0,
        sessions: Callable[[], Awaitable[int | None]] | None = None,
    ) -> None:
        """`address` is the cluster's ("auto" finds this machine's); Python with `arguments` runs one host process.

        With `sessions`, which tells how many are open (None: not known now), the cluster's autoscaler is asked for room
        for these, for `most` hosts at most.
        """
        self._address, self._arguments, self._slots = address, list(arguments), slots
        self._most, self._sessions = most, sessions
        self._needed: tuple[int, float] = (0, 0.0)
        self._ray: Any = None

    async def __aenter__(self) -> Self:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # Below `uv run` Ray would start every worker through uv in a copy of this folder; a node has its own Python.
        os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
        try:
            import ray
        except ImportError as error:
            raise ClusterError("Ray is not installed: uv sync --extra ray") from error
        self._ray = ray
        try:
            await asyncio.to_thread(
                ray.init, address=self._address, namespace=NAMESPACE, log_to_driver=False, logging_level="error"
            )
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise ClusterError(f"no Ray cluster answers at {self._address}: {error}") from error
        return self

    async def __aexit__(self, *exc: object) -> None:
        await asyncio.to_thread(self._ray.shutdown)

    async def keep(self, stopping: asyncio.Event) -> None:
        """Place hosts as nodes come and go until `stopping` is set, then drain them all: no session is lost."""
        while not stopping.is_set():
            await self.adjust()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), PAUSE)
        await asyncio.gather(*(self._stop(name) for name in await asyncio.to_thread(self._names)))

    async def adjust(self) -> None:
        """One round: start what fits, stop what does not fit any more."""
        nodes = await asyncio.to_thread(self._ray.nodes)
        names = await asyncio.to_thread(self._names)
        running = await asyncio.gather(*(asyncio.to_thread(self._running, name) for name in names))
        fitting = room(nodes, self._slots)
        if self._sessions is not None:
            sessions = await self._sessions()
            needed = self._needed[0] if sessions is None else hosts_for(sessions, self._slots, self._most)
            fitting = min(fitting, await self._ask(needed or len(names)))
        start, stop = changes(fitting, dict(zip(names, running, strict=True)))
        for name in start:
            await asyncio.to_thread(self._start, name)
        await asyncio.gather(*(self._stop(name) for name in stop))

    async def _ask(self, hosts: int) -> int:
        """Ask the autoscaler for room for so many hosts: more at once, fewer after a while. Returns how many."""
        from ray.autoscaler.sdk import request_resources

        now = asyncio.get_running_loop().time()
        before, until = self._needed
        if hosts < before and now < until:
            return before
        if hosts != before:
            await asyncio.to_thread(request_resources, bundles=[{SLOTS: self._slots}] * hosts)
        self._needed = hosts, now + KEPT_SECONDS
        return hosts

    def _names(self) -> list[str]:
        return [str(name) for name in self._ray.util.list_named_actors() if str(name).startswith(PREFIX)]

    def _start(self, name: str) -> None:
        made = self._ray.remote(HostActor).options(
            name=name,
            namespace=NAMESPACE,
            lifetime="detached",
            get_if_exists=True,
            max_restarts=-1,
            num_cpus=0,
            resources={SLOTS: self._slots},
            scheduling_strategy="SPREAD",
        )
        made.remote(self._arguments, self._slots)

    def _running(self, name: str) -> bool:
        with contextlib.suppress(ValueError, self._ray.exceptions.RayError):
            self._ray.get(self._ray.get_actor(name).placed.remote(), timeout=ANSWER_SECONDS)
            return True
        return False

    async def _stop(self, name: str) -> None:
        with contextlib.suppress(ValueError, self._ray.exceptions.RayError):
            actor = await asyncio.to_thread(self._ray.get_actor, name)
            if await asyncio.to_thread(self._running, name):
                with contextlib.suppress(self._ray.exceptions.RayError):
                    await asyncio.to_thread(self._ray.get, actor.drain.remote(), timeout=STOP_SECONDS + ANSWER_SECONDS)
            await asyncio.to_thread(self._ray.kill, actor)
