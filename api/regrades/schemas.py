"""JSON of regradings."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from api.core.names import visible_text
from api.core.schemas import VISIBLE_TEXT, Model


class Mover(Model):
    """An entry whose score on the leaderboard moved; `before` and `after` hold score, low and high as shown there."""

    submission: str
    organisation: str
    model: str
    before: dict[str, float]
    after: dict[str, float]


class RegradePublic(Model):
    """One regrading: why, how far, and who moved by how much.

    With hidden splits `done` and `finished_at` are told with the next scheduled release.
    """

    id: str
    reason: str
    total: int
    done: int
    created_at: datetime
    finished_at: datetime | None
    movers: list[Mover]


class RegradeCreate(Model):
    """Why the submissions are graded anew; everybody reads it."""

    reason: Annotated[
        str,
        StringConstraints(min_length=5, max_length=1000, strip_whitespace=True),
        AfterValidator(visible_text),
        Field(json_schema_extra=VISIBLE_TEXT),
    ]


class RegradeBegun(Model):
    """A regrading that was begun; the benchmark's regradings say how far it is."""

    id: str


class RegradePage(Model):
    benchmark: str
    items: list[RegradePublic]
