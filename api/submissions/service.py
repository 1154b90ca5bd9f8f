"""Intake: quota, items and grading jobs in one transaction."""

import hashlib
import math
from collections.abc import Mapping
from uuid import UUID

from api.accounts.principal import Principal
from api.catalog.repository import SplitAccess
from api.catalog.service import CatalogService, require_access
from api.core import queue
from api.core.crypto import Aliases, keyed_digests
from api.core.db import AsyncSession
from api.core.ids import new_id, parse_id
from api.core.settings import Settings
from api.feedback.service import FeedbackService
from api.lanes.models import SPECS, Lane
from api.lanes.repository import LaneRepository
from api.problems.repository import ProblemRepository
from api.problems.service import require_reader
from api.submissions.errors import (
    DoubleItemError,
    KeyReusedError,
    NoSubmissionError,
    NotOpenError,
    QuotaSpentError,
    ReviewedError,
    TooManyWaitingError,
    UnknownProblemError,
)
from api.submissions.models import State, Submission
from api.submissions.repository import SubmissionRepository
from api.submissions.schemas import ItemCreate, SubmissionCreate
from packs.benchmark import Visibility


class SubmissionService:
    """What a principal does with submissions."""

    def __init__(self, session: AsyncSession, aliases: Aliases, principal: Principal, settings: Settings) -> None:
        self._session = session
        self._repository = SubmissionRepository(session)
        self._catalog = CatalogService(session)
        self._aliases = aliases
        self._principal = principal
        self._pepper = settings.secrets.raw("pepper")
        self._waiting_items = settings.waiting_items
        self._feedback = FeedbackService(session, settings)

    async def create(self, body: SubmissionCreate, idempotency_key: str | None) -> Submission:
        """Accept a submission. The same key and body again gives the same submission."""
        # Keyed: whoever has a backup, but not this key, cannot try answers against it.
        body_digest = hashlib.sha256(body.model_dump_json().encode()).hexdigest()
        digests = [one.hex() for one in keyed_digests(self._pepper, "request", body_digest)]
        if idempotency_key:
            earlier = await self._earlier(idempotency_key, digests)
            if earlier:
                return earlier
        access = await self._access(body.benchmark, body.split)
        row = Submission(
            id=new_id(),
            release_id=access.release_id,
            split_id=access.split_id,
            organisation_id=self._principal.organisation_id,
            user_id=self._principal.user_id,
            key_id=self._principal.key_id,
            idempotency_key=idempotency_key,
            request_digest=digests[0],
            model=body.model.model_dump(),
            expected=access.problem_count,
        )
        if not await self._repository.add(row):
            # The same key at the same moment: the other transaction has committed by now.
            earlier = await self._earlier(idempotency_key or "", digests)
            assert earlier
            return earlier
        await self._take_quota(row, access)
        if body.items:
            await self._add_items(row, body.items)
        return await self._finalise(row.id) if body.finalize else await self._fresh(row.id)

    async def add_items(self, public: str, items: list[ItemCreate]) -> Submission:
        """Add a part to an open submission. Items sent before are kept as they were first sent."""
        row = await self._own(public, lock=True)
        if row.state != State.OPEN:
            raise NotOpenError(f"its state is '{row.state}'; make a new submission")
        if await self._repository.played_by_service(row.id):
            raise NotOpenError("the service asks for its answers itself; make a new submission")
        await self._add_items(row, items, again=True)
        return await self._fresh(row.id)

    async def finalise(self, public: str) -> Submission:
        """Close intake and queue the grading. Again is harmless."""
        row = await self._own(public, lock=True)
        if row.state != State.OPEN:
            return row
        if await self._repository.played_by_service(row.id, now=True):
            raise NotOpenError("the service is asking for its answers; wait for the run's end or cancel it")
        return await self._finalise(row.id)

    async def finalise_played(self, submission_id: UUID) -> None:
        """End the intake of a submission that the service has filled. Again is harmless."""
        await self._finalise(submission_id)

    async def select(self, public: str) -> Submission:
        """Have a submission ranked at the next scheduled release. Raises NotRankedError, NoReleaseError."""
        row = await self._own(public)
        await self._feedback.select(row.id, row.split_id, row.organisation_id, row.model["name"])
        return row

    async def own(self, public: str) -> Submission:
        """A submission of the principal's organisation. Raises NoSubmissionError."""
        return await self._own(public)

    async def page(self, before: UUID | None, limit: int) -> list[Submission]:
        """The organisation's submissions, newest first."""
        return await self._repository.page(self._principal.organisation_id, before, limit)

    async def _earlier(self, key: str, digests: list[str]) -> Submission | None:
        row = await self._repository.by_idempotency_key(self._principal.organisation_id, key)
        if row and row.request_digest not in digests:
            raise KeyReusedError("use a new key for a new request; the earlier submission stands")
        return row

    async def _access(self, slug: str, split: str) -> SplitAccess:
        access = await self._catalog.split_access(slug, split, self._principal.organisation_id)
        require_access(access)
        await require_reader(self._session, self._principal, access)
        mine, me = self._principal.organisation_id, self._principal.user_id
        hidden = access.visibility is not Visibility.DEV and mine != access.owner_id
        if hidden and await self._repository.shown_references(access.benchmark_id, mine, me):
            raise ReviewedError("who grades hidden answers sees their references, and takes no part")
        return access

    async def _take_quota(self, row: Submission, access: SplitAccess) -> None:
        limit = access.config.submissions_per_organisation
        if await self._repository.take_quota(row.id) is None:
            raise QuotaSpentError(f"{limit} of {limit} are used", limit=limit)

    async def _add_items(self, row: Submission, items: list[ItemCreate], *, again: bool = False) -> None:
        organisation = self._principal.organisation_id
        pairs = [(self._aliases.decode(organisation, item.problem), item) for item in items]
        known = await ProblemRepository(self._session).known(row.split_id, [p for p, _ in pairs if p])
        unknown = [number for number, (problem, _) in enumerate(pairs) if problem not in known]
        if unknown:
            raise UnknownProblemError(
                f"{len(unknown)} of {len(items)} items; use the ids this organisation was given for this split",
                positions=unknown[:20],
            )
        if len({problem for problem, _ in pairs}) != len(pairs):
            raise DoubleItemError("one answer for each problem; nothing was taken")
        fields = [(problem, item.model_dump(mode="json", exclude={"problem"})) for problem, item in pairs if problem]
        fresh = await self._repository.add_items(row.id, fields)
        if fresh != len(items) and not again:
            raise DoubleItemError("one answer for each problem; nothing was taken")

    async def _finalise(self, submission_id: UUID) -> Submission:
        ended = await self._repository.finalise(submission_id)
        row = await self._fresh(submission_id)
        if not ended:
            return row
        assert row.finalised_at
        await self._feedback.take_in(row.id, row.split_id, row.organisation_id, row.finalised_at)
        lanes = LaneRepository(self._session)
        await lanes.lock(row.organisation_id)
        self._refuse_flood(await lanes.waiting(row.organisation_id), row.received)
        if not await lanes.add_items(row.organisation_id, submission_id):
            await queue.defer(self._session, queue.FINALIZE_SUBMISSION, {"submission": str(submission_id)})
        return row

    def _refuse_flood(self, waiting: Mapping[Lane, int], more: int) -> None:
        """What is there may always be finished: one submission, however long, is taken by who has nothing waiting."""
        there = sum(waiting.values())
        excess = there + more - self._waiting_items
        if there and excess > 0:
            seconds = sum(count * SPECS[lane].seconds for lane, count in waiting.items()) * min(1.0, excess / there)
            # How many wait, told to the item, would say when each hidden answer was graded.
            raise TooManyWaitingError(
                f"with these, more than {self._waiting_items} answers of your organisation would wait to be graded; "
                "send it again when fewer do",
                retry_after=min(3600, max(10, 10 * math.ceil(seconds / 10))),
                limit=self._waiting_items,
            )

    async def _own(self, public: str, *, lock: bool = False) -> Submission:
        submission_id = parse_id("sub", public)
        row = submission_id and await self._repository.one(submission_id, lock=lock)
        if not row or row.organisation_id != self._principal.organisation_id:
            raise NoSubmissionError("your organisation has no such submission")
        return row

    async def _fresh(self, submission_id: UUID) -> Submission:
        row = await self._repository.one(submission_id)
        assert row
        return row
