"""SQL of the vault."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from sqlmodel import col, select

from api.core.crypto import SealError, seal, unseal
from api.core.db import AsyncSession
from api.core.query import Query
from api.hosting.sealing import open_evidence, seal_episode
from api.vault.models import SealedEpisode, SealedEvidence, SealedReference
from api.vault.secret import Secret
from grading.answer import Evidence

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class _SealedRow:
    problem_id: UUID
    sealed: bytes


_SEALED = Query(
    _SealedRow,
    "The sealed secret sides of problems.",
    "select problem_id, sealed from vault.reference where problem_id = any(:problems)",
)


def reference_binding(problem_id: UUID) -> str:
    """What it is bound to."""
    return f"vault.reference:{problem_id}:1"


class VaultRepository:
    """Seals on the way in, opens on the way out. The caller holds the vault key."""

    def __init__(self, session: AsyncSession, key: bytes) -> None:
        self._session = session
        self._key = key

    async def put(self, release_id: UUID, secrets: dict[UUID, dict[str, Any]]) -> None:
        """Store the secret sides of a release's problems."""
        self._session.add_all(
            SealedReference(
                problem_id=problem_id,
                release_id=release_id,
                sealed=seal(self._key, json.dumps(secret).encode(), reference_binding(problem_id)),
            )
            for problem_id, secret in secrets.items()
        )
        await self._session.flush()

    async def put_episodes(self, host_key: bytes, episodes: dict[UUID, list[dict[str, Any]]]) -> None:
        """Store, under the hosts' key, what a host needs to play these problems: nothing of their references."""
        self._session.add_all(
            SealedEpisode(problem_id=problem_id, sealed=seal_episode(host_key, problem_id, forms))
            for problem_id, forms in episodes.items()
        )
        await self._session.flush()

    async def evidence(self, host_key: bytes, session_id: UUID) -> list[Evidence] | None:
        """What the probes of a session saw; None before it has ended. Raises SealError for a changed row."""
        row = await self._session.get(SealedEvidence, session_id)
        if row is None:
            return None
        return [Evidence.model_validate(item) for item in open_evidence(host_key, session_id, row.sealed)]

    async def open(self, problem_ids: list[UUID]) -> dict[UUID, Secret]:
        """The secret sides of these problems. Raises SealError for a changed row."""
        statement = select(SealedReference).where(col(SealedReference.problem_id).in_(problem_ids))
        rows = await self._session.exec(statement)
        return {row.problem_id: self._unseal(row) for row in rows}

    async def readable(self, problem_ids: Sequence[UUID]) -> dict[UUID, Secret]:
        """The secret sides of those of these problems whose rows are there and unchanged."""
        found = {}
        for row in await self._session.fetch_all(_SEALED, problems=list(problem_ids)):
            try:
                found[row.problem_id] = self._unseal(row)
            except SealError as error:
                log.error("vault.unreadable", problem=str(row.problem_id), error=str(error))
        return found

    async def of_release(self, release_id: UUID) -> dict[UUID, Secret]:
        """Everything of one release."""
        rows = await self._session.exec(select(SealedReference).where(SealedReference.release_id == release_id))
        return {row.problem_id: self._unseal(row) for row in rows}

    def _unseal(self, row: "SealedReference | _SealedRow") -> Secret:
        return Secret(json.loads(unseal(self._key, row.sealed, reference_binding(row.problem_id))))
