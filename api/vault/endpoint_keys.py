"""SQL of the keys of participants' endpoints, which only the worker opens."""

from uuid import UUID

from api.core.crypto import unseal_intake
from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.endpoints.sealing import key_binding

_KEY = Query(bytes, "The sealed key of a run's endpoint.", "select sealed from vault.endpoint_key where run_id = :run")
_FORGET = Command("A run has ended: its key is not needed.", "delete from vault.endpoint_key where run_id = :run")


class EndpointKeyRepository:
    """Keys of endpoints. The caller holds the vault key."""

    def __init__(self, session: AsyncSession, key: bytes) -> None:
        self._session = session
        self._key = key

    async def open(self, run_id: UUID) -> str | None:
        """The endpoint's key (empty: it takes none); None where the run has ended. Raises SealError."""
        sealed = await self._session.fetch_optional(_KEY, run=run_id)
        return None if sealed is None else unseal_intake(self._key, sealed, key_binding(run_id)).decode().rstrip(" ")

    async def forget(self, run_id: UUID) -> None:
        """Delete a key."""
        await self._session.run(_FORGET, run=run_id)
