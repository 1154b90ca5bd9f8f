"""What an operation costs, from runs of one kind of participant, and what a mixed run should then take."""

import json

import pytest

from tools.load.capacity import Run, costs, predicted


def _printed(operations: dict[str, int], seconds: dict[str, float], length: float = 10.0) -> str:
    lines: list[dict[str, object]] = [{"operation": name, "count": count} for name, count in operations.items()]
    return "\n".join(json.dumps(line) for line in [*lines, {"processor seconds": seconds, "seconds": length}])


def test_a_mixed_run_takes_what_its_operations_cost() -> None:
    idle = Run.read(_printed({}, {"serve": 1.0, "postgres": 2.0}))
    submits = Run.read(_printed({"page": 4, "submit": 100}, {"serve": 3.0, "worker": 4.0, "postgres": 3.0}))
    boards = Run.read(_printed({"browse": 150, "board": 50}, {"serve": 5.0, "postgres": 2.0}))
    found = costs([submits, boards], idle)
    assert found["submit"] == pytest.approx({"serve": 0.02, "worker": 0.04, "host": 0.0, "postgres": 0.01})
    assert found["browse"]["serve"] == pytest.approx(0.02)
    mixed = Run.read(_printed({"browse": 30, "board": 20, "submit": 10, "page": 2}, {}, 20.0))
    assert predicted(found, mixed, idle) == pytest.approx({"serve": 3.2, "worker": 0.4, "host": 0.0, "postgres": 4.1})


def test_runs_that_say_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="no summary"):
        Run.read("ready\n")
    with pytest.raises(ValueError, match="several kinds: browse, submit"):
        costs([Run.read(_printed({"board": 1, "submit": 1}, {}))])
