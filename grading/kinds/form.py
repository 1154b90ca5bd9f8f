"""`form`: a web form's fields against annotators' answers (TurkingBench), scored as published and corrected."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from grading.answer import Answer
from grading.evidence import read
from grading.forms import corrected, published
from grading.forms.fields import FormField, Value
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class FormState(BaseModel):
    """Evidence of a form. `submitted`: the payload of its last submission, null if it was never submitted.

    `seen`: values read from the page at the end (the published scoring looks there; without it at the payload).
    `visible`: names of the fields displayed at the end; without it the reference's own mark counts.
    Several values of one name come as a list.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    submitted: dict[str, Value] | None = None
    seen: dict[str, Value] | None = None
    visible: tuple[str, ...] | None = None


class FormReference(Reference):
    """The form's fields, the scoring whose score counts, and the name of the evidence.

    Evidence: `{"submitted": {name: value | [value, ...]} | null, "seen": {...}, "visible": [name, ...]}`. Without such
    evidence `Answer.data` is taken as the payload. Both scorings are in the verdict's detail.
    """

    kind: Literal["form"] = "form"
    fields: Annotated[tuple[FormField, ...], Field(min_length=1, max_length=2000)]
    scoring: Literal["published", "corrected"] = "corrected"
    evidence: str = "form"

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [field.name for field in self.fields]
        if len(set(names)) != len(names):
            raise ValueError("two fields have the same name")
        return self


@grader(FormReference, version="2")
def form(answer: Answer, reference: FormReference, _tools: Tools) -> Verdict:
    """The mean score over the fields that count, by the scoring the reference names."""
    state = _state(answer, reference)
    if isinstance(state, Verdict):
        return state
    as_published, scored = _published(reference.fields, state)
    as_corrected, scores, nothing = _corrected(reference.fields, state)
    detail: dict[str, JsonValue] = {
        "published": as_published,
        "published_fields": dict(scored),
        "corrected": as_corrected,
        "corrected_fields": dict(scores),
        "do_nothing": nothing,
    }
    if reference.scoring == "corrected":
        return Verdict.graded(as_corrected, f"{len(scores)} fields, corrected scoring", **detail)
    if as_published is None:
        return Verdict.unscored("the published scoring has no rule for one of the fields", **detail)
    return Verdict.graded(as_published, f"{len(scored)} fields, published scoring", **detail)


def _state(answer: Answer, reference: FormReference) -> FormState | Verdict:
    if answer.evidence_of(reference.evidence) is not None or not isinstance(answer.data, dict):
        return read(answer, reference.evidence, FormState)
    try:
        return FormState.model_validate({"submitted": answer.data})
    except ValidationError:
        return Verdict.unparseable("a form's values are texts or lists of texts by field name")


def _published(fields: tuple[FormField, ...], state: FormState) -> tuple[float | None, dict[str, float]]:
    values = state.seen if state.seen is not None else (state.submitted or {})
    shown = tuple(
        field if state.visible is None else field.model_copy(update={"visible": field.name in state.visible})
        for field in fields
    )
    try:
        return published.score_form(shown, values)
    except published.UnsupportedFieldError:
        return None, {}


def _corrected(fields: tuple[FormField, ...], state: FormState) -> tuple[float, dict[str, float], float]:
    defaults = {field.name: field.default for field in fields}
    nothing, _ = corrected.score_form(fields, defaults)
    score, scores = corrected.score_form(fields, defaults if state.submitted is None else state.submitted)
    if state.submitted is None and nothing >= 1:
        return 0.0, scores, nothing
    return corrected.normalise(score, nothing), scores, nothing
