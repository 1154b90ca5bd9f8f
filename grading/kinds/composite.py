"""`composite`: several references judged together."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator

from grading import registry
from grading.answer import Answer
from grading.inner import grade_inner
from grading.judging.sheets import sheet_credits
from grading.registry import Reference, grader
from grading.tools import Tools
from grading.verdict import Outcome, Verdict

MAX_DEPTH = 8


class Part(BaseModel):
    """A nested reference with its weight. With `field`, it judges that member of the answer's structured data."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reference: dict[str, JsonValue]
    weight: Annotated[float, Field(gt=0)] = 1.0
    field: str | None = None
    name: str = ""

    @field_validator("reference")
    @classmethod
    def _known(cls, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if _depth(value) > MAX_DEPTH:
            raise ValueError(f"composites are nested more than {MAX_DEPTH} deep")
        return registry.parse_reference(value).model_dump(mode="json")


class CompositeReference(Reference):
    """`all`: the product of the parts' scores; `any`: the best part; `weighted`: the mean by weight.

    An undecided part leaves the whole unscored unless the decided parts settle it (a zero under `all`, a full score
    under `any`).
    """

    kind: Literal["composite"] = "composite"
    rule: Literal["all", "any", "weighted"]
    parts: Annotated[tuple[Part, ...], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def _weights_are_used(self) -> Self:
        if self.rule != "weighted" and any(part.weight != 1 for part in self.parts):
            raise ValueError(f"weights mean nothing under '{self.rule}'; use the rule 'weighted'")
        return self


@grader(CompositeReference, version="1")
def composite(answer: Answer, reference: CompositeReference, tools: Tools) -> Verdict:
    """Grade every part and combine."""
    verdicts = [_grade_part(answer, part, tools) for part in reference.parts]
    names = [part.name or part.field or str(number) for number, part in enumerate(reference.parts, 1)]
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
    if "judge" in detail and (credits := sheet_credits(reference.model_dump(mode="json"), verdict.score, detail)):
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
    weights = [part.weight for part in reference.parts]
    total = sum(weight * score for weight, score in zip(weights, scores, strict=True))
    return Verdict.graded(total / sum(weights), reason)


def _depth(value: Any) -> int:
    parts = value.get("parts") if isinstance(value, dict) else None
    if not isinstance(parts, list):
        return 0
    return 1 + max((_depth(part.get("reference")) for part in parts if isinstance(part, dict)), default=0)
