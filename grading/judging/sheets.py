"""The rubric of a reviewer's sheet where a reference has none of its own. Points are shares of the item's score."""

import hashlib
from collections.abc import Sequence
from typing import Any

from grading.judging.rubrics import Rubric

RIGHT = "right"
LONGEST_ID = 40
LONGEST_TEXT = 4000


def equality(golds: Sequence[str], joint: str = "; ", *, half: bool = False) -> Rubric:
    """One criterion: the answer says the same as the golds, joined by `joint`. `half` allows half credit."""
    wanted = f": {joint.join(golds)}" if golds else ""
    criterion = {
        "id": RIGHT,
        "points": 1,
        "text": f"The final answer says the same as the reference answer{wanted}"[:LONGEST_TEXT],
        "full": "It means the same, whatever its form.",
        "half": "It is right in part." if half else "",
        "none": "It differs, or it commits to nothing.",
    }
    return Rubric.model_validate({"total": 1, "criteria": [criterion]})


def weighted(parts: Sequence[tuple[str, float, Rubric]]) -> Rubric:
    """One rubric of several: each part's (name, weight, rubric) criteria with the part's share of the points.

    Ids are led by the part's number, which is `inner_id`.
    """
    criteria: list[dict[str, Any]] = []
    total = sum(weight for _, weight, _ in parts)
    for number, (name, weight, rubric) in enumerate(parts, 1):
        share = weight / total / rubric.total
        criteria += [
            criterion.model_dump()
            | {
                "id": inner_id(number, criterion.id),
                "text": f"{name}: {criterion.text}",
                "points": criterion.points * share,
                "requires": [inner_id(number, required) for required in criterion.requires],
                "alternative": criterion.alternative and inner_id(number, criterion.alternative),
            }
            for criterion in rubric.criteria
        ]
    return Rubric.model_validate({"total": 1.0, "criteria": criteria})


def inner_id(number: int, name: str) -> str:
    """The id of a part's criterion in the whole; long ones are shortened by their digest."""
    whole = f"p{number}-{name}"
    return whole if len(whole) <= LONGEST_ID else f"p{number}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"
