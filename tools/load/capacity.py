"""How much one core serves, from runs of `make load` by one kind of participant each, checked against a mixed run.

    python -m tools.load --mix browse >browse.json      # and read, submit, step
    python -m tools.load >mixed.json
    python -m tools.load.capacity browse.json read.json submit.json step.json --against mixed.json

Of each kind of process the seconds of processor time that an operation costs; the mixed run's are then its operations'
costs added up. Busy neighbours change how long a run's operations wait, not what they cost. From the same costs what a
demand takes (`--sessions`, `--items`): processes of one core each by Erlang's formula, and what is full first.
"""

import argparse
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.load.participants import PAGE

_PROCESSES = ("serve", "worker", "host", "postgres")
DAY_SECONDS = 86_400
# What a session does beside its steps: it is opened once.
STEPS_OF_A_SESSION = 20
# A queue of one core's processes may hold somebody as long as the work itself takes.
MOST_WAIT = 1.0
# Of a database server's cores, so that checkpoints and vacuum have theirs.
DATABASE_SHARE = 0.6
_CONNECTIONS_A_PROCESS = 20
# What a kind of participant does again and again; its other operations are done once.
MAIN = {"browse": ("browse", "board"), "read": ("page",), "submit": ("submit",), "step": ("step", "open")}


@dataclass(frozen=True)
class Run:
    """What one run printed: operations by name, the processor time of each kind of process, its length in seconds."""

    operations: Mapping[str, int]
    seconds: Mapping[str, float]
    length: float

    @classmethod
    def read(cls, text: str) -> "Run":
        """From the lines of JSON. Raises ValueError where the last is no summary."""
        lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
        if not lines or "processor seconds" not in lines[-1]:
            raise ValueError("no summary of a run of tools.load")
        operations = {str(line["operation"]): int(line["count"]) for line in lines[:-1]}
        return cls(operations, lines[-1]["processor seconds"], float(lines[-1]["seconds"]))

    def kind(self) -> str:
        """The kind of participant of a run that had one kind alone. Raises ValueError."""
        kinds = [kind for kind, names in MAIN.items() if any(name in self.operations for name in names)]
        # Who submits or plays reads a page first.
        mains = [kind for kind in kinds if kind != "read"] or kinds
        if len(mains) != 1:
            raise ValueError(f"a run of several kinds: {', '.join(mains)}")
        return mains[0]

    def done(self, kind: str) -> int:
        """How often it did what participants of `kind` do."""
        return sum(self.operations.get(name, 0) for name in MAIN[kind])


def costs(runs: list[Run], idle: Run | None = None) -> dict[str, dict[str, float]]:
    """Seconds of processor time of one operation, by kind of participant and kind of process.

    `idle`: a run without participants, whose use a second is taken off.
    """
    found = {}
    for run in runs:
        kind = run.kind()
        found[kind] = {
            process: max(0.0, run.seconds.get(process, 0.0) - _idle(idle, process, run.length)) / run.done(kind)
            for process in _PROCESSES
        }
    return found


def predicted(found: Mapping[str, Mapping[str, float]], run: Run, idle: Run | None = None) -> dict[str, float]:
    """The processor time that a run of several kinds should have taken, by kind of process."""
    return {
        process: _idle(idle, process, run.length) + sum(run.done(kind) * one[process] for kind, one in found.items())
        for process in _PROCESSES
    }


@dataclass(frozen=True)
class Demand:
    """What many participants ask for: sessions at once, seconds between two steps of each, items submitted a day."""

    sessions: float
    seconds_a_step: float
    items_a_day: float
    items_a_submission: int = PAGE

    def rates(self) -> dict[str, float]:
        """Operations a second, by kind of participant: what is answered is read before."""
        steps = self.sessions / self.seconds_a_step
        submissions = self.items_a_day / DAY_SECONDS / self.items_a_submission
        # A page holds as many problems as a submission has answers; every opening and submission looks at one board.
        return {
            "step": steps * (1 + 1 / STEPS_OF_A_SESSION),
            "submit": submissions,
            "read": submissions,
            "browse": submissions + steps / STEPS_OF_A_SESSION,
        }


def cores(found: Mapping[str, Mapping[str, float]], rates: Mapping[str, float]) -> dict[str, float]:
    """Cores that are busy all the time, by kind of process."""
    return {process: sum(rates[kind] * one[process] for kind, one in found.items()) for process in _PROCESSES}


def waiting(processes: int, busy: float) -> float:
    """The chance that all of some single-core processes are busy when something comes (Erlang's C formula).

    `busy`: cores that are busy all the time. 1 where they do not suffice.
    """
    if busy >= processes:
        return 1.0
    blocked = 1.0  # Erlang's B formula, by its recursion: no factorial becomes too large
    for number in range(1, processes + 1):
        blocked = busy * blocked / (number + busy * blocked)
    return blocked / (1 - busy / processes * (1 - blocked))


