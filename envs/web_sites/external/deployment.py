"""Whose turn it is at a deployment, whether it is well, and how it is put back."""

import asyncio
import hashlib
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import filelock
import httpx2
import stamina

from envs.base import InfrastructureError
from envs.web_sites import install
from envs.web_sites.external import commands
from envs.web_sites.external.commands import Owner
from envs.web_sites.external.spec import Container, ExternalSite, Hook, Place, Volume

LONGEST_PAUSE = 1.0


class NotWellError(InfrastructureError):
    """The site does not answer as its description says it does."""


class BusyError(InfrastructureError):
    """Other sessions have the site."""


@dataclass
class Turn:
    """One session's turn at a place. `dirty`: something was sent that may have changed the site."""

    site: ExternalSite
    place: Place
    dirty: bool = False
    lock: filelock.BaseFileLock | None = field(default=None, repr=False)

    @property
    def owner(self) -> Owner:
        """Whose programs run, with this place's values."""
        return Owner(self.site.name, self.place.values | {"address": self.place.address, "upstream": self.place.target})

    def give_back(self) -> None:
        """End the turn. A site that was used is put back before the next one."""
        if self.lock is None:
            return
        reset = self.site.reset
        if reset and reset.after == "writes" and not self.dirty:
            _mark(self.place).write_text("clean", encoding="utf-8")
        self.lock.release()
        self.lock = None


def _mark(place: Place) -> Path:
    return _file(place, "content")


def folder() -> Path:
    """Where it is kept whose turn it is: the same for all processes that are to wait for each other."""
    place = install.cache().parent / "deployments"
    place.mkdir(parents=True, exist_ok=True)
    return place


def _file(place: Place, ending: str) -> Path:
    return folder() / f"{hashlib.sha256(place.target.encode()).hexdigest()[:20]}.{ending}"


async def turn(site: ExternalSite) -> Turn:
    """A turn at one of the site's places, put back and well. Raises InfrastructureError (BusyError, NotWellError).

    Sessions of all processes of this machine wait for each other here, unless the site is shared.
    """
    if site.sharing == "shared":
        taken = Turn(site, site.places()[0])
        await well(taken)
        return taken
    taken = await _taken(site)
    try:
        mark = _mark(taken.place)
        if site.reset and not (mark.exists() and mark.read_text(encoding="utf-8") == "clean"):
            await put_back(taken)
        else:
            await well(taken)
        # Until the turn is given back: a process that dies leaves a site that counts as used.
        mark.write_text("used", encoding="utf-8")
    except BaseException:
        taken.give_back()
        raise
    return taken


async def _taken(site: ExternalSite) -> Turn:
    locks = [(place, filelock.FileLock(_file(place, "lock"), thread_local=False)) for place in site.places()]

    def free() -> Turn:
        for place, lock in locks:
            try:
                lock.acquire(blocking=False)
            except filelock.Timeout:
                continue
            return Turn(site, place, lock=lock)
        raise BusyError(f"the site '{site.name}' was busy for {site.wait_seconds:g} s")

    return await _retried(BusyError, site.wait_seconds, free)


async def _retried(on: type[Exception], seconds: float, work: Callable[[], "Turn | Awaitable[Turn]"]) -> Turn:
    async for attempt in stamina.retry_context(
        on=on, attempts=None, timeout=seconds, wait_initial=0.05, wait_max=LONGEST_PAUSE, wait_jitter=0.1
    ):
        with attempt:
            found = work()
            return found if isinstance(found, Turn) else await found
    raise AssertionError("retrying ends with a result or an error")


async def well(taken: Turn) -> None:
    """Wait until the site is well. Raises NotWellError when its time for that is over."""
    health = taken.site.health
    url = taken.place.target + health.path

    async def look() -> Turn:
        try:
            async with httpx2.AsyncClient(timeout=health.seconds, verify=taken.site.verify_tls) as client:
                answer = await client.get(url, headers={"Host": taken.place.host})
        except httpx2.HTTPError as error:
            raise NotWellError(
                f"the site '{taken.site.name}' does not answer at {url}: {type(error).__name__}"
            ) from error
        if health.status not in (None, answer.status_code) or (health.status is None and answer.status_code >= 400):
            should = health.status or "less than 400"
            raise NotWellError(f"{url} answers {answer.status_code} and should answer {should}")
        if health.says not in answer.text:
            raise NotWellError(f"the page at {url} does not hold {health.says[:80]!r}")
        return taken

    await _retried(NotWellError, health.seconds, look)


async def put_back_alone(asked: Turn) -> None:
    """As `put_back`, for who has no turn: refused while a session has one. Raises BusyError."""
    lock = filelock.FileLock(_file(asked.place, "lock"), thread_local=False)
    try:
        lock.acquire(blocking=False)
    except filelock.Timeout:
        raise BusyError(f"a session is on the site '{asked.site.name}'; try again when it is over") from None
    try:
        await put_back(asked)
        _mark(asked.place).write_text("clean", encoding="utf-8")
    finally:
        lock.release()


async def put_back(taken: Turn) -> None:
    """Put the site back to its content, and wait until it is well. Raises InfrastructureError."""
    reset, owner = taken.site.reset, taken.owner
    if reset is None:
        raise InfrastructureError(f"sites.toml does not say how the site '{taken.site.name}' is put back")
    match (reset.command, reset.http, reset.container, reset.volume):
        case (tuple() as command, _, _, _):
            await commands.run(owner, "the reset", command, reset.seconds)
        case (_, Hook() as hook, _, _):
            await commands.call(owner, "the reset", hook, reset.seconds)
        case (_, _, Container() as container, _):
            await _made_anew(owner, container, reset.seconds)
        case (_, _, _, Volume() as volume):
            await _restored(owner, volume, reset.seconds)
    await well(taken)


async def _made_anew(owner: Owner, container: Container, seconds: float) -> None:
    if container.run:
        await commands.run(owner, "removing the container", ("docker", "rm", "--force", container.name), seconds)
        line = ("docker", "run", "--detach", "--name", container.name, *container.run)
        await commands.run(owner, "starting the container", line, seconds)
    else:
        await commands.run(owner, "restarting the container", ("docker", "restart", container.name), seconds)


async def _restored(owner: Owner, volume: Volume, seconds: float) -> None:
    path, snapshot = (Path(owner.filled(str(one))) for one in (volume.path, volume.snapshot))
    if not snapshot.is_dir():
        raise InfrastructureError(f"the snapshot of the site '{owner.site}' is no folder: {snapshot}")
    if volume.container:
        await commands.run(owner, "stopping the container", ("docker", "stop", volume.container), seconds)
    try:
        await asyncio.to_thread(_same_content, snapshot, path)
    except OSError as error:
        raise InfrastructureError(f"the volume of the site '{owner.site}' cannot be put back: {error}") from error
    finally:
        if volume.container:
            await commands.run(owner, "starting the container", ("docker", "start", volume.container), seconds)


def _same_content(snapshot: Path, path: Path) -> None:
    """Make `path` hold what `snapshot` holds; the folder itself stays, for it may be mounted."""
    path.mkdir(parents=True, exist_ok=True)
    for entry in path.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    shutil.copytree(snapshot, path, symlinks=True, dirs_exist_ok=True)
