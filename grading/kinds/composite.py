"""`composite`: several references judged together."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from grading.answer import Answer
from grading.inner import NestedReference, grade_inner
from grading.judging.rubrics import Credit, Rubric
from grading.judging.sheets import equality, inner_id, weighted
from grading.reference import Reference, golds
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Outcome, Verdict


class Part(BaseModel):
    """A nested reference with its weight. With `field`, it judges that member of the answer's structured data."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reference: NestedReference
    weight: Annotated[float, Field(gt=0)] = 1.0
    field: str | None = None
    name: str = ""

    def title(self, number: int) -> str:
        """What people see before its criteria."""
        return self.name or self.field or f"part {number}"


class CompositeReference(Reference):
    """`all`: the product of the parts' scores; `any`: the best part; `weighted`: the mean by weight.

    An undecided part leaves the whole unscored unless the decided parts settle it (a zero under `all`, a full score
    under `any`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)

    kind: Literal["composite"] = "composite"
    rule: Literal["all", "any", "weighted"]
    members: tuple[Part, ...] = Field(min_length=1, max_length=100, alias="parts", serialization_alias="parts")

    @model_validator(mode="after")
    def _weights_are_used(self) -> Self:
        if self.rule != "weighted" and any(part.weight != 1 for part in self.members):
            raise ValueError(f"weights mean nothing under '{self.rule}'; use the rule 'weighted'")
        return self

    def sheet(self) -> Rubric:
        """Under `weighted` each part's criteria with its share of the points, else one criterion with half credit."""
        if self.rule == "weighted":
            numbered = enumerate(self.members, 1)
            return weighted([(part.title(number), part.weight, part.reference.sheet()) for number, part in numbered])
        return equality(golds(self), " and " if self.rule == "all" else " or ", half=True)

    def sheet_credits(self, score: float | None, detail: Mapping[str, Any]) -> dict[str, Credit] | None:
        """Under `weighted` the credits of all parts, if every part has some."""
        if self.rule != "weighted":
            return super().sheet_credits(score, detail)
        found: dict[str, Credit] = {}
        for number, (part, graded) in enumerate(zip(self.members, detail["parts"], strict=True), 1):
            credits = part.reference.sheet_credits(graded["score"], graded.get("detail") or {})
            if credits is None:
                return None
            found |= {inner_id(number, name): credit for name, credit in credits.items()}
        return found


@grader(CompositeReference, version="1")
def composite(answer: Answer, reference: CompositeReference, tools: Tools) -> Verdict:
    """Grade every part and combine."""
    verdicts = [_grade_part(answer, part, tools) for part in reference.members]
    names = [part.name or part.field or str(number) for number, part in enumerate(reference.members, 1)]
    detail: dict[str, JsonValue] = {
        "parts": [
            {"name": name, "score": verdict.score, "outcome": verdict.outcome.value, "reason": verdict.reason}
            | ({"detail": verdict.detail} if "judge" in verdict.detail else {})
            for name, verdict in zip(names, verdicts, strict=True)
        ]
    }
    # Who judged a part judged the whole: the answer may be drawn for the judge's calibration.
    if judges := sorted({str(verdict.detail["judge"]) for verdict in verdicts if "judge" in verdict.detail}):
        detail["judge"] = ", ".join(judges)
    verdict = _combine(reference, verdicts)
    if "judge" in detail and (credits := reference.sheet_credits(verdict.score, detail)):
        detail["credits"] = dict(credits)
    return verdict.model_copy(update={"detail": detail})


def _grade_part(answer: Answer, part: Part, tools: Tools) -> Verdict:
    if part.field is None:
        return grade_inner(answer, part.reference, tools)
    if not isinstance(answer.data, dict) or part.field not in answer.data:
        return Verdict.unparseable(f"the answer has no field '{part.field}'")
    value = answer.data[part.field]
    text = value if isinstance(value, str) else None
    return grade_inner(answer.model_copy(update={"text": text, "data": value}), part.reference, tools)


def _combine(reference: CompositeReference, verdicts: list[Verdict]) -> Verdict:
    scores = [verdict.score for verdict in verdicts if verdict.score is not None]
    undecided = [verdict for verdict in verdicts if verdict.outcome is Outcome.UNSCORED]
    settled = (reference.rule == "all" and 0.0 in scores) or (reference.rule == "any" and 1.0 in scores)
    if undecided and not settled:
        return Verdict.unscored(f"{len(undecided)} of {len(verdicts)} parts undecided: {undecided[0].reason}")
    right = sum(score == 1.0 for score in scores)
    reason = f"{right} of {len(verdicts)} parts right"
    if all(verdict.outcome is Outcome.UNPARSEABLE for verdict in verdicts):
        return Verdict.unparseable(verdicts[0].reason)
    if reference.rule == "all":
        product = 1.0
        for score in scores:
            product *= score
        return Verdict.graded(product, reason)
    if reference.rule == "any":
        return Verdict.graded(max(scores), reason)
    weights = [part.weight for part in reference.members]
    total = sum(weight * score for weight, score in zip(weights, scores, strict=True))
    return Verdict.graded(total / sum(weights), reason)
