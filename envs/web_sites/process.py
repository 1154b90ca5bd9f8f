"""One process for each site of an event loop, which serves all sessions of the site."""

import asyncio
import contextlib
import json
import secrets
import shutil
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

import httpx2

from envs.base import InfrastructureError
from envs.browser import confine as browser_confine
from envs.sandbox.supervisor import cgroups
from envs.web_sites import confine, install
from envs.web_sites.site import Site
from envs.web_sites.watch import Watch

READY_SECONDS = 120.0
ANSWER_SECONDS = 120.0
STOP_SECONDS = 20.0
MOST_KEPT = 50_000_000
CHARSET = b'@charset "UTF-8";'


@dataclass
class Running:
    """A site's process: where its socket and the folders of its sessions are.

    `kept`: answers that the site calls public, the same for every session.
    """

    process: asyncio.subprocess.Process
    folder: Path
    control: str
    transport: httpx2.AsyncHTTPTransport
    group: cgroups.Group | None = None
    watch: Watch = field(default_factory=Watch)
    kept: dict[bytes, httpx2.Response] = field(default_factory=dict)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.returncode is None

    @property
    def sessions(self) -> Path:
        """The folder of the sessions' folders."""
        return self.folder / "sessions"

    async def ask(
        self, method: str, target: bytes, headers: list[tuple[str, str]], body: bytes = b""
    ) -> httpx2.Response:
        """One request over the socket, whole. Raises httpx2.HTTPError.

        The transport is used as it is: a client would keep one session's cookies and send them with another's requests.
        """
        address = httpx2.URL("http://site/").copy_with(raw_path=target)
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), ANSWER_SECONDS)
        headers = [*headers, ("Accept-Encoding", "identity")]
        request = httpx2.Request(method, address, headers=headers, content=body, extensions={"timeout": timeouts})
        with self.watch.asked():
            response = await self.transport.handle_async_request(request)
            try:
                await response.aread()
            finally:
                await response.aclose()
        return response

    async def serve(
        self, method: str, target: bytes, headers: list[tuple[str, str]], body: bytes = b""
    ) -> httpx2.Response:
        """As `ask`, but what is public is asked for once. An address with a query is always asked for anew."""
        if method == "GET" and target in self.kept:
            return self.kept[target]
        answer = await self.ask(method, target, headers, body)
        if method == "GET" and b"?" not in target and _public(answer):
            answer = _without_charset(answer)
            held = sum(len(one.content) for one in self.kept.values())
            if held + len(answer.content) <= MOST_KEPT:
                self.kept[target] = answer
        return answer

    async def stop(self) -> None:
        """End the process and delete what its sessions left."""
        await self.watch.stop()
        await self.transport.aclose()
        if self.process.stdin:
            self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), STOP_SECONDS)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
        if self.group:
            await asyncio.to_thread(self.group.clear, STOP_SECONDS)
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)


def _public(answer: httpx2.Response) -> bool:
    said = {word.strip() for word in answer.headers.get("cache-control", "").split(",")}
    return answer.status_code == 200 and "public" in said and "set-cookie" not in answer.headers


def _without_charset(answer: httpx2.Response) -> httpx2.Response:
    """A style sheet without its `@charset`, where the header says the same: Chromium reads one that begins with it anew
    on every page, and others once."""
    kind = answer.headers.get("content-type", "").replace('"', "").lower()
    if kind != "text/css; charset=utf-8" or not answer.content.startswith(CHARSET):
        return answer
    headers = [(name, value) for name, value in answer.headers.multi_items() if name.lower() != "content-length"]
    return httpx2.Response(answer.status_code, headers=headers, content=answer.content.removeprefix(CHARSET))


class Sites:
    """The sites' processes; each is started at its first session, and again when it has died."""

    def __init__(self) -> None:
        self._running: dict[str, Running] = {}
        self._tag = secrets.token_hex(4)
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def running(self, site: Site) -> Running:
        """The process of a site. Raises InfrastructureError (SiteUnavailableError when it cannot be installed)."""
        async with self._locks[site.name]:
            found = self._running.get(site.name)
            if found and found.alive:
                return found
            if found:
                await found.stop()
            self._running[site.name] = await _start(site, self._tag)
            return self._running[site.name]

    def processes(self) -> dict[str, int]:
        """The process ids of the sites that run."""
        return {name: running.process.pid for name, running in self._running.items() if running.alive}

    async def close(self) -> None:
        """End every process."""
        running, self._running = list(self._running.values()), {}
        for one in running:
            await one.stop()
        for folder in {one.folder.parent for one in running}:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _start(site: Site, tag: str) -> Running:
    interpreter = await install.python(site)
    # A short path: a socket's address has at most 107 bytes. Sites that share their data share the folder above.
    shared = Path("/tmp") / f"hld-{site.source.name}-{tag}"  # noqa: S108 - of a name that nobody knows
    shared.mkdir(mode=0o700, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{site.name}-", dir=shared))
    (folder / "sessions").mkdir()
    command = [str(interpreter), str(install.common() / install.SERVE), str(site.folder), str(folder)]
    group = None
    if await asyncio.to_thread(browser_confine.obstacle) is None:
        command, group = await asyncio.to_thread(confine.confined, site, interpreter, folder, command)
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=install.surroundings(),
    )
    control = secrets.token_hex(32)
    transport = httpx2.AsyncHTTPTransport(uds=str(folder / "socket"), limits=httpx2.Limits(max_connections=16))
    running = Running(process, folder, control, transport, group)
    running.watch.begin(process)
    try:
        await _until_ready(site, running)
    except BaseException:
        await running.stop()
        raise
    return running


async def _until_ready(site: Site, running: Running) -> None:
    process = running.process
    assert process.stdin
    assert process.stdout
    told = {"control": running.control, "secret": secrets.token_hex(32)}
    process.stdin.write(json.dumps(told).encode() + b"\n")
    try:
        await process.stdin.drain()
        line = await asyncio.wait_for(process.stdout.readline(), READY_SECONDS)
    except (TimeoutError, ConnectionError) as error:
        raise InfrastructureError(f"the site '{site.name}' did not start") from error
    if line.strip() != b"ready":
        raise InfrastructureError(f"the site '{site.name}' ended while it started; its log says why")


_HOLDERS: WeakKeyDictionary[asyncio.AbstractEventLoop, Sites] = WeakKeyDictionary()


def shared() -> Sites:
    """The sites of this event loop."""
    return _HOLDERS.setdefault(asyncio.get_running_loop(), Sites())
