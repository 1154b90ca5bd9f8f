"""SQL of verdicts that are opened, to the makers of submissions: on problems that were hidden and are published."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from api.core.db import AsyncSession
from api.core.nul import without_nul
from api.core.query import Command, Query
from api.submissions.verdicts import COLUMNS, SEALED, StoredVerdict


@dataclass(frozen=True)
class _VerdictRow(StoredVerdict):
    problem_id: UUID


_SUBMISSIONS = Query(
    UUID,
    "Submissions to a split of a benchmark, in all its releases.",
    """select u.id from submission u join split s on s.id = u.split_id join release r on r.id = s.release_id
       where r.benchmark_id = :benchmark and s.name = :split order by u.id""",
)
_VERDICTS = Query(
    _VerdictRow,
    "A submission's verdicts on problems of these names.",
    f"""select i.problem_id, {COLUMNS} from submission_item i join problem p on p.id = i.problem_id {SEALED}
        where i.submission_id = :id and i.graded_at is not null and p.name = any(:names)""",  # noqa: S608 - constants
)
_OPEN = Command(
    "Put verdicts in the clear, in the place of what was said before.",
    """insert into opened_verdict (submission_id, problem_id, score, outcome, reason, grader)
       select :submission, u.problem, u.score, u.outcome, u.reason, u.grader
       from unnest(cast(:problems as uuid[]), cast(:scores as double precision[]), cast(:outcomes as text[]),
                   cast(:reasons as text[]), cast(:graders as text[])) as u(problem, score, outcome, reason, grader)
       on conflict (submission_id, problem_id) do update
         set score = excluded.score, outcome = excluded.outcome, reason = excluded.reason, grader = excluded.grader""",
)
_OPENED = Query(
    str,
    "Names of the problems of a submission whose verdicts are open.",
    """select p.name from opened_verdict o join problem p on p.id = o.problem_id where o.submission_id = :id""",
)


class OpeningRepository:
    """Opened verdicts. The session holds the key of sealed ones."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def submissions(self, benchmark_id: UUID, split: str) -> list[UUID]:
        """Submissions to a split of a benchmark, in all its releases."""
        return await self._session.fetch_all(_SUBMISSIONS, benchmark=benchmark_id, split=split)

    async def open(self, submission_id: UUID, names: Collection[str]) -> None:
        """Open a submission's verdicts on the published problems of these names."""
        key, found = self._session.verdict_key, []
        for row in await self._session.fetch_all(_VERDICTS, id=submission_id, names=list(names)):
            verdict = row.opened(key, submission_id, row.problem_id)
            assert verdict, "an item with graded_at has a verdict"
            found.append((row.problem_id, verdict))
        if not found:
            return
        await self._session.run(
            _OPEN,
            submission=submission_id,
            problems=[problem for problem, _ in found],
            scores=[verdict.score for _, verdict in found],
            outcomes=[verdict.outcome.value for _, verdict in found],
            reasons=[without_nul(verdict.reason) for _, verdict in found],
            graders=[verdict.grader for _, verdict in found],
        )

    async def open_again(self, submission_id: UUID) -> None:
        """Say of a regraded submission what is said today, where it was said before."""
        if names := await self._session.fetch_all(_OPENED, id=submission_id):
            await self.open(submission_id, names)
