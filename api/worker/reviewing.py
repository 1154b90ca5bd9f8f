"""Answers that wait for people: queued with their sheets, and scored when the votes are in."""

from collections.abc import Sequence
from uuid import UUID

from api.core.db import AsyncSession
from api.core.ids import new_id
from api.reviews.agreement import AgreementRepository
from api.reviews.models import CALIBRATE, GRADE, Review
from api.reviews.records import ReviewableItem
from api.reviews.repository import ReviewRepository
from api.reviews.schemas import Sheet, SheetImage
from api.reviews.service import seal_sheet
from api.reviews.votes import MOST_VOTES, settled_score
from api.submissions.grading_repository import FullSubmission, GradingRepository
from api.submissions.opening import OpeningRepository
from api.vault.repository import VaultRepository
from api.vault.secret import Secret
from api.worker.state import Worker
from grading import parse_reference
from grading.reference import walk


async def queue_for_people(worker: Worker, session: AsyncSession, submission: FullSubmission) -> int:
    """Queue every unscored item of a submission. Returns how many wait."""
    items = await ReviewRepository(session).unscored(submission.id)
    await queue_items(worker, session, submission, items)
    return len(items)


async def queue_items(
    worker: Worker,
    session: AsyncSession,
    submission: FullSubmission,
    items: Sequence[ReviewableItem],
    purpose: str = GRADE,
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
        review = Review(
            id=review_id,
            submission_id=submission.id,
            problem_id=item.problem_id,
            benchmark_id=item.benchmark_id,
            purpose=purpose,
            sheet=seal_sheet(key, review_id, sheet),
        )
        await ReviewRepository(session).add(review)


def _sheet(worker: Worker, organisation_id: UUID, item: ReviewableItem, secret: Secret) -> Sheet:
    shown = worker.fingerprints.shown(organisation_id, item)
    side = secret.side(shown.variant)
    reference = parse_reference(side.reference)
    solutions = dict.fromkeys(text for inner in walk(reference) if (text := inner.solution_text()))
    solution = "\n\n".join(solutions) or side.solution
    return Sheet(
        statement=shown.statement,
        choices=shown.choices,
        images=[SheetImage(path=image["path"], alt=image.get("alt", "")) for image in item.images],
        answer=item.answer or "",
        solution=solution,
        gold=reference.gold_text() or side.gold or "",
        reason=item.reason or "",
        rubric=reference.sheet().model_dump(mode="json"),
    )


async def decide_review(worker: Worker, review_id: UUID) -> None:
    """Settle a review that has all its votes, or call a third reviewer. Again is harmless."""
    async with worker.database.session() as session:
        repository = ReviewRepository(session)
        review = await repository.voted(review_id)
        if review is None:
            return
        votes = await repository.votes(review_id)
        if len(votes) < review.votes_needed:
            return
        score = settled_score(list(votes.values()))
        if score is None:
            await repository.call_another(review_id, MOST_VOTES)
        else:
            await repository.decide(review_id, score)
            agreement = AgreementRepository(session, worker.settings.secrets.raw("review"))
            await agreement.compare(review.benchmark_id, {user: vote.score for user, vote in votes.items()})


async def apply_review(worker: Worker, review_id: UUID) -> UUID | None:
    """Write a settled review's score to its item, once. Returns the submission, which may now be at its end."""
    async with worker.database.session() as session:
        review = await ReviewRepository(session).apply(review_id)
        if review is None or review.purpose != GRADE:
            return None
        grading = GradingRepository(session)
        done = await grading.grade_by_people(review.submission_id, review.problem_id, review.score)
        await OpeningRepository(session).open_again(review.submission_id)
        return review.submission_id if done else None
