"""An episode whose agent thinks for long does not end as idle."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from heldout.errors import Conflict, HeldoutError, NotFound
from heldout.sessions import Session

_SHARE = 3
"""An idle limit has room for so many signs of life, so that one may be lost."""


@contextmanager
def kept_alive(session: Session) -> Iterator[None]:
    """While this is open a thread gives signs of life, several in `limits.idle_seconds`; the deadline stays."""
    limits = session.status.limits
    if limits is None or not limits.idle_seconds:
        yield
        return
    done = threading.Event()
    pause = limits.idle_seconds / _SHARE

    def run() -> None:
        while not done.wait(pause):
            try:
                session.keep_alive()
            except (Conflict, NotFound):
                return
            except HeldoutError:
                # The network's fault: the next action says what there is to be said.
                continue

    thread = threading.Thread(target=run, name="heldout-alive", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
