"""A session as its participant may see it."""

from uuid import UUID

from api.core.crypto import Aliases
from api.core.db import AsyncSession
from api.core.ids import public_id
from api.hosting.models import LiveSession, SessionState
from api.hosting.session_repository import SessionRepository, StoredStep
from api.hosting.step_views import observation_view
from api.problems.repository import ProblemRepository
from api.sessions.schemas import (
    Limits,
    SessionPublic,
    TranscriptStep,
    VerdictPublic,
)
from api.sessions.shown import Shown
from envs.base import Action, Tool
from packs.benchmark import Feedback
from protection import canaries
from protection.fingerprints import Fingerprints


async def view(
    session: AsyncSession,
    aliases: Aliases,
    fingerprints: Fingerprints,
    of: UUID | LiveSession,
    idle_seconds: int,
    *,
    whole: bool,
) -> SessionPublic:
    """The session `of` an id, or of a row just read, with its latest observation; `whole` adds the transcript,
    where the operator still keeps it."""
    repository = SessionRepository(session)
    row = await repository.one(of) if isinstance(of, UUID) else of
    assert row
    problem = await ProblemRepository(session).one(row.problem_id, row.organisation_id)
    assert problem
    steps = await repository.transcript(row.id) if whole else []
    first = (steps[0] if steps else None) if whole else await repository.step(row.id, 0)
    latest = first if first and not row.steps else None
    if first and row.steps:
        latest = steps[-1] if whole else await repository.step(row.id, row.steps)
    shown = Shown(row, problem, first.observation if first else None, latest.observation if latest else None)
    public = session_view(shown, aliases, fingerprints, idle_seconds)
    if whole and (steps or row.ended_at is None):
        public.transcript = [transcript_step(step) for step in steps]
    return public


def session_view(shown: Shown, aliases: Aliases, fingerprints: Fingerprints, idle_seconds: int) -> SessionPublic:
    """The session without its transcript."""
    row, problem = shown.row, shown.problem
    statement = canaries.strip(fingerprints.shown(row.organisation_id, problem).statement, [problem.canary])
    return SessionPublic(
        id=public_id("ses", row.id),
        problem=aliases.encode(row.organisation_id, row.problem_id),
        benchmark=problem.slug,
        version=problem.version,
        split=problem.split,
        state=_state(row, problem.feedback),
        instruction=statement,
        submission=public_id("sub", row.submission_id) if row.submission_id else None,
        answer_format=problem.answer_format,
        steps=row.steps,
        created_at=row.created_at,
        tools=[Tool.model_validate(tool) for tool in shown.first.get("tools", ())] if shown.first else [],
        limits=Limits(steps=row.step_limit, seconds=row.seconds, idle_seconds=idle_seconds),
        deadline=row.deadline,
        observation=observation_view(shown.latest) if shown.latest is not None else None,
        finish_reason=row.finish_reason,
        answer=row.answer,
        takeovers=row.takeovers,
        divergence=row.divergence or [],
        verdict=_verdict(row, problem.feedback),
    )


def transcript_step(step: StoredStep) -> TranscriptStep:
    """An entry of the log as a participant gets it."""
    return TranscriptStep(
        number=step.number,
        action=Action.model_validate(step.action) if step.action else None,
        observation=observation_view(step.observation),
        finish_reason=step.finish,
        answer=step.answer,
        error=step.error,
        at=step.stored_at,
    )


def _state(row: LiveSession, feedback: str) -> str:
    """On a hidden split an episode that is over is `graded` at once: how long that really takes hangs on its gold."""
    hidden = feedback != Feedback.OPEN
    return SessionState.GRADED.value if hidden and row.state == SessionState.ENDED else row.state


def _verdict(row: LiveSession, feedback: str) -> VerdictPublic | None:
    if feedback != Feedback.OPEN or row.outcome is None:
        return None
    return VerdictPublic(score=row.score, outcome=row.outcome, reason=row.reason or "", grader=row.grader or "")
