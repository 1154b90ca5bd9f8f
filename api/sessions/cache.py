"""What a step need not look up again: keys that were checked a moment ago, and sessions that run.

A revoked key is noticed KEY_SECONDS and twice GRACE_SECONDS later at the latest.
"""

import asyncio
import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, Self
from uuid import UUID

from cachetools import FIFOCache

from api.accounts.principal import Principal
from api.core.ids import public_id

KEY_SECONDS = 5.0
GRACE_SECONDS = 2.0
_SIZE = 20_000
_SALT = secrets.token_bytes(16)


class _Row(Protocol):
    id: UUID
    organisation_id: UUID
    deadline: datetime | None
    step_limit: int


@dataclass(frozen=True)
class CachedSession:
    """What a step needs to know of a session; none of it changes while the session runs."""

    id: UUID
    public: str
    organisation_id: UUID
    deadline: datetime | None
    step_limit: int

    @classmethod
    def of(cls, row: _Row) -> Self:
        """What stays of a session's row."""
        return cls(row.id, public_id("ses", row.id), row.organisation_id, row.deadline, row.step_limit)


@dataclass(frozen=True)
class CheckedKey:
    """A key that was checked, and until when that counts; `last`: it is being checked again."""

    until: float
    principal: Principal
    last: bool = False


class StepCache:
    """Keys that were checked lately, and running sessions."""

    def __init__(self) -> None:
        self._keys: FIFOCache[bytes, CheckedKey] = FIFOCache(_SIZE)
        self._sessions: FIFOCache[str, CachedSession] = FIFOCache(_SIZE)

    def add_key(self, authorization: str, principal: Principal) -> None:
        """Remember a key that was just checked, for KEY_SECONDS."""
        until = asyncio.get_running_loop().time() + KEY_SECONDS
        self._keys[_digest(authorization)] = CheckedKey(until, principal)

    def add_session(self, public: str, session: CachedSession) -> None:
        """Remember a running session under the id that its participant uses."""
        self._sessions[public] = session

    def principal(self, authorization: str) -> Principal | None:
        """Whose key it is, if it was checked lately."""
        return self._fresh(_digest(authorization))

    def seconds_left(self, authorization: str) -> float:
        """For how long a key need not be looked up again; 0 where it has to be."""
        key = self._keys.get(_digest(authorization))
        return max(0.0, key.until - asyncio.get_running_loop().time()) if key and not key.last else 0.0

    def session(self, public: str, principal: Principal) -> CachedSession | None:
        """The session, if it is known and of the principal's organisation."""
        found = self._sessions.get(public)
        return found if found is not None and found.organisation_id == principal.organisation_id else None

    def forget(self, public: str) -> None:
        """Let the next step of a session look it up."""
        self._sessions.pop(public, None)

    def _fresh(self, digest: bytes) -> Principal | None:
        key = self._keys.get(digest)
        now = asyncio.get_running_loop().time()
        if key is None or now <= key.until:
            return key.principal if key else None
        # The first to find a key stale checks it; others need not do the same meanwhile.
        if key.last or now > key.until + GRACE_SECONDS:
            del self._keys[digest]
        else:
            self._keys[digest] = CheckedKey(now + GRACE_SECONDS, key.principal, last=True)
        return None


def _digest(authorization: str) -> bytes:
    return hashlib.sha256(_SALT + authorization.encode()).digest()
