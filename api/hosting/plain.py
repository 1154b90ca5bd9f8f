"""JSON that PostgreSQL can hold: it has no character U+0000."""

from typing import Any

_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def holds_nul(value: Any) -> bool:
    """Whether U+0000 is anywhere in a JSON value, names included."""
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any(holds_nul(part) for pair in value.items() for part in pair)
    return isinstance(value, list) and any(holds_nul(part) for part in value)


def without_nul(value: Any) -> Any:
    """The value with U+0000 replaced."""
    if not holds_nul(value):
        return value
    if isinstance(value, str):
        return value.replace("\x00", _INSTEAD)
    if isinstance(value, dict):
        return {without_nul(name): without_nul(part) for name, part in value.items()}
    return [without_nul(part) for part in value]
