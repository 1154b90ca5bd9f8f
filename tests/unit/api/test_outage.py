"""What is away is told of once, then ever more seldom, and its return once."""

import logging
import sys
import threading
from itertools import pairwise
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from api.core import logging as service_logging
from api.core.outage import Outage


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def told(outage: Outage, clock: Clock, seconds: int) -> list[dict[str, Any]]:
    """What is said while it fails each second."""
    with capture_logs() as lines:
        for _ in range(seconds):
            outage.failed(OSError(), lane="inline")
            clock.now += 1
    return [dict(line) for line in lines]


def test_the_first_failure_is_told_then_they_are_with_growing_gaps() -> None:
    clock = Clock()
    lines = told(Outage("lane.unreachable", clock), clock, 3600)
    assert [line["seconds"] for line in lines[:6]] == [0, 2, 6, 14, 30, 62]
    assert (lines[0]["event"], lines[0]["error"], lines[0]["lane"]) == ("lane.unreachable", "OSError", "inline")
    assert max(later["seconds"] - one["seconds"] for one, later in pairwise(lines)) == 600
    assert len(lines) < 16


def test_the_return_is_told_once_and_the_next_failure_at_once() -> None:
    clock = Clock()
    outage = Outage("lane.unreachable", clock)
    told(outage, clock, 40)
    with capture_logs() as lines:
        outage.worked(lane="inline")
        outage.worked(lane="inline")
    assert [(line["event"], line["failures"], line["seconds"]) for line in lines] == [("lane.unreachable.back", 40, 40)]
    assert len(told(outage, clock, 1)) == 1


def test_what_never_failed_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Outage("lane.unreachable").worked()
    assert capsys.readouterr() == ("", "")


def test_the_libraries_lines_of_a_lost_database_are_not_shown_beside(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (sys, threading):
        monkeypatch.setattr(module, "excepthook", module.excepthook)
    before = {name: logging.getLogger(name).level for name in ("", "psycopg.pool", "procrastinate.utils")}
    handlers = logging.getLogger().handlers[:]
    try:
        service_logging.configure()
        logging.getLogger("psycopg.pool").warning("error connecting in 'pool-2'")
        logging.getLogger("procrastinate.utils").error("listener error")
        logging.getLogger("procrastinate.worker").error("a job failed")
    finally:
        structlog.reset_defaults()
        logging.getLogger().handlers[:] = handlers
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
    said = capsys.readouterr().err
    assert "a job failed" in said
    assert "connecting" not in said
    assert "listener" not in said
