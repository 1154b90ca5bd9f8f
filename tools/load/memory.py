"""What a fleet holds in memory, each page counted once, and whether that stays flat.

PostgreSQL's processes share their buffers: a sum of resident sizes counts them once a connection, five to eight times
what is there.
"""

import asyncio
import contextlib
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

from tools.load.fleet import Fleet

# Growth of the last third over the middle one that is still flat, or so many MiB of a small process.
FLAT_SHARE = 0.10
FLAT_MIB = 16.0
# Fewer values than these say nothing.
ENOUGH = 30


class Memory(NamedTuple):
    """MiB of some processes: what is theirs alone, and with it what they share, once. How many they are."""

    private: float
    whole: float
    processes: int


def memory_of(pid: int) -> Memory:
    """Of a process and its children. One that ends meanwhile counts nothing. Raises psutil.NoSuchProcess."""
    known = psutil.Process(pid)
    found = [_rollup(one.pid) for one in (known, *known.children(recursive=True))]
    there = [one for one in found if one]
    private = sum(one["Private_Clean"] + one["Private_Dirty"] for one in there)
    return Memory(private / 1024, sum(one["Pss"] for one in there) / 1024, len(there))


def of_fleet(fleet: Fleet) -> dict[str, Memory]:
    """By process, with its children. What does not run just now is left out."""
    found: dict[str, Memory] = {}
    for name, pid in processes(fleet):
        with contextlib.suppress(psutil.NoSuchProcess):
            found[name] = memory_of(pid)
    return found


def processes(fleet: Fleet) -> list[tuple[str, int]]:
    """Name and PID of each process that was started, and of PostgreSQL where it runs."""
    known = [(name, process.pid) for name, process in fleet.running.items()]
    with contextlib.suppress(OSError, ValueError, IndexError):
        known.append(("postgres", fleet.server_pid))
    return known


def growth(series: list[float]) -> float:
    """How much the median of the last third is over that of the middle one, MiB; the first third warms up.

    0 of fewer than three values.
    """
    third = len(series) // 3
    return statistics.median(series[-third:]) - statistics.median(series[third:-third]) if third else 0.0


def flat(series: list[float]) -> bool:
    """Whether it does not grow on when warm, but for what a process varies by. Too few values show no growth."""
    if len(series) < ENOUGH:
        return True
    third = len(series) // 3
    return growth(series) <= max(FLAT_MIB, FLAT_SHARE * statistics.median(series[third:-third]))


@dataclass
class Watch:
    """Looks every so many seconds at what each kind of process holds."""

    fleet: Fleet
    every: float
    samples: list[dict[str, Memory]] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    async def until(self, ending: asyncio.Event) -> None:
        while not ending.is_set():
            self.samples.append(await asyncio.to_thread(of_fleet, self.fleet))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.every):
                    await ending.wait()

    def report(self) -> dict[str, dict[str, object]]:
        """By process: MiB over time, what of it is private at the end, how many processes, growth, whether it is flat.

        A moment in which a process was missing, because it had been killed, does not count for it.
        """
        found: dict[str, dict[str, object]] = {}
        for name in sorted({name for one in self.samples for name in one}):
            there = [one[name] for one in self.samples if name in one]
            series = [one.whole for one in there]
            found[name] = {
                "MiB": [round(value) for value in series],
                "private at the end": round(there[-1].private),
                "processes": max(one.processes for one in there),
                "growth": round(growth(series)),
                "flat": flat(series),
            }
        return found

    def growing(self) -> list[str]:
        """Which are not flat."""
        return [name for name, one in self.report().items() if not one["flat"]]


def _rollup(pid: int) -> dict[str, int]:
    """kB by name, of `/proc/PID/smaps_rollup`; empty of a process that has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()[1:]
    except (OSError, ProcessLookupError):
        return {}
    found = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
    return found if "Pss" in found else {}