def needed(busy: float) -> int:
    """The fewest single-core processes before which the mean wait is at most `MOST_WAIT` times the work itself."""
    processes = max(1, math.ceil(busy))
    while processes <= busy or waiting(processes, busy) / (processes - busy) > MOST_WAIT:
        processes += 1
    return processes


def plan(found: Mapping[str, Mapping[str, float]], demand: Demand, database_cores: int) -> list[str]:
    """Sentences: what a demand takes of each kind of process, and what is full first."""
    busy = cores(found, demand.rates())
    counts = {process: needed(busy[process]) for process in _PROCESSES if process != "postgres"}
    lines = [f"{process}: {busy[process]:.1f} cores busy, {count} processes" for process, count in counts.items()]
    room = database_cores * DATABASE_SHARE
    lines.append(
        f"postgres: {busy['postgres']:.1f} cores busy of {room:.1f} (of {database_cores}, {DATABASE_SHARE:.0%})"
    )
    # The others are as many as there are machines for; the database that writes is one.
    times = room / busy["postgres"] if busy["postgres"] else math.inf
    lines.append(f"full first: PostgreSQL, at {times:.2f} times this")
    links = sum(counts.values()) * _CONNECTIONS_A_PROCESS
    lines.append(f"connections: up to {links}; above some hundred a pooler (HELDOUT_DATABASE_POOLER_URL)")
    rates = demand.rates()
    steps, items = demand.sessions / demand.seconds_a_step * DAY_SECONDS, rates["submit"] * demand.items_a_submission
    lines.append(f"rows a day: {steps:,.0f} steps, {items * DAY_SECONDS:,.0f} items, as many in the ledger")
    return lines


def _idle(idle: Run | None, process: str, length: float) -> float:
    return idle.seconds.get(process, 0.0) / idle.length * length if idle else 0.0


def main() -> int:
    """Print the table, what one core serves, and how far mixed runs are from what was predicted; 1 where one is far."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, help="one kind of participant each")
    parser.add_argument("--against", nargs="+", type=Path, required=True, help="runs of several kinds")
    parser.add_argument("--idle", type=Path, help="a run without participants (--participants 0)")
    parser.add_argument(
        "--within", type=float, default=0.25, help="how far the whole of a run may be from its prediction"
    )
    parser.add_argument("--sessions", type=float, default=10_000)
    parser.add_argument("--seconds-a-step", type=float, default=10.0)
    parser.add_argument("--items", type=float, default=10_000_000, help="submitted a day")
    parser.add_argument("--database-cores", type=int, default=32)
    options = parser.parse_args()
    idle = Run.read(options.idle.read_text()) if options.idle else None
    found = costs([Run.read(path.read_text()) for path in options.runs], idle)
    for kind, one in found.items():
        shown = ", ".join(f"{process} {seconds * 1000:.2f}" for process, seconds in one.items())
        print(
            f"{kind}: ms of processor time an operation: {shown}; one core serves {1 / sum(one.values()):.0f} a second"
        )
    far = [compare(found, Run.read(path.read_text()), idle, path.stem) > options.within for path in options.against]
    demand = Demand(options.sessions, options.seconds_a_step, options.items)
    rhythm = f"a step each {demand.seconds_a_step:g} s"
    print(f"{demand.sessions:,.0f} sessions, {rhythm}; {demand.items_a_day:,.0f} items a day")
    for line in plan(found, demand, options.database_cores):
        print(f"  {line}")
    return 1 if any(far) else 0


def compare(found: Mapping[str, Mapping[str, float]], mixed: Run, idle: Run | None, name: str) -> float:
    """Print prediction and measurement of a run by kind of process; how far the whole is off, as a share."""
    expected = predicted(found, mixed, idle)
    for process, seconds in expected.items():
        measured = mixed.seconds.get(process, 0.0)
        print(
            f"{name}: {process}: predicted {seconds:.1f} s, measured {measured:.1f} s ({_off(seconds, measured):+.0%})"
        )
    whole, measured = sum(expected.values()), sum(mixed.seconds.get(process, 0.0) for process in _PROCESSES)
    print(f"{name}: all: predicted {whole:.1f} s, measured {measured:.1f} s ({_off(whole, measured):+.0%})")
    return abs(_off(whole, measured))


def _off(expected: float, measured: float) -> float:
    return expected / measured - 1 if measured else math.inf


if __name__ == "__main__":
    sys.exit(main())
