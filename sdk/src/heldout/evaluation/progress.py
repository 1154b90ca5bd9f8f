"""How a run gets on: bars on standard error (plain lines off a terminal), or what the caller makes of it."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

_LINES = 20
SILENCE = 30.0
"""Seconds in which no task ended after which that is said, and again after as many."""
# Seconds before which a rate says nothing.
_RATE_AFTER = 2.0
Report = Callable[[Mapping[str, Any]], None]
"""Called after each task, and each 30 seconds in which none ended, with `ended`, `running`, `errors` (by message),
`seconds`, `rate` (tasks done a second in this run), `silent` (seconds in which none ended), `waiting` (a sentence while
nothing is answered, else empty) and `courses` (tasks that are done, by course)."""


@contextmanager
def reporting(progress: bool | Report, totals: Mapping[str, int]) -> Iterator[Report]:
    """What to call with each report; `totals` are the tasks of each course."""
    if callable(progress) or not progress:
        yield progress if callable(progress) else lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(sum(totals.values()))
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        bars = {course: bar.add_task(course, total=total) for course, total in totals.items()}
        rate = bar.add_task("starting", total=sum(totals.values()))

        def report(state: Mapping[str, Any]) -> None:
            for course, done in state["courses"].items():
                bar.update(bars[course], completed=done)
            bar.update(rate, completed=sum(state["courses"].values()), description=_words(state))

        yield report


def _words(state: Mapping[str, Any]) -> str:
    errors = ", ".join(f"{name} {count}" for name, count in state["errors"].items())
    rate = f"{state['rate'] * 60:.1f}/min, " if state["seconds"] >= _RATE_AFTER else ""
    words = f"{rate}{state['running']} running" + (f", errors: {errors}" if errors else "")
    words += f"; nothing came for {state['silent']:.0f} s" if state["silent"] else ""
    return words + (f"; {state['waiting']}" if state["waiting"] else "")


def _lines(total: int) -> Report:
    """A line for the first task, for each twentieth of all, for each new error, for each wait and each silence."""
    every = max(1, total // _LINES)
    known: set[str] = set()
    last = 0

    def report(state: Mapping[str, Any]) -> None:
        nonlocal last
        done, new = sum(state["courses"].values()), set(state["errors"]) - known
        further = done != last and (done % every == 0 or done == total)
        if new or state["waiting"] or state["silent"] or state["ended"] == 1 or further:
            known.update(new)
            last = done
            sys.stderr.write(f"{done} of {total} done, {_words(state)}\n")

    return report
