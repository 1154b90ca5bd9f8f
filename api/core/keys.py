"""Keys that can be replaced: one is used, and others still open what was made under them."""

from collections.abc import Iterable
from typing import Self


class Key(bytes):
    """The 32 bytes under which everything new is made. `others` open it too, and nothing is made under them."""

    others: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, current: bytes, others: Iterable[bytes] = ()) -> Self:
        """A key with those that were used before it, or will be after it."""
        key = cls(current)
        key.others = tuple(others)
        return key


def each(key: bytes) -> tuple[bytes, ...]:
    """All that may open what was made under `key`, the one in use first."""
    return (key, *(key.others if isinstance(key, Key) else ()))
