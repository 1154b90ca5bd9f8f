"""The words every sandbox backend speaks.

Errors, all of them `InfrastructureError`, so that none is ever taken for a wrong answer:

    SandboxError             the backend failed: an operator sees the message, a participant only "infrastructure error"
    |- BackendUnavailableError    this machine cannot run the backend; the message says what is missing
    |- SandboxGoneError           the sandbox ended (its memory ran out, it was killed); may be told to the participant
FileRefusedError (an OSError) is about one path of one sandbox and may be told to whoever asked for the file.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field

from envs.base import InfrastructureError

MIB = 1 << 20
TRUNCATED = "\n[output truncated: {dropped} bytes dropped]\n"

User = Literal["agent", "root"]


class SandboxError(InfrastructureError):
    """The backend failed. The message is for operators."""


class BackendUnavailableError(SandboxError):
    """This machine cannot run the backend. The message says what is missing."""


class SandboxGoneError(SandboxError):
    """The sandbox has ended, or was destroyed."""


class FileRefusedError(OSError):
    """A path that cannot be read or written from outside: absent, not a regular file, too large, out of space."""


class Limits(BaseModel):
    """What a sandbox may use. Bytes, seconds and counts; every limit is always on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory: int = Field(default=256 * MIB, ge=16 * MIB, description="bytes, all processes and files together")
    processes: int = Field(default=128, ge=8, le=4096)
    cpus: float = Field(default=1.0, gt=0.05, le=64)
    disk: int = Field(default=64 * MIB, ge=MIB, description="bytes that may be written, the whole root together")
    files: int = Field(default=20_000, ge=1_000, description="inodes that may be created")
    open_files: int = Field(default=1024, ge=64)
    output: int = Field(default=MIB, ge=1024, description="bytes kept of one command's output; the rest is dropped")
    timeout: float = Field(default=30.0, gt=0, description="seconds one command may take unless the call says less")


class Image(BaseModel):
    """What is on the disk of a sandbox.

    `name` is "host" (the machine's read-only /usr) or an image that `make images` built; with Docker Engine any
    image the engine has. `layers` are snapshots laid over it, the last one on top. `user` is who commands run as:
    "agent" (uid 1000) or "root" (uid 0 of the sandbox's own user namespace, never of the machine). `meeting` is a
    folder of the machine that is seen, read-only, at /run/heldout; Docker Engine knows it, bubblewrap does without.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(default="host", pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$")
    layers: tuple[Path, ...] = ()
    user: User = "agent"
    workdir: str = Field(default="/work", pattern=r"^/[^\x00\n]{0,400}$")
    environment: dict[str, str] = Field(default_factory=dict)
    meeting: Path | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a command did. `status` is None when it was stopped by the deadline or its sandbox ended.

    `stdout` and `stderr` are at most `Limits.output` bytes each; `dropped` counts the bytes beyond. A shell merges
    both into `stdout`, and sets `restarted` when the shell itself had ended, so that its variables are lost.
    """

    stdout: bytes
    stderr: bytes = b""
    status: int | None = 0
    timed_out: bool = False
    dropped: int = 0
    restarted: bool = False

    @property
    def truncated(self) -> bool:
        """Whether output beyond the cap was thrown away."""
        return self.dropped > 0

    @property
    def text(self) -> str:
        """The output as UTF-8 with replacement characters, and a marker where it was cut."""
        text = self.stdout.decode("utf-8", "replace")
        return text + TRUNCATED.format(dropped=self.dropped) if self.dropped else text


@dataclass(frozen=True, slots=True)
class Process:
    """One process of a sandbox, as the machine sees it: `argv` is what the process claims, `uid` is inside."""

    pid: int
    uid: int
    state: str
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Traits:
    """What a backend is, in words for operators. `weaknesses` is empty for a full sandbox.

    `accounts`: whether a sandbox has several user ids, so that accounts can be made in it and files given to them.
    """

    name: str
    kernel: str
    weaknesses: tuple[str, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)
    accounts: bool = True


