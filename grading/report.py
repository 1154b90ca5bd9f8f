"""The table and the totals of a graded file."""

import json
from dataclasses import dataclass

from grading.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Row:
    """One graded pair; `expected` is None where it carries no label."""

    kind: str
    expected: bool | None
    score: float | None
    outcome: Outcome
    milliseconds: float

    @property
    def accepted(self) -> bool:
        """Whether the answer got full credit."""
        return self.score == 1.0

    @property
    def right(self) -> bool:
        """Whether the verdict agrees with the label; unscored never does."""
        return self.outcome is not Outcome.UNSCORED and self.accepted == self.expected


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` of the values lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def totals(rows: list[Row], seconds: float) -> dict[str, float | int]:
    """The totals of one file."""
    labelled = [row for row in rows if row.expected is not None]
    positives = [row for row in labelled if row.expected]
    negatives = [row for row in labelled if not row.expected]
    times = [row.milliseconds for row in rows]
    right = sum(row.right for row in labelled)
    return {
        "n": len(rows),
        "right": right,
        "accuracy": round(right / len(labelled), 5) if labelled else 0.0,
        "positives": len(positives),
        "false_negatives": sum(not row.accepted and row.outcome is not Outcome.UNSCORED for row in positives),
        "negatives": len(negatives),
        "false_positives": sum(row.accepted for row in negatives),
        "unscored": sum(row.outcome is Outcome.UNSCORED for row in rows),
        "median_ms": round(percentile(times, 0.5), 3),
        "p99_ms": round(percentile(times, 0.99), 3),
        "max_ms": round(max(times, default=0.0), 3),
        "wall_s": round(seconds, 3),
    }


def summary(rows: list[Row], seconds: float) -> str:
    """A table by kind and, as its last line, the totals as one JSON object."""
    lines = [f"{'kind':<42} {'n':>5} {'right %':>8} {'FN':>4} {'FP':>4} {'unscored':>8}"]
    for kind in sorted({row.kind for row in rows}):
        part = totals([row for row in rows if row.kind == kind], 0.0)
        share = 100 * float(part["accuracy"])
        counts = f"{part['false_negatives']:>4} {part['false_positives']:>4} {part['unscored']:>8}"
        lines.append(f"{kind[:42]:<42} {part['n']:>5} {share:>8.1f} {counts}")
    return "\n".join([*lines, json.dumps(totals(rows, seconds))])
