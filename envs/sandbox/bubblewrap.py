"""Sandboxes from bubblewrap, where there is no container engine.

As root ("bubblewrap-root"): each sandbox has 65536 user ids of its own, control groups, a writable overlay with a
size and an inode cap, no network, no capability that reaches the machine, and a system-call filter. As an ordinary
user ("bubblewrap-user") it is weaker, and says so: see `Traits.weaknesses`.
"""

import asyncio
import os
import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from envs.sandbox import files, images, procs, running
from envs.sandbox.base import (
    MIB,
    BackendUnavailableError,
    FileRefusedError,
    Image,
    Limits,
    Process,
    Result,
    SandboxError,
    SandboxGoneError,
    Traits,
    User,
)
from envs.sandbox.images import built_images
from envs.sandbox.layers import save_layer
from envs.sandbox.link import Link, Reply
from envs.sandbox.shell import ARGV, Channel, PersistentShell
from envs.sandbox.stream import Capture, Duplex, content
from envs.sandbox.supervisor import slots

LONGEST_ARGUMENT = 100_000
# Where root must pretend to be an ordinary user (to measure that backend), it is this one.
PRETENDED_UID = 65_000
SINGLE = (
    "only one user id inside: useradd, chown and su to others fail",
    "the processes' total memory is not capped, only each one's",
    "CPU time is not capped",
)
WRITE = """mkdir -p -- "$(dirname -- "$1")" || exit
if [ -e "$1" ] && [ ! -f "$1" ]; then echo "not a regular file" >&2; exit 1; fi
cat > "$1" && chmod "$2" "$1"
"""
NO_GROUPS = "control groups cannot be made here: total memory, CPU time and freezing are not capped"


