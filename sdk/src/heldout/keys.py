"""Typed models of keys. `Client.keys` is the way in."""

from datetime import datetime

from heldout._records import Received


class Key(Received):
    """A key without its secret; `hint` is how it begins.

    `networks`: where it works (none named: anywhere); `requests_per_minute`: its own limit beside the organisation's.
    """

    id: str
    name: str = ""
    hint: str = ""
    organisation: str = ""
    scopes: tuple[str, ...] = ()
    created_at: datetime | None = None
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
    networks: tuple[str, ...] = ()
    requests_per_minute: int | None = None


class NewKey(Key):
    """A new key with its secret `key`, which is shown this once."""

    key: str


class KeyList(Received):
    """One's keys, newest first."""

    items: tuple[Key, ...] = ()
