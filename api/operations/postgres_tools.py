"""`pg_dump` and `pg_restore` of the embedded PostgreSQL's release (18), which know servers from 15 on.

These have no TLS: for a server that is asked for it, the machine's own are run; and so for one that is newer than they.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import IO

import psycopg
from psycopg.conninfo import conninfo_to_dict

from api.core.db import Role, address, libpq, local_server
from api.core.localpg import SYSTEM_USER, LocalServerError, binaries
from api.core.settings import Settings

_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "options": "PGOPTIONS",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}
_ENCRYPTED = {"require", "verify-ca", "verify-full"}
_DEBIAN = Path("/usr/lib/postgresql")
_INSTALL = (
    "install PostgreSQL's client programs of the server's release or a later one (Debian: postgresql-client-18 and the "
    "like, where its release has none from apt.postgresql.org; the service's image: docs/operating.md, Backup)"
)
# Of a server that is newer than the program; of a dump that a newer one wrote.
_TOO_OLD = ("server version mismatch", "unsupported version")
_BY_OWNER = re.compile(r"^(ALTER DEFAULT PRIVILEGES )FOR ROLE (?:\"[^\"]+\"|\S+) (.*;)$", re.MULTILINE)


def run_program(
    settings: Settings,
    program: str,
    *arguments: str,
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    stdout: IO[bytes] | int = subprocess.DEVNULL,
) -> None:
    """Run one against the instance's database, as its owner. Raises LocalServerError with what it said."""
    url = libpq(address(settings, Role.ADMIN))
    # In the environment: arguments are readable by everybody on the machine.
    known = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    if unknown := known.keys() - _VARIABLES.keys():
        raise LocalServerError(f"HELDOUT_DATABASE_URL says {', '.join(sorted(unknown))}, which {program} is not told")
    as_other = local_server(settings) is not None and os.geteuid() == 0
    encrypted = known.get("sslmode") in _ENCRYPTED
    environment = {"PATH": os.environ.get("PATH", "")} | {_VARIABLES[name]: value for name, value in known.items()}
    own = _on_the_machine(program)
    if encrypted and not own:
        raise LocalServerError(f"the server is asked for TLS, which the embedded {program} does not know: {_INSTALL}")
    begins = own if encrypted else [str(binaries(for_others=as_other) / program), *own]
    for number, path in enumerate(begins, 1):
        done = subprocess.run(
            [path, *arguments],
            user=SYSTEM_USER if as_other else None,
            cwd="/",
            env=environment,
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
        )
        if not done.returncode:
            return
        said = done.stderr.decode(errors="replace").strip()
        too_old = any(words in said for words in _TOO_OLD)
        # It has looked at versions before it read or wrote anything else.
        if not too_old or number == len(begins):
            remedy = f"\n{_INSTALL}" if too_old else ""
            raise LocalServerError(f"{program} ended with {done.returncode}: {said[-1500:]}{remedy}")
        if not isinstance(stdin, int):
            stdin.seek(0)


def restore_dump(settings: Settings, dump: IO[bytes]) -> None:
    """A custom-format dump into the instance's empty database, whose owner need not be the dumped one's.

    What later tables grant is kept by owner, and `--no-owner` leaves the dumped one's name there: that part is given
    to the owner of now. Raises LocalServerError.
    """
    url = address(settings, Role.ADMIN)
    database = url.database or ""
    with (
        tempfile.TemporaryFile() as everything,
        tempfile.TemporaryFile() as later,
        tempfile.NamedTemporaryFile("w") as chosen,
    ):
        Path(chosen.name).chmod(0o644)  # names of tables, for the account that the program runs as
        _read(settings, dump, "--list", out=everything)
        lines = everything.read().decode().splitlines()
        grants = [line for line in lines if " DEFAULT ACL " in line]
        _choose(chosen, [line for line in lines if line not in grants])
        all_or_none = ("--no-owner", "--exit-on-error", "--single-transaction")
        _read(settings, dump, *all_or_none, "-d", database, "-L", chosen.name)
        if not grants:
            return
        _choose(chosen, grants)
        _read(settings, dump, "-f", "-", "-L", chosen.name, out=later)
        script = later.read().decode()
        with psycopg.connect(libpq(url)) as connection:
            for statement in _BY_OWNER.finditer(script):
                connection.execute("".join(statement.groups()).encode())


def _choose(file: IO[str], lines: list[str]) -> None:
    file.seek(0)
    file.truncate()
    file.write("\n".join([*lines, ""]))
    file.flush()


def _read(settings: Settings, dump: IO[bytes], *arguments: str, out: IO[bytes] | int = subprocess.DEVNULL) -> None:
    dump.seek(0)
    run_program(settings, "pg_restore", *arguments, stdin=dump, stdout=out)
    if not isinstance(out, int):
        out.seek(0)


def _on_the_machine(program: str) -> list[str]:
    """The newest of its kind that the machine has, in Debian's folders or on the path; none where it has none."""
    found = [str(path) for path in _DEBIAN.glob(f"*/bin/{program}")]
    found += [path for path in (shutil.which(program),) if path]
    return sorted(found, key=_release)[-1:]


def _release(path: str) -> tuple[int, ...]:
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    said = re.search(r"\) (\d+)(?:\.(\d+))?", done.stdout)
    return tuple(int(part or 0) for part in said.groups()) if said else ()
