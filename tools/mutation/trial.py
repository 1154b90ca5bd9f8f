"""Runs inside pytest: learns which test runs which line, then tries each fault in a process of its own."""

import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest
from _pytest.runner import runtestprotocol

from tools.mutation.faults import Fault, forget, put_in

KILLED, SURVIVED, HANGS, UNREACHED, IMPOSSIBLE = "killed", "survived", "hangs", "unreached", "impossible"
_CODES = {0: SURVIVED, 1: KILLED, 2: HANGS, 3: IMPOSSIBLE}
_PATIENCE = 5.0
"""A test hangs when it takes so many seconds of processor time more than ten times what it takes."""


class Trial:
    """A pytest plugin: `outcomes` has what became of each fault."""

    def __init__(self, faults: list[Fault], package: Path, workers: int, seconds: float, minutes: float) -> None:
        self.faults, self.package, self.workers, self.seconds = faults, package, workers, seconds
        self.minutes = minutes
        self.outcomes: dict[int, str] = {}
        self._took: dict[str, float] = {}
        self._lines: dict[str, dict[int, list[str]]] = {}
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep that a test failed."""
        self._failed = self._failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of pytest's own loop. Raises pytest.UsageError where a test fails without any fault."""
        self._learn(session.items)
        running: dict[int, int] = {}
        started, told = time.monotonic(), 0
        by_name = {item.nodeid: item for item in session.items}
        for number, fault in enumerate(self.faults):
            if self.minutes and time.monotonic() - started > 60 * self.minutes:
                break
            chosen = self._noticing(fault)
            if not chosen:
                self._keep(number, UNREACHED)
                continue
            while len(running) >= self.workers:
                self._reap(running)
            child = os.fork()
            if child == 0:
                self._try(fault, [by_name[name] for name in chosen])
            running[child] = number
            if time.monotonic() - started > 60 * (told + 1):
                told += 1
                sys.stderr.write(f"{dict(counted(self.outcomes))} of {len(self.faults)}\n")
        while running:
            self._reap(running)
        return True

    def _learn(self, items: list[pytest.Item]) -> None:
        recorder = coverage.Coverage(data_file=None, source=[str(self.package)], config_file=False, branch=False)
        recorder.start()
        for item, following in zip(items, [*items[1:], None], strict=True):
            forget(self.package.name)
            recorder.switch_context(item.nodeid)
            started = time.process_time()
            runtestprotocol(item, log=True, nextitem=following)
            self._took[item.nodeid] = time.process_time() - started
            if self._failed:
                raise pytest.UsageError(f"{item.nodeid} fails without any fault")
        recorder.stop()
        data = recorder.get_data()
        self._lines = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
        forget(self.package.name)

    def _noticing(self, fault: Fault) -> list[str]:
        """The tests that run a line of the fault's statement, quick ones first."""
        lines = self._lines.get(str(fault.file.resolve()), {})
        first, last = fault.lines
        found = {name for line in range(first, last + 1) for name in lines.get(line, ()) if name in self._took}
        return sorted(found, key=lambda name: (self._took[name], name))

    def _try(self, fault: Fault, items: list[pytest.Item]) -> None:
        """Run the tests until one fails, then end this process with a code that says what happened."""
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        if not put_in(fault):
            os._exit(3)
        signal.signal(signal.SIGPROF, lambda *_: os._exit(2))
        end = time.process_time() + self.seconds
        for item, following in zip(items, [*items[1:], None], strict=True):
            signal.setitimer(signal.ITIMER_PROF, _PATIENCE + 10 * self._took[item.nodeid])
            try:
                runtestprotocol(item, log=True, nextitem=following)
            except BaseException:
                os._exit(1)
            if self._failed:
                os._exit(1)
            if time.process_time() > end:
                break
        os._exit(0)

    def _reap(self, running: dict[int, int]) -> None:
        child, status = os.wait()
        if child in running:
            code = os.waitstatus_to_exitcode(status)
            self._keep(running.pop(child), _CODES[code] if code >= 0 else HANGS)

    def _keep(self, number: int, outcome: str) -> None:
        self.outcomes[number] = outcome
        if outcome in (SURVIVED, UNREACHED):
            sys.stdout.write(f"{outcome}: {self.faults[number]}\n")
            sys.stdout.flush()


def counted(outcomes: dict[int, str]) -> Iterator[tuple[str, int]]:
    """How many faults came to what."""
    found: dict[str, int] = defaultdict(int)
    for outcome in outcomes.values():
        found[outcome] += 1
    yield from sorted(found.items())
