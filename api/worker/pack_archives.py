"""The archive of an upload on this machine's disk, for as long as it is read."""

import hashlib
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from api.uploads.models import PackState
from api.uploads.repository import Upload, UploadRepository
from api.vault.pack_parts import PackPartRepository
from api.worker.state import Worker
from envs import registry
from packs.archive import unpack
from packs.pack import Pack
from packs.read import read_pack


@dataclass(frozen=True)
class Fetched:
    """An upload and its archive on disk; `intact`: it is what its owner announced."""

    upload: Upload
    archive: Path
    intact: bool

    def pack(self) -> Pack:
        """The pack in it, unpacked beside it. Blocking; once."""
        folder = self.archive.parent / "pack"
        folder.mkdir()
        unpack(self.archive, folder)
        # Its golds were graded when it was checked.
        return read_pack(folder, registry, grade_gold=False)


@asynccontextmanager
async def fetched(worker: Worker, upload_id: UUID, state: PackState) -> AsyncIterator[Fetched | None]:
    """The upload with its archive on disk, gone afterwards; None unless it is in this state."""
    with tempfile.TemporaryDirectory(prefix="heldout-pack-") as folder:
        path, digest = Path(folder) / "archive", hashlib.sha256()
        async with worker.database.session() as session:
            upload = await UploadRepository(session).one(upload_id)
            if upload is None or upload.state is not state:
                yield None
                return
            parts = PackPartRepository(session, worker.settings.vault_secrets.raw("vault"))
            with path.open("wb") as file:
                async for part in parts.content(upload):
                    digest.update(part)
                    file.write(part)
        yield Fetched(upload, path, intact=digest.hexdigest() == upload.sha256)
