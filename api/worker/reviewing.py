"""Answers that wait for people: queued with their sheets, and scored when the votes are in."""

from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.ids import new_id
from api.reviews.models import CALIBRATE, GRADE
from api.reviews.repository import ReviewRepository
from api.reviews.schemas import Sheet
from api.reviews.service import seal_sheet
from api.vault.repository import VaultRepository
from api.vault.secret import Secret
from api.worker.repository import GradingRepository
from api.worker.state import Worker
from grading.judging.sheets import nested, sheet_rubric


async def queue_for_people(worker: Worker, session: AsyncSession, submission: Any, purpose: str = GRADE) -> int:
    """Queue every unscored item of a submission. Returns how many wait."""
    items = await GradingRepository(session).waiting(submission.id)
    await queue_items(worker, session, submission, items, purpose)
    return len(items)


async def queue_items(
    worker: Worker, session: AsyncSession, submission: Any, items: list[Any], purpose: str = GRADE
) -> None:
    """Queue answers with their sheets; for calibration without what the judge said."""
    vault = VaultRepository(session, worker.settings.vault_secrets.raw("vault"))
    secrets = await vault.open([item.problem_id for item in items])
    key = worker.settings.secrets.raw("review")
    for item in items:
        review_id = new_id()
        sheet = _sheet(worker, submission.organisation_id, item, secrets[item.problem_id])
        if purpose == CALIBRATE:
            sheet = sheet.model_copy(update={"reason": ""})
        await ReviewRepository(session).add(
            {
                "id": review_id,
                "submission": submission.id,
                "problem": item.problem_id,
                "purpose": purpose,
                "benchmark": item.benchmark_id,
                "sheet": seal_sheet(key, review_id, sheet),
            }
        )


def _sheet(worker: Worker, organisation_id: UUID, item: Any, secret: Secret) -> Sheet:
    shown = worker.fingerprints.shown(organisation_id, item)
    side = secret.side(shown.variant)
    reference = side.reference
    solutions = dict.fromkeys(inner["solution"] for inner in nested(reference) if inner.get("solution"))
    solution = "\n\n".join(solutions) or side.solution
    return Sheet(
        statement=shown.statement,
        choices=shown.choices,
        answer=item.answer or "",
        solution=solution,
        gold=str(reference.get("value") or reference.get("gold") or side.gold or ""),
        reason=item.reason or "",
        rubric=sheet_rubric(reference),
    )


async def apply_review(worker: Worker, review_id: UUID) -> UUID | None:
    """Write a settled review's score to its item, once. Returns the submission, which may now be at its end."""
    async with worker.database.session() as session:
        return await GradingRepository(session).apply_review(review_id)
