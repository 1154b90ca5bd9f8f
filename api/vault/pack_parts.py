"""SQL of uploaded archives, which only the worker opens."""

from collections.abc import AsyncIterator
from uuid import UUID

from api.core.crypto import unseal_intake
from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.uploads.repository import Upload
from api.uploads.sealing import part_binding

_PART = Query(
    bytes,
    "One sealed part of an uploaded archive.",
    "select sealed from vault.pack_part where upload_id = :upload and number = :number",
)
_FORGET = Command("An archive is not needed any more.", "delete from vault.pack_part where upload_id = :upload")


class PackPartRepository:
    """Archives of uploads. The caller holds the vault key."""

    def __init__(self, session: AsyncSession, key: bytes) -> None:
        self._session = session
        self._key = key

    async def content(self, upload: Upload) -> AsyncIterator[bytes]:
        """The archive's parts in order. Raises SealError for a changed row, NoResultFound for a missing one."""
        for number in range(upload.parts):
            sealed = await self._session.fetch_one(_PART, upload=upload.id, number=number)
            padded = unseal_intake(self._key, sealed, part_binding(upload.id, number))
            yield padded[: min(upload.part_bytes, upload.size - number * upload.part_bytes)]

    async def forget(self, upload_id: UUID) -> None:
        """Delete an archive."""
        await self._session.run(_FORGET, upload=upload_id)
