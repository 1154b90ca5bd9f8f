"""Slots: numbers that no two live sandboxes of this machine share, whichever process made them.

A slot is a lock on a file, held by an open descriptor, so that it is free again the moment its holder dies.
"""

import fcntl
import os
from pathlib import Path

COUNT = 4096
# Above the ranges that useradd and systemd give to containers; 4096 slots of 65536 ids end at 2^31.
FIRST_UID = 1_879_048_192
RANGE = 65_536


def base_uid(slot: int) -> int:
    """The first of the 65536 user ids that belong to a slot."""
    return FIRST_UID + slot * RANGE


def acquire(folder: Path) -> tuple[int, int]:
    """A free slot: its number, and the descriptor that holds it. Raises OSError when all are taken."""
    folder.mkdir(parents=True, exist_ok=True)
    for slot in range(COUNT):
        descriptor = os.open(folder / str(slot), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            continue
        return slot, descriptor
    raise OSError(f"all {COUNT} sandbox slots of this machine are taken")
