"""What the machine's /proc says about a sandbox's processes."""

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class ProcessState:
    """One process: ids are the machine's; `inside` is whether it lives in a pid namespace below ours."""

    pid: int
    parent: int
    session: int
    uid: int
    state: str
    inside: bool
    argv: tuple[str, ...]


def look(pid: int) -> ProcessState | None:
    """One process, or None when it is gone."""
    try:
        status = (PROC / str(pid) / "status").read_text(errors="replace")
        stat = (PROC / str(pid) / "stat").read_text(errors="replace")
        command = (PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    after = stat[stat.rindex(")") + 2 :].split()
    argv = tuple(part.decode("utf-8", "replace") for part in command.split(b"\0") if part)
    return ProcessState(
        pid=pid,
        parent=int(after[1]),
        session=int(after[3]),
        uid=int(fields["Uid"].split()[0]),
        state=after[0],
        inside=len(fields["NSpid"].split()) > len(_own_levels()),
        argv=argv,
    )


def _own_levels() -> list[str]:
    for line in (PROC / "self" / "status").read_text().splitlines():
        if line.startswith("NSpid:"):
            return line.split()[1:]
    return ["0"]


def in_namespace(init: int) -> list[int]:
    """Every process that shares the pid namespace of `init`; none if that is our own, which nobody may kill."""
    try:
        wanted = os.readlink(f"/proc/{init}/ns/pid")  # noqa: PTH115
        own = os.readlink("/proc/self/ns/pid")  # noqa: PTH115
    except OSError:
        return []
    if wanted == own:
        return []
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            with suppress(OSError):
                if os.readlink(f"/proc/{name}/ns/pid") == wanted:  # noqa: PTH115
                    found.append(int(name))
    return found


def tree(pids: list[int], top: int) -> list[int]:
    """Those of `pids` that descend from `top` or belong to its session."""
    seen = {pid: found for pid in pids if (found := look(pid)) is not None and found.state != "Z"}
    inside: set[int] = {top}
    grown = True
    while grown:
        fresh = {pid for pid, found in seen.items() if found.parent in inside or found.session in inside} - inside
        inside |= fresh
        grown = bool(fresh)
    return [pid for pid in inside if pid in seen]


def send(pids: list[int], number: signal.Signals) -> None:
    """Signal processes; those that are gone are passed over."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
