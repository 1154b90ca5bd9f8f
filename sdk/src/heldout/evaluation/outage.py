"""When nothing is answered any more: how long to wait before the next try, and when to give up."""

import random
import time
from collections import Counter

FIRST_CONTACT = 120.0
"""Seconds for what has not answered once in this run: a wrong address, or a program that is not started."""
REFUSED = 60.0
"""Seconds that like refusals (a key that ended, an address that is gone) go on for, after there was an answer."""
DOUBT = 5
"""Faults in a row after which it is asked whether the endpoint is away, or there is one task that it fails at."""
_CAP = 60.0


class Outage:
    """Faults of an endpoint, a network or the service since the last task that was done.

    What is `unavailable` (5xx, 429, nobody there) is waited for, `limit` seconds in all; what is refused `stop_after`
    times alike is given up, at once where nothing was ever answered.
    """

    def __init__(self, limit: float, stop_after: int) -> None:
        self._limit, self._stop_after = limit, stop_after
        self._like = Counter[str]()
        self._since: float | None = None
        self._answered = False
        self._faults, self._waits = 0, 0
        self.seconds = 0.0

    @property
    def lasts(self) -> bool:
        """Whether nothing was done since the last fault."""
        return self._since is not None

    @property
    def doubtful(self) -> bool:
        """Whether it has lasted so long that it may be no outage at all."""
        return self._faults >= DOUBT

    def contact(self) -> None:
        """The endpoint answered, though no task was done: the next try is soon."""
        self._answered = True
        self._waits = 0
        self._like.clear()

    def over(self) -> None:
        """A task was done."""
        self._answered = True
        self._since, self._faults, self._waits, self.seconds = None, 0, 0, 0.0
        self._like.clear()

    def fault(self, words: str, *, unavailable: bool, final: bool = False) -> str:
        """One more; says in a sentence why the run is stopped, or nothing. What is `final` stops it at once.

        Another message between them does not make ten like errors fewer; a task that is done does.
        """
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        self._like[words] += 1
        self._faults += 1
        lasted = now - self._since
        if unavailable:
            ends = lasted >= (self._limit if self._answered else min(self._limit, FIRST_CONTACT))
        else:
            patient = min(self._limit, REFUSED) if self._answered else 0.0
            ends = self._like[words] >= self._stop_after and lasted >= patient
        ends = ends or final
        waits = unavailable or self._answered
        self.seconds = min(_CAP, 2.0**self._waits) * random.uniform(0.5, 1.0) if waits else 0.0
        self._waits = min(self._waits + waits, 10)
        if not ends:
            return ""
        count = self._like[words]
        return words if final and count == 1 else f"{words} ({count} times in {_duration(lasted)}, and nothing else)"

    def sit_out(self) -> None:
        """Wait until it is time for another try."""
        if self.seconds:
            time.sleep(self.seconds)

    def __str__(self) -> str:
        """What is waited for, for how long already and at most."""
        if self._since is None or not self.seconds:
            return ""
        limit = self._limit if self._answered else min(self._limit, FIRST_CONTACT)
        lasted = _duration(time.monotonic() - self._since)
        return f"trying again in {self.seconds:.0f} s; nothing for {lasted}, given up after {_duration(limit)}"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
