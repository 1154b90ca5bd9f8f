"""A folder of results belongs to one process at a time."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heldout.errors import Conflict

if sys.platform != "win32":
    import fcntl


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder while this is open; the lock ends with the process, however that ends.

    Raises Conflict (`folder_in_use`), which says whose it is. Where the system has no such locks there is none.
    """
    if sys.platform == "win32":
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            advice = "wait until it has ended, or name another folder"
            raise Conflict(f"{folder} is in use by {holder}", code="folder_in_use", advice=advice) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
