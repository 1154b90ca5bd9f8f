"""What of a graded submission reaches the leaderboard and its makers: the split's feedback policy."""

from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.leaderboard.feedback import aggregate, coarse, laddered
from api.leaderboard.ladder import UNVERIFIED, LadderRepository
from api.leaderboard.scoring import Result, ScoredItem, contributions
from api.worker.repository import GradingRepository
from packs.benchmark import Feedback, Scoring, SplitConfig, Visibility
from protection.ladder import LadderState, breakdown_bits, consider, default_budget


def scored_items(rows: list[Any]) -> list[ScoredItem]:
    """Rows of `GradingRepository.scored`; a problem without an answer scores 0."""
    return [ScoredItem(row.score or 0.0, row.subject, row.type, row.sibling_group) for row in rows]


async def told(session: AsyncSession, row: Any, items: list[ScoredItem], result: Result) -> Result | None:
    """The result as it may be told, or None when the policy tells nothing of this submission."""
    policy = Feedback(row.feedback)
    if policy is Feedback.NONE:
        return None
    if row.visibility == Visibility.DEV:
        return result
    if policy is Feedback.LADDER:
        return await _ladder(session, row, items, result)
    return aggregate(result)


async def _ladder(session: AsyncSession, row: Any, items: list[ScoredItem], result: Result) -> Result | None:
    """Decide under the split's lock, so that organisations that end together share one budget."""
    repository = LadderRepository(session)
    await repository.lock(row.split_id)
    config = SplitConfig.model_validate(row.config)
    holder = await repository.holder(row.organisation_id)
    if holder == UNVERIFIED and config.unverified == "none":
        return None
    known = await repository.state(row.split_id, holder)
    state = LadderState(known.attempts, known.releases, known.released, known.bits) if known else LadderState()
    scoring = Scoring.model_validate(row.scoring)
    best = await _best(session, row.split_id, known.best_id, scoring) if known and known.best_id else None
    budget = config.ladder_budget or default_budget(len(items))
    left = budget - await repository.releases(row.split_id)
    decision = consider(state, contributions(items, scoring), best, budget_left=left)
    bits = decision.bits + (breakdown_bits(_by_subject(items)) if decision.accepted else 0.0)
    after = decision.state
    best_id = row.id if decision.accepted else known.best_id if known else None
    await repository.save(row.split_id, holder, after, state.bits + bits, best_id)
    if not decision.accepted or after.released is None:
        return None
    await repository.release(row.id, row.split_id, row.organisation_id, after.attempts, after.released, bits)
    return laddered(after.released, len(items), result.breakdown)


async def _best(session: AsyncSession, split_id: UUID, best_id: UUID, scoring: Scoring) -> list[float]:
    rows = await GradingRepository(session).scored(best_id, split_id)
    return contributions(scored_items(rows), scoring)


def _by_subject(items: list[ScoredItem]) -> dict[str, list[float]]:
    groups: dict[str, list[float]] = {}
    for item in items:
        groups.setdefault(item.subject, []).append(item.score)
    shown = coarse({"subject": {name: {"n": len(v), "score": 0.0} for name, v in groups.items()}})["subject"]
    return {name: values for name, values in groups.items() if name in shown}
