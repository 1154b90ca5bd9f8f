"""JSON of access."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, StringConstraints

from api.core.schemas import Model

Decision = Literal["accepted", "declined"]
STATES = ("requested", "accepted", "declined")


class AccessPublic(Model):
    """One organisation and one version: who signed the agreement, what was decided, how much was served since."""

    id: str
    benchmark: str
    version: str
    organisation: str
    organisation_name: str
    verified: bool
    name: str
    email: str | None
    state: str
    reason: str
    text_digest: str
    accepted_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    served: int
    last_served_at: datetime | None


class AccessPage(Model):
    benchmark: str
    items: list[AccessPublic]
    next: str | None


class AccessDecision(Model):
    """The owner's decision; declining, or taking access away, needs a reason, which the applicant will read."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"properties": {"state": {"const": "accepted"}}},
                {"required": ["reason"], "properties": {"reason": {"pattern": r"\S"}}},
            ]
        }
    )

    state: Decision
    reason: Annotated[str, StringConstraints(max_length=1000, strip_whitespace=True)] = ""
