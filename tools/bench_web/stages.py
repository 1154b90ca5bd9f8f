"""Where a step's processor time goes: by stage of the step, and by process."""

import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from envs.browser.line import Session
from envs.browser.session import BrowserSession
from tools.bench_web.processes import Family

OBSERVING = ("Performance.getMetrics", "DOMSnapshot.captureSnapshot", "Accessibility.getFullAXTree")
ROLES = ("python", "driver", "browser", "renderer", "gpu", "network", "site")


class Stages:
    """Counts, while it is `measuring`, what each stage of the steps costs. Stages inside of stages count once."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._spent: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._open: list[Counter[str]] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """What happens inside belongs to this stage, but for the stages in it."""
        inner: Counter[str] = Counter()
        self._open.append(inner)
        before = self._microseconds()
        try:
            yield
        finally:
            spent = self._microseconds()
            spent.subtract(before)
            self._open.pop()
            if self._open:
                self._open[-1].update(spent)
            spent.subtract(inner)
            self._spent[name].update(spent)

    def _microseconds(self) -> Counter[str]:
        spent = self._family.microseconds()
        spent["python"] = time.process_time_ns() // 1000
        return spent

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Look into waiting, and into each call to the browser that an observation makes."""
        wait, ask = BrowserSession.wait_until_loaded, Session.ask

        async def waiting(session: BrowserSession) -> None:
            await self._within("waiting until the page is ready", lambda: wait(session))

        async def asking(protocol: Session, method: str, parameters: dict[str, Any], kind: Any) -> Any:
            if method not in OBSERVING:
                return await ask(protocol, method, parameters, kind)
            return await self._within(method, lambda: ask(protocol, method, parameters, kind))

        BrowserSession.wait_until_loaded = waiting  # type: ignore[method-assign, assignment]
        Session.ask = asking  # type: ignore[method-assign, assignment]
        try:
            yield
        finally:
            BrowserSession.wait_until_loaded, Session.ask = wait, ask  # type: ignore[method-assign]

    async def _within(self, name: str, work: Callable[[], Awaitable[Any]]) -> Any:
        with self.stage(name):
            return await work()

    def table(self, steps: int) -> list[str]:
        """One line a stage, milliseconds of processor time a step."""
        head = f"{'ms of CPU a step':34}" + "".join(f"{role:>10}" for role in ROLES) + f"{'all':>10}"
        lines = [head]
        whole: Counter[str] = Counter()
        for name, spent in self._spent.items():
            whole.update(spent)
            lines.append(_line(name, spent, steps))
        return [*lines, _line("together", whole, steps)]


def _line(name: str, spent: Counter[str], steps: int) -> str:
    figures = [spent[role] / 1000 / steps for role in ROLES]
    return f"{name:34}" + "".join(f"{figure:10.1f}" for figure in [*figures, sum(figures)])
