"""One Docker sandbox: the protocol over a container."""

import asyncio
import contextlib
import copy
import errno
import io
import os
import select
import tarfile
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from envs.sandbox import files, process_tree, procs
from envs.sandbox.base import (
    MIB,
    FileRefusedError,
    Image,
    Limits,
    Process,
    Result,
    SandboxError,
    SandboxGoneError,
    User,
)
from envs.sandbox.engine_exec import ExecChannel, call, open_exec
from envs.sandbox.engine_names import BOUND, WRITABLE
from envs.sandbox.running import PATH
from envs.sandbox.shell import ARGV, Channel, PersistentShell

READY_SECONDS = 120.0
# How the engine tells that a program is not there: on the standard output.
REFUSAL, NOT_STARTED = b"OCI runtime exec failed", (126, 127)
# Where the machine cannot see the processes (gVisor), a command inside does it, sparing process 1 and our shells.
SIGNAL_INSIDE = """for d in /proc/[0-9]*; do p=${d#/proc/}
[ "$p" = 1 ] || [ "$p" = $$ ] && continue
c=$(tr '\\0' ' ' <"$d/cmdline" 2>/dev/null)
case "$c" in *"read -r _"*) continue ;; "bash --noprofile --norc ") [ "$2" = keep ] && continue ;; esac
kill -"$1" "$p" 2>/dev/null; done"""
WRITE = """d=$(dirname -- "$1"); p=$d; top=
while [ ! -e "$p" ]; do top=$p; p=$(dirname -- "$p"); done
mkdir -p -- "$d" || exit
[ -z "$top" ] || chown -R -- "$3" "$top"
if [ -e "$1" ] && [ ! -f "$1" ]; then echo "not a regular file" >&2; exit 1; fi
cat > "$1" && chmod "$2" "$1" && chown -- "$3" "$1"
"""
READ = """[ -e "$1" ] || { echo "no such file" >&2; exit 1; }
[ -f "$1" ] || { echo "not a regular file" >&2; exit 1; }
head -c "$2" -- "$1"
"""


class Containers(Protocol):
    """What a sandbox needs of its backend: a container of its own, and what to fill its folders with."""

    async def create(self, image: Image, limits: Limits) -> str: ...

    async def seed(self, container: str, image: Image) -> bytes: ...

    def forget(self, sandbox: "DockerSandbox") -> None: ...


