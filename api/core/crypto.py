"""Encryption at rest, keyed digests, and ids that reveal nothing."""

import base64
import hashlib
import hmac
import secrets
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV

_NONCE = 12


class SealError(Exception):
    """A sealed value does not open: wrong key, wrong row, or changed bytes."""


def seal(key: bytes, plain: bytes, bound_to: str) -> bytes:
    """AES-256-GCM; `bound_to` (table:id:version) makes a value moved to another row fail to open. 29 bytes overhead."""
    nonce = secrets.token_bytes(_NONCE)
    return b"\x01" + nonce + AESGCM(key).encrypt(nonce, plain, bound_to.encode())


def unseal(key: bytes, sealed: bytes, bound_to: str) -> bytes:
    """Open what `seal` made. Raises SealError."""
    if sealed[:1] != b"\x01":
        raise SealError("unknown seal version")
    try:
        return AESGCM(key).decrypt(sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :], bound_to.encode())
    except InvalidTag as error:
        raise SealError(f"the sealed value of {bound_to} does not open") from error


def keyed_digest(key: bytes, *parts: str | bytes) -> bytes:
    """HMAC-SHA256 over length-prefixed parts (32 bytes)."""
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        mac.update(len(data).to_bytes(8, "big") + data)
    return mac.digest()


class Aliases:
    """Reversible ids of problems, different for each organisation: AES-SIV over the id, bound to the organisation."""

    prefix = "prb_"

    def __init__(self, key: bytes) -> None:
        self._siv = AESSIV(key)

    def encode(self, organisation: UUID, problem: UUID) -> str:
        """The alias (`prb_` and 52 base32 characters) under which `organisation` knows `problem`."""
        sealed = self._siv.encrypt(problem.bytes, [organisation.bytes])
        return self.prefix + base64.b32encode(sealed).decode().rstrip("=").lower()

    def decode(self, organisation: UUID, alias: str) -> UUID | None:
        """The problem behind an alias; None for another organisation's alias or a made-up one."""
        text = alias.removeprefix(self.prefix)
        if text == alias or len(text) != 52:
            return None
        try:
            sealed = base64.b32decode(text.upper() + "====")
            return UUID(bytes=self._siv.decrypt(sealed, [organisation.bytes]))
        except (ValueError, InvalidTag):
            return None