class BubblewrapSandbox:
    """One sandbox; see envs.sandbox.base.Sandbox."""

    def __init__(self, backend: "BubblewrapBackend", image: Image, limits: Limits, running_: running.Running) -> None:
        self._backend, self._image, self._limits = backend, image, limits
        self._running = running_
        self._shells: list[PersistentShell] = []
        self.id = f"bw-{uuid.uuid4().hex[:12]}"

    @property
    def limits(self) -> Limits:
        """The limits it was started with."""
        return self._limits

    @property
    def alive(self) -> bool:
        """Whether process 1 still runs."""
        return self._running.alive()

    @property
    def memory_peak(self) -> int:
        """The most memory it has used, in bytes; 0 where there are no control groups."""
        return self._running.group.memory_peak() if self._running.group else 0

    async def run(
        self,
        command: str | Sequence[str],
        *,
        stdin: bytes = b"",
        timeout: float | None = None,
        cap: int | None = None,
        user: User | None = None,
        workdir: str | None = None,
        environment: dict[str, str] | None = None,
    ) -> Result:
        """See the protocol."""
        argv = ["bash", "--noprofile", "--norc", "-c", command] if isinstance(command, str) else list(command)
        if not argv or any(len(part) > LONGEST_ARGUMENT or "\0" in part for part in argv):
            raise ValueError(f"arguments are text of at most {LONGEST_ARGUMENT} characters without NUL")
        out_read, out_write = os.pipe2(os.O_CLOEXEC)
        err_read, err_write = os.pipe2(os.O_CLOEXEC)
        source = content(stdin)
        cap = self._limits.output if cap is None else cap
        captures = (Capture(out_read, cap), Capture(err_read, cap))
        try:
            try:
                reply = self._running.enter(
                    argv, (source, out_write, err_write), user=user, workdir=workdir, environment=environment
                )
            finally:
                for descriptor in (source, out_write, err_write):
                    os.close(descriptor)
            try:
                status, timed_out = await self._wait(reply, timeout or self._limits.timeout)
            finally:
                reply.close()
            for capture in captures:
                capture.drain()
            dropped = captures[0].dropped + captures[1].dropped
            return Result(bytes(captures[0].data), bytes(captures[1].data), status, timed_out, dropped)
        finally:
            for capture in captures:
                capture.close()

    async def _wait(self, reply: Reply, timeout: float) -> tuple[int | None, bool]:
        pid: int | None = None
        try:
            async with asyncio.timeout(timeout):
                while (message := await reply.receive()) is not None:
                    pid = message.get("pid", pid)
                    if "status" in message:
                        return int(message["status"]), False
            if pid is None or not self.alive:
                raise SandboxGoneError("the sandbox ended while a command was running")
        except BaseException as error:
            if pid is not None and self.alive:
                await asyncio.shield(self._running.kill_tree(pid))
            if isinstance(error, TimeoutError):
                return None, True
            raise
        return None, False

    async def shell(self) -> PersistentShell:
        """See the protocol."""
        shell = PersistentShell(
            self._channel, self._mark, self._interrupt, timeout=self._limits.timeout, cap=self._limits.output
        )
        self._shells.append(shell)
        await shell.open()
        return shell

    async def _channel(self) -> Channel:
        in_read, in_write = os.pipe2(os.O_CLOEXEC)
        out_read, out_write = os.pipe2(os.O_CLOEXEC)
        try:
            self._running.enter(ARGV, (in_read, out_write, out_write)).close()
        except SandboxError:
            os.close(in_write)
            os.close(out_read)
            raise
        finally:
            os.close(in_read)
            os.close(out_write)
        return Duplex(in_write, out_read)

    def _mark(self) -> frozenset[int]:
        return frozenset(self._running.pids())

    async def _interrupt(self, before: frozenset[int]) -> None:
        await self._running.kill(before)

    async def spawn(self, command: Sequence[str], *, user: User | None = None) -> int:
        """See the protocol."""
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            reply = self._running.enter(list(command), (null, null, null), user=user)
        finally:
            os.close(null)
        try:
            async with asyncio.timeout(self._limits.timeout):
                message = await reply.receive()
        except TimeoutError as error:
            raise SandboxError("a server did not start before the deadline") from error
        finally:
            reply.close()
        if message is None or "pid" not in message:
            raise SandboxGoneError("the sandbox ended while a server was starting")
        return int(message["pid"])

    async def read_file(self, path: str, *, limit: int = MIB) -> bytes:
        """See the protocol."""
        self._require_alive()
        return await asyncio.to_thread(files.read, self._running.root, path, limit)

    async def write_file(self, path: str, content: bytes, *, mode: int = 0o644, user: User | None = None) -> None:
        """See the protocol."""
        self._require_alive()
        if self._running.single is not None:
            await self._write_inside(path, content, mode)
            return
        owner = self._running.base + self._running.inner_uid(user)
        await asyncio.to_thread(files.write, self._running.root, path, content, mode, owner)

    async def _write_inside(self, path: str, content: bytes, mode: int) -> None:
        script = (
            'mkdir -p -- "$(dirname -- "$1")" && { [ ! -e "$1" ] || [ -f "$1" ]; } && cat > "$1" && chmod "$2" "$1"'
        )
        argv = ["/bin/sh", "-c", script, "sh", path, oct(mode)[2:]]
        result = await self.run(argv, stdin=content, environment={"PATH": "/usr/bin:/bin"})
        if result.status != 0:
            raise FileRefusedError(None, result.stderr.decode("utf-8", "replace").strip() or "not written", path)

    async def locate(self, path: str) -> int:
        """See the protocol."""
        self._require_alive()
        return await asyncio.to_thread(files.locate, self._running.root, path)

    async def processes(self) -> list[Process]:
        """See the protocol."""
        self._require_alive()
        found = []
        for pid in [self._running.init, *self._running.pids()]:
            seen = procs.look(pid)
            if seen is not None and seen.inside:
                inner = seen.uid - self._running.base if self._running.single is None else self._running.inner_uid(None)
                found.append(Process(pid, inner, seen.state, seen.argv))
        return found

    async def freeze(self) -> None:
        """See the protocol."""
        self._require_alive()
        await self._running.freeze(True)

    async def thaw(self) -> None:
        """See the protocol."""
        self._require_alive()
        await self._running.freeze(False)

    async def snapshot(self, folder: Path) -> Path:
        """See the protocol."""
        self._require_alive()
        named = {
            place or "root": upper for place, upper in zip(self._running.places, self._running.uppers, strict=True)
        }
        base = self._running.base if self._running.single is None else None
        await asyncio.to_thread(save_layer, folder, named, base, slots.RANGE)
        return folder

    async def reset(self) -> None:
        """See the protocol."""
        await self._running.destroy()
        await self._hang_up()
        self._running = await self._backend.start_running(self._image, self._limits)

    async def kill(self) -> None:
        """See the protocol."""
        self._require_alive()
        await self._running.kill()

    async def destroy(self) -> None:
        """See the protocol."""
        self._backend.forget(self)
        try:
            await self._running.destroy()
        finally:
            await self._hang_up()

    async def _hang_up(self) -> None:
        """Close our ends of the shells: nobody else does, and each holds two descriptors of this process."""
        while self._shells:
            await self._shells.pop().close()

    def _require_alive(self) -> None:
        if not self._running.alive():
            raise SandboxGoneError("the sandbox has ended")


