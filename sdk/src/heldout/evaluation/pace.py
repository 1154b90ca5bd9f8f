"""How many requests an endpoint is sent at once: fewer where it refuses for its load, more again as it answers."""

import math
import threading
import time
from collections.abc import Callable

from heldout._flow import Lost, Reply, Request, seconds_of


def overloaded(status: int) -> bool:
    """Whether a refusal is one that passes: too many requests, a time-out, any fault of the server."""
    return status in {408, 429} or status >= 500


class Pace:
    """Additive increase, multiplicative decrease, as TCP has it; safe to use from several threads.

    `limit` is how many may be under way: no number until the endpoint refuses for the first time, then half of what was
    under way; a refusal of what was sent before the last cut says nothing new, and a lost line is a refusal. Each
    answer adds `1 / limit`. Nothing is sent before a refusal's Retry-After is over, up to `longest` seconds.
    """

    def __init__(
        self,
        longest: float = 120.0,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limit = math.inf
        self._longest, self._sleep, self._clock = longest, sleep, clock
        self._under_way = 0
        self._cuts = 0
        self._not_before = -math.inf
        self._free = threading.Condition()

    def send(self, send: Callable[[Request], Reply | Lost], request: Request) -> Reply | Lost:
        """Send when it is this request's turn."""
        with self._free:
            self._free.wait_for(lambda: self._under_way + 1 <= self.limit)
            self._under_way += 1
            cuts, pause = self._cuts, self._not_before - self._clock()
        reply: Reply | Lost | None = None
        try:
            if pause > 0:
                self._sleep(pause)
            reply = send(request)
        finally:
            self._learn(reply, cuts)
        return reply

    def _learn(self, reply: Reply | Lost | None, cuts: int) -> None:
        with self._free:
            if isinstance(reply, Lost) or (reply is not None and overloaded(reply.status)):
                if cuts == self._cuts:
                    self.limit = max(1.0, min(self.limit, self._under_way) / 2)
                    self._cuts += 1
                wait = seconds_of(reply.headers.get("retry-after")) if isinstance(reply, Reply) else None
                if wait is not None and wait <= self._longest:
                    self._not_before = max(self._not_before, self._clock() + wait)
            elif reply is not None:
                self.limit += 1 / self.limit
            self._under_way -= 1
            self._free.notify_all()
