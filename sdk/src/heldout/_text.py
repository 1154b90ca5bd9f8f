"""Text that every service can store, and values that a header can hold."""

import re
from typing import Any

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_UNSENDABLE = re.compile(r"[^\t -~]")


def storable(value: Any) -> Any:
    """The same with U+FFFD for zero bytes and lone surrogates, which neither a database nor UTF-8 has room for."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, list):
        return [storable(item) for item in value]
    return {storable(name): storable(item) for name, item in value.items()} if isinstance(value, dict) else value


def unsendable(value: str) -> str:
    """What keeps a value out of a header, as the end of a sentence; empty where nothing does. The value itself, which
    may be a key, is not part of it."""
    found = _UNSENDABLE.search(value)
    if found is None:
        return ""
    sign = found[0] if found[0].isprintable() else repr(found[0])
    return f"holds {sign} (U+{ord(found[0]):04X}) at position {found.start()}, and a header takes plain ASCII alone"
