"""What people are asked about an answer: the reference's own rubric, or one made from what the reference wants."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grading.judging.rubrics import Credit, Rubric

RIGHT = "right"
LONGEST_ID = 40
_NEEDS_PEOPLE = frozenset({"rubric"})
_NEEDS_TOOLS = frozenset({"rubric", "judged", "code_tests"})


def nested(reference: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A reference and every reference inside it."""
    yield reference
    for part in reference.get("parts") or ():
        yield from nested(part["reference"])
    if isinstance(reference.get("first"), Mapping):
        yield from nested(reference["first"])


def needs_people(reference: Mapping[str, Any]) -> bool:
    """Whether people may be needed whatever is answered: there is a rubric in it. A fact of the problem alone."""
    return any(inner.get("kind") in _NEEDS_PEOPLE for inner in nested(reference))


def needs_tools(reference: Mapping[str, Any]) -> bool:
    """Whether grading may ask a judge or run a program."""
    return any(inner.get("kind") in _NEEDS_TOOLS for inner in nested(reference))


def sheet_rubric(reference: Mapping[str, Any]) -> dict[str, Any]:
    """The rubric of a reviewer's sheet. Its points are shares of the item's score.

    A rubric is taken as it is. A weighted composite becomes one rubric: each part's criteria with the part's share of
    the points, ids led by the part's number. Of any other reference people are asked whether the answer is right.
    """
    if reference.get("kind") == "rubric":
        return dict(reference["rubric"])
    if reference.get("kind") == "composite" and reference.get("rule") == "weighted":
        return _weighted(reference["parts"])
    return _equality(reference)


def sheet_credits(
    reference: Mapping[str, Any], score: float | None, detail: Mapping[str, Any]
) -> dict[str, Credit] | None:
    """A verdict's credits on the criteria of `sheet_rubric`; None where it cannot be told by them."""
    if reference.get("kind") == "rubric":
        given = detail.get("credits")
        return dict(given) if given else None
    if reference.get("kind") == "composite" and reference.get("rule") == "weighted":
        found: dict[str, Credit] = {}
        for number, part in enumerate(reference["parts"], 1):
            graded = (detail.get("parts") or [])[number - 1]
            credits = sheet_credits(part["reference"], graded["score"], graded.get("detail") or {})
            if credits is None:
                return None
            found |= {_inner(number, name): credit for name, credit in credits.items()}
        return found
    return {RIGHT: score} if score in (0.0, 0.5, 1.0) else None


def _weighted(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    criteria: list[dict[str, Any]] = []
    total = sum(part.get("weight", 1.0) for part in parts)
    for number, part in enumerate(parts, 1):
        inner = Rubric.model_validate(sheet_rubric(part["reference"]))
        share = part.get("weight", 1.0) / total / inner.total
        for criterion in inner.criteria:
            lead = part.get("name") or part.get("field") or f"part {number}"
            criteria.append(
                criterion.model_dump()
                | {
                    "id": _inner(number, criterion.id),
                    "text": f"{lead}: {criterion.text}",
                    "points": criterion.points * share,
                    "requires": [_inner(number, name) for name in criterion.requires],
                    "alternative": criterion.alternative and _inner(number, criterion.alternative),
                }
            )
    rubric = {"total": 1.0, "criteria": criteria}
    return Rubric.model_validate(rubric).model_dump(mode="json")


def _inner(number: int, name: str) -> str:
    """The id of a part's criterion in the whole; long ones are shortened by their digest."""
    whole = f"p{number}-{name}"
    return whole if len(whole) <= LONGEST_ID else f"p{number}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def _equality(reference: Mapping[str, Any]) -> dict[str, Any]:
    golds = list(dict.fromkeys(text for inner in nested(reference) if (text := _gold(inner))))
    joint = {"all": " and ", "any": " or "}.get(str(reference.get("rule")), "; ")
    wanted = f": {joint.join(golds)}" if golds else ""
    criterion: dict[str, Any] = {
        "id": RIGHT,
        "points": 1,
        "text": f"The final answer says the same as the reference answer{wanted}"[:4000],
        "full": "It means the same, whatever its form.",
        "none": "It differs, or it commits to nothing.",
    }
    if reference.get("kind") == "composite" or reference.get("half"):
        criterion["half"] = "It is right in part."
    return {"total": 1, "criteria": [criterion]}


def _gold(reference: Mapping[str, Any]) -> str:
    value = reference.get("value", reference.get("gold"))
    return str(value) if isinstance(value, str | int | float) else ""
