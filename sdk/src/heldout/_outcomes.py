"""What came of a run: tables in a terminal, or JSON lines."""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from heldout._answered import in_words, over_answered
from heldout._tables import listing
from heldout.evaluation import Outcome, Played, SuiteOutcome
from heldout.evaluation.budget import dollars
from heldout.models import Usage


def show(outcomes: Sequence[Outcome]) -> None:
    """A row for each split, and what to do next."""
    console = Console()
    partly = [over_answered(outcome.submission) for outcome in outcomes]
    scores = ("score of asked", "score of all") if any(partly) else ("score",)
    rows: list[tuple[str, ...]] = []
    for outcome, part in zip(outcomes, partly, strict=True):
        found = outcome.submission
        interval = f" [{found.interval.low:.3f}, {found.interval.high:.3f}]" if found.interval else ""
        score = "" if found.score is None else f"{found.score:.3f}{interval}"
        mean = part["score_of_answered"] if part else found.score
        asked = ("not told" if mean is None else f"{mean:.3f}",) if any(partly) else ()
        rows.append(
            (outcome.course, _done(outcome), *asked, score, *_costs(outcome.usage), _ends(outcome), found.state)
        )
    listing(console, ("course", "done", *scores, "tokens", "cost", "ends", "state"), rows)
    for outcome in outcomes:
        _print(console, [*_faults(outcome), _following(outcome) if outcome.complete else _left(outcome)])


def show_suite(run: SuiteOutcome) -> None:
    """The table of the paper: each environment's score in per cent, its weight, and the overall score."""
    console = Console()
    table = _table("environment", "done", "score %", "95 %", "weight", "score / weight", "ends", "state")
    for played in run.played:
        table.add_row(*map(Text, _part(played)))
    whole, count = run.overall, len(run.played)
    ends = f"{whole.low:.2f} to {whole.high:.2f}"
    table.add_section()
    table.add_row("overall", "", "", ends, "", f"{whole.score:.2f}", f"{whole.played} of {count} scored", "")
    console.print(table)
    if whole.played < count:
        _print(console, [f"{count - whole.played} of {count} have no score; each counts 0 in the overall score"])
    for played in run.played:
        if played.outcome is None:
            place = f"{played.part.benchmark}, split {played.part.split}"
            _print(console, [f"{played.part.name}: not offered by this service ({place})"])
            continue
        lines = [*_faults(played.outcome), *([] if played.outcome.complete else [_left(played.outcome)])]
        _print(console, [f"{played.part.name}: {line}" for line in lines])


def lines(outcomes: Sequence[Outcome]) -> None:
    """A JSON object for each split."""
    for outcome in outcomes:
        _write(_record(outcome))


def suite_lines(run: SuiteOutcome) -> None:
    """A JSON object for each part, and one for the whole."""
    for played in run.played:
        score = played.score
        interval = {"low": score.low, "high": score.high} if score else None
        record = played.part.model_dump(mode="json") | {"score": score.score if score else None, "interval": interval}
        _write(record | (_record(played.outcome) if played.outcome else {}))
    whole = run.overall
    interval = {"low": whole.low, "high": whole.high}
    parts = {"played": whole.played, "parts": len(run.played)}
    _write({"suite": run.suite.name, "score": whole.score, "interval": interval} | parts)


def _table(*names: str) -> Table:
    """What does not fit into its column is in several lines, and never cut."""
    table = Table()
    for name in names:
        table.add_column(name, overflow="fold")
    return table


def _part(played: Played) -> tuple[str, ...]:
    part, outcome, score = played.part, played.outcome, played.score
    per_cent = f"{100 * score.score:.1f}" if score else "\u2013"
    interval = f"{100 * score.low:.1f} to {100 * score.high:.1f}" if score else ""
    share = f"{100 * score.score / part.average:.2f}" if score else "0"
    head = (part.name, _done(outcome) if outcome else "\u2013", per_cent, interval, f"{part.average:.1f}", share)
    return (*head, _ends(outcome) if outcome else "", outcome.submission.state if outcome else "not offered")


def _done(outcome: Outcome) -> str:
    return f"{outcome.done} of {outcome.tasks}"


def _ends(outcome: Outcome) -> str:
    return ", ".join(f"{name} {count}" for name, count in outcome.finish_reasons.items())


def _costs(usage: Usage) -> tuple[str, str]:
    tokens = f"{usage.tokens:,}" if usage.tokens is not None else ""
    return tokens, dollars(usage.cost) if usage.cost is not None else ""


def _faults(outcome: Outcome) -> Iterator[str]:
    if outcome.stopped:
        yield f"stopped early: {outcome.stopped}"
    if outcome.spent and not outcome.complete:
        yield f"the budget of this run is spent: {outcome.spent}"
    for words, count in outcome.errors.most_common(5):
        if outcome.stopped.startswith(words):
            continue
        yield f"{count} x {words}"
    if outcome.errors:
        yield f"each with its task: {outcome.folder / 'errors.jsonl'}"
    found = outcome.submission
    if note := found.note or found.failure:
        yield note
    if words := in_words(found):
        yield words
    if outcome.empty:
        yield f"{outcome.empty} of {outcome.answered} replies were empty, and count as not solved"
    if outcome.cut:
        words = "more --max-tokens leave them room"
        yield f"{outcome.cut} of {outcome.answered} replies were cut by length (finish_reason length): {words}"
    if outcome.left_out:
        yield f"{outcome.left_out} answer(s) were too long: their beginnings were left out"


def _following(outcome: Outcome) -> str:
    wait = "" if outcome.submission.settled else " --wait"
    return f"next: heldout status {outcome.submission.id}{wait}; heldout view {outcome.folder}"


def _left(outcome: Outcome) -> str:
    if outcome.failed:
        words = f"the agent failed at every task, so nothing was graded: submission {outcome.submission.id} is open"
        ends = f"heldout finalize {outcome.submission.id} ends it as it is, with nothing solved"
        return f"{words}. Once the agent works, the same command again begins anew with it; {ends}"
    count = outcome.tasks - outcome.done
    tasks, them = ("task is", "it") if count == 1 else ("tasks are", "them")
    left = f"{count} {tasks} left, and the submission is open: the same command again goes on with {them}"
    left += f"; as it is it is graded by: heldout finalize {outcome.submission.id}"
    if not outcome.begun:
        return left
    minutes = outcome.idle_seconds / 60
    return f"{left}; {outcome.begun} episode(s) are under way, and end {minutes:g} min after their last step"


def _print(console: Console, rows: Sequence[str]) -> None:
    for row in rows:
        console.print(row, markup=False, highlight=False, soft_wrap=True)


def _record(outcome: Outcome) -> dict[str, Any]:
    return {
        "course": outcome.course,
        "folder": str(outcome.folder),
        "tasks": outcome.tasks,
        "done": outcome.done,
        "finish_reasons": outcome.finish_reasons,
        "errors": outcome.errors,
        "stopped": outcome.stopped,
        "spent": outcome.spent,
        "answers_cut": outcome.left_out,
        "replies_empty": outcome.empty,
        "replies_cut_by_length": outcome.cut,
        "usage": outcome.usage.model_dump(mode="json", exclude_none=True),
        "asked": over_answered(outcome.submission),
        "submission": outcome.submission.model_dump(mode="json"),
    }


def _write(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
