"""A file of any size under a passphrase: blocks that open only whole, in order, and with the last one there."""

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from api.core.crypto import SealError, passphrase_key, seal, unseal
from api.core.errors import InvalidError

MAGIC = b"HELDOUTB"
_SALT = 16
_BLOCK = 4 * 2**20
_LENGTH = 4


class NoBackupError(InvalidError):
    code = "no_backup"
    title = "The file is no whole backup, or the passphrase is another"


def _binding(number: int, *, last: bool) -> str:
    return f"heldout.backup:1:{number}:{'last' if last else 'more'}"


def seal_file(plain: BinaryIO, out: BinaryIO, passphrase: str) -> None:
    """Copy `plain` to `out` in sealed blocks of 4 MiB, each bound to its number and to whether it is the last."""
    salt = secrets.token_bytes(_SALT)
    key = passphrase_key(passphrase, salt)
    out.write(MAGIC + salt)
    number, block = 0, plain.read(_BLOCK)
    while True:
        following = plain.read(_BLOCK)
        sealed = seal(key, block, _binding(number, last=not following))
        out.write(len(sealed).to_bytes(_LENGTH, "big") + sealed)
        if not following:
            return
        number, block = number + 1, following


def open_file(file: Path, passphrase: str, out: BinaryIO) -> None:
    """The reverse. Raises NoBackupError for another passphrase, a changed or a shortened file."""
    with file.open("rb") as source:
        if source.read(len(MAGIC)) != MAGIC:
            raise NoBackupError(f"{file} was not written by `heldout-server backup`")
        key = passphrase_key(passphrase, source.read(_SALT))
        blocks = _blocks(source)
        number, block = 0, next(blocks, b"")
        while True:
            following = next(blocks, b"")
            try:
                out.write(unseal(key, block, _binding(number, last=not following)))
            except SealError as error:
                raise NoBackupError(f"block {number} does not open; try the passphrase, or an older backup") from error
            if not following:
                return
            number, block = number + 1, following


def _blocks(source: BinaryIO) -> Iterator[bytes]:
    while head := source.read(_LENGTH):
        # No block that was written is longer; a false length must not be believed.
        yield source.read(min(int.from_bytes(head, "big"), _BLOCK + 64))
