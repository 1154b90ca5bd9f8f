"""What boards say of one organisation and of one of its models, over all benchmarks."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Query


@dataclass(frozen=True)
class ProfileEntry:
    """A listed entry with where it stands. `current`: its release is the one that is served."""

    submission_id: UUID
    model_name: str
    model: dict[str, Any]
    slug: str
    title: str
    version: str
    split: str
    visibility: str
    current: bool
    score: float
    low: float
    high: float
    near_chance: bool
    coverage: float
    attempts: int
    verified: bool
    best: bool
    created_at: datetime


@dataclass(frozen=True)
class OwnedListed:
    """A benchmark that an organisation owns, as its public page lists it."""

    slug: str
    title: str
    version: str
    summary: str


_ENTRIES = Query(
    ProfileEntry,
    "An organisation's listed entries, newest first: of one model, or the best of each; current: on a board of now.",
    """select e.submission_id, e.model_name, e.model, b.slug, r.title, r.version, s.name as split, s.visibility,
              exists (select from split c where c.release_id = b.release_id
                        and (c.id = s.id or s.id = any(c.carries))) as current,
              e.score, e.low, e.high, e.near_chance, e.coverage, e.attempts, e.verified, e.best, e.created_at
       from entry e join split s on s.id = e.split_id join release r on r.id = s.release_id
       join benchmark b on b.id = r.benchmark_id
       where e.organisation_id = :organisation and not e.hidden
         and (cast(:model as text) is null and e.best or e.model_name = :model)
       order by e.created_at desc, e.submission_id limit :limit""",
)
_OWNED = Query(
    OwnedListed,
    "The published benchmarks of an organisation.",
    """select b.slug, r.title, r.version, r.summary from benchmark b join release r on r.id = b.release_id
       where b.organisation_id = :organisation order by b.slug""",
)


class ProfileRepository:
    """Reads for the pages of organisations and models."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def entries(self, organisation_id: UUID, model: str | None, limit: int) -> list[ProfileEntry]:
        """Listed entries, newest first: all of `model`, or without one the best of each model on each split."""
        return await self._session.fetch_all(_ENTRIES, organisation=organisation_id, model=model, limit=limit)

    async def benchmarks(self, organisation_id: UUID) -> list[OwnedListed]:
        """Benchmarks that an organisation published."""
        return await self._session.fetch_all(_OWNED, organisation=organisation_id)