class BubblewrapBackend:
    """Makes bubblewrap sandboxes. `runtime` holds locks and mount points, `images` what `make images` built.

    `root` chooses the mode; None takes root's where the process is root. Raises BackendUnavailableError.
    """

    def __init__(self, *, images: Path | None = None, runtime: Path | None = None, root: bool | None = None) -> None:
        is_root = os.geteuid() == 0
        self._rooted = is_root if root is None else root
        if self._rooted and not is_root:
            raise BackendUnavailableError("sandboxes with user ids of their own need root")
        if shutil.which("bwrap") is None:
            raise BackendUnavailableError("bubblewrap is not installed: run infra/setup.sh, or install 'bubblewrap'")
        self._images = images or built_images()
        self._runtime = runtime or default_runtime()
        self._runtime.mkdir(parents=True, exist_ok=True)
        if self._runtime.stat().st_uid != os.geteuid():
            raise BackendUnavailableError(f"{self._runtime} belongs to somebody else; set XDG_RUNTIME_DIR")
        self._link: Link | None = None
        self._opening = asyncio.Lock()
        self._alive: set[BubblewrapSandbox] = set()

    @property
    def traits(self) -> Traits:
        """What it is and where it is weaker."""
        weak: tuple[str, ...] = () if self._rooted else SINGLE
        if self._rooted and self._link is not None and self._link.cgroup is None:
            weak = (NO_GROUPS,)
        facts = {"cgroups": str(self._link.cgroup) if self._link else "not asked yet"}
        name = "bubblewrap-root" if self._rooted else "bubblewrap-user"
        return Traits(name, "shared", weak, facts, accounts=self._rooted)

    @property
    def supervisor(self) -> int | None:
        """The supervisor's process, once there is one."""
        return self._link.pid if self._link else None

    async def digest(self, name: str) -> str:
        """What `make images` recorded of a root file system. Raises SandboxError."""
        return await asyncio.to_thread(images.digest, name, self._images)

    async def start(self, image: Image, limits: Limits) -> BubblewrapSandbox:
        """See the protocol."""
        sandbox = BubblewrapSandbox(self, image, limits, await self.start_running(image, limits))
        self._alive.add(sandbox)
        return sandbox

    async def start_running(self, image: Image, limits: Limits) -> running.Running:
        """The part of `start` below the protocol; for `reset`."""
        found = await asyncio.to_thread(images.trees, image, self._images, self._runtime)
        single = None if self._rooted else (os.geteuid() or PRETENDED_UID)
        link = await self.connect()
        try:
            return await running.start(link, self._runtime, image, limits, found, single)
        except SandboxError:
            if link.alive:
                raise
        # A supervisor that was killed a moment ago is noticed at the first request.
        return await running.start(await self.connect(), self._runtime, image, limits, found, single)

    async def connect(self) -> Link:
        """The supervisor; started when there is none, or when the last one died."""
        async with self._opening:
            if self._link is not None and not self._link.alive:
                await self._link.close()
                self._link = None
            if self._link is None:
                self._link = await Link.open(self._runtime, grouped=self._rooted)
            return self._link

    def forget(self, sandbox: BubblewrapSandbox) -> None:
        """A sandbox is being destroyed."""
        self._alive.discard(sandbox)

    async def close(self) -> None:
        """See the protocol."""
        for sandbox in list(self._alive):
            await sandbox.destroy()
        if self._link is not None:
            await self._link.close()
            self._link = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


def default_runtime() -> Path:
    """Where locks and mount points live: shared by all services of one user on this machine."""
    if os.geteuid() == 0:
        return Path("/run/heldout/sandbox")
    base = os.environ.get("XDG_RUNTIME_DIR")
    return Path(base, "heldout-sandbox") if base else Path(f"/tmp/heldout-sandbox-{os.geteuid()}")  # noqa: S108
