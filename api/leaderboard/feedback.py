"""What may be published of a result on a hidden split. Pure; no SQL."""

from typing import Any

from api.leaderboard.scoring import Result
from grading.statistics.intervals import wilson
from protection.ladder import grid_step, on_grid

DECIMALS = 2
SMALLEST_GROUP = 5
ENDS = "finish_reason"


def aggregate(result: Result) -> Result:
    """Two decimals, and a coarse breakdown."""
    score, low, high = (round(value, DECIMALS) for value in (result.score, result.low, result.high))
    return Result(score, low, high, coarse(result.breakdown))


def laddered(released: float, items: int, breakdown: dict[str, Any]) -> Result:
    """A released score with the interval that follows from it alone, and a coarse breakdown."""
    interval = wilson(released * items, items)
    return Result(released, round(interval.low, DECIMALS), round(interval.high, DECIMALS), coarse(breakdown))


def coarse(breakdown: dict[str, Any]) -> dict[str, Any]:
    """Means on a grid as coarse as their noise; a group so small that it gives single items away is left out.

    How episodes ended is published whole: the participant saw each end, and an end is no verdict.
    """
    return {
        label: {
            name: {"n": group["n"], "score": on_grid(group["score"], grid_step(group["n"]))}
            for name, group in groups.items()
            if group["n"] >= SMALLEST_GROUP
        }
        for label, groups in breakdown.items()
        if label != ENDS
    } | {label: groups for label, groups in breakdown.items() if label == ENDS}
