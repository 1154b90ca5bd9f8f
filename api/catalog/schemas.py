"""JSON of the catalogue: no prompts, no gold."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

from api.core.names import visible_text
from api.core.schemas import VISIBLE_TEXT, Model


class SplitPublic(Model):
    """A split's size and budgets; with `people` some of its problems are graded by a rubric, which may take days."""

    name: str
    visibility: str
    feedback: str
    count: int
    problems_per_day: int | None
    submissions_per_organisation: int | None
    people: bool


class BenchmarkSummary(Model):
    slug: str
    title: str
    version: str
    owner: str
    licence: str
    summary: str
    published_at: datetime
    splits: list[SplitPublic]


class AgreementPublic(Model):
    """The data-use agreement in Markdown; accept it with its digest in mind."""

    text: str
    digest: str
    approval: bool


class BenchmarkPublic(BenchmarkSummary):
    """A benchmark with its card (Markdown). `sandbox_images`: digests of the images that its episodes run in."""

    card: str
    source: str
    scoring: dict[str, Any]
    agreement: AgreementPublic | None
    digest: str
    versions: list[str]
    admission: dict[str, Any] | None
    sandbox_images: dict[str, list[str]]


class BenchmarkPage(Model):
    items: list[BenchmarkSummary]
    next: str | None


class ReleasePublic(Model):
    """One release. `corrects`: the version of which it only mends golds, whose entries and agreements it carries."""

    version: str
    digest: str
    published_at: datetime
    current: bool
    corrects: str | None


class ReleasePage(Model):
    benchmark: str
    items: list[ReleasePublic]


class NgramFilterPublic(Model):
    """What makers of models need to leave the hidden text of a release out of their corpora.

    `covered` of `problems` hidden problems have a run of words of their own in the filter; `filter` is read by
    `heldout.ngrams.NgramFilter.from_json`.
    """

    benchmark: str
    version: str
    problems: int
    covered: int
    filter: dict[str, str | int]


class AgreementAccept(Model):
    """Who accepts, by name; with the text's `digest`, only that very text."""

    name: Annotated[
        str,
        StringConstraints(min_length=2, max_length=200, strip_whitespace=True),
        AfterValidator(visible_text),
        Field(json_schema_extra=VISIBLE_TEXT),
    ]
    digest: Annotated[str, StringConstraints(max_length=64)] | None = None


class AgreementState(Model):
    benchmark: str
    version: str
    digest: str
    name: str
    state: str
    accepted_at: datetime
    decided_at: datetime | None = None
    reason: str = ""
