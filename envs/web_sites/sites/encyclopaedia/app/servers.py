"""One kiwix-serve for each content that sessions read; it ends with this process."""

import atexit
import http.client
import os
import shutil
import socket
import subprocess
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BOOKS = {"encyclopaedia": "Encyclopaedia", "manuals": "Manuals"}
PROGRAM = "kiwix-serve"
MOST_SERVERS, ANSWER_SECONDS = 6, 60.0
TRIES, PAUSE = 3000, 0.02


class ServerError(RuntimeError):
    """kiwix-serve is missing or does not start."""


@dataclass(frozen=True)
class Found:
    """What kiwix-serve answered."""

    status: int
    reason: str
    kind: str
    location: str
    body: bytes


@dataclass
class Server:
    """A kiwix-serve that runs on a port of this machine's own address."""

    process: subprocess.Popen[bytes]
    port: int
    readers: int = 0


class Servers:
    """The servers by the folder of their books; those that nobody has read for longest are ended first."""

    def __init__(self) -> None:
        self._held: OrderedDict[Path, Server] = OrderedDict()
        self._lock = threading.Lock()
        atexit.register(self.close)

    def ask(self, folder: Path, target: str) -> Found:
        """The answer to a GET. Raises ServerError, OSError and HTTPException."""
        try:
            return self._asked(folder, target)
        except (OSError, http.client.HTTPException):
            # It died, or dies; a fresh one is asked, once.
            self._end(folder)
            return self._asked(folder, target)

    def _asked(self, folder: Path, target: str) -> Found:
        with self._reading(folder) as server:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=ANSWER_SECONDS)
            try:
                connection.request("GET", target)
                answer = connection.getresponse()
                head = [answer.getheader(name) or "" for name in ("Content-Type", "Location")]
                return Found(answer.status, answer.reason, head[0], head[1], answer.read())
            finally:
                connection.close()

    def _end(self, folder: Path) -> None:
        with self._lock:
            server = self._held.pop(folder, None)
        if server:
            server.process.kill()
            server.process.wait()

    def close(self) -> None:
        """End all."""
        while self._held:
            self._held.popitem()[1].process.kill()

    @contextmanager
    def _reading(self, folder: Path) -> Iterator[Server]:
        with self._lock:
            server = self._held.get(folder)
            if server is None:
                server = self._held[folder] = _start(folder)
            self._held.move_to_end(folder)
            server.readers += 1
            for other in [one for one, held in self._held.items() if not held.readers][
                : len(self._held) - MOST_SERVERS
            ]:
                self._held.pop(other).process.kill()
        try:
            yield server
        finally:
            with self._lock:
                server.readers -= 1


def program() -> str:
    """Where kiwix-serve is. Raises ServerError."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise ServerError(f"{PROGRAM} is not on this machine; on Debian: apt-get install kiwix-tools")
    return found


def _start(folder: Path) -> Server:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    files = [str(folder / f"{name}.zim") for name in BOOKS]
    options = ["--address=127.0.0.1", f"--port={port}", f"--attachToProcess={os.getpid()}", "--nolibrarybutton"]
    process = subprocess.Popen(
        [program(), *options, "--blockexternal", "--threads=2", *files],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    # The clock stands still here, so that tries are counted.
    for _ in range(TRIES):
        if process.poll() is not None:
            break
        with socket.socket() as door:
            if door.connect_ex(("127.0.0.1", port)) == 0:
                return Server(process, port)
        threading.Event().wait(PAUSE)
    process.kill()
    raise ServerError(f"{PROGRAM} did not start")
