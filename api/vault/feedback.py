"""SQL of what decides feedback: the secret cut of hidden splits, and the sealed state of every receiver."""

from dataclasses import dataclass, field, replace
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy.dialects.postgresql import insert

from api.core.crypto import seal, unseal
from api.core.db import AsyncSession
from api.core.query import Query
from api.vault.models import SealedFeedbackState, SplitPartRow
from protection.feedback.release import OrganisationState, Part, PartState


@dataclass(frozen=True)
class SplitState:
    """The state of one receiver on one split, over all its releases.

    `year`: the year whose decisions are counted in it. `split_id`: the split of which its bands and bests are; on that
    of another release they begin anew, the decisions and bits do not. `ranked`: the submission that stands.
    """

    year: int
    split_id: UUID
    state: OrganisationState = field(default_factory=OrganisationState)
    decided: UUID | None = None
    ranked: UUID | None = None

    def on(self, split_id: UUID, year: int) -> "SplitState":
        """The state for a decision on this split in this year."""
        state = self.state.next_year() if year > self.year else self.state
        if split_id == self.split_id:
            return replace(self, year=max(year, self.year), state=state)
        return SplitState(
            max(year, self.year),
            split_id,
            OrganisationState(
                replace(state.feedback, band=None, best=None), replace(state.ranking, band=None, best=None)
            ),
        )

    def having_used(self, part: Part, count: int) -> "SplitState":
        """The same with at least so many decisions of a part used this year."""
        name = "feedback" if part is Part.FEEDBACK else "ranking"
        one: PartState = getattr(self.state, name)
        if one.used >= count:
            return self
        return replace(self, state=replace(self.state, **{name: replace(one, used=count)}))


@dataclass(frozen=True)
class ProblemPart:
    """A hidden problem's part."""

    problem_id: UUID
    part: Part


_STATE = TypeAdapter(SplitState)
_PARTS = Query(
    ProblemPart, "The parts of a split.", "select problem_id, part from vault.split_part where split_id = :split"
)
_CARRIED = Query(
    str,
    "Names of problems that other releases of a benchmark had in a feedback part or in a dev split.",
    """select distinct p.name from problem p join split s on s.id = p.split_id join release r on r.id = p.release_id
       left join vault.split_part v on v.problem_id = p.id
       where r.benchmark_id = :benchmark and r.id <> :release and (v.part = 'feedback' or s.visibility = 'dev')""",
)


class FeedbackVault:
    """The cut of splits and the state of receivers. The caller holds the vault key."""

    def __init__(self, session: AsyncSession, key: bytes) -> None:
        self._session = session
        self._key = key

    async def parts(self, split_id: UUID) -> dict[UUID, Part]:
        """The part of every problem of a split; empty before it was cut."""
        return {row.problem_id: row.part for row in await self._session.fetch_all(_PARTS, split=split_id)}

    async def keep_parts(self, split_id: UUID, parts: dict[UUID, Part]) -> None:
        """Cut a split, for good."""
        rows = [{"problem_id": problem, "split_id": split_id, "part": part.value} for problem, part in parts.items()]
        if rows:
            await self._session.exec(insert(SplitPartRow).values(rows).on_conflict_do_nothing())

    async def carried(self, benchmark_id: UUID, release_id: UUID) -> list[str]:
        """Problems, by name, that may never be in a ranking part again."""
        return await self._session.fetch_all(_CARRIED, benchmark=benchmark_id, release=release_id)

    async def state(self, benchmark_id: UUID, split: str, receiver: UUID) -> SplitState | None:
        """What a receiver has learnt; None: nothing. Raises SealError for a changed row."""
        row = await self._session.get(SealedFeedbackState, (benchmark_id, split, receiver), populate_existing=True)
        if row is None:
            return None
        return _STATE.validate_json(unseal(self._key, row.sealed, state_binding(benchmark_id, split, receiver)))

    async def keep_state(self, benchmark_id: UUID, split: str, receiver: UUID, state: SplitState) -> None:
        """Put a receiver's state in the place of the one before."""
        sealed = seal(self._key, _STATE.dump_json(state), state_binding(benchmark_id, split, receiver))
        statement = insert(SealedFeedbackState).values(
            benchmark_id=benchmark_id, split=split, receiver=receiver, sealed=sealed
        )
        await self._session.exec(
            statement.on_conflict_do_update(
                index_elements=["benchmark_id", "split", "receiver"], set_={"sealed": statement.excluded.sealed}
            )
        )


def state_binding(benchmark_id: UUID, split: str, receiver: UUID) -> str:
    """What it is bound to."""
    return f"vault.feedback_state:{benchmark_id}:{split}:{receiver}:1"
