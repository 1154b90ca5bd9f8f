"""A whole instance as one file under a passphrase, and back: database, keys, combined boards.

The database is dumped from one snapshot while the service runs. The file says how many rows each table has, the sum of
their hashes and the head of the exposure ledger; a restored instance is held against all of it.
"""

import io
import os
import tarfile
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import IO, BinaryIO, cast

import psycopg
from pydantic import TypeAdapter, ValidationError

from api.core import migrate
from api.core.db import AsyncSession, Database, Role, address, libpq
from api.core.query import Command, Query
from api.core.settings import Settings
from api.ledger import sealing
from api.operations import census
from api.operations.postgres_tools import restore_dump, run_program
from api.operations.sealed_file import NoBackupError, open_file, seal_file

_DUMP = "database.dump"
_MANIFEST = "manifest.json"
_FOLDERS = ("secrets", "overall")


@dataclass(frozen=True)
class Manifest:
    """What is in a backup. `digests`: SHA-256 of each file; `ledger`: rows and head of the exposure ledger's chain."""

    format: int
    made_at: datetime
    service: str
    revision: str
    tables: dict[str, census.TableCount]
    ledger: tuple[int, str]
    digests: dict[str, str]


class NotEmptyError(NoBackupError):
    code = "instance_not_empty"
    title = "There is an instance already"


class DifferentError(NoBackupError):
    code = "restored_differently"
    title = "The restored instance is not what was backed up"


_ISOLATION = Command("See one state of the database throughout.", "set transaction isolation level repeatable read")
_SNAPSHOT = Query(str, "A name under which pg_dump sees the same state.", "select pg_export_snapshot()")


async def back_up(settings: Settings, out: BinaryIO, passphrase: str) -> Manifest:
    """Write the backup to `out`. The service may run meanwhile."""
    database = Database.of(settings, Role.ADMIN)
    try:
        async with database.session() as session:
            await sealing.seal(session)
        async with database.session() as session:
            await session.run(_ISOLATION)
            snapshot = await session.fetch_one(_SNAPSHOT)
            with tempfile.TemporaryFile() as dump, tempfile.TemporaryFile() as plain:
                run_program(settings, "pg_dump", "-Fc", "--no-owner", f"--snapshot={snapshot}", stdout=dump)
                manifest = await _described(session, settings, dump)
                _pack(settings, manifest, dump, plain)
                seal_file(cast(BinaryIO, plain), out, passphrase)
    finally:
        await database.close()
    return manifest


async def _described(session: AsyncSession, settings: Settings, dump: IO[bytes]) -> Manifest:
    chain = await sealing.check(session)
    files = {name: sha256(path.read_bytes()).hexdigest() for name, path in _files(settings).items()}
    dump.seek(0)
    return Manifest(
        format=1,
        made_at=datetime.now(UTC),
        service=version("heldout-server"),
        revision=await census.revision(session),
        tables=await census.count_tables(session),
        ledger=(chain.rows, chain.head),
        digests=files | {_DUMP: _digest(dump)},
    )


def _digest(file: IO[bytes]) -> str:
    digest = sha256()
    while block := file.read(2**20):
        digest.update(block)
    return digest.hexdigest()


def _files(settings: Settings) -> dict[str, Path]:
    paths = [path for folder in _FOLDERS for path in sorted((settings.data_dir / folder).glob("*.*"))]
    return {path.relative_to(settings.data_dir).as_posix(): path for path in paths if path.suffix in {".json", ".toml"}}


def _pack(settings: Settings, manifest: Manifest, dump: IO[bytes], plain: IO[bytes]) -> None:
    with tarfile.open(fileobj=plain, mode="w") as archive:
        said = TypeAdapter(Manifest).dump_json(manifest)
        _add(archive, _MANIFEST, io.BytesIO(said), len(said))
        for name, path in _files(settings).items():
            with path.open("rb") as file:
                _add(archive, name, file, path.stat().st_size)
        size = dump.seek(0, os.SEEK_END)
        dump.seek(0)
        _add(archive, _DUMP, dump, size)
    plain.seek(0)


