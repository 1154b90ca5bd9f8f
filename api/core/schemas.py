"""What the request and response models and the routes of all features share."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, JsonValue


class Model(BaseModel):
    """Base of what goes over HTTP: an unknown field is an error, so that a misspelt one is never ignored."""

    model_config = ConfigDict(extra="forbid")


def _in_utc(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value


UtcTime = Annotated[datetime, AfterValidator(_in_utc)]
"""A time in a route's query; without an offset it is in UTC."""
CSV_TOO: dict[int | str, dict[str, object]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
"""`responses` of a route that gives a table as CSV, too."""


def one_of(*names: str) -> dict[str, JsonValue]:
    """What a schema says of an object that has exactly one of these fields, and not null in it."""
    rest: dict[str, JsonValue] = {name: {"type": "null"} for name in names}
    return {"oneOf": [{"required": [name], "properties": {**rest, name: {"not": {"type": "null"}}}} for name in names]}


EMAIL = r"^[^\s<>,;\x00-\x20\x7f]+@[^\s<>,;@\x00-\x20\x7f]*\.[^\s<>,;@\x00-\x20\x7f]*$"
"""What an e-mail address looks like; `api.accounts.addresses` has the last word."""
PLAIN_NAME = {"format": "plain-name"}
"""In a schema: letters that pass for no other ones, nothing that is not seen (`api.core.names.plain_name`)."""
VISIBLE_TEXT = {"format": "visible-text"}
"""In a schema: nothing that is not seen or turns the direction of the text (`api.core.names.visible_text`)."""
SlugPath = Annotated[str, Path(max_length=64)]
"""The slug of a benchmark or an organisation in a route's path."""
IdPath = Annotated[str, Path(max_length=64)]
"""The public id of anything else in a route's path."""
VersionQuery = Annotated[str | None, Query(max_length=40)]
"""A release of a benchmark, in a route's query; without it the one that is served."""
CursorQuery = Annotated[str | None, Query(max_length=500)]
"""The `next` of the page before, in a route's query."""
