"""PostgreSQL and pgbouncer as an operator runs them: TLS, passwords, an owner that is no superuser.

Debian's newest server, or the one in the folder that HELDOUT_TEST_POSTGRES names (`make test-postgres`).
"""

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import psycopg
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from api.core.db import Role, address
from api.core.localpg import binaries
from api.core.settings import Settings

OWNER = "heldout_owner"
DATABASE = "heldout"
DEADLINE = 60.0
_USER = "postgres"
# What docs/operating.md asks a superuser to run, before the first migration.
RIGHTS = (
    f"create role {OWNER} login createrole password '{{password}}'",
    f"create database {DATABASE} owner {OWNER} encoding 'utf8' template template0",
)


def programs() -> Path | None:
    """The folder of the server's programs, if there is one. Raises FileNotFoundError for a chosen one that is none."""
    if chosen := os.environ.get("HELDOUT_TEST_POSTGRES"):
        folder = Path(chosen) / "bin"
        if not (folder / "initdb").is_file():
            raise FileNotFoundError(f"HELDOUT_TEST_POSTGRES: no initdb in {folder}")
        return folder
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return found[-1].parent if found else None


def missing() -> str | None:
    """Why such a server cannot be had here."""
    if os.geteuid() != 0:
        return "a server of another user needs root"
    if programs() is None:
        return "Debian's PostgreSQL is not installed: OPTIONAL='postgresql pgbouncer' bash infra/setup.sh"
    return None


@dataclass(frozen=True)
class External:
    """A running server. `address` has no password; that is in `password_file`."""

    folder: Path
    port: int
    password: str
    certificate: Path

    @property
    def password_file(self) -> Path:
        return self.folder / "password"

    @property
    def address(self) -> str:
        tls = f"sslmode=verify-full&sslrootcert={self.certificate}"
        return f"postgresql://{OWNER}@localhost:{self.port}/{DATABASE}?{tls}"

    def superuser(self, statement: str, database: str = DATABASE) -> list[tuple[object, ...]]:
        """Run one statement over the server's own socket."""
        where = {"host": str(self.folder), "port": self.port, "user": _USER, "dbname": database}
        with psycopg.connect(autocommit=True, **where) as connection:  # type: ignore[arg-type]
            done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, program: str, *arguments: object) -> None:
        """One of PostgreSQL's programs, as the server's user, on this server. Raises CalledProcessError."""
        bins = programs()
        assert bins
        if not (bins / program).exists():
            # Folders of servers alone; the clients of the newest release know older servers.
            bins = binaries(for_others=True)
        where = {"PGHOST": str(self.folder), "PGPORT": str(self.port), "PGUSER": _USER, "PATH": os.environ["PATH"]}
        command = [str(bins / program), *map(str, arguments)]
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, cwd="/", env=where, user=_USER, group=_USER, extra_groups=[]
        )

    def control(self, action: str, *options: object) -> None:
        """`pg_ctl start`, `stop` or `restart`; what stops does it at once, as a failing machine does."""
        mode = () if action == "start" else ("-m", "immediate")
        log = () if action == "stop" else ("-l", self.folder / "log")
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "60", *mode, *log, *options, action)


def certificate(folder: Path) -> Path:
    """A key and a certificate of localhost's own, in `folder`; the certificate's path."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(IPv4Address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "server.key").write_bytes(key.private_bytes(serialization.Encoding.PEM, *private))
    (folder / "server.crt").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return folder / "server.crt"


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def free_ports(count: int) -> int:
    """The first of so many ports in a row that nobody listens at."""
    while True:
        first = free_port()
        with contextlib.suppress(OSError, OverflowError), contextlib.ExitStack() as stack:
            for port in range(first, first + count):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            return first


def _own(path: Path) -> None:
    for part in (path, *path.rglob("*")):
        shutil.chown(part, _USER, _USER)
        part.chmod(0o700 if part.is_dir() else 0o600)


@contextmanager
def external_postgres(folder: Path, settings: str = "") -> Iterator[External]:
    """A server that takes TLS and passwords alone, with the database and the owner that the documentation asks for.

    `settings`: further lines of its postgresql.conf.
    """
    crt = certificate(folder)
    trusted = folder / "root.crt"
    trusted.write_bytes(crt.read_bytes())
    _own(folder)
    folder.chmod(0o755)
    trusted.chmod(0o644)
    data, password = folder / "data", secrets.token_urlsafe(24)
    made = External(folder, free_port(), password, trusted)
    made.run("initdb", "-D", data, "-E", "utf8", "--no-sync", "--auth-local=trust", "--auth-host=reject")
    (data / "pg_hba.conf").write_text(
        f"local all,replication {_USER} trust\n"
        "hostssl all all 127.0.0.1/32 scram-sha-256\nhostnossl all all 127.0.0.1/32 reject\n"
    )
    made.password_file.write_text(password + "\n")
    made.password_file.chmod(0o600)
    with (data / "postgresql.conf").open("a") as file:
        file.write(f"port = {made.port}\nunix_socket_directories = '{folder}'\nlisten_addresses = '127.0.0.1'\n")
        file.write(f"ssl = on\nssl_cert_file = '{crt}'\nssl_key_file = '{folder / 'server.key'}'\nfsync = off\n")
        file.write(settings)
    made.control("start")
    try:
        for statement in RIGHTS:
            made.superuser(statement.format(password=password), database="postgres")
        yield made
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            made.control("stop")


@contextmanager
def pgbouncer(server: External, settings: Settings) -> Iterator[str]:
    """A pooler in transaction mode before `server` with the fewest connections that can work; its address."""
    folder = server.folder / "pooler"
    folder.mkdir()
    port, users, crt = free_port(), folder / "users", certificate(folder)
    roles = (Role.WEB, Role.WORKER, Role.HOST)
    users.write_text("".join(f'"{role.value}" "{address(settings, role).password}"\n' for role in roles))
    settings_file = folder / "pgbouncer.ini"
    settings_file.write_text(f"""[databases]
{DATABASE} = host=127.0.0.1 port={server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {users}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
client_tls_sslmode = require
client_tls_cert_file = {crt}
client_tls_key_file = {folder / "server.key"}
server_tls_sslmode = verify-full
server_tls_ca_file = {server.certificate}
""")
    _own(folder)
    folder.chmod(0o755)
    (folder / "server.crt").chmod(0o644)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            ["pgbouncer", str(settings_file)], user=_USER, group=_USER, extra_groups=[], cwd="/", stderr=log
        )
    try:
        _until_listening(process, port)
        yield f"postgresql://localhost:{port}/{DATABASE}?sslmode=verify-full&sslrootcert={crt}"
    finally:
        process.kill()
        process.wait()


def _until_listening(process: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + DEADLINE
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens at {port}; exit code {process.poll()}")
