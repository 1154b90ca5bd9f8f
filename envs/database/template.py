"""The data directory every server starts from: made once in a sandbox, kept as a read-only layer."""

import asyncio
import fcntl
import hashlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from envs.base import InfrastructureError
from envs.cache import cache
from envs.database.spec import DEFAULT_IMAGES
from envs.sandbox.base import MIB, Backend, Image, Limits, Sandbox

FORMAT = "2"
BUILT = "heldout/task"
LIMITS = Limits(memory=768 * MIB, processes=64, disk=256 * MIB, files=10_000, timeout=300.0)
SECONDS = 300.0
INSTALL = [
    "mariadb-install-db",
    "--no-defaults",
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    "--force",
    "--skip-name-resolve",
    "--basedir=/usr",
    "--datadir=/work/data",
    "--innodb-log-file-size=4M",
    "--innodb-undo-tablespaces=0",
]
BOOTSTRAP = [
    "mariadbd",
    "--no-defaults",
    "--bootstrap",
    "--datadir=/work/data",
    "--innodb-log-file-size=4M",
    "--innodb-undo-tablespaces=0",
    "--innodb-use-native-aio=0",
    "--skip-networking",
]
# What a participant may do: tables, rows, views and indexes of one database. No files, routines, triggers or events.
GRANTS = b"""
CREATE DATABASE task CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
FLUSH PRIVILEGES;
CREATE USER agent@localhost;
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW,
  CREATE TEMPORARY TABLES, LOCK TABLES ON task.* TO agent@localhost;
"""

_made: dict[tuple[str, str], Path] = {}


async def layer(backend: Backend, image: str) -> Path:
    """The layer for an image on a backend; made at the first call on this machine. Raises InfrastructureError."""
    key = (backend.traits.name, image)
    known = _made.get(key)
    if known is not None and known.is_dir():
        return known
    sandbox = await backend.start(Image(name=image), LIMITS)
    try:
        found = cache() / f"mariadb-{await _fingerprint(sandbox, key)}"
        async with _locked(found.with_suffix(".lock")):
            if not found.is_dir():
                await _make(sandbox, found)
    finally:
        await sandbox.destroy()
    _made[key] = found
    return found


def image_name(backend: Backend, name: str) -> str:
    """The sandbox image for a problem's `image`: by default the machine's own MariaDB, or the one of `make images`."""
    if name not in DEFAULT_IMAGES:
        return name
    here = any(Path(place, "mariadbd").exists() for place in ("/usr/sbin", "/usr/bin"))
    return "host" if here and backend.traits.name.startswith("bubblewrap") else BUILT


async def _fingerprint(sandbox: Sandbox, key: tuple[str, str]) -> str:
    told = await sandbox.run(["mariadbd", "--no-defaults", "--version"], user="agent", timeout=120.0)
    if told.status != 0:
        raise InfrastructureError(
            "there is no MariaDB server in the sandbox: install 'mariadb-server' or 'make images'"
        )
    parts = (FORMAT, *key, told.text, " ".join(INSTALL), GRANTS.decode())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@asynccontextmanager
async def _locked(path: Path) -> AsyncIterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        await asyncio.to_thread(fcntl.flock, descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


async def _make(sandbox: Sandbox, found: Path) -> None:
    await sandbox.run(["mkdir", "-p", "/work/data"], user="agent")
    for argv, stdin in ((INSTALL, b""), (BOOTSTRAP, GRANTS)):
        done = await sandbox.run(argv, stdin=stdin, user="agent", timeout=SECONDS)
        if done.status != 0:
            tail = (done.stdout + done.stderr).decode("utf-8", "replace")[-800:]
            raise InfrastructureError(f"{argv[0]} ended with status {done.status}: {tail}")
    await sandbox.snapshot(found)
