"""A network of its own for the browser: Chromium runs where nothing but the sessions' gateways can be reached.

bubblewrap starts it in a network namespace that holds one interface, the loopback, and in process, mount and IPC
namespaces. Before Chromium starts, a few lines of Python open one listening socket in that namespace and hand its
descriptor out; connections to it are accepted out here. So there is no route, no name server and no process in
between: a request that reaches no gateway reaches nothing. Each session is known by a loopback address of its own.
The same lines hand out the pipe over which the browser is ordered about (see `line`), also where it has no network of
its own.
As root the browser also gives up root, and a control group bounds its memory: beyond it the kernel ends the page that
needs most.
"""

import array
import asyncio
import functools
import os
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from envs.sandbox.supervisor import cgroups

PORT = 3128
MEMORY_BYTES = 6 << 30
PROCESSES = 4000
DISK_BYTES = 1 << 30
HANDOVER_SECONDS = 120.0
NOBODY = 65534
PIPE_BYTES = 1 << 20
# Run before the browser: its pipes, and the socket of its own network, out through the door; root given up; then the
# browser in this place. What starts it gives it the orders as descriptor 3 and takes its answers from 4.
INNER = f"""
import array, fcntl, os, socket, sys
door, own, argv = sys.argv[1], sys.argv[2] == "own", sys.argv[3:]
orders, to_browser = os.pipe()
from_browser, answers = os.pipe()
fcntl.fcntl(from_browser, 1031, {PIPE_BYTES})
handed = [3, 4, to_browser, from_browser]
if own:
    inside = socket.socket()
    inside.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    inside.bind(("0.0.0.0", {PORT}))
    inside.listen(1024)
    handed.append(inside.fileno())
out = socket.socket(socket.AF_UNIX)
out.connect(door)
out.sendmsg([b"1"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", handed))])
out.close()
if own:
    inside.close()
os.dup2(orders, 3)
os.dup2(answers, 4)
if own and os.geteuid() == 0:
    os.setgroups([])
    os.setresgid({NOBODY}, {NOBODY}, {NOBODY})
    os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
os.execv(argv[0], argv)
"""
TREES = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/nix/store")
FILES = (
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
)


def _python() -> Path:
    # Not the virtual environment's link: that would want the environment's folder inside.
    return Path(sys.executable).resolve()


def arguments(program: Path, folder: Path) -> list[str]:
    """bubblewrap's command line around `program`, whose own arguments come after it; `folder` holds the door."""
    line = ["bwrap", "--die-with-parent", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    if os.geteuid() == 0:
        line += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    for place in (*TREES, *FILES):
        line += ["--ro-bind-try", place, place]
    for place in {str(Path(sys.base_prefix).resolve()), str(program.resolve().parent)}:
        if not place.startswith("/usr/") and place not in ("/usr", "/"):
            line += ["--ro-bind", place, place]
    line += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(DISK_BYTES), "--tmpfs", "/tmp"]  # noqa: S108
    line += ["--ro-bind", str(folder), "/door", "--setenv", "HOME", "/tmp", "--chdir", "/"]  # noqa: S108
    return [*line, "--", *_inner("/door/socket", "own"), str(program.resolve())]


def _inner(door: str, network: str) -> list[str]:
    return [str(_python()), "-I", "-S", "-c", INNER, door, network]


@dataclass(frozen=True)
class Handed:
    """What came out through a door: the ends of both pipes, as `line.Line` takes them, the listening socket of the
    browser's own network, if it has one, and the browser's process as it is numbered out here."""

    pipes: tuple[int, int, int, int]
    process: int
    listener: socket.socket | None


class Door:
    """The place through which a browser hands its pipes out, and the listening socket of its own network where it gets
    one. Use once; close it."""

    def __init__(self, own_network: bool = True) -> None:
        self.own_network = own_network
        self._folder = tempfile.TemporaryDirectory(prefix="hld-door-", ignore_cleanup_errors=True)
        self.place = Path(self._folder.name)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.place / "socket"))
        self._listener.listen(1)
        self._listener.setblocking(False)
        # The browser's user inside is another one; the folder's name is not told to anybody else.
        self.place.chmod(0o755)
        (self.place / "socket").chmod(0o666)
        self._group: cgroups.Group | None = None

    def wrapper(self, program: Path) -> Path:
        """A file to start instead of `program`, with the same arguments and descriptors."""
        if self.own_network:
            bounds, command = self._bounds(), arguments(program, self.place)
        else:
            bounds, command = [], [*_inner(str(self.place / "socket"), "shared"), str(program)]
        lines = ["#!/bin/sh", *bounds, f'exec {shlex.join(command)} "$@"']
        file = self.place / "browser"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        file.chmod(0o755)
        return file

    async def handed(self) -> Handed:
        """What the browser hands out. The listening socket takes connections out here. Raises TimeoutError when nothing
        comes.
        """
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(HANDOVER_SECONDS):
            connection, _ = await loop.sock_accept(self._listener)
        with connection:
            connection.setblocking(True)
            connection.settimeout(HANDOVER_SECONDS)
            return await asyncio.to_thread(_received, connection)

    def _bounds(self) -> list[str]:
        self._group = cgroups.bounded(f"browser-{self.place.name}", MEMORY_BYTES, PROCESSES)
        return joining(self._group)

    def close(self) -> None:
        """Nothing can come through any more. Call it when the browser has ended: what is left of it is ended too."""
        self._listener.close()
        self._folder.cleanup()
        if self._group:
            self._group.clear(10)


def joining(group: cgroups.Group | None) -> list[str]:
    """The shell's lines by which a process enters a group."""
    return [f"echo $$ > {shlex.quote(str(file))}" for file in group.entries("agent")] if group else []


def _received(connection: socket.socket) -> Handed:
    descriptors = array.array("i")
    _, ancillary, _, _ = connection.recvmsg(1, socket.CMSG_SPACE(5 * descriptors.itemsize))
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(data)
    if len(descriptors) < 4:
        raise ConnectionError("no pipe came out of the browser's network")
    orders, answers, to_browser, from_browser, *sockets = descriptors
    listener = socket.socket(fileno=sockets[0]) if sockets else None
    if listener:
        listener.setblocking(False)
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return Handed((orders, answers, to_browser, from_browser), struct.unpack("3i", credentials)[0], listener)


@functools.cache
def obstacle() -> str | None:
    """Why the browser cannot have a network of its own on this machine; None where it can. Tried once, for real."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed: run infra/setup.sh, or install 'bubblewrap'"
    door = Door()
    try:
        # Nobody listens at the pipes of what is tried.
        line = ["/bin/sh", "-c", 'exec "$@" 3</dev/null 4>/dev/null', "sh", *arguments(Path("/bin/true"), door.place)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=HANDOVER_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return f"bubblewrap does not start: {error}"
    finally:
        door.close()
    if done.returncode:
        return f"bubblewrap cannot make one: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
    return None
