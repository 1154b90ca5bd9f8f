"""Episodes for those who read them: who may, which steps are new, and the lists of an organisation's episodes."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Query
from api.hosting.session_repository import StoredStep


@dataclass(frozen=True)
class TrajectoryAccess:
    """Whose episode it is, where it was played, and whether everybody may read it: it is over, its split is open, and a
    board lists the run that it belongs to. `unseen`: the service played it on a hidden split, and nobody may. `name`
    and `position` in the pack, the same for every organisation, are told on open splits alone."""

    id: UUID
    organisation_id: UUID
    submission_id: UUID | None
    slug: str
    title: str
    version: str
    split: str
    visibility: str
    position: int | None
    name: str | None
    model_name: str | None
    state: str
    steps: int
    usage: dict[str, object] | None
    started_at: datetime
    ended_at: datetime | None
    public: bool
    unseen: bool


@dataclass(frozen=True)
class EpisodeOfOrganisation:
    """An episode as its organisation's list shows it."""

    id: UUID
    slug: str
    split: str
    state: str
    finish_reason: str | None
    steps: int
    created_at: datetime


_ACCESS = Query(
    TrajectoryAccess,
    "An episode with where it was played and who may read it.",
    """select l.id, l.organisation_id, l.submission_id, b.slug, r.title, r.version, s.name as split, s.visibility,
              case when s.visibility = 'dev' then p.position end as position,
              case when s.visibility = 'dev' then p.name end as name,
              u.model->>'name' as model_name, l.state, l.steps, l.usage,
              l.created_at as started_at, l.ended_at,
              l.state in ('ended', 'graded') and s.visibility = 'dev' and exists (
                select from entry e where e.submission_id = l.submission_id and not e.hidden) as public,
              s.visibility <> 'dev' and exists (
                select from endpoint_run p where p.submission_id = l.submission_id) as unseen
       from live_session l join problem p on p.id = l.problem_id join split s on s.id = l.split_id
       join release r on r.id = s.release_id join benchmark b on b.id = r.benchmark_id
       left join submission u on u.id = l.submission_id where l.id = :id""",
)
_SINCE = Query(
    StoredStep,
    "What was added to an episode's log after a step.",
    """select number, action, observation, finish, answer, error, stored_at from session_step
       where session_id = :id and number > :after order by number limit 100""",
)
_STATE = Query(str, "The state of an episode.", "select state from live_session where id = :id")
_NEWEST = Query(
    EpisodeOfOrganisation,
    "An organisation's newest episodes; on a hidden split those that ended are `graded`, as in a session's view.",
    """select l.id, b.slug, s.name as split,
              case when s.visibility <> 'dev' and l.state = 'ended' then 'graded' else l.state end as state,
              l.finish_reason, l.steps, l.created_at
       from live_session l join split s on s.id = l.split_id join release r on r.id = s.release_id
       join benchmark b on b.id = r.benchmark_id
       where l.organisation_id = :organisation order by l.id desc limit :limit""",
)


class TrajectoryRepository:
    """Reads of episodes for pages."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def access(self, session_id: UUID) -> TrajectoryAccess | None:
        """An episode with who may read it."""
        return await self._session.fetch_optional(_ACCESS, id=session_id)

    async def since(self, session_id: UUID, after: int) -> list[StoredStep]:
        """At most 100 steps after a number."""
        return await self._session.fetch_all(_SINCE, id=session_id, after=after)

    async def state(self, session_id: UUID) -> str:
        """The state as it is now. Raises NoResultFound."""
        return await self._session.fetch_one(_STATE, id=session_id)

    async def newest(self, organisation_id: UUID, limit: int) -> list[EpisodeOfOrganisation]:
        """An organisation's newest episodes."""
        return await self._session.fetch_all(_NEWEST, organisation=organisation_id, limit=limit)
