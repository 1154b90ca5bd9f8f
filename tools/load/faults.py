"""What goes wrong in `make soak`, one fault after the other: kill -9, a process that stands still, a full disk, a clock
that jumps.

The last two need a machine that lets them: root for a file system of the database's own, Debian's `libfaketime` for a
clock that this run's processes alone believe. Where one is missing it is left out, and `Machine.missing` says why.
"""

import asyncio
import contextlib
import itertools
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tools.load.fleet import Fleet

KILLED = ("serve-0", "worker-0", "host-0", "postgres", "serve-1", "host-1")
STILL_SECONDS = 5.0
FULL_SECONDS = 8.0
# Far beyond every lease, less than an idle session may wait.
JUMP_SECONDS = 600
DISK_MIB = 4096
_RESIZES = 100
_LIBRARY = "/usr/lib/*-linux-gnu*/faketime/libfaketimeMT.so.1"


@dataclass(frozen=True)
class Disk:
    """A file system of the database's own (tmpfs), which is full while its size is what is used."""

    folder: Path
    mebibytes: int = DISK_MIB

    @classmethod
    @contextmanager
    def mounted(cls, folder: Path, mebibytes: int = DISK_MIB) -> Iterator["Disk"]:
        """Raises PermissionError where nothing may be mounted."""
        folder.mkdir(parents=True, exist_ok=True)
        options = f"size={mebibytes}m,mode=0711"
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False
        )
        if done.returncode:
            raise PermissionError("a file system of the database's own cannot be mounted (only root may)")
        try:
            yield cls(folder, mebibytes)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)

    def fill(self) -> None:
        """No room from now on: the size is what is used. Raises CalledProcessError."""
        for left in reversed(range(_RESIZES)):
            stat = os.statvfs(self.folder)
            try:
                self._resize(f"{(stat.f_blocks - stat.f_bfree) * stat.f_frsize // 1024}k")
            except subprocess.CalledProcessError:
                # The database wrote meanwhile, and no file system becomes smaller than what is in it.
                if not left:
                    raise
            else:
                return

    def make_room(self) -> None:
        """All of it again."""
        self._resize(f"{self.mebibytes}m")

    def _resize(self, size: str) -> None:
        command = ["mount", "-o", f"remount,size={size}", str(self.folder)]
        subprocess.run(command, check=True, capture_output=True)


@dataclass
class Clock:
    """The time of day of every process that is started from now on, PostgreSQL's too; what counts seconds is left."""

    file: Path
    ahead: bool = False

    @classmethod
    @contextmanager
    def preloaded(cls, folder: Path) -> Iterator["Clock"]:
        """Raises FileNotFoundError where the library is not installed."""
        found = next(iter(Path("/").glob(_LIBRARY[1:])), None)
        if found is None:
            raise FileNotFoundError("libfaketime is not installed: apt install libfaketime")
        clock = cls(folder / "clock")
        clock.set(0)
        chosen = {
            "LD_PRELOAD": str(found),
            "FAKETIME_TIMESTAMP_FILE": str(clock.file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }
        before = {name: os.environ.get(name) for name in chosen}
        os.environ.update(chosen)
        try:
            yield clock
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value

    def set(self, seconds: int) -> None:
        """So many seconds from the machine's time, at once for all of them."""
        new = self.file.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n")
        new.chmod(0o644)
        new.replace(self.file)

    def jump(self) -> None:
        """Ahead, and the next time back."""
        self.ahead = not self.ahead
        self.set(JUMP_SECONDS if self.ahead else 0)


@dataclass
class Machine:
    """What this machine lets be done wrong; `missing` says what it does not."""

    disk: Disk | None = None
    clock: Clock | None = None
    missing: list[str] = field(default_factory=list)

    @classmethod
    @contextmanager
    def prepared(cls, folder: Path, database: Path) -> Iterator["Machine"]:
        """Before any process is started; `database` is the folder that can be full, `folder` one that all may read."""
        machine = cls()
        with contextlib.ExitStack() as stack:
            try:
                machine.disk = stack.enter_context(Disk.mounted(database))
            except (PermissionError, FileNotFoundError) as error:
                machine.missing.append(f"disk: {error}")
            try:
                machine.clock = stack.enter_context(Clock.preloaded(folder))
            except FileNotFoundError as error:
                machine.missing.append(f"clock: {error}")
            yield machine


def faults(fleet: Fleet, machine: Machine) -> list[tuple[str, Callable[[], Awaitable[None]]]]:
    """Each fault's name and what does it, in the order in which they come."""

    async def kill(name: str) -> None:
        fleet.kill(name)

    def killing(name: str) -> tuple[str, Callable[[], Awaitable[None]]]:
        return f"kill {name}", lambda: kill(name)

    known = [killing(name) for name in KILLED if name == "postgres" or name in fleet.ports]
    more: list[tuple[str, Callable[[], Awaitable[None]]]] = []
    if (disk := machine.disk) is not None:
        more.append(("disk full", lambda: _full(disk)))
    if (clock := machine.clock) is not None:
        more.append(("clock jump", lambda: _jump(clock)))
    more += [(f"stand still {name}", lambda name=name: _still(fleet, name)) for name in ("host-0", "worker-0")]  # type: ignore[misc]
    # Of each sort one after the other, so that a short run meets both.
    mixed = itertools.chain.from_iterable(itertools.zip_longest(known, more))
    return [one for one in mixed if one is not None]


async def inflict(fleet: Fleet, machine: Machine, every: float, ending: asyncio.Event) -> Counter[str]:
    """One fault every so many seconds until `ending`, in turn; how often each was."""
    done: Counter[str] = Counter()
    if every:
        for name, fault in itertools.cycle(faults(fleet, machine)):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(every):
                    await ending.wait()
                break
            print(name, file=sys.stderr)
            await fault()
            done[name] += 1
    return done


async def _full(disk: Disk) -> None:
    disk.fill()
    try:
        await asyncio.sleep(FULL_SECONDS)
    finally:
        disk.make_room()


async def _jump(clock: Clock) -> None:
    clock.jump()


async def _still(fleet: Fleet, name: str) -> None:
    """The process hears and says nothing for a while, as one whose network is gone."""
    if name not in fleet.running:
        return
    pid = fleet.running[name].pid
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(STILL_SECONDS)
        finally:
            os.kill(pid, signal.SIGCONT)
