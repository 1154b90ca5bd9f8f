"""Where a test's database clusters live: they are made of a thousand small files, and none outlives the run."""

import os
import shutil
from pathlib import Path

import psutil

_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30


def scratch() -> str:
    """A folder with a short path, since a socket's address has 107 bytes: memory where there is plenty, else /tmp.

    A file system on disk spends most of a database's making on its files: ext4 looks at every inode that was given up
    in the last seconds before it takes one.
    """
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM < psutil.virtual_memory().available:
        return str(_MEMORY)
    return "/tmp"
