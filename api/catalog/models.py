"""Tables of the catalogue: the public side only. References are in the schema `vault`."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Index, LargeBinary, UniqueConstraint, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id


class BenchmarkRow(SQLModel, table=True):
    """A benchmark; its content is in releases, of which `release_id` is served.

    A deleted one is never served again, and its slug stays taken: `deletion_reason` is shown in its place.
    """

    __tablename__ = "benchmark"
    id: UUID = Field(default_factory=new_id, primary_key=True)
    slug: str = Field(unique=True, max_length=64)
    organisation_id: UUID = Field(foreign_key="organisation.id", index=True)
    release_id: UUID | None = None
    created_at: datetime = Field(default_factory=now)
    deleted_at: datetime | None = None
    deletion_reason: str = Field(default="", max_length=1000)


class ReleaseRow(SQLModel, table=True):
    """One immutable version of a benchmark.

    `sandbox_images`: the digests that an image's name may stand for; None where a release was published before
    they were recorded. `corrects`: the version of which it only mends golds; None for any other release.
    """

    __tablename__ = "release"
    __table_args__ = (UniqueConstraint("benchmark_id", "version"),)
    id: UUID = Field(default_factory=new_id, primary_key=True)
    benchmark_id: UUID = Field(foreign_key="benchmark.id")
    version: str = Field(max_length=40)
    title: str = Field(max_length=200)
    licence: str = Field(max_length=200)
    summary: str = Field(default="", max_length=500)
    card: str
    canary: str = Field(max_length=200)
    source: str = ""
    scoring: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    agreement: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    agreement_digest: str | None = Field(default=None, max_length=64)
    digest: str = Field(max_length=64)
    admission: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    sandbox_images: dict[str, list[str]] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    corrects: str | None = Field(default=None, max_length=40)
    created_at: datetime = Field(default_factory=now)


class NgramFilterRow(SQLModel, table=True):
    """The published n-gram filter of a release; `document` is `api.worker.ngram_filter.Decontamination`."""

    __tablename__ = "ngram_filter"
    release_id: UUID = Field(foreign_key="release.id", primary_key=True)
    document: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))


class SplitRow(SQLModel, table=True):
    """One split of a release; `config` is `packs.format.SplitConfig`.

    `people`: it has problems that are graded by a rubric, so people may be needed whatever is answered. `choices`: the
    fewest that a problem with choices has; 0 where none has. `carries`: the splits of the releases that this one
    corrects, newest first, whose entries its board shows too. `retired_at`: when its feedback part, or all of it, was
    published in a later release.
    """

    __tablename__ = "split"
    __table_args__ = (UniqueConstraint("release_id", "name"),)
    id: UUID = Field(default_factory=new_id, primary_key=True)
    release_id: UUID = Field(foreign_key="release.id")
    name: str = Field(max_length=64)
    visibility: str = Field(max_length=20)
    feedback: str = Field(max_length=20)
    config: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    problem_count: int
    people: bool = False
    choices: int = 0
    carries: list[UUID] = Field(
        default_factory=list, sa_column=Column(ARRAY(Uuid), nullable=False, server_default=text("'{}'"))
    )
    retired_at: datetime | None = None

    @property
    def board(self) -> list[UUID]:
        """The splits whose entries make its board."""
        return [self.id, *self.carries]


class ProblemRow(SQLModel, table=True):
    """The public side of a problem. `gold` and `solution` are filled on dev splits alone.

    `lane` says where its answers are graded (`api.lanes`); None in a release that is older than the lanes.
    """

    __tablename__ = "problem"
    __table_args__ = (
        UniqueConstraint("split_id", "position"),
        UniqueConstraint("release_id", "name"),
        Index("ix_problem_no_lane", "release_id", postgresql_where=text("lane is null")),
    )
    id: UUID = Field(default_factory=new_id, primary_key=True)
    release_id: UUID = Field(foreign_key="release.id")
    split_id: UUID = Field(foreign_key="split.id")
    position: int
    name: str = Field(max_length=128)
    type: str = Field(max_length=64)
    subject: str = Field(max_length=100)
    statement: str
    choices: list[dict[str, str]] = Field(sa_column=Column(JSONB, nullable=False))
    answer_format: str = ""
    images: list[dict[str, str]] = Field(sa_column=Column(JSONB, nullable=False))
    sibling_group: str | None = Field(default=None, max_length=128)
    source: str = ""
    episode: bool = False
    variation: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    gold: str | None = None
    solution: str | None = None
    lane: str | None = Field(default=None, max_length=16)


class AssetRow(SQLModel, table=True):
    """A file that belongs to statements."""

    __tablename__ = "asset"
    __table_args__ = (UniqueConstraint("release_id", "path"),)
    id: UUID = Field(default_factory=new_id, primary_key=True)
    release_id: UUID = Field(foreign_key="release.id")
    path: str = Field(max_length=300)
    media_type: str = Field(max_length=100)
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
