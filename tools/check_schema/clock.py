"""How long requests took, apart from the time in which the whole process stood still."""

import threading
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

Scope = MutableMapping[str, Any]
_TICK = 0.5
_SLOWEST = 5


@dataclass
class Standstills:
    """Times in which this process got no turn: a thread of its own looks at the clock twice a second."""

    seconds: float = 0.0
    longest: float = 0.0
    _ended: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> "Standstills":
        threading.Thread(target=self._look, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()

    def _look(self) -> None:
        before = time.monotonic()
        while not self._ended.wait(_TICK):
            now = time.monotonic()
            if (lost := now - before - _TICK) > _TICK:
                self.seconds += lost
                self.longest = max(self.longest, lost)
            before = now


@dataclass
class Timed:
    """An application, and the slowest of its requests: seconds, seconds of them stood still, what was asked."""

    app: Callable[..., Awaitable[None]]
    standstills: Standstills
    slowest: list[tuple[float, float, str]] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """One connection's request."""
        began, stood = time.monotonic(), self.standstills.seconds
        try:
            await self.app(scope, receive, send)
        finally:
            took, lost = time.monotonic() - began, self.standstills.seconds - stood
            asked = f"{scope.get('method')} {scope.get('path')}"
            self.slowest = sorted([*self.slowest, (took, lost, asked)], key=lambda one: one[1] - one[0])[:_SLOWEST]

    def slower_than(self, seconds: float) -> list[str]:
        """Requests that took longer though the process ran."""
        return [asked for took, lost, asked in self.slowest if took - lost > seconds]

    def __str__(self) -> str:
        lines = [f"the process stood still {self.standstills.seconds:.0f} s, {self.standstills.longest:.0f} s at once"]
        return "\n".join(
            [*lines, *(f"{took:7.1f} s ({lost:.1f} stood still)  {asked}" for took, lost, asked in self.slowest)]
        )
