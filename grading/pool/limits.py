"""What one grade may use, and how a process binds itself to it."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from types import FrameType


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one grade. `cpu_seconds` is checked by the process itself and by the kernel a second later;
    `wall_seconds` by the parent, which kills; `memory_bytes` bounds the address space; after `recycle_after` grades
    a process is replaced."""

    cpu_seconds: float = 0.7
    wall_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    recycle_after: int = 5000

    def as_dict(self) -> dict[str, float | int]:
        """Plain values for the command line of a child."""
        return asdict(self)


class CpuLimitError(Exception):
    """The grade used up its processor time."""


def confine(limits: Limits) -> None:
    """Bind this process for good: memory, no new descriptors (no files, no network), no file growth, no core dumps.

    Everything a grade needs must be imported before.
    """
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
    signal.signal(signal.SIGPROF, _expired)


def _expired(number: int, frame: FrameType | None) -> None:
    raise CpuLimitError(f"signal {number} at line {frame.f_lineno if frame else 0}")


@contextmanager
def timed(limits: Limits) -> Iterator[None]:
    """Run a block under the processor limit: CpuLimitError first, SIGXCPU from the kernel if that does not help."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = used.ru_utime + used.ru_stime
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent + limits.cpu_seconds) + 2, hard))
    signal.setitimer(signal.ITIMER_PROF, limits.cpu_seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
