"""Claiming and voting: two reviewers, a third where they differ."""

from uuid import UUID

from api.catalog.service import CatalogService
from api.core import queue
from api.core.crypto import seal, unseal
from api.core.db import AsyncSession
from api.core.ids import parse_id, public_id
from api.reviews.agreement import AgreementRepository
from api.reviews.errors import BadCreditsError, NoReviewError, NotClaimedError, NotReviewerError, ReviewerTakesPartError
from api.reviews.models import CALIBRATE
from api.reviews.pictures import SheetPicture, picture
from api.reviews.records import ClaimedReview, OpenReview
from api.reviews.repository import ReviewRepository
from api.reviews.schemas import QueueState, ReviewTask, Sheet, Vote, VoteResult
from api.reviews.votes import GivenVote
from grading.judging.rubrics import Rubric, RubricError, tally


def sheet_binding(review_id: UUID) -> str:
    """What it is bound to."""
    return f"review:{review_id}:1"


def seal_sheet(key: bytes, review_id: UUID, sheet: Sheet) -> bytes:
    """A sheet as it is stored."""
    return seal(key, sheet.model_dump_json().encode(), sheet_binding(review_id))


def open_sheet(key: bytes, review_id: UUID, sealed: bytes) -> Sheet:
    """A stored sheet. Raises SealError."""
    return Sheet.model_validate_json(unseal(key, sealed, sheet_binding(review_id)))


class ReviewService:
    """What a reviewer does."""

    def __init__(self, session: AsyncSession, key: bytes, user_id: UUID) -> None:
        self._session = session
        self._repository = ReviewRepository(session)
        self._key = key
        self._user = user_id

    async def claim(self, slug: str) -> ReviewTask | None:
        """The next answer, blind to who submitted it; never one's own organisation's.

        A sheet holds the reference, so whoever takes part in a hidden split gets none of it. Raises
        ReviewerTakesPartError where nothing else waits.
        """
        benchmark_id = await self._benchmark(slug)
        takes_part = await self._repository.takes_part(benchmark_id, self._user, lock=True)
        row = await self._repository.claim(benchmark_id, self._user, hidden=not takes_part)
        if row is None and takes_part:
            raise ReviewerTakesPartError("you, or an organisation of yours, submitted to a hidden split of it")
        if row is None:
            return None
        sheet = open_sheet(self._key, row.id, row.sheet)
        return _task(row, sheet)

    async def leased(self, slug: str) -> ReviewTask | None:
        """The answer that the reviewer holds, if any; nothing is claimed."""
        row = await self._repository.leased(await self._benchmark(slug), self._user)
        return _task(row, open_sheet(self._key, row.id, row.sheet)) if row else None

    async def picture(self, public: str, number: int) -> SheetPicture:
        """A picture of the sheet that the reviewer holds. Raises NoReviewError, NotClaimedError."""
        review_id = parse_id("rev", public)
        sealed = await self._repository.leased_sheet(review_id, self._user) if review_id else None
        if review_id is None or sealed is None:
            raise NoReviewError("a picture is shown while its review is yours")
        images = open_sheet(self._key, review_id, sealed).images
        found = await picture(self._session, review_id, images[number].path) if number < len(images) else None
        if found is None:
            raise NoReviewError("the sheet has no such picture")
        return found

    async def release(self, public: str) -> None:
        """Give a claimed review back."""
        review_id = parse_id("rev", public)
        if review_id:
            await self._repository.release(review_id, self._user)

    async def vote(self, public: str, vote: Vote) -> VoteResult:
        """Give credits. With the second vote a worker settles the review where they agree, and else calls a third."""
        review = await self._claimed(public)
        assert review.sheet is not None
        rubric = Rubric.model_validate(open_sheet(self._key, review.id, review.sheet).rubric)
        try:
            points = tally(rubric, vote.credits)
        except RubricError as error:
            raise BadCreditsError(str(error)) from error
        given = GivenVote(vote.credits, points.score, vote.comment)
        counted = await self._repository.vote(review.id, self._user, given, vote.seconds)
        if counted.votes >= counted.votes_needed:
            await queue.defer(self._session, queue.REVIEWED, {"review": str(review.id)})
        return VoteResult(
            points=points.points,
            total=points.total,
            votes=counted.votes,
            votes_needed=counted.votes_needed,
        )

    async def state(self, slug: str) -> QueueState:
        """Progress of the queue."""
        benchmark_id = await self._benchmark(slug)
        takes_part = await self._repository.takes_part(benchmark_id, self._user)
        row = await self._repository.progress(benchmark_id, self._user, hidden=not takes_part)
        return QueueState(
            benchmark=slug,
            waiting=row.waiting,
            calibration=row.calibration,
            for_you=row.for_you,
            settled=row.settled,
            yours=row.yours,
            disagreements=row.disagreements,
            median_seconds=row.median_seconds,
            agreement=await AgreementRepository(self._session, self._key).of(benchmark_id, self._user),
        )

    async def _benchmark(self, slug: str) -> UUID:
        row = await CatalogService(self._session).benchmark(slug)
        if not await self._repository.may_review(row.id, self._user):
            raise NotReviewerError("ask the benchmark's owner to name you as a reviewer")
        return row.id

    async def _claimed(self, public: str) -> OpenReview:
        review_id = parse_id("rev", public)
        review = review_id and await self._repository.locked(review_id)
        if not review or not await self._repository.may_review(review.benchmark_id, self._user):
            raise NoReviewError("there is no such review in your queues")
        if review.settled_at is not None or review.lease_user != self._user:
            raise NotClaimedError("claim the next one: POST /v1/reviews/claim")
        return review


def _task(row: ClaimedReview, sheet: Sheet) -> ReviewTask:
    return ReviewTask(
        id=public_id("rev", row.id),
        until=row.lease_until,
        purpose="calibrate" if row.purpose == CALIBRATE else "grade",
        third=row.votes_needed > 2,
        sheet=sheet,
    )
