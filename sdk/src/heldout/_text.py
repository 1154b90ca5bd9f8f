"""Text that every service can store."""

import re
from typing import Any

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(value: Any) -> Any:
    """The same with U+FFFD for zero bytes and lone surrogates, which neither a database nor UTF-8 has room for."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, list):
        return [storable(item) for item in value]
    return {storable(name): storable(item) for name, item in value.items()} if isinstance(value, dict) else value
