"""What the request and response models and the routes of all features share."""

from typing import Annotated

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Base of what goes over HTTP: an unknown field is an error, so that a misspelt one is never ignored."""

    model_config = ConfigDict(extra="forbid")


CSV_TOO: dict[int | str, dict[str, object]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
"""`responses` of a route that gives a table as CSV, too."""
SlugPath = Annotated[str, Path(max_length=64)]
"""The slug of a benchmark or an organisation in a route's path."""
IdPath = Annotated[str, Path(max_length=64)]
"""The public id of anything else in a route's path."""
VersionQuery = Annotated[str | None, Query(max_length=40)]
"""A release of a benchmark, in a route's query; without it the one that is served."""
CursorQuery = Annotated[str | None, Query(max_length=500)]
"""The `next` of the page before, in a route's query."""
