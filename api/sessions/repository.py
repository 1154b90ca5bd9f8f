"""SQL of an opening: what it looks at and what it writes, each in one trip to the database.

All openings wait for placement, and those of one submission for its row, from the first lock to the commit: the trips
between decide how many episodes open in a second.
"""

from dataclasses import dataclass
from uuid import UUID

from api.core.db import AsyncSession
from api.core.pipeline import Later, Pipeline
from api.core.query import Command
from api.hosting import leases
from api.hosting.leases import FREE_HOSTS, LOAD, LOCK_PLACEMENT, PLACING, FreeHost, Load, load_values
from api.hosting.models import LiveSession
from api.hosting.session_repository import ADD, EARLIER, SessionRepository, stored
from api.problems.repository import RECORD, USED, BudgetUse
from api.submissions.repository import ADD_EPISODE, EPISODE_RUN, LOCK_SUBMISSION, EpisodeRun


@dataclass(frozen=True)
class Asked:
    """An opening: by whom, for which problem. `capped_by`: whose share of the slots counts; `most`: of all of them."""

    organisation: UUID
    capped_by: UUID
    most: float
    split: UUID
    problem: UUID
    submission: UUID | None
    key: str | None


@dataclass(frozen=True)
class Found:
    """What an opening finds: its submission, the session that was opened already, the hosts and how full they are, and
    how much of the split's budget was used before it."""

    run: EpisodeRun | None
    earlier: LiveSession | None
    hosts: list[FreeHost]
    load: Load
    used: int


@dataclass(frozen=True)
class Written:
    """Whether the session, with its submission's item, was there not yet; the budget's use, None if spent."""

    added: bool
    budget: BudgetUse | None


_UNFLUSHED = Command(
    "Let this transaction's commit not wait for the disk: nobody is told of the session before its host has committed "
    "the first observation, and what PostgreSQL's log has before that is on the disk with it.",
    "set local synchronous_commit to off",
)


class OpeningRepository:
    """Openings of episodes."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def look(self, asked: Asked) -> Found:
        """All that is looked at before a session is made; placement and submission are locked until the commit."""
        pipeline = Pipeline(self._session)
        pipeline.run(LOCK_PLACEMENT, lock=PLACING)
        run: Later[EpisodeRun] | None = None
        if asked.submission:
            pipeline.fetch(LOCK_SUBMISSION, id=asked.submission)
            run = pipeline.fetch(EPISODE_RUN, id=asked.submission)
        whose = {"organisation": asked.organisation, "key": asked.key}
        earlier = pipeline.fetch(EARLIER, **whose, submission=asked.submission, problem=asked.problem)
        hosts = pipeline.fetch(FREE_HOSTS, fresh=leases.HOST_SECONDS)
        load = pipeline.fetch(LOAD, **load_values(asked.capped_by, asked.most))
        used = pipeline.fetch(USED, organisation=asked.organisation, split=asked.split)
        await pipeline.send()
        found = earlier.optional
        row = await SessionRepository(self._session).one(found) if found else None
        return Found(run.optional if run else None, row, hosts.rows, load.rows[0], used.rows[0])

    async def write(self, row: LiveSession, address: str) -> Written:
        """The session, its submission's item, the budget and the ledger. What is not wanted so is to be rolled back."""
        pipeline = Pipeline(self._session)
        pipeline.run(_UNFLUSHED)
        written = [pipeline.run(ADD, **stored(row))]
        if row.submission_id:
            written.append(pipeline.run(ADD_EPISODE, id=row.submission_id, problem=row.problem_id))
        budget = pipeline.fetch(
            RECORD,
            key=row.key_id,
            split=row.split_id,
            problems=[row.problem_id],
            variants=[row.variant],
            address=address,
            channel="session",
            first=None,
            last=None,
        )
        await pipeline.send()
        return Written(all(later.changed == 1 for later in written), budget.optional)
