"""How far a reviewer's votes agree with the others': counted by the worker, which opens votes, and kept sealed."""

from collections.abc import Mapping
from uuid import UUID

from pydantic import TypeAdapter

from api.core.crypto import seal, unseal
from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.reviews.schemas import OwnAgreement
from api.reviews.votes import AGREE

_AGREEMENT = TypeAdapter(OwnAgreement)
_LOCK = Query(
    object,
    "One at a time counts the votes of a benchmark's reviewers, until the end of the transaction.",
    "select cast(pg_advisory_xact_lock(hashtextextended('reviewers:' || cast(:benchmark as text), 0)) as text)",
)
_KEPT = Query(
    bytes,
    "What is known of a reviewer's agreement with the others.",
    "select sealed from reviewer_agreement where benchmark_id = :benchmark and user_id = :user",
)
_KEEP = Command(
    "Put it in the place of what was known.",
    """insert into reviewer_agreement (benchmark_id, user_id, sealed) values (:benchmark, :user, :sealed)
       on conflict (benchmark_id, user_id) do update set sealed = excluded.sealed""",
)


class AgreementRepository:
    """Agreement of reviewers; `key` is that of reviews."""

    def __init__(self, session: AsyncSession, key: bytes) -> None:
        self.session, self.key = session, key

    async def of(self, benchmark_id: UUID, user_id: UUID) -> OwnAgreement | None:
        """A reviewer's agreement with the others; None before a first answer was settled."""
        sealed = await self.session.fetch_optional(_KEPT, benchmark=benchmark_id, user=user_id)
        if sealed is None:
            return None
        return _AGREEMENT.validate_json(unseal(self.key, sealed, agreement_binding(benchmark_id, user_id)))

    async def compare(self, benchmark_id: UUID, scores: Mapping[UUID, float]) -> None:
        """Count the votes of an answer that was settled just now: everybody's score in [0, 1]."""
        await self.session.fetch_one(_LOCK, benchmark=benchmark_id)
        for user, score in scores.items():
            others = [abs(score - other) for who, other in scores.items() if who != user]
            known = await self.of(benchmark_id, user) or OwnAgreement(compared=0, agreed=0, difference=0.0)
            compared = known.compared + len(others)
            if not compared:
                continue
            counted = OwnAgreement(
                compared=compared,
                agreed=known.agreed + sum(distance <= AGREE for distance in others),
                difference=(known.difference * known.compared + sum(others)) / compared,
            )
            sealed = seal(self.key, _AGREEMENT.dump_json(counted), agreement_binding(benchmark_id, user))
            await self.session.run(_KEEP, benchmark=benchmark_id, user=user, sealed=sealed)


def agreement_binding(benchmark_id: UUID, user_id: UUID) -> str:
    """What it is bound to."""
    return f"reviewer_agreement:{benchmark_id}:{user_id}:1"