def _add(archive: tarfile.TarFile, name: str, file: IO[bytes], size: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    archive.addfile(entry, file)


async def restore(settings: Settings, file: Path, passphrase: str) -> Manifest:
    """Make the instance of a backup in an empty data directory and database, and compare it with what was written.

    Raises NoBackupError, NotEmptyError (nothing was touched), DifferentError (what was restored is there to be seen).
    """
    with tempfile.TemporaryFile() as plain:
        open_file(file, passphrase, cast(BinaryIO, plain))
        plain.seek(0)
        try:
            with tarfile.open(fileobj=plain) as archive:
                manifest = _read_manifest(archive)
                _check_digests(archive, manifest)
                _require_empty_folder(settings)
                _unpack(archive, manifest, settings)
                await _fill(settings, archive)
        except tarfile.TarError as error:
            raise NoBackupError(f"its content cannot be read: {error}") from error
    await _compare(settings, manifest)
    migrate.prepare(settings)
    return manifest


def _member(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    try:
        found = archive.extractfile(name)
    except KeyError:
        found = None
    if found is None:
        raise NoBackupError(f"it holds no {name}")
    return found


def _read_manifest(archive: tarfile.TarFile) -> Manifest:
    try:
        manifest = TypeAdapter(Manifest).validate_json(_member(archive, _MANIFEST).read())
    except ValidationError as error:
        raise NoBackupError(f"its manifest is of another format: {error.error_count()} faults") from error
    if manifest.format != 1:
        raise NoBackupError(f"its format is {manifest.format}; this release reads 1")
    return manifest


def _check_digests(archive: tarfile.TarFile, manifest: Manifest) -> None:
    for name, digest in manifest.digests.items():
        if _digest(_member(archive, name)) != digest:
            raise NoBackupError(f"{name} is not what was written")


def _require_empty_folder(settings: Settings) -> None:
    """No key and no cluster may be there: neither could be had again."""
    for name in ("secrets", "postgres"):
        folder = settings.data_dir / name
        if folder.is_dir() and any(path.suffix == ".json" or path.is_dir() for path in folder.iterdir()):
            raise NotEmptyError(f"{folder} is in use; name an empty HELDOUT_DATA_DIR")


def _unpack(archive: tarfile.TarFile, manifest: Manifest, settings: Settings) -> None:
    for name in manifest.digests:
        folder, _, rest = name.partition("/")
        if name == _DUMP:
            continue
        if folder not in _FOLDERS or "/" in rest or not rest.endswith((".json", ".toml")):
            raise NoBackupError(f"it would write {name}")
        path = settings.data_dir / folder / rest
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if folder == "secrets" else 0o755)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(_member(archive, name).read())


async def _fill(settings: Settings, archive: tarfile.TarFile) -> None:
    migrate.make_database_and_roles(settings)
    _require_empty_database(settings)
    with tempfile.TemporaryFile() as dump:
        source = _member(archive, _DUMP)
        while block := source.read(2**20):
            dump.write(block)
        restore_dump(settings, dump)


def _require_empty_database(settings: Settings) -> None:
    url = libpq(address(settings, Role.ADMIN))
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "select count(*) from pg_tables where schemaname not in ('pg_catalog', 'information_schema')"
        ).fetchone()
    if row and row[0]:
        raise NotEmptyError(f"the database holds {row[0]} tables; name an empty one with HELDOUT_DATABASE_URL")


async def _compare(settings: Settings, manifest: Manifest) -> None:
    database = Database.of(settings, Role.ADMIN)
    try:
        async with database.session() as session:
            found = await census.count_tables(session)
            chain = await sealing.check(session)
    finally:
        await database.close()
    differing = sorted(name for name in found.keys() | manifest.tables if found.get(name) != manifest.tables.get(name))
    if differing:
        raise DifferentError(f"these tables differ: {', '.join(differing)}")
    if not chain.holds or (chain.rows, chain.head) != manifest.ledger:
        raise DifferentError("the exposure ledger's chain does not hold")
