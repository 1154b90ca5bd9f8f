"""What commands share: settings, a session, and errors printed without a traceback."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer
from rich.console import Console

if TYPE_CHECKING:
    from api.core.db import AsyncSession
    from api.core.settings import Settings

T = TypeVar("T")
_PIPED_COLUMNS = 240


def _columns(*, is_terminal: bool) -> int | None:
    """The width of a terminal is the terminal's; lines that go to a file or a pipe are not broken for one."""
    return None if is_terminal or os.environ.get("COLUMNS") else _PIPED_COLUMNS


console = Console(width=_columns(is_terminal=sys.stdout.isatty()))
errors = Console(stderr=True, width=_columns(is_terminal=sys.stderr.isatty()))
_HEARING_SECONDS = 0.01


def fail(message: str, code: int = 1) -> NoReturn:
    """Say what is wrong and end."""
    errors.print(message, style="red", markup=False, highlight=False)
    raise typer.Exit(code)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end or to SIGTERM; known errors become one clear line each."""
    try:
        return asyncio.run(stoppable(work))
    except asyncio.CancelledError:
        fail("stopped by SIGTERM", 128 + signal.SIGTERM)
    except Exception as error:
        if (sentence := _sentence(error)) is None:
            raise
        fail(sentence)


def _sentence(error: Exception) -> str | None:
    """What a known error says; None of another."""
    # Not before there is one: `up` starts the web process before it loads what it needs itself.
    from api.core.errors import ServiceError
    from api.core.key_stores import SecretFileError
    from api.core.localpg import LocalServerError
    from api.core.migrate import DatabaseRightsError, TablesError
    from packs.faults import PackError

    if isinstance(error, PackError):
        lines = "\n".join(str(fault) for fault in error.faults)
        return f"{len(error.faults)} fault(s); nothing was imported:\n{lines}"
    if isinstance(error, ServiceError):
        return f"{error.title}: {error.detail}"
    known = isinstance(error, LocalServerError | SecretFileError | DatabaseRightsError | TablesError | OSError)
    # One without words of its own, as a bare TimeoutError, keeps its traceback.
    return (str(error) or None) if known else None


async def stoppable(work: Coroutine[Any, Any, T]) -> T:
    """`work`, which SIGTERM cancels once, so that what it has started is ended as after SIGINT."""
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread hears signals; who runs a command in another ends it in another way.
        return await work
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task

    def stop() -> None:
        # A second one must not end the cleaning up.
        loop.add_signal_handler(signal.SIGTERM, lambda: None)
        task.cancel()

    loop.add_signal_handler(signal.SIGTERM, stop)
    result = await work
    # What never waited kept the loop from hearing a signal, and the command would go on as if there had been none.
    await asyncio.sleep(_HEARING_SECONDS)
    return result


async def abandonable(work: Callable[..., T], *arguments: Any) -> T:
    """`work` in a thread that nobody waits for once this is cancelled: it may be waiting for what has ended by then."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def report(result: T | None, error: BaseException | None) -> None:
        if not done.cancelled():
            done.set_result(result) if error is None else done.set_exception(error)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work(*arguments)
        except BaseException as raised:  # noqa: BLE001 - raised again by whoever waits
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(report, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await done


async def as_admin(settings: "Settings", work: "Callable[[AsyncSession], Awaitable[T]]") -> T:
    """Do `work` in one transaction with the owner's rights; a database without tables gets them first."""
    from api.core import migrate
    from api.core.db import Database, Role

    await asyncio.to_thread(migrate.prepare_empty, settings)
    database = Database.of(settings, Role.ADMIN)
    try:
        async with database.session() as session:
            return await work(session)
    finally:
        await database.close()


def named(options: Iterable[str]) -> dict[str, Any]:
    """Options of a format or a generator, written as name=value; a value that is JSON is read as such."""
    found: dict[str, Any] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            fail(f"--option {text}: write it as name=value")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found
