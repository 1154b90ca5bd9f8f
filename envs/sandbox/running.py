"""One started bubblewrap sandbox, below the protocol: descriptors, processes, commands."""

import asyncio
import contextlib
import json
import os
import select
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envs.sandbox import process_tree, procs
from envs.sandbox.base import Image, Limits, SandboxError, SandboxGoneError
from envs.sandbox.link import Link, Reply
from envs.sandbox.supervisor import cgroups, slots

READY_SECONDS = 120.0
KILL_SECONDS = 20.0
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass
class Running:
    """A live sandbox: its process 1 as a pidfd, its root, and its upper folders as descriptors."""

    link: Link
    slot: int
    limits: Limits
    image: Image
    places: list[str]
    single: int | None
    init: int
    pidfd: int
    root: int
    uppers: list[int]
    group: cgroups.Group | None
    frozen: bool = False

    @property
    def base(self) -> int:
        """The machine's id of uid 0 inside; for a sandbox with a single id, that id."""
        return slots.base_uid(self.slot) if self.single is None else self.single

    def alive(self) -> bool:
        """Whether process 1 still runs."""
        if self.pidfd < 0:
            return False
        poll = select.poll()
        poll.register(self.pidfd, select.POLLIN)
        return not poll.poll(0)

    def pids(self) -> list[int]:
        """What runs inside, without process 1."""
        if not self.alive():
            return []
        found = self.group.pids() if self.group else procs.in_namespace(self.init)
        return [pid for pid in found if pid != self.init]

    def inner_uid(self, user: str | None) -> int:
        """The uid inside that a command runs as."""
        if self.single is not None:
            user = self.image.user
        return 0 if (user or self.image.user) == "root" else 1000

    def enter(
        self,
        argv: Sequence[str],
        streams: tuple[int, int, int],
        *,
        user: str | None = None,
        workdir: str | None = None,
        environment: dict[str, str] | None = None,
    ) -> Reply:
        """Run a command inside; the reply tells its pid, then its status. Raises SandboxGoneError."""
        if not self.alive():
            raise SandboxGoneError("the sandbox has ended")
        uid = self.inner_uid(user)
        home, name = ("/root", "root") if uid == 0 else ("/home/agent", "agent")
        variables = {"PATH": PATH, "HOME": home, "USER": name, "LOGNAME": name, "SHELL": "/bin/bash"}
        variables |= {"LANG": "C.UTF-8", "TERM": "dumb"} | self.image.environment | (environment or {})
        body: dict[str, Any] = {
            "argv": list(argv),
            "environment": variables,
            "workdir": workdir or self.image.workdir,
            "uid": uid,
            "processes": self.limits.processes,
            "open_files": self.limits.open_files,
            "slot": self.slot,
            "cgroup": self.link.cgroup if self.group else None,
            "part": "probe" if self.frozen else "agent",
            "tag": self.link.tag,
            "host_uid": self.single,
            "memory": self.limits.memory,
        }
        return self.link.request("enter", body, [self.pidfd, *streams])

    async def freeze(self, frozen: bool) -> None:
        """Stop or continue everything but process 1. Raises SandboxError if something does not stand still."""
        if self.group is None:
            await process_tree.freeze(self.pids, frozen=frozen)
        else:
            deadline = time.monotonic() + KILL_SECONDS
            self.group.freeze(frozen)
            while frozen and not self.group.settled():
                if time.monotonic() > deadline:
                    raise SandboxError("the sandbox's processes could not be frozen")
                await asyncio.sleep(0.005)
        self.frozen = frozen

    async def kill(self, spare: frozenset[int] = frozenset()) -> None:
        """Kill everything but process 1 and `spare`, and wait until it is gone. Raises SandboxError."""
        spare |= {self.init}
        if self.group is None:
            await process_tree.kill(self.pids, spare)
            return
        deadline = time.monotonic() + KILL_SECONDS
        while left := [pid for pid in self.pids() if pid not in spare and process_tree.lives(pid)]:
            if time.monotonic() > deadline:
                raise SandboxError(f"{len(left)} processes of the sandbox survived")
            self.group.kill(spare | (frozenset(self.pids()) - frozenset(left)))
            await asyncio.sleep(0.002)

    async def kill_tree(self, top: int) -> None:
        """Kill a command with everything that descends from it or stayed in its session."""
        await process_tree.kill_tree(self.pids, top)

    async def destroy(self) -> None:
        """End it and wait until nothing is left. Raises SandboxError if processes survive."""
        if self.pidfd < 0:
            return
        try:
            if self.link.alive:
                await self._destroy()
        finally:
            if self.pidfd >= 0:
                held, self.pidfd = [self.pidfd, self.root, *self.uppers], -1
                # With the last of them its file systems go, which takes the kernel some milliseconds.
                await asyncio.to_thread(_close, held)

    async def _destroy(self) -> None:
        try:
            reply = self.link.request("destroy", {"slot": self.slot}, [self.pidfd])
        except SandboxError:
            return
        try:
            message = await reply.receive()
        finally:
            reply.close()
        if message is not None and not message["cleared"]:
            raise SandboxError(f"processes of sandbox slot {self.slot} survived their kill")
        async with asyncio.timeout(KILL_SECONDS):
            await self._ended()

    async def _ended(self) -> None:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self.pidfd, lambda: None if future.done() else future.set_result(None))
        try:
            await future
        finally:
            loop.remove_reader(self.pidfd)


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


