"""Processor time and memory of a browser's processes, read from /proc."""

import os
from collections import Counter
from pathlib import Path

import psutil

MICROSECONDS_A_TICK = 1_000_000 // os.sysconf("SC_CLK_TCK")


def _role(command: list[str]) -> str:
    line = " ".join(command)
    for flag, role in (("--type=renderer", "renderer"), ("--type=gpu", "gpu"), ("--type=utility", "network")):
        if flag in line:
            return role
    if "serve.py" in line:
        return "site"
    if command and Path(command[0]).name == "node":
        return "driver"
    return "browser"


class Family:
    """All processes below one process, by what they are. `look` finds those that came since."""

    def __init__(self, root: int | None = None) -> None:
        self._root = psutil.Process(root)
        self._known: dict[int, str] = {}
        self.look()

    def look(self) -> None:
        """Take notice of new processes."""
        for process in [self._root, *self._root.children(recursive=True)]:
            if process.pid not in self._known:
                try:
                    own = process.pid == self._root.pid
                    self._known[process.pid] = "python" if own else _role(process.cmdline())
                except psutil.Error:
                    continue

    def microseconds(self) -> Counter[str]:
        """Processor time so far by role; what has ended counts with the one that waited for it."""
        total: Counter[str] = Counter()
        for pid, role in self._known.items():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            # User and system time of the process, and of its children that have ended (which are renderers, mostly).
            total[role] += (int(fields[11]) + int(fields[12])) * MICROSECONDS_A_TICK
            if role == "browser":
                total["renderer"] += (int(fields[13]) + int(fields[14])) * MICROSECONDS_A_TICK
        return total

    def megabytes(self) -> float:
        """Memory of all but the sites' processes, what several share divided among them."""
        total = 0
        for pid, role in self._known.items():
            if role == "site":
                continue
            try:
                text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            total += next((int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")), 0)
        return total / 1000
