"""Control groups of sandboxes, version 1 and 2. Standard library only.

A sandbox's group has two parts that share its limits: `agent`, which can be frozen, and `probe`, which goes on.
"""

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
NAME = "heldout"
V1 = ("memory", "pids", "cpu", "freezer")
PERIOD = 100_000


def version() -> int | None:
    """1 or 2: what this process may make groups with; None where it may not."""
    if (ROOT / "cgroup.controllers").exists():
        return 2 if _enable_v2() else None
    try:
        for controller in V1:
            (ROOT / controller / NAME).mkdir(exist_ok=True)
    except OSError:
        return None
    return 1


def _enable_v2() -> bool:
    wanted = {"memory", "pids", "cpu"}
    try:
        for folder in (ROOT, ROOT / NAME):
            folder.mkdir(exist_ok=True)
            missing = wanted - set((folder / "cgroup.subtree_control").read_text().split())
            if missing:
                (folder / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in sorted(missing)))
    except OSError:
        return False
    return True


def tag(folder: Path) -> str:
    """What tells the slots of one runtime folder from those of another: containers may share a machine's groups."""
    seen = folder.stat()
    return f"{seen.st_dev:x}-{seen.st_ino:x}"


def slot_name(slot: int, tag: str) -> str:
    """The group of a slot."""
    return f"s{slot}-{tag}"


@dataclass(frozen=True)
class Group:
    """The control group of one slot."""

    version: int
    name: str

    @property
    def folders(self) -> list[Path]:
        """Its folders, one for each hierarchy."""
        if self.version == 2:
            return [ROOT / NAME / self.name]
        return [ROOT / controller / NAME / self.name for controller in V1]

    def create(self, memory: int, processes: int, cpus: float) -> None:
        """Make it with its limits: bytes, count, processors."""
        quota = int(cpus * PERIOD)
        for folder in self.folders:
            folder.mkdir(parents=True, exist_ok=True)
        if self.version == 2:
            folder = self.folders[0]
            values = {"memory.max": memory, "memory.swap.max": 0, "pids.max": processes, "cpu.max": f"{quota} {PERIOD}"}
            for name, value in values.items():
                _write(folder / name, value, optional=name == "memory.swap.max")
            freezer = folder
        else:
            memory_folder, pids, cpu, freezer = self.folders
            _write(memory_folder / "memory.limit_in_bytes", memory)
            _write(memory_folder / "memory.memsw.limit_in_bytes", memory, optional=True)
            _write(pids / "pids.max", processes)
            _write(cpu / "cpu.cfs_period_us", PERIOD)
            _write(cpu / "cpu.cfs_quota_us", quota)
        for part in ("agent", "probe"):
            (freezer / part).mkdir(exist_ok=True)

    def entries(self, part: str) -> list[Path]:
        """The files that take the number of a process that is to be in it."""
        whole = [folder / "cgroup.procs" for folder in self.folders[:3]] if self.version == 1 else []
        return [*whole, self.folders[-1] / part / "cgroup.procs"]

    def join(self, part: str) -> None:
        """Move this process into it."""
        for file in self.entries(part):
            _write(file, os.getpid())

    def pids(self) -> list[int]:
        """The processes in it."""
        found: list[int] = []
        for name in self._lists:
            with contextlib.suppress(OSError), open(name, "rb", buffering=0) as file:
                found += map(int, file.read().split())
        return found

    @cached_property
    def _lists(self) -> list[str]:
        # Kept, and as text: every command of a shell asks first what was there before it.
        return [str(self.folders[-1] / part / "cgroup.procs") for part in ("agent", "probe")]

    def freeze(self, frozen: bool) -> None:
        """Stop or continue the agent's part. On version 1 it may take a moment: see `settled`."""
        if self.version == 2:
            _write(self.folders[0] / "agent" / "cgroup.freeze", int(frozen))
        else:
            _write(self.folders[-1] / "agent" / "freezer.state", "FROZEN" if frozen else "THAWED")

    def settled(self) -> bool:
        """Whether every process of the agent's part stands still."""
        if self.version == 2:
            return "frozen 1" in (self.folders[0] / "agent" / "cgroup.events").read_text()
        return (self.folders[-1] / "agent" / "freezer.state").read_text().strip() == "FROZEN"

    def memory_peak(self) -> int:
        """The most memory it has used, in bytes; 0 if unknown."""
        name = "memory.peak" if self.version == 2 else "memory.max_usage_in_bytes"
        try:
            return int((self.folders[0] / name).read_text())
        except (OSError, ValueError):
            return 0

    def kill(self, spare: frozenset[int] = frozenset()) -> None:
        """Kill what is in it, but for `spare`. Frozen first, so that a fork bomb cannot outrun it."""
        with contextlib.suppress(OSError):
            self.freeze(True)
        for pid in self.pids():
            if pid not in spare:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.freeze(False)

    def clear(self, seconds: float) -> bool:
        """Kill until nothing is left, then remove it. False if something survived the deadline."""
        deadline, pause, again = time.monotonic() + seconds, 0.001, 0.0
        while True:
            now = time.monotonic()
            if self.pids():
                # Not every round: a group that is frozen again and again dies slowly.
                if now >= again:
                    self.kill()
                    again = now + 0.5
            elif self._remove():
                return True
            if now > deadline:
                return False
            time.sleep(pause)
            pause = min(pause * 1.5, 0.05)

    def _remove(self) -> bool:
        gone = True
        for folder in self.folders:
            for part in (folder / "agent", folder / "probe", folder):
                try:
                    part.rmdir()
                except FileNotFoundError:
                    continue
                except OSError:
                    gone = False
        return gone


def bounded(name: str, memory: int, processes: int, cpus: float | None = None) -> Group | None:
    """A group of our own with these limits and so many processors, or all; None where only root may make one."""
    found = version() if os.geteuid() == 0 else None
    if found is None:
        return None
    group = Group(found, name)
    try:
        group.create(memory, processes, cpus or os.cpu_count() or 1)
    except OSError:
        return None
    return group


def _write(path: Path, value: object, *, optional: bool = False) -> None:
    try:
        path.write_text(str(value))
    except OSError:
        if not optional:
            raise