async def start(
    link: Link, runtime: Path, image: Image, limits: Limits, trees: list[tuple[str, list[str]]], single: int | None
) -> Running:
    """Start a sandbox and wait until its process 1 answers. Raises SandboxError with bubblewrap's own words."""
    mount = runtime / "mount"
    mount.mkdir(parents=True, exist_ok=True)
    mount.chmod(0o755)
    body: dict[str, Any] = {
        "mount": str(mount),
        "trees": trees,
        "memory": limits.memory,
        "processes": limits.processes,
        "cpus": limits.cpus,
        "disk": limits.disk,
        "files": limits.files,
        "open_files": limits.open_files,
        "inner": 0 if image.user == "root" else 1000,
        "uid": single,
    }
    output_read, output_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    info_read, info_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    os.set_blocking(output_write, True)
    os.set_blocking(info_write, True)
    try:
        try:
            reply = link.request("start", body, [output_write, info_write])
        finally:
            os.close(output_write)
            os.close(info_write)
        try:
            return await _follow(link, reply, output_read, info_read, image, limits, trees, single)
        finally:
            reply.close()
    finally:
        os.close(output_read)
        os.close(info_read)


async def _follow(
    link: Link,
    reply: Reply,
    output: int,
    info: int,
    image: Image,
    limits: Limits,
    trees: list[tuple[str, list[str]]],
    single: int | None,
) -> Running:
    slot: int | None = None
    try:
        async with asyncio.timeout(READY_SECONDS):
            while (message := await reply.receive()) is not None:
                slot = message.get("slot", slot)
            said = await _read_until(output, b"ready\n")
            if not said.endswith(b"ready\n") or slot is None:
                raise SandboxError(
                    f"bubblewrap did not start: {said.decode('utf-8', 'replace').strip() or 'no reason'}"
                )
            init = int(json.loads(await _read_until(info, b"}"))["child-pid"])
            pidfd = os.pidfd_open(init)
            root = os.open(f"/proc/{init}/root", os.O_PATH | os.O_DIRECTORY)
    except BaseException as error:
        for descriptor in reply.descriptors:
            os.close(descriptor)
        if slot is not None and link.alive:
            with contextlib.suppress(SandboxError):
                link.request("destroy", {"slot": slot}, []).close()
        if isinstance(error, TimeoutError | OSError):
            raise SandboxError(f"a sandbox did not start: {error or 'deadline'}") from error
        raise
    group = cgroups.Group(link.cgroup, cgroups.slot_name(slot, link.tag)) if link.cgroup else None
    places = [place for place, _ in trees]
    return Running(link, slot, limits, image, places, single, init, pidfd, root, list(reply.descriptors), group)


async def _read_until(descriptor: int, end: bytes) -> bytes:
    loop = asyncio.get_running_loop()
    data = b""
    while end not in data and len(data) < 65536:
        try:
            chunk = os.read(descriptor, 4096)
        except BlockingIOError:
            future: asyncio.Future[None] = loop.create_future()
            loop.add_reader(descriptor, _wake, future)
            try:
                await future
            finally:
                loop.remove_reader(descriptor)
            continue
        if not chunk:
            break
        data += chunk
    return data


def _wake(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
