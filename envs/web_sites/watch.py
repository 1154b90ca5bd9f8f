"""How much processor time a site's process may take: one that spins is ended, which is a fault of ours and replayed."""

import asyncio
import contextlib
import itertools
from collections.abc import Iterator

import psutil

# Of processor time, however long that takes on a busy machine: while one request is answered, or while nobody asks.
MOST_SECONDS = 60.0
LOOK_SECONDS = 2.0
A_BREATH = 0.011


class Watch:
    """Looks at the processor time of a process and all below it. `ended` says that it took more than `MOST_SECONDS`."""

    def __init__(self) -> None:
        self._asked: dict[int, float] = {}
        self._numbers = itertools.count()
        self._spent = self._since = 0.0
        self.ended = False
        self._task: asyncio.Task[None] | None = None

    def begin(self, process: asyncio.subprocess.Process) -> None:
        """Look at this process from now on."""
        self._task = asyncio.ensure_future(self._look(process))

    @contextlib.contextmanager
    def asked(self) -> Iterator[None]:
        """While a request is answered."""
        number = next(self._numbers)
        self._asked[number] = self._spent
        try:
            yield
        finally:
            del self._asked[number]
            self._since = self._spent

    async def stop(self) -> None:
        """Look no more."""
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _look(self, process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(psutil.Error):
            self._spent = self._since = seconds(process.pid)
            while process.returncode is None:
                await asyncio.sleep(LOOK_SECONDS)
                before, self._spent = self._spent, await asyncio.to_thread(seconds, process.pid)
                if self._spent - before <= A_BREATH:
                    # Waiting costs a little, too, and a session may last for days.
                    self._since += self._spent - before
                if self._spent - min(self._asked.values(), default=self._since) > MOST_SECONDS:
                    self.ended = True
                    await asyncio.to_thread(_kill, process.pid)


def seconds(pid: int) -> float:
    """Processor seconds of a process and those below it, ended ones included. Raises psutil.Error."""
    root = psutil.Process(pid)
    total = 0.0
    for process in [root, *root.children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            total += sum(process.cpu_times()[:4])
    return total


def _kill(pid: int) -> None:
    root = psutil.Process(pid)
    for process in [root, *root.children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            process.kill()
