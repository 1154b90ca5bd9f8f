"""Showing how a submission gets on: a bar of rich on a terminal, plain lines otherwise."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from heldout.models import SubmissionStatus

Watch = Callable[[SubmissionStatus], None]


@contextmanager
def watch(progress: bool | Watch) -> Iterator[Watch | None]:
    """What to call with each status."""
    if not progress:
        yield None
    elif callable(progress):
        yield progress
    else:
        with _bar() as report:
            yield report


def describe(status: SubmissionStatus) -> str:
    """State, place, estimate and, on a hidden split, when it is decided, in a few words."""
    words = [status.state.replace("_", " ")]
    if status.state == "queued" and status.place:
        words.append(f"place {status.place}")
    if status.estimate_seconds and not status.settled:
        words.append(f"about {status.estimate_seconds:.0f} s")
    if status.feedback is not None and status.next_release and not status.settled:
        words.append(f"decided at {status.next_release:%Y-%m-%d %H:%M:%S} UTC")
    return ", ".join(words)


def _graded(status: SubmissionStatus) -> int:
    """Once it is settled the service counts no more."""
    return status.received if status.settled else status.graded or 0


@contextmanager
def _bar() -> Iterator[Watch]:
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        yield _lines()
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("sent", total=None)

        def report(status: SubmissionStatus) -> None:
            bar.update(task, description=describe(status), total=max(status.received, 1), completed=_graded(status))

        yield report


def _lines() -> Watch:
    last = ""

    def report(status: SubmissionStatus) -> None:
        nonlocal last
        text = f"{status.id}: {describe(status)}"
        text += "" if status.settled else f", {_graded(status)} of {status.received} graded"
        if text != last:
            sys.stderr.write(text + "\n")
            last = text

    return report
