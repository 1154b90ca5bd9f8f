"""Tables of the schema `vault`, which the web process has no right to read."""

from uuid import UUID

from sqlalchemy import LargeBinary
from sqlmodel import Column, Field, SQLModel


class SealedReference(SQLModel, table=True):
    """The secret side of one problem, sealed under the vault key and bound to the problem's id."""

    __tablename__ = "reference"
    __table_args__ = {"schema": "vault"}
    problem_id: UUID = Field(foreign_key="problem.id", primary_key=True)
    release_id: UUID = Field(foreign_key="release.id", index=True)
    sealed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
