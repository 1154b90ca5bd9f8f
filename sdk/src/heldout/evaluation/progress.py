"""How a run gets on: a bar for each split on standard error, or whatever the caller makes of a report."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

Report = Callable[[Mapping[str, Any]], None]
"""Called after each task with `ended`, `running`, `errors` (by message), `seconds`, `rate` (tasks a second) and
`courses` (tasks that are done, by course)."""


@contextmanager
def reporting(progress: bool | Report, totals: Mapping[str, int]) -> Iterator[Report]:
    """What to call with each report; `totals` are the tasks of each course."""
    if callable(progress) or not progress:
        yield progress if callable(progress) else lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        bars = {course: bar.add_task(course, total=total) for course, total in totals.items()}
        rate = bar.add_task("starting", total=sum(totals.values()))

        def report(state: Mapping[str, Any]) -> None:
            for course, done in state["courses"].items():
                bar.update(bars[course], completed=done)
            errors = ", ".join(f"{name} {count}" for name, count in state["errors"].items())
            words = f"{state['rate'] * 60:.1f}/min, {state['running']} running"
            words += f", errors: {errors}" if errors else ""
            bar.update(rate, completed=sum(state["courses"].values()), description=words)

        yield report