class DockerSandbox:
    """One sandbox; see envs.sandbox.base.Sandbox. `traced` says whether its processes are the machine's."""

    def __init__(self, api: Any, backend: Containers, image: Image, limits: Limits, traced: bool) -> None:
        self._api, self._backend, self._image, self._limits = api, backend, image, limits
        self._traced = traced
        self.id = f"docker-{uuid.uuid4().hex[:12]}"
        self._container = ""
        self._lifeline: Any = None
        self._init, self._pidfd, self._root, self._base = 0, -1, -1, 0

    @property
    def limits(self) -> Limits:
        """The limits it was started with."""
        return self._limits

    @property
    def alive(self) -> bool:
        """Whether process 1 still runs."""
        if self._pidfd < 0:
            return False
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return not poll.poll(0)

    async def begin(self) -> None:
        """Start the container and fill its writable folders. Raises SandboxError."""
        self._container = await self._backend.create(self._image, self._limits)
        try:
            async with asyncio.timeout(READY_SECONDS):
                seed = await self._backend.seed(self._container, self._image)
                self._lifeline = await call(self._api.attach_socket, self._container, {"stdin": 1, "stream": 1})
                await call(self._api.start, self._container)
                state = (await call(self._api.inspect_container, self._container))["State"]
                self._init = int(state["Pid"])
                self._pidfd = os.pidfd_open(self._init)
                if self._traced:
                    self._root = os.open(f"/proc/{self._init}/root", os.O_PATH | os.O_DIRECTORY)
                    self._base = _base_uid(self._init)
                if seed:
                    await self._fill(seed)
                for layer in self._image.layers:
                    await self._fill(await asyncio.to_thread(_pack, layer / "root", WRITABLE[self._image.user]))
        except (OSError, TimeoutError, SandboxError) as error:
            await self._remove()
            if isinstance(error, SandboxError):
                raise
            raise SandboxError(f"a container did not start: {error or 'deadline'}") from error

    async def _fill(self, tar: bytes) -> None:
        command = ["tar", "-x", "-p", "-C", "/", "-f", "-"]
        unpacked = await self.run(command, stdin=tar, user="root", workdir="/", timeout=READY_SECONDS)
        if unpacked.status != 0:
            raise SandboxError(f"the image's folders could not be filled: {unpacked.stderr.decode(errors='replace')}")

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
        cap = self._limits.output if cap is None else cap
        kept: dict[int, bytearray] = {1: bytearray(), 2: bytearray()}
        dropped = 0
        channel: ExecChannel | None = None
        try:
            async with asyncio.timeout(timeout or self._limits.timeout):
                channel = await self._exec(argv, user, workdir, environment)
                sender = asyncio.ensure_future(_feed(channel, stdin))
                try:
                    while True:
                        stream, piece = await channel.frame()
                        if not piece:
                            break
                        held = kept.setdefault(stream, bytearray())
                        taken = piece[: max(0, cap - len(held))]
                        held += taken
                        dropped += len(piece) - len(taken)
                    status = await self._status(channel)
                finally:
                    sender.cancel()
                    await asyncio.gather(sender, return_exceptions=True)
                    channel.close()
        except TimeoutError:
            if channel is not None:
                await self._stop(channel)
            return Result(bytes(kept[1]), bytes(kept[2]), None, True, dropped)
        if status in NOT_STARTED and kept[1].startswith(REFUSAL):
            return Result(b"", bytes(kept[1]), NOT_STARTED[1], False, dropped)
        return Result(bytes(kept[1]), bytes(kept[2]), status, False, dropped)

    async def _exec(
        self, argv: Sequence[str], user: str | None, workdir: str | None, environment: dict[str, str] | None
    ) -> ExecChannel:
        if not self.alive:
            raise SandboxGoneError("the sandbox has ended")
        who = user or self._image.user
        home = "/root" if who == "root" else "/home/agent"
        variables = {"PATH": PATH, "HOME": home, "USER": who, "LOGNAME": who, "LANG": "C.UTF-8", "TERM": "dumb"}
        variables |= {"SHELL": "/bin/bash"} | self._image.environment | (environment or {})
        ids = "0:0" if who == "root" else "1000:1000"
        return await open_exec(self._api, self._container, list(argv), ids, workdir or self._image.workdir, variables)

    async def _status(self, channel: ExecChannel) -> int | None:
        while True:
            state = await channel.state()
            if not state["Running"]:
                return int(state["ExitCode"])
            if not self.alive:
                raise SandboxGoneError("the sandbox ended while a command was running")
            await asyncio.sleep(0.01)

    async def _stop(self, channel: ExecChannel) -> None:
        if self._traced:
            pid = await channel.pid()
            if pid:
                await process_tree.kill_tree(self._pids, pid)
        else:
            await self._signal_inside("9", keep=True)

    async def _signal_inside(self, number: str, *, keep: bool) -> None:
        argv = ["sh", "-c", SIGNAL_INSIDE, "sh", number, "keep" if keep else "all"]
        channel = await self._exec(argv, "root", "/", None)
        try:
            async with asyncio.timeout(process_tree.SECONDS):
                while (await channel.frame())[1]:
                    pass
        except TimeoutError as error:
            raise SandboxError("the sandbox's processes could not be signalled") from error
        finally:
            channel.close()

    async def shell(self) -> PersistentShell:
        """See the protocol."""
        shell = PersistentShell(
            self._channel, self._mark, self._interrupt, timeout=self._limits.timeout, cap=self._limits.output
        )
        await shell.open()
        return shell

    async def _channel(self) -> Channel:
        return await self._exec(ARGV, None, None, None)

    def _mark(self) -> frozenset[int]:
        return frozenset(self._pids())

    async def _interrupt(self, before: frozenset[int]) -> None:
        if self._traced:
            await process_tree.kill(self._pids, before | {self._init})
        else:
            await self._signal_inside("9", keep=True)

    def _pids(self) -> list[int]:
        return procs.in_namespace(self._init) if self._traced and self.alive else []

    def _ours(self) -> frozenset[int]:
        """Process 1 and the main process that holds the lifeline."""
        kept = {self._init}
        for pid in self._pids():
            seen = procs.look(pid)
            if seen is not None and seen.parent == self._init and seen.argv[-1:] == ("read -r _",):
                kept.add(pid)
        return frozenset(kept)

    async def spawn(self, command: Sequence[str], *, user: User | None = None) -> int:
        """See the protocol."""
        script = 'echo $$; exec "$@" </dev/null >/dev/null 2>&1'
        channel = await self._exec(["bash", "--noprofile", "--norc", "-c", script, "bash", *command], user, None, None)
        try:
            async with asyncio.timeout(self._limits.timeout):
                inner = await channel.receive()
                if not self._traced:
                    return int(inner or 0)
                pid = await channel.pid()
                # Until bash has become the command: only then the pid means what was asked for.
                while (seen := procs.look(pid)) is not None and script in seen.argv:  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
                return pid
        except TimeoutError as error:
            raise SandboxError("a server did not start before the deadline") from error
        finally:
            channel.close()

    async def read_file(self, path: str, *, limit: int = MIB) -> bytes:
        """See the protocol."""
        self._require_alive()
        if self._root >= 0:
            return await asyncio.to_thread(files.read, self._root, path, limit)
        if "\0" in path:
            raise FileRefusedError(None, "a path contains a NUL byte", path)
        result = await self.run(["/bin/sh", "-c", READ, "sh", path, str(limit + 1)], user="root", cap=limit + 1)
        if len(result.stdout) > limit:
            raise FileRefusedError(errno.EFBIG, f"more than the {limit} bytes allowed", path)
        if result.status != 0:
            raise FileRefusedError(None, result.stderr.decode("utf-8", "replace").strip() or "not read", path)
        return result.stdout

    async def write_file(self, path: str, content: bytes, *, mode: int = 0o644, user: User | None = None) -> None:
        """See the protocol."""
        self._require_alive()
        inner = 0 if (user or self._image.user) == "root" else 1000
        # With shifted ids the machine's own root has no id in there, so it cannot make a file.
        if self._root >= 0 and self._base == 0:
            await asyncio.to_thread(files.write, self._root, path, content, mode, inner)
            return
        if "\0" in path:
            raise FileRefusedError(None, "a path contains a NUL byte", path)
        argv = ["/bin/sh", "-c", WRITE, "sh", path, oct(mode)[2:], f"{inner}:{inner}"]
        result = await self.run(argv, stdin=content, user="root", environment={"PATH": "/usr/bin:/bin"})
        if result.status != 0:
            raise FileRefusedError(None, result.stderr.decode("utf-8", "replace").strip() or "not written", path)

    async def locate(self, path: str) -> int:
        """See the protocol."""
        self._require_alive()
        if self._root < 0:
            raise SandboxError("paths inside can be reached from outside only as root and without gVisor")
        return await asyncio.to_thread(files.locate, self._root, path)

    async def processes(self) -> list[Process]:
        """See the protocol."""
        self._require_alive()
        if self._traced:
            seen = [procs.look(pid) for pid in self._pids()]
            return [Process(each.pid, each.uid - self._base, each.state, each.argv) for each in seen if each]
        result = await self.run(["ps", "-eo", "pid=,uid=,state=,args="], user="root")
        rows = [line.split(None, 3) for line in result.text.splitlines()]
        return [Process(int(row[0]), int(row[1]), row[2], tuple(row[3].split())) for row in rows if len(row) == 4]

    async def freeze(self) -> None:
        """See the protocol."""
        await self._stand_still(frozen=True)

    async def thaw(self) -> None:
        """See the protocol."""
        await self._stand_still(frozen=False)

    async def _stand_still(self, *, frozen: bool) -> None:
        self._require_alive()
        if self._traced:
            spare = self._ours()
            await process_tree.freeze(lambda: [pid for pid in self._pids() if pid not in spare], frozen=frozen)
        else:
            await self._signal_inside("STOP" if frozen else "CONT", keep=False)

    async def snapshot(self, folder: Path) -> Path:
        """See the protocol. Holds the writable folders as they are: what was deleted there comes back on a start."""
        self._require_alive()
        if folder.exists():
            raise SandboxError(f"{folder} exists already")
        places = [place.lstrip("/") for place in WRITABLE[self._image.user]]
        command = ["tar", "-c", "-C", "/", "-f", "-", *places]
        size = self._limits.disk * (len(places) + 1)
        packed = await self.run(command, user="root", workdir="/", cap=size, timeout=READY_SECONDS)
        if packed.status not in (0, 1) or packed.truncated:
            raise SandboxError(f"a snapshot failed: {packed.stderr.decode('utf-8', 'replace')[:500]}")
        await asyncio.to_thread(_unpack, packed.stdout, folder)
        return folder

    async def reset(self) -> None:
        """See the protocol."""
        await self._remove()
        await self.begin()

    async def kill(self) -> None:
        """See the protocol."""
        self._require_alive()
        if self._traced:
            await process_tree.kill(self._pids, self._ours())
        else:
            await self._signal_inside("9", keep=False)

    async def destroy(self) -> None:
        """See the protocol."""
        self._backend.forget(self)
        await self._remove()

    async def _remove(self) -> None:
        if self._lifeline is not None:
            with contextlib.suppress(OSError):
                self._lifeline.close()
            self._lifeline = None
        if self._container:
            with contextlib.suppress(SandboxGoneError):
                await call(self._api.remove_container, self._container, force=True)
            self._container = ""
        for descriptor in (self._pidfd, self._root):
            if descriptor >= 0:
                os.close(descriptor)
        self._pidfd = self._root = -1

    def _require_alive(self) -> None:
        if not self.alive:
            raise SandboxGoneError("the sandbox has ended")


