"""What is said of something that is away for a while: the first failure, then ever more seldom, and that it is back."""

import time
from collections.abc import Callable
from typing import Any

import structlog

log = structlog.get_logger(__name__)
_FIRST_GAP = 2.0
_LONGEST_GAP = 600.0


class Outage:
    """One thing that can be away, under the name of its event. The gap doubles, from 2 s to 10 minutes."""

    def __init__(self, event: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._event, self._back, self._clock = event, f"{event}.back", clock
        self._since: float | None = None
        self._next = self._gap = 0.0
        self._failures = 0

    def failed(self, error: BaseException, **facts: Any) -> None:
        """It failed. Said with the type of `error` where nothing was said lately."""
        now = self._clock()
        if self._since is None:
            self._since, self._next, self._gap, self._failures = now, now, _FIRST_GAP, 0
        self._failures += 1
        if now < self._next:
            return
        seconds = round(now - self._since)
        log.warning(self._event, error=type(error).__name__, **facts, failures=self._failures, seconds=seconds)
        self._next, self._gap = now + self._gap, min(2 * self._gap, _LONGEST_GAP)

    def worked(self, **facts: Any) -> None:
        """It works. Said once after a failure, with how often it had failed and for how long it was away."""
        if self._since is None:
            return
        seconds = round(self._clock() - self._since)
        self._since = None
        log.warning(self._back, **facts, failures=self._failures, seconds=seconds)
