"""A few blocking connections, for threads that cannot await: those that grade ask judges."""

from collections.abc import Mapping

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from api.core.db import SEARCH_PATH, Role, address, libpq
from api.core.settings import Settings

UNREACHABLE = (psycopg.Error, PoolTimeout)
"""What `BlockingDatabase.row` raises when the database does not answer."""
_WAIT = 10.0


class BlockingDatabase:
    """At most four connections of a role, opened when first needed. Safe between threads."""

    def __init__(self, settings: Settings, role: Role, name: str) -> None:
        options = {
            "options": f"-c search_path={SEARCH_PATH}",
            "connect_timeout": 10,
            "autocommit": True,
            "application_name": name,
        }
        self._pool = ConnectionPool(
            lambda: libpq(address(settings, role)),  # the password may be replaced meanwhile
            min_size=0,
            max_size=4,
            open=False,
            kwargs=options,
            timeout=_WAIT,
            check=ConnectionPool.check_connection,
        )

    def row(self, statement: str, values: Mapping[str, object]) -> tuple[object, ...] | None:
        """The first row of one statement with named values (`%(name)s`), committed. Raises one of UNREACHABLE."""
        self._pool.open()
        with self._pool.connection() as connection:
            return connection.execute(statement, values).fetchone()

    @property
    def opened(self) -> int:
        """How many connections were ever opened."""
        return int(self._pool.get_stats().get("connections_num", 0))

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()
