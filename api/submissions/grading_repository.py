"""SQL of grading: items without a verdict, verdicts, and the end of a submission. Only the worker uses it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.nul import without_nul
from api.core.query import Command, Query
from api.lanes.repository import TakenJob
from api.leaderboard.scoring import ENDS, Result, ScoredItem
from api.submissions import answers
from api.submissions.answers import GivenAnswer, StoredAnswer
from api.submissions.models import State
from api.submissions.verdicts import COLUMNS, PEOPLE, SEALED, EndedItem, StoredVerdict, sealed_verdict
from grading import Outcome, Verdict
from packs.benchmark import Feedback, Scoring, SplitConfig, Visibility


@dataclass(frozen=True)
class GradingSubmission:
    """A submission in grading: whose it is, and whose benchmark's budget its judge uses."""

    id: UUID
    organisation_id: UUID
    benchmark_id: UUID


@dataclass(frozen=True)
class UngradedItem(StoredAnswer):
    """An answer without a verdict, with the job that waits for it and the public side of its problem."""

    job_id: int
    submission_id: UUID
    problem_id: UUID
    statement: str
    choices: list[dict[str, str]]
    variation: dict[str, Any] | None
    episode: bool
    split_id: UUID

    @property
    def id(self) -> UUID:
        """The problem's."""
        return self.problem_id


@dataclass(frozen=True)
class FullSubmission:
    """A submission with all that its end needs of its split, release and organisation."""

    id: UUID
    release_id: UUID
    split_id: UUID
    organisation_id: UUID
    organisation: str
    model: dict[str, Any]
    state: State
    expected: int
    received: int
    attempt: int
    created_at: datetime
    finalised_at: datetime | None
    score: float | None
    breakdown: dict[str, Any] | None
    usage: dict[str, float] | None
    feedback: Feedback
    visibility: Visibility
    config: SplitConfig
    scoring: Scoring


@dataclass(frozen=True)
class ScoredProblem:
    """A problem of a split with a submission's score for it in [0, 1] (None: not answered, or nobody has decided)."""

    id: UUID
    subject: str
    type: str
    sibling_group: str | None
    score: float | None
    outcome: Outcome | None
    usage: dict[str, Any] | None
    finish_reason: str | None

    @property
    def undecided(self) -> bool:
        """Whether no grader could decide the answer, and no person has yet."""
        return self.outcome is Outcome.UNSCORED and self.score is None

    def item(self) -> ScoredItem:
        """For scoring: a problem without an answer scores 0."""
        return ScoredItem(self.score or 0.0, self.subject, self.type, self.sibling_group)


@dataclass(frozen=True)
class AnswerText:
    """An answer as one text: equal texts are equal answers."""

    problem_id: UUID
    answer: str


@dataclass(frozen=True)
class _AnswerRow(StoredAnswer):
    problem_id: UUID


@dataclass(frozen=True)
class _ScoredRow(StoredVerdict):
    id: UUID
    subject: str
    type: str
    sibling_group: str | None
    usage: dict[str, Any] | None
    finish_reason: str | None


@dataclass(frozen=True)
class VerdictItem:
    """An answer with its verdict, and the public side of its problem."""

    problem_id: UUID
    given: GivenAnswer
    score: float | None
    outcome: Outcome
    grader: str
    grader_version: str | None
    reference_digest: str | None
    name: str
    statement: str
    choices: list[dict[str, str]]
    variation: dict[str, Any] | None

    @property
    def id(self) -> UUID:
        """The problem's."""
        return self.problem_id


@dataclass(frozen=True)
class _VerdictRow(StoredVerdict, StoredAnswer):
    problem_id: UUID
    name: str
    statement: str
    choices: list[dict[str, str]]
    variation: dict[str, Any] | None


