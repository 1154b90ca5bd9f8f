"""What an operation costs, from runs of one kind of participant, and what a mixed run should then take."""

import json

import pytest

from tools.load.capacity import MOST_WAIT, Demand, Run, compare, cores, costs, needed, plan, predicted, waiting


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


def test_a_run_that_took_more_than_predicted_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    found = costs([Run.read(_printed({"board": 100}, {"serve": 2.0, "postgres": 2.0}))])
    right = Run.read(_printed({"board": 50}, {"serve": 1.0, "postgres": 1.0}))
    assert compare(found, right, None, "as said") == pytest.approx(0.0)
    dear = Run.read(_printed({"board": 50}, {"serve": 1.0, "postgres": 3.0}))
    assert compare(found, dear, None, "dearer") == pytest.approx(0.5)
    assert "dearer: postgres: predicted 1.0 s, measured 3.0 s (-67%)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("processes", "busy", "chance"), [(1, 0.5, 0.5), (2, 1.0, 1 / 3), (3, 2.0, 4 / 9), (10, 8.0, 0.4092), (1, 1.5, 1.0)]
)
def test_erlangs_formula(processes: int, busy: float, chance: float) -> None:
    assert waiting(processes, busy) == pytest.approx(chance, abs=1e-4)


@pytest.mark.parametrize("busy", [0.01, 0.5, 0.9, 3.0, 47.5, 800.0])
def test_so_many_processes_suffice_and_one_less_does_not(busy: float) -> None:
    enough = needed(busy)
    assert waiting(enough, busy) / (enough - busy) <= MOST_WAIT
    fewer = enough - 1
    assert fewer <= busy or waiting(fewer, busy) / (fewer - busy) > MOST_WAIT


def test_a_demand_is_its_operations_costs_and_the_database_is_full_first() -> None:
    one = {"serve": 0.001, "worker": 0.0, "host": 0.002, "postgres": 0.002}
    found = {"step": one, "submit": one, "read": one, "browse": one}
    demand = Demand(sessions=10_000, seconds_a_step=10.0, items_a_day=86_400 * 20 * 5)
    # 1,000 steps and 50 openings a second, a board for each opening; 5 submissions, their pages and boards.
    assert demand.rates() == pytest.approx({"step": 1050.0, "submit": 5.0, "read": 5.0, "browse": 55.0})
    assert cores(found, demand.rates()) == pytest.approx(
        {"serve": 1.115, "worker": 0.0, "host": 2.23, "postgres": 2.23}
    )
    assert "full first: PostgreSQL, at 2.15 times this" in plan(found, demand, 8)
