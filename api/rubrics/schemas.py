"""JSON of rubrics."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from api.core.schemas import NUMBER, Model
from api.rubrics.models import RubricState
from grading.judging.rubrics import Criterion

Revision = Annotated[int, Field(ge=1, le=2**31 - 1), NUMBER]


class RubricDocument(Model):
    """What is sealed: the problem as it is read beside its rubric, which is None where there is none yet."""

    statement: str
    solution: str
    rubric: dict[str, Any] | None = None


class RubricSummary(Model):
    """A problem that has a rubric or could have one.

    `state`: missing, drafted, approved (by `approved_by`), published: answers are graded by it. `kind`: of its
    reference; of any but `rubric` the final answer alone counts so far. `model` drafted it; empty where a
    person wrote it.
    """

    id: str
    problem: str
    split: str
    kind: str
    state: RubricState
    model: str
    approved_by: str | None
    revision: int
    changed_at: datetime


class RubricPage(Model):
    """The problems of a benchmark's current release with their rubrics, as the job `draft_rubrics` last found them."""

    benchmark: str
    items: list[RubricSummary]


class RubricPublic(RubricSummary):
    """The rubric beside the problem and its solution. `criteria` is empty where there is none yet.

    `faults`: why it cannot be approved as it is.
    """

    benchmark: str
    statement: str
    solution: str
    total: float
    criteria: list[Criterion]
    faults: list[str]


class CriterionEdit(Criterion):
    """A criterion as an owner writes it."""

    points: Annotated[float, Field(gt=0, le=1000), NUMBER]


class RubricEdit(Model):
    """Another rubric for the problem. `revision`: the one that you read.

    It is kept as it is; to be approved, its points have to sum to `total`, its ids to differ, and what its criteria
    require to be there.
    """

    revision: Revision
    total: Annotated[float, Field(gt=0, le=1000), NUMBER] = 10.0
    criteria: Annotated[list[CriterionEdit], Field(min_length=1, max_length=50)]


class RubricApprove(Model):
    """Somebody has read this `revision`."""

    revision: Revision
