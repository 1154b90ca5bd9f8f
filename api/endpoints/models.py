"""Table of runs that the service plays. The endpoint's key is in `vault.endpoint_key`, sealed for the worker."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class RunState(StrEnum):
    """`queued → playing → done`; `stopped` (see `failure`) and `cancelled` ones may be resumed."""

    QUEUED = "queued"
    PLAYING = "playing"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    DONE = "done"


class EndpointRun(SQLModel, table=True):
    """A submission whose answers the service gets from an endpoint.

    `tokens` and `cost` are caps (None: none), prices are US dollars for a million tokens. How much was spent is the sum
    over the submission's items, and what `report` has beside. `url` is empty where a container asks no endpoint.
    `container`: `api.endpoints.schemas.ContainerOfRun`; `report`: `ContainerReport`, written by the worker.
    """

    __tablename__ = "endpoint_run"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    submission_id: UUID = Field(foreign_key="submission.id", unique=True)
    organisation_id: UUID = Field(foreign_key="organisation.id", index=True)
    key_id: UUID = Field(foreign_key="api_key.id")
    url: str = Field(max_length=500)
    endpoint_model: str = Field(max_length=200)
    system: str = Field(max_length=8000)
    parameters: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    tokens: int | None = Field(default=None, sa_column=Column(BigInteger))
    cost: float | None = None
    input_price: float
    output_price: float
    requests_per_minute: int
    container: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    created_at: datetime = Field(default_factory=now)
    state: str = Field(max_length=20, sa_column_kwargs={"server_default": RunState.QUEUED})
    failure: str = Field(max_length=500, sa_column_kwargs={"server_default": ""})
    report: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    # Without a default of ours, which would be inserted: the web role may not.
    changed_at: datetime = Field(sa_column_kwargs={"server_default": text("now()")})
