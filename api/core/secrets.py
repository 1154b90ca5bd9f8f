"""Secrets of an instance: three sets of keys, made at first use, each for processes of one kind.

The web process reads only `service`, the host of environments only `host` (it opens episodes, never references); what
decrypts references is in `vault`, for workers and import. Any key can be replaced while the service runs: it is added
(every process opens with it), used (everything new is made under it) and the one before is taken away.
"""

import json
import secrets
import time
from base64 import b64decode, b64encode
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from api.core.key_stores import KeyStore, SecretFileError
from api.core.keys import Key

log = structlog.get_logger(__name__)
RELOAD_SECONDS = 2.0
"""A process notices so long after a change that its keys have changed."""
SPREAD_SECONDS = 10.0
"""So long after a change every process has noticed."""


class KeyStateError(Exception):
    """A step of a key's replacement that is not the next one; the message says which is."""


def _key() -> str:
    return b64encode(secrets.token_bytes(32)).decode()


class OtherKey(BaseModel):
    """A key beside the one in use: still to come (`until` is None), or used until then (seconds since 1970)."""

    model_config = ConfigDict(frozen=True)

    key: str
    added: float
    until: float | None = None


class _SecretFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    others: dict[str, list[OtherKey]] = Field(default_factory=dict)
    """By the name of a key: those that still open what was made under them, and the one that comes next."""

    @classmethod
    def load(cls, store: KeyStore) -> Self:
        """Read the keys, making them (and any added by a later version) under a lock. Raises SecretFileError."""
        # Replaced as a whole when it changes; where it is only for reading there can be no lock.
        stored = cls._read(store)
        if all(stored.get(name) for name in cls.names()):
            return cls._of(store, stored)
        with store.lock():
            stored = cls._read(store)
            values = stored | {name: stored.get(name) or _key() for name in cls.names()}
            if values != stored:
                store.write(cls.label(), json.dumps(values))
        return cls._of(store, values)

    @classmethod
    def label(cls) -> str:
        """The name of the set: `service`, `vault` or `host`."""
        return cls.__name__.removesuffix("Secrets").lower()

    @classmethod
    def names(cls) -> list[str]:
        """The keys of the set."""
        return [name for name in cls.model_fields if name != "others"]

    @classmethod
    def _read(cls, store: KeyStore) -> dict[str, Any]:
        try:
            return dict(json.loads(store.read(cls.label()) or "{}"))
        except ValueError as error:
            raise SecretFileError(
                f"{store.where(cls.label())} cannot be read as JSON; restore it from a backup"
            ) from error

    @classmethod
    def _of(cls, store: KeyStore, values: dict[str, Any]) -> Self:
        try:
            return cls(**values)
        except ValidationError as error:
            raise SecretFileError(f"{store.where(cls.label())} is not what was written; restore it") from error

    def raw(self, name: str) -> Key:
        """The key's 32 bytes, with those that open beside it."""
        return self._keys[name]

    @cached_property
    def _keys(self) -> dict[str, Key]:
        return {
            name: Key.of(b64decode(getattr(self, name)), (b64decode(other.key) for other in self.others.get(name, ())))
            for name in self.names()
        }

    def used_before(self, name: str) -> list[tuple[float, bytes]]:
        """The keys before the present one, oldest first, each with the time (seconds since 1970) it was used until."""
        return sorted((other.until, b64decode(other.key)) for other in self.others.get(name, ()) if other.until)

    def added(self, name: str) -> Self:
        """With a key that comes next. Raises KeyStateError."""
        if any(other.until is None for other in self.others.get(name, ())):
            raise KeyStateError(f"a key that comes after '{name}' is there already: the next step is 'use'")
        return self._with(name, [*self.others.get(name, ()), OtherKey(key=_key(), added=time.time())])

    def used(self, name: str) -> Self:
        """With the next key in the place of the present one, which still opens. Raises KeyStateError."""
        others = self.others.get(name, [])
        coming = next((other for other in others if other.until is None), None)
        if coming is None:
            raise KeyStateError(f"no key comes after '{name}': the first step is 'add'")
        if (left := coming.added + SPREAD_SECONDS - time.time()) > 0:
            raise KeyStateError(f"some processes may not know the new '{name}' yet: try again in {left:.0f} s")
        # Until every process has noticed, some still make things under the key before.
        before = OtherKey(key=getattr(self, name), added=0, until=time.time() + SPREAD_SECONDS)
        kept = [before, *(other for other in others if other is not coming)]
        return type(self)(**self.model_dump() | {name: coming.key})._with(name, kept)

    def retired(self, name: str) -> Self:
        """Without the keys before the present one: what was made under them is refused. Raises KeyStateError."""
        others = self.others.get(name, [])
        past = [other.until for other in others if other.until]
        if not past:
            raise KeyStateError(f"no key before '{name}' is kept")
        if (left := max(past) - time.time()) > 0:
            raise KeyStateError(f"some processes may still use the '{name}' before: try again in {left:.0f} s")
        return self._with(name, [other for other in others if other.until is None])

    def _with(self, name: str, others: list[OtherKey]) -> Self:
        return type(self)(**self.model_dump() | {"others": self.others | {name: others}})

    def save(self, store: KeyStore) -> None:
        """Write the set. The caller holds the store's lock. Raises SecretFileError."""
        store.write(self.label(), self.model_dump_json())


class ServiceSecrets(_SecretFile):
    """Keys of the web process (base64 of 32 random bytes each)."""

    pepper: str
    alias: str
    cursor: str
    cookie: str
    fingerprint: str
    review: str
    database_web: str


class VaultSecrets(_SecretFile):
    """Keys that the web process never reads."""

    vault: str
    database_worker: str
    database_admin: str


class HostSecrets(_SecretFile):
    """Keys of the processes that hold environments: what opens episodes and seals evidence, and their password."""

    episode: str
    database_host: str


Kind = TypeVar("Kind", bound=_SecretFile)


class LiveSecrets(Generic[Kind]):
    """A set of keys as it is now: looked up again when what is stored has changed."""

    def __init__(self, kind: type[Kind], store: KeyStore) -> None:
        self._kind = kind
        self._store = store
        self._kept: Kind | None = None
        self._stamp: object = None
        self._checked = 0.0

    def get(self) -> Kind:
        """Raises SecretFileError where the keys have never been read."""
        if self._kept is None:
            self._stamp = self._store.stamp(self._kind.label())
            self._kept = self._kind.load(self._store)
        elif time.monotonic() > self._checked + RELOAD_SECONDS:
            self._reload()
        else:
            return self._kept
        self._checked = time.monotonic()
        return self._kept

    def _reload(self) -> None:
        try:
            stamp = self._store.stamp(self._kind.label())
            if stamp != self._stamp:
                self._kept, self._stamp = self._kind.load(self._store), stamp
        except SecretFileError as error:
            # A store that is away for a moment stops nobody who has the keys.
            log.warning("keys.unreadable", error=str(error))
