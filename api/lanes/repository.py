"""SQL of the lanes: in, out in turn, and how long the queue is."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.core import traces
from api.core.db import AsyncSession
from api.core.pipeline import Pipeline
from api.core.query import Command, Query
from api.lanes.models import CHANNEL, SPECS, Lane

# A worker says so often that it still has its jobs; one that said nothing for so long has lost them.
LEASE_SECONDS = 20.0
_LONGEST_PAUSE = 60.0
# Nothing is put off for longer: a job that is was written by a clock that has been set back since.
_LATEST_SECONDS = 300.0
_MOST_JOBS = 64


@dataclass(frozen=True)
class TakenJob:
    """A job that this worker has: answers of a submission, or a session to bring to its end."""

    id: int
    lane: Lane
    organisation_id: UUID
    submission_id: UUID | None
    session_id: UUID | None
    problems: list[UUID]
    attempts: int
    trace: str | None


@dataclass(frozen=True)
class Waiting:
    """What an organisation has waiting in one lane."""

    lane: Lane
    items: int


@dataclass(frozen=True)
class QueuePlace:
    """Of a submission in one lane: other submissions that have a turn before its last, and the answers of all."""

    lane: Lane
    submissions: int
    items: int


_START = """start as (
         select l.lane, greatest(l.turn, (select coalesce(max(j.turn) + 1, 0) from grading_job j
                                          where j.organisation_id = :organisation and j.lane = l.lane)) as turn
         from lane_turn l)"""
_LOCK = Command(
    "Let what one organisation queues wait for each other, so that its turns and its cap are exact.",
    "select pg_advisory_xact_lock(hashtextextended('lanes ' || cast(:organisation as text), 0))",
)
_ADD_ITEMS = Query(
    Lane,
    "Queue every answer of a submission that has no verdict, in chunks by lane; the lanes that have more to do now.",
    f"""with waiting as (
         select i.problem_id, coalesce(p.lane, 'processes') as lane,
                row_number() over (partition by coalesce(p.lane, 'processes') order by p.position) - 1 as number
         from submission_item i join problem p on p.id = i.problem_id
         where i.submission_id = :submission and i.graded_at is null),
       size as (select * from unnest(cast(:lanes as text[]), cast(:sizes as integer[])) as s(lane, chunk)),
       {_START},
       chunk as (
         select w.lane, w.number / s.chunk as number, array_agg(w.problem_id) as problems, count(*) as items
         from waiting w join size s using (lane) group by 1, 2),
       made as (
         insert into grading_job (lane, organisation_id, submission_id, problems, items, turn, attempts, free_at,
                                  trace)
         select c.lane, :organisation, :submission, c.problems, c.items, s.turn + c.number, 0, clock_timestamp(),
                nullif(:trace, '')
         from chunk c join start s using (lane) order by c.number returning lane)
       select m.lane from (select distinct lane from made) m, lateral pg_notify(:channel, m.lane)""",  # noqa: S608 - a constant
)
_ADD_SESSION = Command(
    "Queue an episode that is to be brought to its end, at the earliest in so many seconds.",
    f"""with {_START},
       made as (
         insert into grading_job (lane, organisation_id, session_id, problems, items, turn, attempts, free_at,
                                  trace)
         select s.lane, :organisation, :session, cast('{{}}' as uuid[]), 1, s.turn, 0,
                clock_timestamp() + make_interval(secs => :seconds), nullif(:trace, '')
         from start s where s.lane = :lane returning lane)
       select pg_notify(:channel, lane) from made""",  # noqa: S608 - a constant
)
_TAKE = Query(
    TakenJob,
    "Take the jobs whose turn it is, up to so many answers. No wait for the disk: what is lost was not taken.",
    """with head as (
         select id, items, turn from grading_job where lane = :lane and free_at <= clock_timestamp()
         order by turn, id limit :jobs for update skip locked),
       before as (select id, turn, sum(items) over (order by turn, id) - items as items from head),
       taken as (select id, turn from before where items < :items),
       passed as (
         update lane_turn l set turn = t.turn from (select max(turn) as turn from taken) t
         where l.lane = :lane and t.turn > l.turn),
       claimed as (
         update grading_job j set attempts = j.attempts + 1,
                free_at = clock_timestamp() + make_interval(secs => :lease)
         from taken where j.id = taken.id returning j.*)
       select c.id, c.lane, c.organisation_id, c.submission_id, c.session_id, c.problems, c.attempts, c.trace
       from claimed c, set_config('synchronous_commit', 'off', true) order by c.turn, c.id""",
)
_KEEP = Command(
    "Say that a worker still has these jobs.",
    """update grading_job set free_at = clock_timestamp() + make_interval(secs => :lease)
       where id = any(cast(:ids as bigint[]))""",
)
_GIVE_BACK = Command(
    "Give jobs back after so many seconds; that was no attempt.",
    """update grading_job set free_at = clock_timestamp() + make_interval(secs => :seconds),
         attempts = greatest(attempts - 1, 0)
       where id = any(cast(:ids as bigint[]))""",
)
_RETRY = Command(
    "Have jobs tried again after a pause that doubles with each attempt.",
    """update grading_job
       set free_at = clock_timestamp() + make_interval(secs => least(:longest, power(2, least(attempts, 16))))
       where id = any(cast(:ids as bigint[]))""",
)
_CLOCK_SET_BACK = Command(
    "Let go what a clock put off that was set back since: otherwise a dead worker's jobs wait until it has caught up.",
    """update grading_job set free_at = clock_timestamp() + make_interval(secs => :lease)
       where free_at > clock_timestamp() + make_interval(secs => :latest)""",
)
_DONE = Command("Forget jobs that are done.", "delete from grading_job where id = any(cast(:ids as bigint[]))")
_WAITING = Query(
    Waiting,
    "How many answers and episodes of an organisation wait, by lane.",
    """select lane, sum(items) as items from grading_job
       where organisation_id in (select sharing_limits(:organisation)) group by lane""",
)
_PLACE = Query(
    QueuePlace,
    "What has a turn before a submission's last, by lane, with its own answers. Answers to hidden splits are left out:"
    " a place that moves would say when one of them was graded, and that hangs on whether it is right.",
    """with own as (
         select distinct on (lane) lane, turn, id from grading_job where submission_id = :submission
         order by lane, turn desc, id desc)
       select o.lane, count(distinct coalesce(j.submission_id, j.session_id))
                        filter (where j.submission_id is distinct from :submission) as submissions,
              sum(j.items) as items
       from own o join grading_job j on j.lane = o.lane and (j.turn, j.id) <= (o.turn, o.id)
       left join submission u on u.id = j.submission_id left join live_session e on e.id = j.session_id
       join split s on s.id = coalesce(u.split_id, e.split_id) and s.visibility = 'dev'
       group by o.lane""",
)


class LaneRepository:
    """What waits to be graded."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def lock(self, organisation_id: UUID) -> None:
        """Until the end of the transaction nothing else of this organisation is queued."""
        await self._session.run(_LOCK, organisation=organisation_id)

    async def add_items(self, organisation_id: UUID, submission_id: UUID) -> list[Lane]:
        """Queue the answers of a submission that have no verdict; the lanes in which they wait, none for none."""
        return await self._session.fetch_all(
            _ADD_ITEMS,
            organisation=organisation_id,
            submission=submission_id,
            lanes=[lane.value for lane in SPECS],
            sizes=[spec.chunk for spec in SPECS.values()],
            channel=CHANNEL,
            trace=traces.current(),
        )

    async def add_session(
        self, organisation_id: UUID, session_id: UUID, lane: Lane = Lane.SANDBOXES, after_seconds: float = 0
    ) -> None:
        """Queue an episode that is to be brought to its end, `after_seconds` from now at the earliest."""
        pipeline = Pipeline(self._session)
        pipeline.run(_LOCK, organisation=organisation_id)
        pipeline.run(
            _ADD_SESSION,
            organisation=organisation_id,
            session=session_id,
            lane=lane.value,
            seconds=after_seconds,
            channel=CHANNEL,
            trace=traces.current(),
        )
        await pipeline.send()

    async def take(self, lane: Lane, items: int, jobs: int = _MOST_JOBS) -> list[TakenJob]:
        """The jobs whose turn it is: at least one if one is free, of together about so many answers."""
        return await self._session.fetch_all(_TAKE, lane=lane.value, items=items, jobs=jobs, lease=LEASE_SECONDS)

    async def keep(self, ids: Sequence[int]) -> None:
        """Say that these jobs are still being worked on."""
        await self._session.run(_KEEP, ids=list(ids), lease=LEASE_SECONDS)

    async def give_back(self, ids: Sequence[int], seconds: float) -> None:
        """Let these jobs be taken again after so many seconds, as if they had not been taken."""
        await self._session.run(_GIVE_BACK, ids=list(ids), seconds=seconds)

    async def retry(self, ids: Sequence[int]) -> None:
        """Have these jobs, which failed, tried again later."""
        await self._session.run(_RETRY, ids=list(ids), longest=_LONGEST_PAUSE)

    async def clock_was_set_back(self) -> None:
        """Give every job that is put off further than any can be the time of a lease."""
        await self._session.run(_CLOCK_SET_BACK, lease=LEASE_SECONDS, latest=_LATEST_SECONDS)

    async def done(self, ids: Sequence[int]) -> None:
        """Forget jobs whose verdicts are written in this transaction."""
        await self._session.run(_DONE, ids=list(ids))

    async def waiting(self, organisation_id: UUID) -> dict[Lane, int]:
        """How many answers and episodes of an organisation wait, by lane."""
        rows = await self._session.fetch_all(_WAITING, organisation=organisation_id)
        return {row.lane: row.items for row in rows}

    async def place(self, submission_id: UUID) -> list[QueuePlace]:
        """What is before a submission in the lanes where it still waits."""
        return await self._session.fetch_all(_PLACE, submission=submission_id)