class Shell(Protocol):
    """A persistent bash: working directory, variables and background processes live on between commands."""

    async def run(self, command: str, *, timeout: float | None = None, cap: int | None = None) -> Result:
        """Run one command (any bash text) with an empty standard input; wait for its end, not for silence.

        At the deadline everything the command started is killed and `timed_out` is set; the shell lives on where it
        can. Not safe for concurrent calls. Raises SandboxGoneError.
        """
        ...

    async def close(self) -> None:
        """End the shell. The sandbox and its background processes live on. Raises nothing."""
        ...


class Sandbox(Protocol):
    """One isolated place. Different methods may be called concurrently; `destroy` must be called once.

    Every method but `destroy` raises SandboxGoneError when the sandbox has ended, SandboxError when the backend fails.
    """

    @property
    def id(self) -> str:
        """A name for logs; unique on this machine while the sandbox lives."""
        ...

    @property
    def limits(self) -> Limits:
        """The limits it was started with."""
        ...

    @property
    def alive(self) -> bool:
        """Whether the sandbox can still run commands. Cheap: a pool asks before a lease."""
        ...

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
        """Run a command in a process of its own: a list is an argv, a string goes to `bash -c`.

        Nothing of a shell's state reaches it, and no start-up file is read. At the deadline its process tree is
        killed. A program that does not exist gives status 127. Works on a frozen sandbox.
        """
        ...

    async def shell(self) -> Shell:
        """Open a persistent shell."""
        ...

    async def spawn(self, command: Sequence[str], *, user: User | None = None) -> int:
        """Start a long-running process (a server) that ends with the sandbox; returns its pid on the machine."""
        ...

    async def read_file(self, path: str, *, limit: int = MIB) -> bytes:
        """A regular file's content, read from outside; links resolve inside the sandbox. Raises FileRefusedError."""
        ...

    async def write_file(self, path: str, content: bytes, *, mode: int = 0o644, user: User | None = None) -> None:
        """Write a file, making its folders. Raises FileRefusedError."""
        ...

    async def locate(self, path: str) -> int:
        """An O_PATH descriptor of a path, resolved inside; the caller closes it. Raises FileRefusedError.

        A unix socket of a server inside is reached from outside by connecting to /proc/self/fd/N.
        """
        ...

    async def processes(self) -> list[Process]:
        """What runs inside, the backend's own init and shells included."""
        ...

    async def freeze(self) -> None:
        """Stop every process there is. Later `run` calls work beside them: for probes at the end of an episode."""
        ...

    async def thaw(self) -> None:
        """Let frozen processes go on."""
        ...

    async def snapshot(self, folder: Path) -> Path:
        """Keep what was written as a layer for `Image.layers`. `folder` must not exist; returns it.

        Processes are not part of it; freeze or stop them before. Raises SandboxError where the backend cannot.
        """
        ...

    async def reset(self) -> None:
        """Back to how it was started: every process gone, everything written gone. Shells must be opened anew."""
        ...

    async def kill(self) -> None:
        """Kill every process of the agent, shells included; the sandbox and its files live on."""
        ...

    async def destroy(self) -> None:
        """End it, and wait until nothing is left. May be called again. Raises SandboxError if processes survive."""
        ...


class Backend(Protocol):
    """A way to make sandboxes."""

    @property
    def traits(self) -> Traits:
        """What it is and where it is weaker."""
        ...

    async def start(self, image: Image, limits: Limits) -> Sandbox:
        """A fresh sandbox, ready for commands. Raises SandboxError, or BackendUnavailableError."""
        ...

    async def digest(self, name: str) -> str:
        """What stands behind an image's name here: "rootfs sha256:…" or "docker sha256:…". Raises SandboxError."""
        ...

    async def close(self) -> None:
        """Destroy every sandbox that still lives, and free what the backend holds."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exc: object) -> None: ...
