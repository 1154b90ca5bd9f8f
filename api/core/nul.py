"""Text and JSON that PostgreSQL can hold: it has no character U+0000. One in a model's output must not cost the run."""

from typing import TypeVar, cast

Value = TypeVar("Value")
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def holds_nul(value: object) -> bool:
    """Whether U+0000 is anywhere in a text or a JSON value, names included."""
    if isinstance(value, str):
        return "\x00" in value
    # A look at each value costs five times what writing all of them does, and hardly ever finds any.
    return isinstance(value, dict | list) and "\\x00" in repr(value) and _found(value)


def _found(value: object) -> bool:
    if isinstance(value, dict):
        return any(holds_nul(part) for pair in value.items() for part in pair)
    return isinstance(value, list) and any(holds_nul(part) for part in value)


def without_nul(value: Value) -> Value:
    """The text or JSON value with each U+0000 replaced by U+FFFD."""
    return cast(Value, _replaced(value)) if holds_nul(value) else value


def _replaced(value: object) -> object:
    if isinstance(value, str):
        return value.replace("\x00", _INSTEAD)
    if isinstance(value, dict):
        return {_replaced(name): _replaced(part) for name, part in value.items()}
    return [_replaced(part) for part in value] if isinstance(value, list) else value
