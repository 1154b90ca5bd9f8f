"""JSON of groups of organisations."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from api.core.names import visible_text
from api.core.schemas import Model

_Slug = Annotated[str, StringConstraints(min_length=1, max_length=64)]


def _distinct(members: list[str]) -> list[str]:
    if len(set(members)) < len(members):
        raise ValueError("name each organisation once")
    return members


class GroupForm(Model):
    """Verified organisations by their short names, the lead first: releases are counted for it. `reason` is kept."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"members": ["big-lab", "big-lab-agents"], "reason": "Two teams of a company."}]
        }
    )

    members: Annotated[
        list[_Slug],
        Field(min_length=2, max_length=51, json_schema_extra={"uniqueItems": True}),
        AfterValidator(_distinct),
    ]
    reason: Annotated[
        str, StringConstraints(min_length=5, max_length=1000, strip_whitespace=True), AfterValidator(visible_text)
    ]


class GroupPublic(Model):
    """A group with who formed it, when and why; `ended_at` is None while it holds. `members` begin with the lead."""

    lead: str
    members: list[str]
    reason: str
    formed_at: datetime
    formed_by: str | None
    ended_at: datetime | None
    ended_by: str | None


class GroupPage(Model):
    """Groups that hold, then those that ended; the newest first."""

    items: list[GroupPublic]
