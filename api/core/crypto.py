"""Encryption at rest, keyed digests, and ids that reveal nothing."""

import base64
import hashlib
import hmac
import secrets
from functools import lru_cache
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hpke
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from api.core.keys import each

_NONCE = 12
# RFC 9180, single-shot; what it wraps is a key of 32 bytes, behind an encapsulated key of 32 and before a tag of 16.
_SUITE = hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)
_WRAPPED = 32 + 32 + 16
_INTAKE = b"heldout intake 1"
_BLOCK = 64


class SealError(Exception):
    """A sealed value does not open: wrong key, wrong row, or changed bytes."""


@lru_cache(maxsize=16)
def _cipher(key: bytes) -> AESGCM:
    return AESGCM(key)


def seal(key: bytes, plain: bytes, bound_to: str) -> bytes:
    """AES-256-GCM; `bound_to` (table:id:version) makes a value moved to another row fail to open. 29 bytes overhead."""
    nonce = secrets.token_bytes(_NONCE)
    return b"\x01" + nonce + _cipher(key).encrypt(nonce, plain, bound_to.encode())


def unseal(key: bytes, sealed: bytes, bound_to: str) -> bytes:
    """Open what `seal` made. Raises SealError."""
    if sealed[:1] != b"\x01":
        raise SealError("unknown seal version")
    for one in each(key):
        try:
            return _cipher(one).decrypt(sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :], bound_to.encode())
        except InvalidTag:
            continue
    raise SealError(f"the sealed value of {bound_to} does not open")


def passphrase_key(passphrase: str, salt: bytes) -> bytes:
    """A key of 32 bytes from what a person types, by scrypt (32 MiB, about 0.1 s). `salt`: 16 random bytes."""
    return Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode())


class IntakeSeal:
    """Seals for the holder of the vault key, from its public half: who seals cannot open.

    One key is wrapped (HPKE, 0.2 ms) for all that one object seals; each value carries it (109 bytes of overhead) and
    is padded to a multiple of 64 bytes, so that its length says little.
    """

    def __init__(self, public: bytes) -> None:
        key = secrets.token_bytes(32)
        self._head = b"\x02" + _SUITE.encrypt(key, X25519PublicKey.from_public_bytes(public), _INTAKE)
        self._cipher = AESGCM(key)

    def seal(self, plain: bytes, bound_to: str) -> bytes:
        """Seal JSON (it is padded with blanks); a value moved to another row does not open."""
        nonce = secrets.token_bytes(_NONCE)
        padded = plain + b" " * (-len(plain) % _BLOCK)
        return self._head + nonce + self._cipher.encrypt(nonce, padded, bound_to.encode())


@lru_cache(maxsize=4)
def _intake_key(vault_key: bytes) -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(keyed_digest(vault_key, _INTAKE))


@lru_cache(maxsize=256)
def _unwrapped(vault_key: bytes, wrapped: bytes) -> AESGCM:
    return AESGCM(_SUITE.decrypt(wrapped, _intake_key(vault_key), _INTAKE))


def intake_public_key(vault_key: bytes) -> bytes:
    """The public half (32 bytes) of the key that `unseal_intake` opens with; whoever takes something in may have it."""
    return _intake_key(vault_key).public_key().public_bytes_raw()


def unseal_intake(vault_key: bytes, sealed: bytes, bound_to: str) -> bytes:
    """Open what an `IntakeSeal` made. Raises SealError."""
    if sealed[:1] != b"\x02":
        raise SealError("unknown seal version")
    wrapped, rest = sealed[1 : 1 + _WRAPPED], sealed[1 + _WRAPPED :]
    for one in each(vault_key):
        try:
            return _unwrapped(one, wrapped).decrypt(rest[:_NONCE], rest[_NONCE:], bound_to.encode())
        except (InvalidTag, ValueError):
            continue
    raise SealError(f"the sealed value of {bound_to} does not open")


def keyed_digest(key: bytes, *parts: str | bytes) -> bytes:
    """HMAC-SHA256 over length-prefixed parts (32 bytes)."""
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        mac.update(len(data).to_bytes(8, "big") + data)
    return mac.digest()


def keyed_digests(key: bytes, *parts: str | bytes) -> list[bytes]:
    """What `keyed_digest` makes now, and what it made under other keys that still hold good."""
    return [keyed_digest(one, *parts) for one in each(key)]


@lru_cache(maxsize=16)
def _siv(key: bytes) -> AESSIV:
    return AESSIV(key)


_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = [first + second for first in _LETTERS for second in _LETTERS]


def _base32(sealed: bytes) -> str:
    """32 bytes in lower case and without padding: half the time of the standard library's."""
    number = int.from_bytes(sealed, "big") << 4
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(250, -1, -10)])


class Aliases:
    """Reversible ids of problems, different for each organisation: AES-SIV over the id, bound to the organisation."""

    prefix = "prb_"

    def __init__(self, key: bytes) -> None:
        self._keys = each(key)

    def encode(self, organisation: UUID, problem: UUID) -> str:
        """The alias (`prb_` and 52 base32 characters) under which `organisation` knows `problem`."""
        sealed = _siv(self._keys[0]).encrypt(problem.bytes, [organisation.bytes])
        return self.prefix + _base32(sealed)

    def decode(self, organisation: UUID, alias: str) -> UUID | None:
        """The problem behind an alias; None for another organisation's alias or a made-up one."""
        text = alias.removeprefix(self.prefix)
        if text == alias or len(text) != 52:
            return None
        try:
            sealed = base64.b32decode(text.upper() + "====")
        except ValueError:
            return None
        for key in self._keys:
            try:
                return UUID(bytes=_siv(key).decrypt(sealed, [organisation.bytes]))
            except InvalidTag:
                continue
        return None
