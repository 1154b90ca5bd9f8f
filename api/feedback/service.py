"""What participants and owners do about feedback releases, and what they are shown of them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from api.accounts.principal import Principal
from api.catalog.service import CatalogService
from api.core.db import AsyncSession, now
from api.core.settings import Settings
from api.feedback.errors import NoReleaseError, NotRankedError
from api.feedback.models import UNVERIFIED, FeedbackIntakeRow, RankingSelection
from api.feedback.policies import policy_of
from api.feedback.repository import CARRIED, NEVER_RANKED, FeedbackRepository, HiddenSplit, Intake
from api.feedback.schedule import counting_year, decided_at, next_release
from api.feedback.schemas import (
    BandPublic,
    ReleaseCalled,
    ReleaseListed,
    ReleaseSchedule,
    SplitFeedbackPublic,
    SplitRules,
    SubmissionFeedback,
)
from protection.feedback.board import band_interval
from protection.feedback.ledger import expected_gain, wear
from protection.feedback.policy import FeedbackPolicy, PartPolicy
from protection.feedback.release import Part

_WAITING = "waiting"
_LISTED = 20


@dataclass(frozen=True)
class SplitPolicy:
    """A hidden split with its policy; the parts have their expected sizes."""

    split: HiddenSplit
    policy: FeedbackPolicy


class FeedbackService:
    """Feedback releases as the web process sees them: no verdict, no score, no part of any problem."""

    def __init__(self, session: AsyncSession, settings: Settings) -> None:
        self._session = session
        self._settings = settings
        self._repository = FeedbackRepository(session)

    async def take_in(self, submission_id: UUID, split_id: UUID, organisation_id: UUID, ended: datetime) -> None:
        """Fix when a submission to a hidden split is decided; on an open split nothing is to be done."""
        found = await self._repository.hidden_split(split_id)
        if found is None:
            return
        await self._repository.lock(split_id, organisation_id)
        before = await self._repository.newest_turn(split_id, organisation_id)
        due = decided_at(self._settings, ended, people=found.people, after=before)
        row = FeedbackIntakeRow(
            submission_id=submission_id, split_id=split_id, organisation_id=organisation_id, decide_at=due
        )
        await self._repository.take_in(row)

    async def of_split(self, split_id: UUID) -> SplitPolicy | None:
        """A hidden split with its policy; None: the split is open."""
        found = await self._repository.hidden_split(split_id)
        return SplitPolicy(found, policy_of(found.config, found.problem_count, found.choices)) if found else None

    async def intake(self, submission_id: UUID) -> Intake | None:
        """When a submission is decided, and as what."""
        return await self._repository.intake(submission_id)

    async def of_submission(
        self, known: SplitPolicy, submission_id: UUID, organisation_id: UUID, intake: Intake
    ) -> SubmissionFeedback:
        """What was released of a submission."""
        shown = SubmissionFeedback(outcome=intake.outcome or _WAITING, decided_at=intake.decide_at)
        if intake.outcome is None:
            return shown
        shown.decisions_left = intake.left
        release = await self._repository.one(intake.release_id) if intake.release_id else None
        if release is not None:
            shown.new_best, shown.stands = release.new, band(known.policy.feedback, release.band)
        selected = await self._repository.selection(known.split.id, organisation_id)
        shown.selected = intake.outcome not in NEVER_RANKED and submission_id in selected
        for row in await self._repository.of_submission(submission_id):
            if row.part is Part.RANKING and not row.regrade:
                shown.ranked, shown.ranked_new_best = True, row.new
        return shown

    def next_release(self, known: SplitPolicy) -> datetime | None:
        """The next scheduled release of the ranking part; None: there is none."""
        if known.policy.ranking is None or not known.policy.rankings:
            return None
        return next_release(self._settings, known.policy, now())

    async def select(self, submission_id: UUID, split_id: UUID, organisation_id: UUID, model_name: str) -> None:
        """Select a submission for the next scheduled release. Raises NotRankedError, NoReleaseError."""
        known = await self.of_split(split_id)
        if known is None or known.policy.ranking is None or not known.policy.rankings:
            raise NotRankedError("its split makes no ranking releases; what it tells is on the board already")
        intake = await self._repository.intake(submission_id)
        if intake is not None and intake.outcome == CARRIED:
            raise NotRankedError("it goes on from an earlier version and stands on the board; submit a run of this one")
        if intake is None or intake.outcome in NEVER_RANKED:
            raise NotRankedError("it is open, was not graded, or has too few readable answers; submit a complete run")
        if await self._repository.retired(split_id):
            raise NotRankedError("items of its version were published; submit a run of the newest version")
        receiver = await self._repository.receiver(organisation_id)
        if receiver == UNVERIFIED and known.policy.unverified == "none":
            raise NotRankedError("this split ranks verified organisations alone; have yours verified first")
        left = await self._rankings_left(known, receiver, organisation_id)
        if not left:
            raise NoReleaseError(f"{known.policy.rankings} of {known.policy.rankings} are used this year")
        row = RankingSelection(
            split_id=split_id,
            organisation_id=organisation_id,
            model_name=model_name if known.policy.models else "",
            submission_id=submission_id,
        )
        await self._repository.select(row)

    async def of_organisation(self, principal: Principal, slug: str, name: str) -> SplitFeedbackPublic:
        """What the principal's organisation has learnt of a split, and what is left."""
        _, row = await CatalogService(self._session).split(slug, name)
        receiver = await self._repository.receiver(principal.organisation_id)
        shown = SplitFeedbackPublic(
            benchmark=slug,
            split=name,
            policy=row.feedback,
            decisions=0,
            decisions_left=0,
            rankings=0,
            rankings_left=0,
            bits=0.0,
            next_release=None,
            shared=receiver == UNVERIFIED or await self._repository.shares(principal.organisation_id),
        )
        known = await self.of_split(row.id)
        if known is None:
            return shown
        year = _year_start()
        mine = [found for found in await self._repository.all(row.id) if found.receiver == receiver]
        shown.decisions = sum(found.part is Part.FEEDBACK and not found.regrade for found in mine)
        shown.rankings = sum(found.part is Part.RANKING and not found.regrade for found in mine)
        used = sum(found.part is Part.FEEDBACK and not found.regrade and found.scheduled > year for found in mine)
        own = await self._own_use(known, principal.organisation_id, Part.FEEDBACK)
        shown.decisions_left = max(0, known.policy.decisions - max(used, own))
        shown.rankings_left = await self._rankings_left(known, receiver, principal.organisation_id)
        shown.bits = round(sum(found.bits for found in mine), 1)
        shown.next_release = self.next_release(known)
        return shown

    async def rules(self, split_id: UUID) -> SplitRules | None:
        """How a hidden split speaks and how worn it is; None: it is open."""
        known = await self.of_split(split_id)
        if known is None:
            return None
        policy, told = known.policy, await self._repository.totals(split_id)
        part = policy.ranking or policy.feedback
        worn = wear(told.feedback_bits, policy.feedback.items, policy.choices) if policy.feedback else None
        return SplitRules(
            policy=policy.preset.value,
            decisions_per_year=policy.decisions,
            rankings_per_year=policy.rankings,
            band_width=part.step if part else None,
            next_release=self.next_release(known),
            organisations=told.receivers,
            feedback_bits=round(told.feedback_bits, 1),
            ranking_bits=round(told.ranking_bits, 1),
            wear=round(worn.share, 3) if worn else 0.0,
            presumed_public=worn.presumed_public if worn else False,
            attack_gain=round(expected_gain(policy, told.receivers), 3),
            accepted_leaks=list(policy.accepted_leaks),
        )

    async def schedule(self, organisations: list[UUID], slug: str, name: str) -> ReleaseSchedule:
        """When a split of one's own benchmark speaks. Raises NotYourBenchmarkError, NoSplitError."""
        catalog = CatalogService(self._session)
        await catalog.owned(slug, organisations)
        _, row = await catalog.split(slug, name)
        known = await self.of_split(row.id)
        ranked = known is not None and known.policy.ranking is not None
        calls = await self._repository.calls(row.id, _year_start()) if ranked else 0
        newest = await self._repository.schedule(row.id, _LISTED) if ranked else []
        return ReleaseSchedule(
            benchmark=slug,
            split=name,
            policy=row.feedback,
            next_release=self.next_release(known) if known else None,
            calls=calls,
            calls_left=max(0, known.policy.rankings - calls) if known and ranked else 0,
            items=[ReleaseListed(**vars(one)) for one in newest],
        )

    async def call(self, organisations: list[UUID], slug: str, name: str) -> ReleaseCalled:
        """Call for a release of the ranking part now. Raises NotYourBenchmarkError, NoReleaseError.

        As often a year as an organisation may be ranked: no more would tell anybody anything.
        """
        catalog = CatalogService(self._session)
        await catalog.owned(slug, organisations)
        _, row = await catalog.split(slug, name)
        known = await self.of_split(row.id)
        if known is None or known.policy.ranking is None:
            raise NoReleaseError("this split has no ranking part")
        await self._repository.lock(row.id)
        left = known.policy.rankings - await self._repository.calls(row.id, _year_start())
        if left <= 0:
            raise NoReleaseError(f"{known.policy.rankings} were called for this year; the next one is scheduled")
        at = now()
        await self._repository.call(row.id, at)
        return ReleaseCalled(benchmark=slug, split=name, scheduled=at, calls_left=left - 1)

    async def _rankings_left(self, known: SplitPolicy, receiver: UUID, organisation_id: UUID) -> int:
        most = known.policy.rankings
        left = await self._repository.rankings_left(known.split.id, receiver, _year_start())
        own = await self._own_use(known, organisation_id, Part.RANKING)
        return min(most if left is None else left, max(0, most - own))

    async def _own_use(self, known: SplitPolicy, organisation_id: UUID, part: Part) -> int:
        return await self._repository.own_use(known.split, organisation_id, part, counting_year(now()))


def band(part: PartPolicy | None, number: int | None) -> BandPublic | None:
    """A band as it is shown; None below the floor."""
    if part is None or number is None:
        return None
    lowest, highest = part.scores(number)
    low, high = band_interval(part, number)
    return BandPublic(
        band=number,
        score=round((lowest + highest) / 2, 6),
        from_score=round(lowest, 6),
        to_score=round(highest, 6),
        low=round(low, 4),
        high=round(high, 4),
    )


def _year_start() -> datetime:
    return datetime(counting_year(now()), 1, 1, tzinfo=UTC)