_BEGIN = Query(
    GradingSubmission,
    "`queued → grading`; those of these submissions that are in grading.",
    """with begun as (
         update submission set state = 'grading' where id = any(:ids) and state = 'queued')
       select u.id, u.organisation_id, r.benchmark_id from submission u join release r on r.id = u.release_id
       where u.id = any(:ids) and u.state in ('queued', 'grading')""",
)
_UNGRADED = Query(
    UngradedItem,
    "Answers of these jobs that have no verdict yet, and that no session will give one.",
    f"""select w.job as job_id, i.submission_id, i.problem_id, {answers.COLUMNS}, p.statement, p.choices,
              p.variation, p.episode, p.split_id
       from unnest(cast(:jobs as bigint[]), cast(:submissions as uuid[]), cast(:problems as uuid[]))
            as w(job, submission, problem)
       join submission_item i on i.submission_id = w.submission and i.problem_id = w.problem
       join problem p on p.id = w.problem
       where i.graded_at is null
         and not (p.episode and exists (select 1 from live_session l where l.submission_id = i.submission_id
                                        and l.problem_id = i.problem_id and l.state <> 'failed'))""",  # noqa: S608 - constants
)
_IS_HIDDEN = Query(
    bool,
    "Whether a submission is to a hidden split.",
    """select s.visibility <> 'dev' from submission u join split s on s.id = u.split_id where u.id = :id""",
)
_SEAL = Command(
    "Write sealed verdicts of a hidden split, each once: an item that has one keeps it.",
    """with graded as (
         update submission_item i set finish_reason = u.finish, graded_at = clock_timestamp()
         from unnest(cast(:submissions as uuid[]), cast(:problems as uuid[]), cast(:sealed as bytea[]),
                     cast(:finishes as text[])) as u(submission, problem, sealed, finish)
         where i.submission_id = u.submission and i.problem_id = u.problem and i.graded_at is null
         returning i.submission_id, i.problem_id, u.sealed)
       insert into vault.verdict (submission_id, problem_id, sealed) select * from graded""",
)
_RESEAL = Command(
    "Put another verdict in the place of an item's sealed one.",
    "update vault.verdict set sealed = :sealed where submission_id = :submission and problem_id = :problem",
)
_STORED = Query(
    StoredVerdict,
    "The verdict of an item, locked.",
    f"""select {COLUMNS} from submission_item i {SEALED}
        where i.submission_id = :submission and i.problem_id = :problem for update of i""",  # noqa: S608 - constants
)
_RECORD = Command(
    "Write verdicts, each once: an item that has one keeps it.",
    """update submission_item i set score = u.score, outcome = u.outcome, reason = u.reason, grader = u.grader,
         grader_version = u.version, reference_digest = u.digest, detail = cast(u.detail as jsonb),
         finish_reason = u.finish, graded_at = clock_timestamp()
       from unnest(cast(:submissions as uuid[]), cast(:problems as uuid[]), cast(:scores as double precision[]),
                   cast(:outcomes as text[]), cast(:reasons as text[]), cast(:graders as text[]),
                   cast(:versions as text[]), cast(:digests as text[]), cast(:details as text[]),
                   cast(:finishes as text[]))
            as u(submission, problem, score, outcome, reason, grader, version, digest, detail, finish)
       where i.submission_id = u.submission and i.problem_id = u.problem and i.graded_at is null""",
)
_REPLACE = Command(
    "Put another verdict in the place of an item's own.",
    """update submission_item set score = :score, outcome = :outcome, reason = :reason, grader = :grader,
         grader_version = :version, reference_digest = :digest, detail = cast(:detail as jsonb)
       where submission_id = :submission and problem_id = :problem""",
)
_LOCK = Query(
    FullSubmission,
    "A submission with all that its end needs, locked: chunks that end together finalise it one by one.",
    """select u.id, u.release_id, u.split_id, u.organisation_id, u.model, u.state, u.expected, u.received, u.attempt,
              u.created_at, u.finalised_at, u.score, u.breakdown, u.usage, s.feedback, s.visibility, s.config,
              r.scoring, o.name as organisation
       from submission u join split s on s.id = u.split_id join release r on r.id = u.release_id
       join organisation o on o.id = u.organisation_id
       where u.id = :id for update of u""",
)
_OPEN_ITEMS = Query(
    int,
    "How many items have no verdict.",
    "select count(*) from submission_item where submission_id = :id and graded_at is null",
)
# What an episode cost is reported with its session.
_USAGE = """coalesce(i.usage, (select l.usage from live_session l where l.submission_id = i.submission_id
  and l.problem_id = i.problem_id and l.usage is not null order by l.created_at desc limit 1))"""
