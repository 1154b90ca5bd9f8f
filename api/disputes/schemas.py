"""JSON of disputes."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from api.core.names import visible_text
from api.core.schemas import VISIBLE_TEXT, Model

Reason = Annotated[
    str,
    StringConstraints(min_length=10, max_length=4000, strip_whitespace=True),
    AfterValidator(visible_text),
    Field(json_schema_extra=VISIBLE_TEXT),
]


class DisputeCreate(Model):
    """Why the gold of a problem is wrong, for its owner: what the answer is, and how that can be seen."""

    reason: Reason


class DisputeDecide(Model):
    """The owner's word. `accepted`: the gold will be corrected. `answer` is for who disputed it."""

    state: Literal["accepted", "rejected"]
    answer: Reason


class DisputePublic(Model):
    """A dispute as everybody sees it: on which split, since when, and what became of it."""

    id: str
    split: str
    version: str
    state: str
    created_at: datetime
    decided_at: datetime | None


class DisputePage(Model):
    """The disputes of a benchmark, newest first; `open`, `accepted`, `rejected` count all of them."""

    benchmark: str
    open: int
    accepted: int
    rejected: int
    items: list[DisputePublic]


class DisputeOwn(DisputePublic):
    """A dispute for who raised it and for the owner.

    `problem`: the alias under which the asking organisation knows the problem; `name`: what its pack calls it, for the
    owner alone.
    """

    benchmark: str
    problem: str | None
    name: str | None
    organisation: str
    reason: str
    answer: str


class DisputeOwnPage(Model):
    """Disputes of the asking organisation, or on its benchmark; newest first."""

    items: list[DisputeOwn]
