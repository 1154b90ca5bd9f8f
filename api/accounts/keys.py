"""API keys: `hld_` + 37 random base62 characters + a CRC-32 checksum, stored as HMAC-SHA256 under the pepper."""

import hashlib
import hmac
import secrets
import string
import zlib

from api.core.keys import each

PREFIX = "hld_"
_ALPHABET = string.digits + string.ascii_letters
_RANDOM = 37
_CHECK = 6


def _checksum(body: str) -> str:
    number = zlib.crc32(body.encode())
    digits = []
    for _ in range(_CHECK):
        number, rest = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[rest])
    return "".join(digits)


def new_key() -> str:
    """A fresh key; it is shown once and never stored."""
    body = PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM))
    return body + _checksum(body)


def looks_right(key: str) -> bool:
    """Whether prefix, length and checksum fit: a mistyped key is recognised without a look-up."""
    if not key.startswith(PREFIX) or len(key) != len(PREFIX) + _RANDOM + _CHECK:
        return False
    return hmac.compare_digest(_checksum(key[:-_CHECK]).encode(), key[-_CHECK:].encode())


def digest(pepper: bytes, key: str) -> bytes:
    """What is stored (32 bytes)."""
    return hmac.new(pepper, key.encode(), hashlib.sha256).digest()


def digests(pepper: bytes, key: str) -> list[bytes]:
    """What `digest` makes now, and what it made under other peppers that still hold good."""
    return [digest(one, key) for one in each(pepper)]


def hint(key: str) -> str:
    """The part that may be shown again, to tell keys apart."""
    return key[:8] + "…"