async def _feed(channel: ExecChannel, data: bytes) -> None:
    with contextlib.suppress(OSError):
        if data:
            await channel.send(data)
        channel.end_input()


def _base_uid(pid: int) -> int:
    """The machine's id of uid 0 inside."""
    fields = Path(f"/proc/{pid}/uid_map").read_text().split()
    return int(fields[1])


def _pack(folder: Path, places: tuple[str, ...]) -> bytes:
    def wanted(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        return None if member.ischr() or member.name in BOUND else member

    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as target:
        for place in (place.lstrip("/") for place in places):
            if (folder / place).is_dir():
                target.add(folder / place, arcname=place, filter=wanted)
    return out.getvalue()


# Releases of Python that have filters for archives want one named; Debian's 3.11.2 has none.
_UNFILTERED: dict[str, Any] = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}


def _unpack(data: bytes, folder: Path) -> None:
    root = folder / "root"
    root.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as source:
        for member in source:
            if member.isreg() or member.isdir() or member.issym() or member.islnk():
                source.extract(_kept(member, root), root, numeric_owner=True, **_UNFILTERED)


def _kept(member: tarfile.TarInfo, root: Path) -> tarfile.TarInfo:
    """Nothing outside `root`, and the mode as it was, but for set-id bits: a layer lies on the host."""
    kept = copy.copy(member)
    kept.name, kept.mode = member.name.lstrip("/"), member.mode & 0o1777
    if not Path(os.path.realpath(root / kept.name)).is_relative_to(os.path.realpath(root)):
        raise SandboxError(f"the layer holds {member.name!r}, which lies outside it")
    return kept
