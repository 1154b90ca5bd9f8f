"""Ids: UUIDv7 inside, prefixed hex outside."""

from uuid import UUID

import uuid_utils.compat


def new_id() -> UUID:
    """A UUIDv7: rows made together lie together in the index."""
    return uuid_utils.compat.uuid7()


def public_id(prefix: str, value: UUID) -> str:
    """`sub_0198…`: the id as the outside sees it."""
    return f"{prefix}_{value.hex}"


def parse_id(prefix: str, text: str) -> UUID | None:
    """The UUID behind a public id, or None when it is not one."""
    head, _, tail = text.partition("_")
    if head != prefix or len(tail) != 32:
        return None
    try:
        return UUID(hex=tail)
    except ValueError:
        return None
