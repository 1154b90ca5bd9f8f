"""What a site needs on this machine: its own virtual environment, and for each seed a template with the content.

Both are made once and kept in the cache folder, under names that change with everything they are made from.
"""

import asyncio
import contextlib
import fcntl
import functools
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from envs.base import InfrastructureError
from envs.web_sites.site import Site, folder

FORMAT = "1"
INSTALL_SECONDS = 900.0
MAKE_SECONDS = 900.0
SIZES = ("full", "small")


class SiteUnavailableError(InfrastructureError):
    """The site cannot be installed or its content cannot be made on this machine; the message says why."""


def cache() -> Path:
    """Where environments and templates are kept: `HELDOUT_CACHE`, or the user's cache folder."""
    named, base = os.environ.get("HELDOUT_CACHE"), os.environ.get("XDG_CACHE_HOME")
    top = Path(named) if named else Path(base or Path.home() / ".cache") / "heldout"
    return (top / "sites").absolute()


def common() -> Path:
    """The programs that all sites share."""
    return folder() / "common"


@functools.cache
def _program_digest(site_folder: Path) -> str:
    digest = hashlib.sha256(FORMAT.encode())
    for root in (common(), site_folder):
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _environment(site: Site) -> Path:
    wanted = site.requirements.read_bytes() + sys.version.encode() + FORMAT.encode()
    return cache() / f"{site.name}-{hashlib.sha256(wanted).hexdigest()[:16]}"


def installed(site: Site) -> bool:
    """Whether the site's virtual environment is there."""
    return (_environment(site) / "ready").is_file()


async def python(site: Site) -> Path:
    """The interpreter of the site's own environment, installed at the first call. Raises SiteUnavailableError."""
    place = _environment(site)
    if not (place / "ready").is_file():
        async with _locked(place.with_suffix(".lock")):
            if not (place / "ready").is_file():
                await _install(site, place)
    return place / "bin" / "python"


async def _install(site: Site, place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    beside = Path(sys.prefix) / "bin" / "uv"
    uv = shutil.which("uv") or (str(beside) if beside.is_file() else None)
    wanted = ["--require-hashes", "-r", str(site.requirements)]
    inside = str(place / "bin" / "python")
    if uv:
        commands = [
            [uv, "venv", "-q", "--python", sys.executable, str(place)],
            [uv, "pip", "install", "-q", "--python", inside, *wanted],
        ]
    else:
        commands = [[sys.executable, "-m", "venv", str(place)], [inside, "-m", "pip", "install", "-q", *wanted]]
    for command in commands:
        told = await _run(command, INSTALL_SECONDS)
        if told is not None:
            shutil.rmtree(place, ignore_errors=True)
            raise SiteUnavailableError(f"the packages of the site '{site.name}' could not be installed: {told}")
    (place / "ready").write_text(FORMAT)


async def template(site: Site, seed: int, size: str = "full") -> Path:
    """The folder with the content of a seed: `site.sqlite3` and `media/`. Raises SiteUnavailableError."""
    site = site.source
    interpreter = await python(site)
    sign = hashlib.sha256(f"{_program_digest(site.folder)}:{_environment(site)}:{seed}:{size}".encode()).hexdigest()
    place = cache() / f"{site.name}-content-{sign[:20]}"
    if place.is_dir():
        return place
    async with _locked(place.with_suffix(".lock")):
        if not place.is_dir():
            await _make(site, interpreter, place, [str(seed), size])
    return place


async def _make(site: Site, interpreter: Path, place: Path, arguments: list[str]) -> None:
    temporary = Path(tempfile.mkdtemp(prefix=f".{site.name}-", dir=cache()))
    try:
        command = [str(interpreter), str(common() / "make.py"), str(site.folder), str(temporary), *arguments]
        told = await _run(command, MAKE_SECONDS, clean=True)
        if told is not None or not (temporary / "site.sqlite3").is_file():
            raise SiteUnavailableError(f"the content of the site '{site.name}' could not be made: {told}")
        (temporary / "site.sqlite3").chmod(0o444)
        temporary.rename(place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def surroundings() -> dict[str, str]:
    """The variables of a site's processes: nothing of the service's own."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    # Modules are compiled next to their sources; the order of sets does not differ from run to run.
    return kept | {"HOME": "/nonexistent", "PYTHONHASHSEED": "0", "PYTHONNOUSERSITE": "1", "TZ": "UTC"}


async def _run(command: list[str], seconds: float, *, clean: bool = False) -> str | None:
    """None when the command ended well, else the end of what it said."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=surroundings() if clean else None,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(), seconds)
    except TimeoutError:
        return f"it took more than {seconds:.0f} s"
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return None if process.returncode == 0 else said.decode("utf-8", "replace")[-800:]


@asynccontextmanager
async def _locked(path: Path) -> AsyncIterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        await asyncio.to_thread(fcntl.flock, descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
