"""The end of a submission: scores become one score, and the leaderboard gets its entry."""

import json
from collections import Counter
from datetime import timedelta
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.leaderboard.feedback import ENDS
from api.leaderboard.models import Entry
from api.leaderboard.repository import LeaderboardRepository
from api.leaderboard.scoring import Result, score
from api.submissions.models import State
from api.worker.calibrating import calibrate
from api.worker.release import scored_items, told
from api.worker.repository import GradingRepository
from api.worker.reviewing import queue_for_people
from api.worker.state import Worker
from grading import Outcome
from packs.benchmark import Feedback, Scoring, SplitConfig
from protection.siblings import contamination


async def settle(worker: Worker, submission_id: UUID) -> None:
    """End the submission if no item is left. Whoever holds the row's lock last sees all verdicts."""
    async with worker.database.session() as session:
        repository = GradingRepository(session)
        row = await repository.lock(submission_id)
        if row is None or row.state not in (State.QUEUED, State.GRADING, State.AWAITING_REVIEW):
            return
        if await repository.open_items(submission_id):
            return
        items = await repository.scored(submission_id, row.split_id)
        if any(item.outcome == Outcome.UNSCORED and item.score is None for item in items):
            await repository.await_review(submission_id)
            await queue_for_people(worker, session, row)
            return
        scored = scored_items(items)
        result = score(scored, Scoring.model_validate(row.scoring))
        if ends := finish_shares(items):
            result.breakdown[ENDS] = ends
        usage = total_usage(items)
        values = {
            "score": result.score,
            "low": result.low,
            "high": result.high,
            "breakdown": json.dumps(result.breakdown),
            "usage": json.dumps(usage),
        }
        if await repository.finish(submission_id, State.GRADED, values):
            shown = await told(session, row, scored, result)
            if shown is not None:
                await publish(session, row, shown, usage)
                if SplitConfig.model_validate(row.config).randomised_exposure:
                    found = contamination(worker.fingerprints.key, row.organisation_id, items)
                    await LeaderboardRepository(session).set_contamination(row.id, found)
            await calibrate(worker, session, row)


async def publish(session: AsyncSession, row: Any, result: Result, usage: dict[str, Any]) -> None:
    """Put what may be told of the submission on the leaderboard, at once or when its time has come."""
    visible = row.finalised_at or row.created_at
    if row.feedback == Feedback.DELAYED:
        visible += timedelta(hours=SplitConfig.model_validate(row.config).feedback_delay_hours)
    await LeaderboardRepository(session).publish(
        Entry(
            submission_id=row.id,
            split_id=row.split_id,
            organisation_id=row.organisation_id,
            organisation=row.organisation,
            model_name=row.model["name"],
            model=row.model,
            score=result.score,
            low=result.low,
            high=result.high,
            coverage=row.received / row.expected if row.expected else 0.0,
            attempts=row.attempt,
            breakdown=result.breakdown,
            usage=usage,
            created_at=row.created_at,
            visible_from=visible,
        )
    )


def finish_shares(items: list[Any]) -> dict[str, Any]:
    """How the episodes ended: number and share of each finish reason (AgentBench reports outcomes so, table 4)."""
    ends = Counter(item.finish_reason for item in items if item.finish_reason)
    return {name: {"n": count, "share": round(count / ends.total(), 6)} for name, count in sorted(ends.items())}


def total_usage(items: list[Any]) -> dict[str, Any]:
    """Sums of tokens, cost (US dollars) and seconds over the items that told them."""
    totals: dict[str, Any] = {}
    for name in ("tokens", "cost", "seconds"):
        told = [item.usage[name] for item in items if item.usage and item.usage.get(name) is not None]
        if told:
            totals[name] = round(sum(told), 6)
    return totals
