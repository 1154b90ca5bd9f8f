"""What a program that is tested has started, and what of it still runs."""

import contextlib
from collections.abc import Iterable
from pathlib import Path

import psutil


def family(pid: int) -> list[psutil.Process]:
    """All that `pid` started, and the embedded PostgreSQL of the instance that its web process serves."""
    started = psutil.Process(pid).children(recursive=True)
    (lock,) = data_dir(started).rglob("postmaster.pid")
    return [*started, psutil.Process(int(lock.read_text().split()[0]))]


def data_dir(started: Iterable[psutil.Process]) -> Path:
    """The data directory of the web process among them."""
    for process in started:
        with contextlib.suppress(psutil.NoSuchProcess):  # one of the faults may have ended it just now
            if "serve" in process.cmdline():
                return Path(process.environ()["HELDOUT_DATA_DIR"])
    raise AssertionError("no web process runs")


def alive(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Those that still run: one that ended may wait for init to take its status."""
    found = []
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def kill(processes: Iterable[psutil.Process]) -> None:
    """End what a failed test left."""
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
