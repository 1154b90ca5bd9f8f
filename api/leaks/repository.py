"""SQL of leak traces."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.leaks.models import LeakTrace, TraceState
from api.leaks.schemas import LeakReport
from api.submissions.answers import COLUMNS, StoredAnswer


@dataclass(frozen=True)
class TraceRow:
    """A trace with its benchmark's slug; `payload` is what leaked until the report is there."""

    id: UUID
    slug: str
    state: TraceState
    payload: dict[str, Any] | None
    report: LeakReport | None
    created_at: datetime


@dataclass(frozen=True)
class MarkedProblem:
    """A problem of a hidden split that has variants, as `{"variants": [{"statement", "choices"}]}`."""

    id: UUID
    statement: str
    choices: list[dict[str, str]]
    variation: dict[str, Any]


@dataclass(frozen=True)
class Candidate:
    """An organisation that was served something of a release."""

    id: UUID
    slug: str


@dataclass(frozen=True)
class SubmittedAnswers:
    """A submission's organisation and release, and its answers by the problem's id."""

    organisation_id: UUID
    release_id: UUID
    answers: dict[str, str]


@dataclass(frozen=True)
class _Submitter:
    organisation_id: UUID
    release_id: UUID


@dataclass(frozen=True)
class _AnswerRow(StoredAnswer):
    problem_id: UUID


_ONE = Query(
    TraceRow,
    "A trace with its benchmark; only an owner's where an organisation is named.",
    """select t.id, b.slug, t.state, t.payload, t.report, t.created_at
       from leak_trace t join benchmark b on b.id = t.benchmark_id
       where t.id = :id and (cast(:organisation as uuid) is null or b.organisation_id = :organisation)""",
)
_FINISH = Command(
    "Keep a trace's report and drop the leaked text.",
    """update leak_trace set state = 'done', report = cast(:report as jsonb), payload = null,
         finished_at = clock_timestamp() where id = :id""",
)
_MARKED = Query(
    MarkedProblem,
    "Problems of a release's hidden splits that have variants.",
    """select p.id, p.statement, p.choices, p.variation from problem p join split s on s.id = p.split_id
       where p.release_id = :release and s.visibility <> 'dev' and p.variation is not null""",
)
_CANDIDATES = Query(
    Candidate,
    "Organisations that were served anything of a release.",
    """select distinct o.id, o.slug from exposure e join split s on s.id = e.split_id
       join organisation o on o.id = e.organisation_id where s.release_id = :release order by o.slug""",
)
_SUBMITTER = Query(
    _Submitter,
    "Whose a submission to a benchmark is.",
    """select u.organisation_id, u.release_id
       from submission u join release r on r.id = u.release_id and r.benchmark_id = :benchmark where u.id = :id""",
)
_ANSWERS = Query(
    _AnswerRow,
    "The answers of a submission.",
    f"select i.problem_id, {COLUMNS} from submission_item i where i.submission_id = :id",  # noqa: S608 - a constant
)


class LeakRepository:
    """Traces, and what they compare a leak with."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: LeakTrace) -> None:
        self._session.add(row)
        await self._session.flush()

    async def one(self, trace_id: UUID, organisation_id: UUID | None = None) -> TraceRow | None:
        """A trace with its benchmark; only that of an owner where an organisation is named."""
        return await self._session.fetch_optional(_ONE, id=trace_id, organisation=organisation_id)

    async def finish(self, trace_id: UUID, report: LeakReport) -> None:
        """Keep the report and drop the leaked text."""
        await self._session.run(_FINISH, id=trace_id, report=json.dumps(report.model_dump(mode="json")))

    async def marked_problems(self, release_id: UUID) -> list[MarkedProblem]:
        """Problems of hidden splits that have variants."""
        return await self._session.fetch_all(_MARKED, release=release_id)

    async def candidates(self, release_id: UUID) -> list[Candidate]:
        """Organisations that were served anything of a release."""
        return await self._session.fetch_all(_CANDIDATES, release=release_id)

    async def answers(self, submission_id: UUID, benchmark_id: UUID) -> SubmittedAnswers | None:
        """A submission's organisation, release and answers by problem; None for another benchmark's."""
        whose = await self._session.fetch_optional(_SUBMITTER, id=submission_id, benchmark=benchmark_id)
        if whose is None:
            return None
        given = {
            str(row.problem_id): row.given(self._session.verdict_key, submission_id, row.problem_id).answer
            for row in await self._session.fetch_all(_ANSWERS, id=submission_id)
        }
        texts = {problem: answer for problem, answer in given.items() if answer is not None}
        return SubmittedAnswers(whose.organisation_id, whose.release_id, texts)
