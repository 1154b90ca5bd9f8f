"""The versions of what public pages show; written by triggers (migration 0050) and nobody else."""

from uuid import UUID

from sqlalchemy import BigInteger
from sqlmodel import Field, SQLModel


class PageVersion(SQLModel, table=True):
    """One of the rows that make the version of a topic, and how many changes it stands for.

    `topic`: a benchmark's slug, `*` for all that pages show, empty for what stands on every page.
    """

    __tablename__ = "page_version"
    id: UUID = Field(primary_key=True)
    topic: str = Field(max_length=64, index=True)
    changes: int = Field(sa_type=BigInteger)