_SCORED = Query(
    _ScoredRow,
    "Every problem of the split, in order, with the submission's score for it.",
    f"""select p.id, p.subject, p.type, p.sibling_group, {_USAGE} as usage, i.finish_reason, {COLUMNS}
        from problem p left join lateral (select * from submission_item n where n.submission_id = :id
          and n.problem_id = p.id offset 0) i on true {SEALED}
        where p.split_id = :split order by p.position""",  # noqa: S608 - constants
)
_ENDED = Query(
    EndedItem,
    "The answers of a submission to a hidden split.",
    f"""select i.problem_id, i.usage, i.finish_reason, x.sealed from submission_item i {SEALED}
        where i.submission_id = :id""",  # noqa: S608 - a constant
)
_FINISH = Command(
    "`→ graded`, once.",
    """update submission set state = 'graded', score = :score, low = :low, high = :high,
         breakdown = cast(:breakdown as jsonb), usage = cast(:usage as jsonb), graded_at = clock_timestamp()
       where id = :id and state in ('queued', 'grading', 'awaiting_review')""",
)
_RESCORE = Command(
    "Give a graded submission another score.",
    """update submission set score = :score, low = :low, high = :high, breakdown = cast(:breakdown as jsonb)
       where id = :id""",
)
_AWAIT_REVIEW = Command(
    "`grading → awaiting_review`.",
    """update submission set state = 'awaiting_review', usage = cast(:usage as jsonb),
         breakdown = cast(:breakdown as jsonb) where id = :id and state in ('queued', 'grading')""",
)
_FAIL = Command(
    "`→ failed`, by a fault of the service.",
    """update submission set state = 'failed', failure = :reason, graded_at = clock_timestamp()
       where id = :id and state in ('queued', 'grading')""",
)
_LOST = Query(
    UUID,
    "Submissions in work for so long without a job of their own.",
    """select u.id from submission u
       where u.state in ('queued', 'grading') and u.finalised_at < now() - make_interval(secs => :seconds)
         and not exists (select 1 from grading_job j where j.submission_id = u.id)
         and not exists (select 1 from procrastinate_jobs j where j.status in ('todo', 'doing')
                         and j.args->>'submission' = cast(u.id as text))
         and not exists (select 1 from live_session l where l.submission_id = u.id
                         and l.state in ('opening', 'running', 'ended'))""",
)
_GRADED = Query(
    UUID,
    "Every graded submission of a benchmark, oldest first; what goes on in another release follows it.",
    """select u.id from submission u join release r on r.id = u.release_id
       where r.benchmark_id = :benchmark and u.state = 'graded' and u.carried_from is null order by u.id""",
)
_VERDICTS = Query(
    _VerdictRow,
    "Answers with their verdicts; episodes keep the verdict on what the probes found when they ended.",
    f"""select i.problem_id, {answers.COLUMNS}, p.name, p.statement, p.choices, p.variation, {COLUMNS}
       from submission_item i join problem p on p.id = i.problem_id {SEALED}
       where i.submission_id = :id and i.finish_reason is null and i.graded_at is not null
       order by p.position""",  # noqa: S608 - constants
)


_ANSWERS = Query(
    _AnswerRow,
    "The answers of a submission, whatever form they have.",
    f"select i.problem_id, {answers.COLUMNS} from submission_item i where i.submission_id = :id",  # noqa: S608 - a constant
)
_AS_TEXTS = Query(
    AnswerText,
    "Answers as JSON in one spelling: that of the database, by which answers have always been compared.",
    """select problem as problem_id, cast(cast(given as jsonb) as text) as answer
       from unnest(cast(:problems as uuid[]), cast(:given as text[])) as u(problem, given)""",
)


