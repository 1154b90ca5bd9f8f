"""JSON of groups of organisations."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from api.core.names import visible_text
from api.core.schemas import Model

_Slug = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class GroupForm(Model):
    """Verified organisations by their short names: `lead` is whom releases are counted for. `reason` is kept."""

    lead: _Slug
    members: Annotated[list[_Slug], Field(min_length=1, max_length=50)]
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
