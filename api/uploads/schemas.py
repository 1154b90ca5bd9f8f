"""JSON of uploaded packs."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from api.core.schemas import Flag, Model


class PackCreate(Model):
    """An archive that is about to be sent: its file's name, its bytes, and the SHA-256 of all of it in hex."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    size: Annotated[int, Field(ge=1)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class PackFault(Model):
    """One fault: where (`line` 0 means the whole file), what is wrong, what would be right."""

    file: str
    line: int
    field: str
    problem: str
    remedy: str


class PreviewImage(Model):
    """A picture of a problem. `data`: the picture as a data URI; None beyond what a preview holds."""

    path: str
    alt: str
    data: str | None = None


class PreviewProblem(Model):
    """A problem as a participant will see it, under the name it has in the pack."""

    name: str
    split: str
    type: str
    subject: str
    statement: str
    choices: list[dict[str, str]]
    answer_format: str
    images: list[PreviewImage]
    episode: bool
    gold: str | None
    solution: str | None


class SplitCount(Model):
    name: str
    visibility: str
    problems: int


class PackReport(Model):
    """What a check found. `refusals` and `warnings` are the admission check's, `badge` is what the page says of it.

    `rubrics_required`: problems that nothing grades before somebody has approved a rubric; `rubrics_possible`: how many
    problems have a rubric or could have one.
    """

    faults: list[PackFault] = Field(default_factory=list)
    faults_left_out: int = 0
    refusals: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    badge: dict[str, Any] | None = None
    rubrics_required: list[str] = Field(default_factory=list)
    rubrics_possible: int = 0
    splits: list[SplitCount] = Field(default_factory=list)
    preview: list[PreviewProblem] = Field(default_factory=list)


class PackPublic(Model):
    """An uploaded pack.

    `state`: uploading, checking, refused, checked, publishing, published. `stage` with `done` of `total` says how far
    it is. `missing`: the parts that have not come, by number from 0. `admissible`: whether the admission check passed.
    `rubrics_required`: problems whose rubric somebody has to approve before it is published; `rubrics_possible`: how
    many problems have a rubric or could have one.
    """

    id: str
    name: str
    size: int
    sha256: str
    state: str
    stage: str
    done: int
    total: int
    part_bytes: int
    parts: int
    missing: list[int]
    benchmark: str | None
    version: str | None
    admissible: bool | None
    faults: list[PackFault]
    faults_left_out: int
    refusals: list[str]
    warnings: list[str]
    rubrics_required: list[str]
    rubrics_possible: int
    splits: list[SplitCount]
    created_at: datetime
    changed_at: datetime


class PackPage(Model):
    items: list[PackPublic]


class PackPreview(Model):
    """The first problems of each split, and the first of each type, as a participant will see them."""

    benchmark: str | None
    version: str | None
    items: list[PreviewProblem]


class PackPublish(Model):
    """`anyway`: publish though the admission check failed; the benchmark's page says so."""

    anyway: Flag = False
