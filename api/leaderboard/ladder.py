"""SQL of the ladder: its state for each verified organisation, and the releases that are written down."""

from dataclasses import dataclass
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query
from protection.ladder import LadderState

# Whoever makes a hundred organisations has made one: without verification they all climb the same ladder.
UNVERIFIED = UUID(int=0)


@dataclass(frozen=True)
class SplitFeedback:
    """What one ladder has released on a split: `released` is the last score, `bits` an upper bound of what it says."""

    slug: str
    version: str
    split: str
    attempts: int
    releases: int
    released: float | None
    bits: float


@dataclass(frozen=True)
class Climbed:
    """How far a ladder was climbed; `best_id` is the last submission whose score was released."""

    attempts: int
    releases: int
    released: float | None
    bits: float
    best_id: UUID | None

    def state(self) -> LadderState:
        """As `protection.ladder` goes on from it."""
        return LadderState(self.attempts, self.releases, self.released, self.bits)


_LOCK = Query(
    object,
    "Take the lock of a split's ladder, until the end of the transaction.",
    "select cast(pg_advisory_xact_lock(hashtextextended(:name, 0)) as text)",
)
_VERIFIED = Query(
    bool, "Whether an organisation is verified.", "select verified_at is not null from organisation where id = :id"
)
_STATE = Query(
    Climbed,
    "How far an organisation has climbed on a split.",
    """select attempts, releases, released, bits, best_id from ladder_state
       where split_id = :split and organisation_id = :organisation""",
)
_RELEASES = Query(
    int,
    "Scores released on a split to all organisations together.",
    "select count(*) from released_score where split_id = :split",
)
_SAVE = Command(
    "Write down how far an organisation has climbed on a split.",
    """insert into ladder_state (split_id, organisation_id, attempts, releases, released, bits, best_id)
       values (:split, :organisation, :attempts, :releases, :released, :bits, :best)
       on conflict (split_id, organisation_id) do update set attempts = excluded.attempts,
         releases = excluded.releases, released = excluded.released, bits = excluded.bits,
         best_id = excluded.best_id""",
)
_RELEASE = Command(
    "Write a released score down, once.",
    """insert into released_score (submission_id, split_id, organisation_id, attempt, released, bits, released_at)
       values (:submission, :split, :organisation, :attempt, :released, :bits, clock_timestamp())
       on conflict (submission_id) do nothing""",
)
_FEEDBACK = Query(
    SplitFeedback,
    "What one ladder has released on hidden splits, the newest release of each benchmark first.",
    """select b.slug, r.version, s.name as split, l.attempts, l.releases, l.released, l.bits
       from ladder_state l join split s on s.id = l.split_id join release r on r.id = s.release_id
       join benchmark b on b.id = r.benchmark_id
       where l.organisation_id = :climber order by b.slug, r.created_at desc, s.name""",
)


class LadderRepository:
    """State of one split's ladder. Take `lock` before deciding."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def lock(self, split_id: UUID) -> None:
        """One decision on a split at a time, until the end of the transaction."""
        await self._session.fetch_one(_LOCK, name=f"ladder:{split_id}")

    async def climber(self, organisation_id: UUID) -> UUID:
        """Whose ladder an organisation climbs: its own once it is verified, else the one that all others share."""
        return organisation_id if await self._session.fetch_one(_VERIFIED, id=organisation_id) else UNVERIFIED

    async def state(self, split_id: UUID, climber: UUID) -> Climbed | None:
        """How far a climber is on a split; None before the first attempt."""
        return await self._session.fetch_optional(_STATE, split=split_id, organisation=climber)

    async def feedback_of(self, climber: UUID) -> list[SplitFeedback]:
        """What one ladder (see `climber`) has released on hidden splits."""
        return await self._session.fetch_all(_FEEDBACK, climber=climber)

    async def releases(self, split_id: UUID) -> int:
        """Scores released on a split to all organisations together."""
        return await self._session.fetch_one(_RELEASES, split=split_id)

    async def save(self, split_id: UUID, climber: UUID, state: LadderState, bits: float, best_id: UUID | None) -> None:
        """Write down how far a climber is."""
        await self._session.run(
            _SAVE,
            split=split_id,
            organisation=climber,
            attempts=state.attempts,
            releases=state.releases,
            released=state.released,
            bits=bits,
            best=best_id,
        )

    async def release(
        self, submission_id: UUID, split_id: UUID, organisation_id: UUID, attempt: int, released: float, bits: float
    ) -> None:
        """Write a release down; it is never changed."""
        await self._session.run(
            _RELEASE,
            submission=submission_id,
            split=split_id,
            organisation=organisation_id,
            attempt=attempt,
            released=released,
            bits=bits,
        )
