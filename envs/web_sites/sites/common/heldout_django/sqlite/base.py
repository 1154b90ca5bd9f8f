"""Django's SQLite backend, with the session's file in place of a configured one."""

from typing import Any

import tenancy
from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection belongs to the session it was opened in; in another session it is closed and opened anew."""

    def get_connection_params(self) -> dict[str, Any]:
        """The session's file. Raises NoSessionError outside a session."""
        self._owner = tenancy.database()
        return super().get_connection_params() | {"database": str(self._owner)}

    def ensure_connection(self) -> None:
        """Connect to the session's own file, whatever this thread served before."""
        if self.connection is not None and self._owner != tenancy.database():
            self.close()
        super().ensure_connection()