class GradingRepository:
    """Items to grade, verdicts, and the end of a submission."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def begin(self, submission_ids: Sequence[UUID]) -> list[GradingSubmission]:
        """`queued → grading`; those of the submissions that are neither finished nor gone."""
        return await self._session.fetch_all(_BEGIN, ids=list(submission_ids))

    async def ungraded(self, jobs: Sequence[TakenJob]) -> list[UngradedItem]:
        """Answers of these jobs that have no verdict yet, and that no session will give one."""
        wanted = [(job.id, job.submission_id, problem) for job in jobs for problem in job.problems]
        return await self._session.fetch_all(
            _UNGRADED,
            jobs=[job for job, _, _ in wanted],
            submissions=[submission for _, submission, _ in wanted],
            problems=[problem for _, _, problem in wanted],
        )

    async def record(self, submission_id: UUID, verdicts: Mapping[UUID, Verdict], finishes: Mapping[UUID, str]) -> int:
        """Write verdicts, each once: an item that has one keeps it. Returns how many were written."""
        rows = list(verdicts.items())
        # An array like the others: a planner without statistics then looks up each row by its key.
        submissions = [submission_id] * len(rows)
        if await self._session.fetch_one(_IS_HIDDEN, id=submission_id):
            key = self._session.verdict_key
            return await self._session.run(
                _SEAL,
                submissions=submissions,
                problems=[problem for problem, _ in rows],
                sealed=[sealed_verdict(key, submission_id, problem, verdict) for problem, verdict in rows],
                finishes=[finishes.get(problem) for problem, _ in rows],
            )
        return await self._session.run(
            _RECORD,
            submissions=submissions,
            problems=[problem for problem, _ in rows],
            scores=[v.score for _, v in rows],
            outcomes=[v.outcome.value for _, v in rows],
            reasons=[without_nul(v.reason) for _, v in rows],
            graders=[v.grader for _, v in rows],
            versions=[v.version for _, v in rows],
            digests=[v.reference_digest for _, v in rows],
            details=[json.dumps(without_nul(v.detail)) for _, v in rows],
            finishes=[finishes.get(problem) for problem, _ in rows],
        )

    async def replace_verdict(self, submission_id: UUID, problem_id: UUID, verdict: Verdict) -> None:
        """Put a verdict in the place of the item's own."""
        sealed = sealed_verdict(self._session.verdict_key, submission_id, problem_id, verdict)
        if await self._session.run(_RESEAL, submission=submission_id, problem=problem_id, sealed=sealed):
            return
        await self._session.run(
            _REPLACE,
            submission=submission_id,
            problem=problem_id,
            score=verdict.score,
            outcome=verdict.outcome.value,
            reason=without_nul(verdict.reason),
            grader=verdict.grader,
            version=verdict.version,
            digest=verdict.reference_digest,
            detail=json.dumps(without_nul(verdict.detail)),
        )

    async def grade_by_people(self, submission_id: UUID, problem_id: UUID, score: float) -> bool:
        """Give an item the score in [0, 1] that people settled on; False when a grader has decided it."""
        stored = await self._session.fetch_optional(_STORED, submission=submission_id, problem=problem_id)
        verdict = stored and stored.opened(self._session.verdict_key, submission_id, problem_id)
        if not verdict or verdict.outcome is not Outcome.UNSCORED:
            return False
        settled = Verdict.graded(score, "graded by people").model_dump(include={"score", "outcome", "reason"})
        stamp = {**settled, "grader": PEOPLE, "version": "1"}
        await self.replace_verdict(submission_id, problem_id, verdict.model_copy(update=stamp))
        return True

    async def lock(self, submission_id: UUID) -> FullSubmission | None:
        """The submission with all that its end needs, locked until the end of the transaction."""
        return await self._session.fetch_optional(_LOCK, id=submission_id)

    async def open_items(self, submission_id: UUID) -> int:
        """How many items have no verdict."""
        return await self._session.fetch_one(_OPEN_ITEMS, id=submission_id)

    async def scored(self, submission_id: UUID, split_id: UUID) -> list[ScoredProblem]:
        """Every problem of the split, in order, with the submission's score for it."""
        rows = await self._session.fetch_all(_SCORED, id=submission_id, split=split_id)
        return [self._scored(submission_id, row) for row in rows]

    def _scored(self, submission_id: UUID, row: _ScoredRow) -> ScoredProblem:
        verdict = row.opened(self._session.verdict_key, submission_id, row.id)
        return ScoredProblem(
            id=row.id,
            subject=row.subject,
            type=row.type,
            sibling_group=row.sibling_group,
            score=verdict.score if verdict else None,
            outcome=verdict.outcome if verdict else None,
            usage=row.usage,
            finish_reason=row.finish_reason,
        )

    async def ended(self, submission_id: UUID) -> list[EndedItem]:
        """The answers of a submission to a hidden split, with their sealed verdicts."""
        return await self._session.fetch_all(_ENDED, id=submission_id)

    async def answers(self, submission_id: UUID) -> dict[UUID, str]:
        """The answers of a submission by problem; equal texts are equal answers."""
        given = {
            row.problem_id: row.given(self._session.verdict_key, submission_id, row.problem_id)
            for row in await self._session.fetch_all(_ANSWERS, id=submission_id)
        }
        texts = [json.dumps([one.answer, one.data, one.trajectory]) for one in given.values()]
        rows = await self._session.fetch_all(_AS_TEXTS, problems=list(given), given=texts)
        return {row.problem_id: row.answer for row in rows}

    async def finish(self, submission_id: UUID, result: Result, usage: Mapping[str, float]) -> bool:
        """`→ graded`; False when the submission had ended before."""
        changed = await self._session.run(_FINISH, id=submission_id, usage=json.dumps(dict(usage)), **_values(result))
        return changed == 1

    async def finish_hidden(self, submission_id: UUID, ends: Mapping[str, Any], usage: Mapping[str, float]) -> bool:
        """The same on a hidden split: no score is kept, only how episodes `ended`, which the participant saw."""
        values = {"score": None, "low": None, "high": None, "breakdown": _ends(ends)}
        return await self._session.run(_FINISH, id=submission_id, usage=json.dumps(dict(usage)), **values) == 1

    async def rescore(self, submission_id: UUID, result: Result) -> None:
        """Give a graded submission another score, after a regrading."""
        await self._session.run(_RESCORE, id=submission_id, **_values(result))

    async def await_review(self, submission_id: UUID, ends: Mapping[str, Any], usage: Mapping[str, float]) -> None:
        """`grading → awaiting_review`. What does not hang on verdicts is there as if it were graded."""
        await self._session.run(_AWAIT_REVIEW, id=submission_id, usage=json.dumps(dict(usage)), breakdown=_ends(ends))

    async def fail(self, submission_id: UUID, reason: str) -> bool:
        """`→ failed`; False when the submission had ended before."""
        return await self._session.run(_FAIL, id=submission_id, reason=reason) == 1

    async def lost(self, seconds: float) -> list[UUID]:
        """Submissions in work for so long without a job of their own: they are queued again."""
        return await self._session.fetch_all(_LOST, seconds=seconds)

    async def graded(self, benchmark_id: UUID) -> list[UUID]:
        """Every graded submission of a benchmark, oldest first."""
        return await self._session.fetch_all(_GRADED, benchmark=benchmark_id)

    async def verdicts(self, submission_id: UUID) -> list[VerdictItem]:
        """Answers with their verdicts; episodes keep the verdict on what the probes found when they ended."""
        found = []
        for row in await self._session.fetch_all(_VERDICTS, id=submission_id):
            verdict = row.opened(self._session.verdict_key, submission_id, row.problem_id)
            assert verdict, "an item with graded_at has a verdict"
            given = row.given(self._session.verdict_key, submission_id, row.problem_id)
            if given.trajectory is None:
                found.append(_verdict_item(row, given, verdict))
        return found


def _ends(ends: Mapping[str, Any]) -> str | None:
    return json.dumps({ENDS: ends}) if ends else None


def _verdict_item(row: _VerdictRow, given: GivenAnswer, verdict: Verdict) -> VerdictItem:
    return VerdictItem(
        problem_id=row.problem_id,
        given=given,
        score=verdict.score,
        outcome=verdict.outcome,
        grader=verdict.grader,
        grader_version=verdict.version,
        reference_digest=verdict.reference_digest,
        name=row.name,
        statement=row.statement,
        choices=row.choices,
        variation=row.variation,
    )


def scored_items(rows: Sequence[ScoredProblem]) -> list[ScoredItem]:
    """For scoring, in the same order."""
    return [row.item() for row in rows]


def _values(result: Result) -> dict[str, object]:
    return {
        "score": result.score,
        "low": result.low,
        "high": result.high,
        "breakdown": json.dumps(result.breakdown),
    }
