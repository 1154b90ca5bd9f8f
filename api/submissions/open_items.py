"""Items of open splits, with nothing hidden: what a run got for each problem, and how each model answered one."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Query

_OF_SESSION = """left join live_session l
  on l.submission_id = i.submission_id and l.problem_id = i.problem_id and l.state <> 'failed'"""


@dataclass(frozen=True)
class OpenItem:
    """One problem of an open split in a run; `session_id` is its episode, where it was one."""

    position: int
    name: str
    subject: str
    score: float | None
    outcome: str | None
    reason: str | None
    finish_reason: str | None
    session_id: UUID | None


@dataclass(frozen=True)
class ModelAnswer:
    """How a listed entry answered one problem of an open split; no outcome where it did not."""

    submission_id: UUID
    organisation: str
    organisation_slug: str
    model_name: str
    score: float | None
    outcome: str | None
    reason: str | None
    finish_reason: str | None
    answer: str | None
    session_id: UUID | None


_ITEMS = Query(
    OpenItem,
    "What a run got for each problem of its open split, in the split's order; nothing on a hidden one.",
    f"""select p.position, p.name, p.subject, i.score, i.outcome, i.reason, i.finish_reason, l.id as session_id
        from submission u join split s on s.id = u.split_id and s.visibility = 'dev'
        join problem p on p.split_id = u.split_id
        left join submission_item i on i.submission_id = u.id and i.problem_id = p.id {_OF_SESSION}
        where u.id = :submission order by p.position limit :limit""",  # noqa: S608 - a constant
)
_ANSWERS = Query(
    ModelAnswer,
    "How the best listed entries of an open board answered one of its problems, in whichever release they were made.",
    f"""with same as (
          select p.id from problem p join split s on s.id = p.split_id and s.visibility = 'dev'
          where p.split_id = any(:board) and p.name = (select name from problem where id = :problem)),
        listed as (
          select e.submission_id, e.organisation, o.slug as organisation_slug, e.model_name, e.score
          from entry e join organisation o on o.id = e.organisation_id join split s on s.id = e.split_id
          where e.split_id = any(:board) and s.visibility = 'dev' and e.best and not e.hidden
            and not exists (
              select from entry x where x.split_id = any(:board) and x.split_id <> e.split_id and x.best
                and not x.hidden and x.organisation_id = e.organisation_id and x.model_name = e.model_name
                and (x.score > e.score or (x.score = e.score and x.submission_id < e.submission_id)))
          order by e.score desc, e.submission_id limit :limit)
        select e.submission_id, e.organisation, e.organisation_slug, e.model_name, i.score, i.outcome, i.reason,
               i.finish_reason, a.answer, l.id as session_id
        from listed e
        left join submission_item i on i.submission_id = e.submission_id and i.problem_id in (select id from same)
        left join (
          select o.* from same cross join lateral open_answers(same.id, array(select submission_id from listed)) o
        ) a on a.submission_id = e.submission_id
        {_OF_SESSION} order by e.score desc, e.submission_id""",  # noqa: S608 - a constant
)


class OpenItemRepository:
    """Items of open splits; of hidden ones every answer here is empty."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def items(self, submission_id: UUID, limit: int) -> Sequence[OpenItem]:
        """What a run got for each problem, in the split's order."""
        return await self._session.fetch_all(_ITEMS, submission=submission_id, limit=limit)

    async def answers(self, board: Sequence[UUID], problem_id: UUID, limit: int) -> Sequence[ModelAnswer]:
        """How the best `limit` entries of a board (splits, `SplitRow.board`) answered one problem, the best first."""
        return await self._session.fetch_all(_ANSWERS, board=list(board), problem=problem_id, limit=limit)
