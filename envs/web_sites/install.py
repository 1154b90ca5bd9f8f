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
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from envs.base import InfrastructureError
from envs.cache import cache as shared_cache
from envs.cache import extract as shared_extract
from envs.web_sites.site import Site, folder, site

FORMAT = "1"
INSTALL_SECONDS = 900.0
MAKE_SECONDS = 900.0
SIZES = ("full", "small")
PROGRAMS = MAKE, SERVE = "make.py", "serve.py"


class SiteUnavailableError(InfrastructureError):
    """The site cannot be installed or its content cannot be made on this machine; the message says why."""


def cache() -> Path:
    """Where environments and templates are kept."""
    return shared_cache() / "sites"


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
    if site.libraries.is_file():
        wanted += site.libraries.read_bytes()
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
    interpreter = await asyncio.to_thread(_interpreter, site)
    wanted = ["--require-hashes", "-r", str(site.requirements)]
    inside = str(place / "bin" / "python")
    if uv:
        await _carry_out(site, place, [uv, "venv", "-q", "--python", interpreter or str(site.python), str(place)])
        await _carry_out(site, place, [uv, "pip", "install", "-q", "--compile-bytecode", "--python", inside, *wanted])
    elif interpreter:
        await _carry_out(site, place, [interpreter, "-m", "venv", str(place)])
        await _carry_out(site, place, [inside, "-m", "pip", "install", "-q", *wanted])
    else:
        raise SiteUnavailableError(f"the site '{site.name}' needs Python {site.python} or newer on this machine, or uv")
    if site.libraries.is_file():
        npm = shutil.which("npm")
        if npm is None:
            raise SiteUnavailableError(f"the site '{site.name}' needs npm on this machine")
        for file in (site.libraries, site.libraries.with_name("package.json")):
            shutil.copy(file, place)
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        await _carry_out(site, place, [npm, "ci", *options, "--prefix", str(place)])
    (place / "ready").write_text(FORMAT)


async def _carry_out(site: Site, place: Path, command: list[str]) -> None:
    told = await _run(command, INSTALL_SECONDS)
    if told is not None:
        shutil.rmtree(place, ignore_errors=True)
        raise SiteUnavailableError(f"the packages of the site '{site.name}' could not be installed: {told}")


def _interpreter(site: Site) -> str | None:
    """A Python that is new enough for the site: our own, or another of this machine."""
    least = tuple(int(part) for part in (site.python or "3.0").split("."))
    if sys.version_info >= least:
        return sys.executable
    names = [f"python3.{minor}" for minor in range(least[1], least[1] + 3)]
    built = sorted((Path.home() / ".pyenv" / "versions").glob("3.*/bin/python3"))
    for candidate in filter(None, [*map(shutil.which, names), *map(str, built)]):
        # What is on the path may be a stand-in that runs nothing.
        test = f"import sys, venv, ensurepip; raise SystemExit(sys.version_info < {least})"
        try:
            done = subprocess.run([candidate, "-c", test], capture_output=True, timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return str(candidate)
    return None


def extract(site: Site, digest: str) -> Path:
    """The file of which a site's content is made: one that another world made here, else the owner's.

    Raises SiteUnavailableError for another one or none.
    """
    if (made := shared_extract(digest)).is_file():
        return made
    named = os.environ.get(site.extract or "")
    if not named:
        name = site.extract or "the world that makes it"
        raise SiteUnavailableError(f"'{site.name}' is made from a file here; {name} must name it")
    if file_digest(Path(named)) != digest:
        raise SiteUnavailableError(f"the file that {site.extract} names is not the one of the task ({digest[:16]})")
    return Path(named)


def extracts(names: Iterable[str]) -> dict[str, str]:
    """The digests of the files that this machine's owner named for these sites."""
    found = {name: os.environ.get(site(name).extract or "") for name in names}
    return {name: file_digest(Path(file)) for name, file in found.items() if file}


def file_digest(file: Path) -> str:
    """SHA-256. Raises SiteUnavailableError for a file that cannot be read."""
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise SiteUnavailableError(f"{file} cannot be read: {error.strerror}") from error


async def template(site: Site, seed: int, size: str = "full", digest: str | None = None) -> Path:
    """The folder with the content of a seed: `site.sqlite3` and `media/`. Raises SiteUnavailableError.

    `digest`: of the owner's file from which it is made (see `extract`), where it is not invented.
    """
    site = site.source
    interpreter = await python(site)
    given = [] if digest is None else [str(await asyncio.to_thread(extract, site, digest))]
    made_of = f"{_program_digest(site.folder)}:{_environment(site)}:{seed}:{size}{f':{digest}' if digest else ''}"
    sign = hashlib.sha256(made_of.encode()).hexdigest()
    place = cache() / f"{site.name}-content-{sign[:20]}"
    if place.is_dir():
        return place
    async with _locked(place.with_suffix(".lock")):
        if not place.is_dir():
            await _make(site, interpreter, place, [str(seed), size, *given])
    return place


async def _make(site: Site, interpreter: Path, place: Path, arguments: list[str]) -> None:
    temporary = Path(tempfile.mkdtemp(prefix=f".{site.name}-", dir=cache()))
    try:
        command = [str(interpreter), str(common() / MAKE), str(site.folder), str(temporary), *arguments]
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
        # A busy machine takes longer over a large module than the minute after which uv gives up all of it.
        env=surroundings() if clean else {"UV_COMPILE_BYTECODE_TIMEOUT": f"{INSTALL_SECONDS:.0f}"} | os.environ,
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
