"""`Client.keys` and `AsyncClient.keys`."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from heldout._calls import Calls
from heldout.keys import KeyList, NewKey
from heldout.models import Key


class Keys:
    """Keys of one's own: listed, made, limited, revoked. A key with limits can neither make keys nor change limits."""

    def __init__(self, calls: Calls, run: Callable[[Any], Any]) -> None:
        self._calls = calls
        self._run = run

    def all(self) -> list[Key]:
        """One's keys, newest first, without their secrets."""
        return list(KeyList.model_validate(self._run(self._calls.keys())).items)

    def create(
        self,
        name: str,
        scopes: Sequence[str],
        *,
        days: int | None = None,
        networks: Sequence[str] = (),
        requests_per_minute: int | None = None,
    ) -> NewKey:
        """Make a key with scopes that the asking key has; `days` until it expires (None: never)."""
        flow = self._calls.create_key(name, scopes, days, networks, requests_per_minute)
        return NewKey.model_validate(self._run(flow))

    def limit(self, key: str, *, networks: Sequence[str] = (), requests_per_minute: int | None = None) -> Key:
        """Change where a key works (none named: anywhere) and how often it may ask (None: no limit of its own)."""
        return Key.model_validate(self._run(self._calls.limit_key(key, networks, requests_per_minute)))

    def revoke(self, key: str) -> None:
        """End a key; it stops at once."""
        self._run(self._calls.end_key(key))


class AsyncKeys:
    """As `Keys`, to be awaited."""

    def __init__(self, calls: Calls, run: Callable[[Any], Awaitable[Any]]) -> None:
        self._calls = calls
        self._run = run

    async def all(self) -> list[Key]:
        """One's keys, newest first, without their secrets."""
        return list(KeyList.model_validate(await self._run(self._calls.keys())).items)

    async def create(
        self,
        name: str,
        scopes: Sequence[str],
        *,
        days: int | None = None,
        networks: Sequence[str] = (),
        requests_per_minute: int | None = None,
    ) -> NewKey:
        """Make a key with scopes that the asking key has; see `Keys.create`."""
        flow = self._calls.create_key(name, scopes, days, networks, requests_per_minute)
        return NewKey.model_validate(await self._run(flow))

    async def limit(self, key: str, *, networks: Sequence[str] = (), requests_per_minute: int | None = None) -> Key:
        """Change where a key works and how often it may ask; see `Keys.limit`."""
        return Key.model_validate(await self._run(self._calls.limit_key(key, networks, requests_per_minute)))

    async def revoke(self, key: str) -> None:
        """End a key; it stops at once."""
        await self._run(self._calls.end_key(key))
