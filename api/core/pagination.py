"""Keyset pages. A cursor is sealed: it can be neither read nor forged, and holds good for one listing only."""

import base64
import json
from typing import Any

from api.core.crypto import SealError, seal, unseal
from api.core.errors import ServiceError


class BadCursorError(ServiceError):
    status = 404
    code = "bad_cursor"
    title = "There is no such page of this listing"


class Cursors:
    """Makes and reads cursors."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def encode(self, listing: str, values: list[Any]) -> str:
        """The cursor that continues `listing` after the row with these sort values (JSON)."""
        sealed = seal(self._key, json.dumps(values, default=str).encode(), listing)
        return base64.urlsafe_b64encode(sealed).decode().rstrip("=")

    def decode(self, listing: str, cursor: str | None) -> list[Any] | None:
        """The sort values, or None without a cursor. Raises BadCursorError."""
        if not cursor:
            return None
        try:
            sealed = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
            return list(json.loads(unseal(self._key, sealed, listing)))
        except (ValueError, SealError) as error:
            raise BadCursorError("use the 'next' value of the previous page, with the same filters") from error
