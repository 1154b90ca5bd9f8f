"""Table of uploads. The archive itself is in `vault.pack_part`, sealed so that the web process cannot open it."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, Integer, LargeBinary, text
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id

PACK, CONTAINER = "pack", "container"
"""What an upload's archive is: a benchmark's pack, or a participant's container."""


class PackState(StrEnum):
    """Where an uploaded pack is. `refused` is the end of one with faults; the others go on to `published`."""

    UPLOADING = "uploading"
    CHECKING = "checking"
    REFUSED = "refused"
    CHECKED = "checked"
    PUBLISHING = "publishing"
    PUBLISHED = "published"


class PackUpload(SQLModel, table=True):
    """An archive on its way to become a release.

    `received`: the parts that are there, of `parts` with `part_bytes` each but the last. `stage`, `done` and `total`:
    how far a check is. `report`: `api.uploads.schemas.PackReport`, sealed under the key of reviews, for faults quote
    golds. `pictures`: those of the preview, sealed in the same way and kept apart, since lists need none of them.
    `admissible`: the admission check passed, or there is nothing hidden to check; None before it was made.
    """

    __tablename__ = "pack_upload"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    organisation_id: UUID = Field(foreign_key="organisation.id", index=True)
    user_id: UUID = Field(foreign_key="account.id")
    kind: str = Field(default=PACK, max_length=20, sa_column_kwargs={"server_default": PACK})
    name: str = Field(max_length=200)
    size: int = Field(sa_column=Column(BigInteger, nullable=False))
    sha256: str = Field(max_length=64)
    part_bytes: int
    parts: int
    created_at: datetime = Field(default_factory=now)
    received: list[int] = Field(sa_column=Column(ARRAY(Integer), nullable=False, server_default=text("'{}'")))
    state: str = Field(max_length=20, sa_column_kwargs={"server_default": PackState.UPLOADING})
    stage: str = Field(max_length=40, sa_column_kwargs={"server_default": ""})
    done: int = Field(sa_column_kwargs={"server_default": text("0")})
    total: int = Field(sa_column_kwargs={"server_default": text("0")})
    slug: str | None = Field(default=None, max_length=64)
    version: str | None = Field(default=None, max_length=40)
    admissible: bool | None = None
    report: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    pictures: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    changed_at: datetime = Field(default_factory=now, sa_column_kwargs={"server_default": text("now()")})
