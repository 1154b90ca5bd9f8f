"""How much one core serves, from runs of `make load` by one kind of participant each, checked against a mixed run.

    python -m tools.load --mix browse >browse.json      # and read, submit, step
    python -m tools.load >mixed.json
    python -m tools.load.capacity browse.json read.json submit.json step.json --against mixed.json

Of each kind of process the seconds of processor time that an operation costs; the mixed run's are then its operations'
costs added up. Busy neighbours change how long a run's operations wait, not what they cost.
"""

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PROCESSES = ("serve", "worker", "host", "postgres")
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


def _idle(idle: Run | None, process: str, length: float) -> float:
    return idle.seconds.get(process, 0.0) / idle.length * length if idle else 0.0


def main() -> None:
    """Print the table, what one core serves, and how far the mixed run is from what was predicted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, help="one kind of participant each")
    parser.add_argument("--against", type=Path, required=True, help="a run of several kinds")
    parser.add_argument("--idle", type=Path, help="a run without participants (--participants 0)")
    options = parser.parse_args()
    idle = Run.read(options.idle.read_text()) if options.idle else None
    found = costs([Run.read(path.read_text()) for path in options.runs], idle)
    for kind, one in found.items():
        shown = ", ".join(f"{process} {seconds * 1000:.2f}" for process, seconds in one.items())
        print(
            f"{kind}: ms of processor time an operation: {shown}; one core serves {1 / sum(one.values()):.0f} a second"
        )
    mixed = Run.read(options.against.read_text())
    expected = predicted(found, mixed, idle)
    for process, seconds in expected.items():
        measured = mixed.seconds.get(process, 0.0)
        print(f"{process}: predicted {seconds:.1f} s, measured {measured:.1f} s ({seconds / measured - 1:+.0%})")
    whole, measured = sum(expected.values()), sum(mixed.seconds.get(process, 0.0) for process in _PROCESSES)
    print(f"all: predicted {whole:.1f} s, measured {measured:.1f} s ({whole / measured - 1:+.0%})")


if __name__ == "__main__":
    main()
