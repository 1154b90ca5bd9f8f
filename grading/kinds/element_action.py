"""`element_action`: which element of a page is used, and how, by Mind2Web's measures (AgentBench's web browsing)."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from grading.answer import Answer
from grading.evidence import read
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class Prediction(BaseModel):
    """Evidence: the element that was chosen, None where none was, and the operation with its value."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    element: str | None
    action: str


class ElementActionReference(Reference):
    """The `elements` of which each is right, and the `action`: an operation with its value ("SELECT Two adults").

    `metric` says which measure is the score; all three are in the verdict's detail. `element` (element accuracy): one
    of the elements was chosen. `operation` (operation F1): F1 between the words of both actions, as sets. `step` (step
    success): the element is right and the F1 is 1. Where no element was chosen all are 0.
    Evidence (default "prediction"): `{"element": str | null, "action": str}`.
    """

    kind: Literal["element_action"] = "element_action"
    elements: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(max_length=1000)]
    action: Annotated[str, Field(max_length=20_000)]
    metric: Literal["step", "element", "operation"] = "step"
    evidence: str = "prediction"


@grader(ElementActionReference, version="1")
def element_action(answer: Answer, reference: ElementActionReference, tools: Tools) -> Verdict:
    """The published measures. As published, no action is right where no element is."""
    del tools
    seen = read(answer, reference.evidence, Prediction)
    if isinstance(seen, Verdict):
        return seen
    if seen.element is None or not reference.elements:
        element, operation = 0.0, 0.0
    else:
        element, operation = float(seen.element in reference.elements), _f1(seen.action, reference.action)
    measures = {"step": float(element == 1 and operation == 1), "element": element, "operation": operation}
    what = "no element was chosen" if seen.element is None else f"the {'right' if element else 'wrong'} element"
    return Verdict.graded(measures[reference.metric], f"{what}, operation F1 {operation:.2f}", **measures)


def _f1(given: str, wanted: str) -> float:
    one, other = set(given.split()), set(wanted.split())
    if not one or not other:
        return float(one == other)
    return 2 * len(one & other) / (len(one) + len(other))
