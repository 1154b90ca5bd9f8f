"""Tables of matches. A match is its log: whose turn it is and how it ended follow from it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Column, Field, SQLModel

from api.core.db import now
from api.core.ids import new_id

# The database's own clock, which no role may write: what is late is measured between these.
_NOW = {"server_default": text("now()")}


class GameMatch(SQLModel, table=True):
    """A match. `deal` is its `CardGameSpec` as who moves first has it; `seconds` are given for each reply.

    `invited` is the organisation that was challenged; a match without one is ranked. `winner` (a side: 0 moves first)
    and `ended` are the worker's word.
    """

    __tablename__ = "game_match"
    __table_args__ = (Index("ix_game_match_undecided", "id", postgresql_where=text("ended is null")),)
    id: UUID = Field(default_factory=new_id, primary_key=True)
    benchmark_id: UUID = Field(foreign_key="benchmark.id", index=True)
    invited: UUID | None = Field(default=None, foreign_key="organisation.id")
    deal: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    seconds: int
    created_at: datetime = Field(default_factory=now, sa_column_kwargs=_NOW)
    winner: int | None = None
    ended: str | None = Field(default=None, max_length=20)
    decided_at: datetime | None = None


class MatchSeat(SQLModel, table=True):
    """One side of a match and who plays it. `party`: the organisation, or who made it while nobody has verified it."""

    __tablename__ = "match_seat"
    __table_args__ = (UniqueConstraint("match_id", "side"), UniqueConstraint("organisation_id", "idempotency_key"))
    id: UUID = Field(default_factory=new_id, primary_key=True)
    match_id: UUID = Field(foreign_key="game_match.id")
    side: int
    organisation_id: UUID = Field(foreign_key="organisation.id")
    party: UUID = Field(index=True)
    model_name: str = Field(max_length=200)
    idempotency_key: str | None = Field(default=None, max_length=200)
    joined_at: datetime = Field(default_factory=now, sa_column_kwargs=_NOW)


class MatchAction(SQLModel, table=True):
    """One reply of a side, in the order in which they came; without `action` the side gave up."""

    __tablename__ = "match_action"
    match_id: UUID = Field(foreign_key="game_match.id", primary_key=True)
    number: int = Field(primary_key=True)
    side: int
    action: dict[str, Any] | None = Field(default=None, sa_column=Column(JSONB(none_as_null=True)))
    created_at: datetime = Field(default_factory=now, sa_column_kwargs=_NOW)


class MatchRating(SQLModel, table=True):
    """How an entry plays, on Elo's scale: `envs.card_game.league.Rating`."""

    __tablename__ = "match_rating"
    benchmark_id: UUID = Field(foreign_key="benchmark.id", primary_key=True)
    organisation_id: UUID = Field(foreign_key="organisation.id", primary_key=True)
    model_name: str = Field(max_length=200, primary_key=True)
    elo: float
    interval: float
    won: int
    played: int
    lost_by: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
