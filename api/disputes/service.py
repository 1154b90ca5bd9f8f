"""Raising, listing and deciding disputes."""

from uuid import UUID

from api.catalog.service import CatalogService
from api.core.crypto import Aliases, seal, unseal
from api.core.db import AsyncSession
from api.core.ids import new_id, parse_id, public_id
from api.core.settings import Settings
from api.disputes.errors import DecidedError, DisputedError, NoDisputeError, NotShownError, TooManyDisputesError
from api.disputes.models import DisputeState
from api.disputes.repository import Dispute, DisputeRepository
from api.disputes.schemas import DisputeDecide, DisputeOwn, DisputePage, DisputePublic

_LISTED = 200
_MOST_OPEN = 10


async def disputes(session: AsyncSession, slug: str) -> DisputePage:
    """The disputes of a benchmark for everybody. Raises NoBenchmarkError."""
    benchmark = await CatalogService(session).benchmark(slug)
    repository = DisputeRepository(session)
    counts = await repository.counts(benchmark.id)
    return DisputePage(
        benchmark=slug,
        open=counts.get(DisputeState.OPEN, 0),
        accepted=counts.get(DisputeState.ACCEPTED, 0),
        rejected=counts.get(DisputeState.REJECTED, 0),
        items=[_public(row) for row in await repository.of_benchmark(benchmark.id, _LISTED)],
    )


class DisputeService:
    """Disputes of one account and these organisations of its; a key acts for one of them."""

    def __init__(
        self, session: AsyncSession, settings: Settings, aliases: Aliases, user_id: UUID, organisations: list[UUID]
    ) -> None:
        self._session = session
        self._repository = DisputeRepository(session)
        self._aliases = aliases
        self._user = user_id
        self._organisations = organisations
        self._key = settings.secrets.raw("review")

    async def dispute(self, alias: str, organisation_id: UUID, reason: str) -> DisputeOwn:
        """Dispute the gold of a problem that one's organisation was shown.

        Raises NotShownError, TooManyDisputesError, DisputedError.
        """
        problem_id = self._aliases.decode(organisation_id, alias)
        shown = problem_id and await self._repository.shown(problem_id, organisation_id)
        if not problem_id or not shown:
            raise NotShownError("name a problem by the id under which your organisation was shown it")
        if shown.open_disputes >= _MOST_OPEN:
            raise TooManyDisputesError(f"{_MOST_OPEN} of your organisation wait for the owner; GET /v1/disputes")
        dispute_id = new_id()
        sealed = seal(self._key, reason.encode(), reason_binding(dispute_id))
        if not await self._repository.add(
            dispute_id, shown.benchmark_id, problem_id, organisation_id, self._user, sealed
        ):
            raise DisputedError("GET /v1/disputes lists those of your organisation")
        return self._own(await self._one(dispute_id))

    async def raised(self, organisation_id: UUID) -> list[DisputeOwn]:
        """What one's organisation disputed, with the owners' answers."""
        return [self._own(row) for row in await self._repository.of_organisation(organisation_id, _LISTED)]

    async def received(self, slug: str) -> list[DisputeOwn]:
        """What is disputed on one's benchmark. Raises NotYourBenchmarkError."""
        benchmark = await CatalogService(self._session).owned(slug, self._organisations)
        return [self._own(row) for row in await self._repository.of_benchmark(benchmark.id, _LISTED)]

    async def decide(self, dispute: str, decision: DisputeDecide) -> DisputeOwn:
        """Answer a dispute on one's benchmark, once. Raises NoDisputeError, DecidedError."""
        dispute_id = parse_id("dsp", dispute)
        found = dispute_id and await self._repository.one(dispute_id)
        if not found or found.owner_id not in self._organisations:
            raise NoDisputeError("GET /v1/benchmarks/{slug}/disputes/received lists those on your benchmark")
        sealed = seal(self._key, decision.answer.encode(), answer_binding(found.id))
        if not await self._repository.decide(found.id, self._user, DisputeState(decision.state), sealed):
            raise DecidedError(f"it is {found.state.value}")
        return self._own(await self._one(found.id))

    async def _one(self, dispute_id: UUID) -> Dispute:
        found = await self._repository.one(dispute_id)
        assert found
        return found

    def _own(self, row: Dispute) -> DisputeOwn:
        owner = row.owner_id in self._organisations
        raised = row.organisation_id in self._organisations
        answer = unseal(self._key, row.answer, answer_binding(row.id)).decode() if row.answer else ""
        return DisputeOwn(
            **_public(row).model_dump(),
            benchmark=row.benchmark,
            problem=self._aliases.encode(row.organisation_id, row.problem_id) if raised else None,
            name=row.name if owner else None,
            organisation=row.organisation,
            reason=unseal(self._key, row.reason, reason_binding(row.id)).decode(),
            answer=answer,
        )


def _public(row: Dispute) -> DisputePublic:
    return DisputePublic(
        id=public_id("dsp", row.id),
        split=row.split,
        version=row.version,
        state=row.state.value,
        created_at=row.created_at,
        decided_at=row.decided_at,
    )


def reason_binding(dispute_id: UUID) -> str:
    """What a reason is bound to."""
    return f"gold_dispute:{dispute_id}:reason:1"


def answer_binding(dispute_id: UUID) -> str:
    """What an answer is bound to."""
    return f"gold_dispute:{dispute_id}:answer:1"
