"""A whole benchmark as one encrypted file, and back."""

import io
import shutil
import tarfile
import tempfile
import zlib
from pathlib import Path

from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core.crypto import SealError, passphrase_key, seal, unseal
from api.core.db import AsyncSession
from api.core.errors import InvalidError
from api.core.settings import Settings
from api.worker.importing import Imported, import_pack
from api.worker.release_files import write_release
from envs import registry
from packs.read import read_pack

_MAGIC = b"HELDOUT1"
_SALT = 16
_BINDING = "heldout.export:1"
_MOST_FILES = 1_000_000
_MOST_BYTES = 20 * 2**30


class WrongPassphraseError(InvalidError):
    code = "wrong_passphrase"
    title = "The file does not open with this passphrase"


async def export_benchmark(session: AsyncSession, settings: Settings, slug: str, passphrase: str, salt: bytes) -> bytes:
    """Every release of a benchmark, references included, under the passphrase. `salt`: 16 random bytes."""
    benchmark = await CatalogService(session).benchmark(slug)
    catalog = CatalogRepository(session)
    out = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=out, mode="w:gz") as archive:
        releases = await catalog.releases(benchmark.id)
        for number, release in enumerate(releases):
            path = Path(folder) / f"{number:04d}"
            await write_release(session, settings, benchmark, release, path)
            archive.add(path, path.name)
    return _MAGIC + salt + seal(passphrase_key(passphrase, salt), out.getvalue(), _BINDING)


async def restore_benchmark(
    session: AsyncSession, settings: Settings, content: bytes, passphrase: str
) -> list[Imported]:
    """Import every release of an exported file, oldest first. Raises WrongPassphraseError, InvalidError."""
    if content[: len(_MAGIC)] != _MAGIC:
        raise InvalidError("this is no file that `heldout-server export` wrote")
    start = len(_MAGIC) + _SALT
    try:
        plain = unseal(passphrase_key(passphrase, content[len(_MAGIC) : start]), content[start:], _BINDING)
    except SealError as error:
        raise WrongPassphraseError("check the passphrase; the file may also be damaged") from error
    with tempfile.TemporaryDirectory() as folder:
        try:
            _unpack(plain, folder)
        except (tarfile.TarError, EOFError, OSError, ValueError, zlib.error) as error:
            # Whoever has the passphrase can seal anything: the file opens, and is still not to be trusted.
            raise InvalidError(f"what is in the file is no export: {type(error).__name__}") from error
        packs = [read_pack(path, registry, grade_gold=False) for path in sorted(Path(folder).iterdir())]
        return [await import_pack(session, settings, pack) for pack in packs]


def _unpack(plain: bytes, folder: str) -> None:
    """Folders and files alone, within the folder, and no more than an export has."""
    total = 0
    root = Path(folder).resolve()
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:gz") as archive:
        for number, member in enumerate(archive, 1):
            total += member.size
            if number > _MOST_FILES or total > _MOST_BYTES:
                raise InvalidError(f"the export holds more than {_MOST_FILES} files or {_MOST_BYTES} bytes")
            if not (member.isreg() or member.isdir()):
                raise InvalidError("the export holds something that is neither a file nor a folder")
            place = root / member.name
            if not place.resolve().is_relative_to(root):
                raise InvalidError("the export holds a file outside its folder")
            content = archive.extractfile(member)
            if content is None:
                place.mkdir(parents=True, exist_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            with content, place.open("wb") as out:
                shutil.copyfileobj(content, out)
