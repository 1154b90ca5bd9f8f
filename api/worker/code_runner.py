"""`grading.tools.CodeRunner` in sandboxes: a fresh one for each run, without network or anything to compare with."""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog

from envs.base import InfrastructureError
from envs.sandbox.backends import default_backend
from envs.sandbox.base import MIB, Backend, FileRefusedError, Image, Limits, Result, SandboxGoneError
from grading.tools import RunnerUnavailableError, RunResult

log = structlog.get_logger(__name__)
T = TypeVar("T")

LIMITS = Limits(memory=512 * MIB, processes=64, disk=64 * MIB, output=MIB)
AT_ONCE = 2
_KILLED = 137
_START_SECONDS = 60.0


class SandboxRunner:
    """Runs programs in sandboxes of this machine. Blocking, safe between threads; `close` it.

    What enters a sandbox is the program, its own files and the case's input; the expected output stays here. The
    backend lives on an event loop of its own, since graders run in threads.
    """

    def __init__(self, prefer: str = "auto", limits: Limits = LIMITS) -> None:
        self._prefer = prefer
        self._limits = limits
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._backend: Backend | None = None
        self._opening: asyncio.Lock | None = None
        self._slots: asyncio.Semaphore | None = None

    def run(self, files: dict[str, str], argv: list[str], stdin: str, seconds: float) -> RunResult:
        """Write `files`, run `argv` beside them for at most `seconds`. Raises RunnerUnavailableError."""
        try:
            return self._do(self._run(files, argv, stdin.encode(), seconds))
        except FileRefusedError as error:
            raise RunnerUnavailableError(f"the program's files could not be written: {error}") from error
        except (InfrastructureError, OSError, TimeoutError) as error:
            log.warning("code.no_sandbox", error=str(error))
            raise RunnerUnavailableError("this machine has none now") from error

    def close(self) -> None:
        """End every sandbox and the loop."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is None:
            return
        if self._backend is not None:
            asyncio.run_coroutine_threadsafe(self._backend.close(), loop).result()
            self._backend = None
        loop.call_soon_threadsafe(loop.stop)

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._opening, self._slots = asyncio.Lock(), asyncio.Semaphore(AT_ONCE)
                threading.Thread(target=_serve, args=(self._loop,), name="code-runner", daemon=True).start()
            loop = self._loop
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    async def _run(self, files: dict[str, str], argv: list[str], stdin: bytes, seconds: float) -> RunResult:
        assert self._slots is not None
        async with self._slots:
            try:
                return _told(await self._once(files, argv, stdin, seconds))
            except SandboxGoneError:
                # Ended by a fault of the machine, or by the program itself: the second time it was the program.
                try:
                    return _told(await self._once(files, argv, stdin, seconds))
                except SandboxGoneError:
                    return RunResult(exit_code=_KILLED, stdout="", stderr="its sandbox ended")

    async def _once(self, files: dict[str, str], argv: list[str], stdin: bytes, seconds: float) -> Result:
        async with asyncio.timeout(_START_SECONDS):
            sandbox = await (await self._open()).start(Image(), self._limits)
        try:
            for name, text in files.items():
                await sandbox.write_file(f"/work/{name}", text.encode())
            return await sandbox.run(argv, stdin=stdin, timeout=seconds, workdir="/work")
        finally:
            with contextlib.suppress(InfrastructureError):
                await sandbox.destroy()

    async def _open(self) -> Backend:
        assert self._opening is not None
        async with self._opening:
            if self._backend is None:
                self._backend = await default_backend(prefer=self._prefer)
            return self._backend


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


def _told(result: Result) -> RunResult:
    return RunResult(
        exit_code=_KILLED if result.status is None else result.status,
        timed_out=result.timed_out,
        stdout=result.stdout.decode("utf-8", "replace"),
        stderr=result.stderr.decode("utf-8", "replace"),
    )
