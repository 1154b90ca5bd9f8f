"""What the request and response models and the routes of all features share."""

import re
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, JsonValue


class Model(BaseModel):
    """Base of what goes over HTTP: an unknown field is an error, so that a misspelt one is never ignored."""

    model_config = ConfigDict(extra="forbid")


def _number(value: object) -> object:
    if isinstance(value, bool | str):
        raise ValueError("a number is written without quotes")
    return value


def _flag(value: object) -> object:
    if not isinstance(value, bool):
        raise ValueError("it is true or false")
    return value


NUMBER = BeforeValidator(_number)
"""Of a number in a request's JSON: neither a text nor true or false is taken for one, as its schema says."""
Flag = Annotated[bool, BeforeValidator(_flag)]
"""True or false in a request's JSON: no number and no text is taken for it."""


def _in_utc(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value


def _a_day(value: object) -> object:
    """Pydantic would take a plain number for seconds since 1970."""
    if isinstance(value, str) and not _DAY.match(value):
        raise ValueError("a time is such as 2026-11-23T12:00:00Z, a day such as 2026-11-23")
    return value


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
UtcTime = Annotated[datetime, AfterValidator(_in_utc), BeforeValidator(_a_day)]
"""A time in a route's query; without an offset it is in UTC."""
CSV_TOO: dict[int | str, dict[str, object]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
"""`responses` of a route that gives a table as CSV, too."""


def one_of(*names: str) -> dict[str, JsonValue]:
    """What a schema says of an object that has exactly one of these fields, and not null in it."""
    rest: dict[str, JsonValue] = {name: {"type": "null"} for name in names}
    return {"oneOf": [{"required": [name], "properties": {**rest, name: {"not": {"type": "null"}}}} for name in names]}


# Spelt out: what \\s is differs between the language of schemas and ours.
_BLANK = r"\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
EMAIL = rf"^[^{_BLANK}<>,;]+@[^{_BLANK}<>,;@]*\.[^{_BLANK}<>,;@]*$"
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
