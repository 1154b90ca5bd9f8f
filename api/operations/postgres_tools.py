"""`pg_dump` and `pg_restore` of the embedded PostgreSQL's release (18), which know servers from 15 on."""

import os
import subprocess
from typing import IO

from psycopg.conninfo import conninfo_to_dict

from api.core.db import Role, address, local_server
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


def run_program(
    settings: Settings,
    program: str,
    *arguments: str,
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    stdout: IO[bytes] | int = subprocess.DEVNULL,
) -> None:
    """Run one against the instance's database, as its owner. Raises LocalServerError with what it said."""
    url = address(settings, Role.ADMIN).set(drivername="postgresql").render_as_string(hide_password=False)
    # In the environment: arguments are readable by everybody on the machine.
    known = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    if unknown := known.keys() - _VARIABLES.keys():
        raise LocalServerError(f"HELDOUT_DATABASE_URL says {', '.join(sorted(unknown))}, which {program} is not told")
    as_other = local_server(settings) is not None and os.geteuid() == 0
    environment = {"PATH": os.environ.get("PATH", "")} | {_VARIABLES[name]: value for name, value in known.items()}
    done = subprocess.run(
        [str(binaries(for_others=as_other) / program), *arguments],
        user=SYSTEM_USER if as_other else None,
        cwd="/",
        env=environment,
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise LocalServerError(f"{program} ended with {done.returncode}: {said[-1500:]}")
