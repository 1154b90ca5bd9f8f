"""Commands of `heldout`, in Typer and rich."""

import csv
import hashlib
import json
import sys
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from heldout._answered import in_words, over_answered
from heldout._answers_file import AnswersFileError, read_answers
from heldout._config import package_version
from heldout._container_command import app as container_app
from heldout._decontaminate_command import decontaminate
from heldout._endpoint_command import app as endpoint_app
from heldout._exposure_command import register as register_exposure
from heldout._files import replaced, writable
from heldout._keys_command import app as keys_app
from heldout._login_command import login, logout
from heldout._match_command import app as match_app
from heldout._mcp_command import mcp
from heldout._owned_command import disputes as disputes_app
from heldout._owned_command import register as register_owned
from heldout._owned_command import regrades as regrades_app
from heldout._owned_command import reviewers as reviewers_app
from heldout._packs_command import app as packs_app
from heldout._rubrics_command import rubrics as rubrics_app
from heldout._run_command import run
from heldout._tables import leaderboard_table, listing, show
from heldout._view_command import view
from heldout.client import Client, Submission
from heldout.errors import HeldoutError
from heldout.models import Model

app = typer.Typer(
    no_args_is_help=True,
    epilog="Exit codes: 0 done, 1 refused, failed or not complete, 2 wrong usage or a file that cannot be sent, "
    "130 interrupted.",
)
out = Console()
err = Console(stderr=True)

BenchmarkOption = Annotated[str | None, typer.Option("--benchmark", "-b", help="or HELDOUT_BENCHMARK")]
SplitOption = Annotated[str, typer.Option("--split", "-s", help="name of the split")]
_FILE = 'JSON lines: {"problem": ..., "answer": ..., "usage": {...}}; or one array or object of answers; - is the input'
_REPLACED = "zero bytes and lone surrogates are sent as U+FFFD, no service stores them: the answers to "
JsonOption = Annotated[bool, typer.Option("--json", help="print JSON lines instead of a table")]


app.command()(run)
app.command()(login)
app.command()(logout)
app.command()(decontaminate)
app.command()(mcp)
app.command()(view)
register_owned(packs_app)
register_exposure(app)
app.add_typer(packs_app, name="packs")
app.add_typer(regrades_app, name="regrades")
app.add_typer(reviewers_app, name="reviewers")
app.add_typer(disputes_app, name="disputes")
app.add_typer(rubrics_app, name="rubrics")
app.add_typer(container_app, name="container")
app.add_typer(endpoint_app, name="endpoint")
app.add_typer(match_app, name="match")
app.add_typer(keys_app, name="keys")


def _version(asked: bool) -> None:
    if asked:
        out.print(f"heldout {package_version()}", highlight=False)
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version and end")
    ] = False,
) -> None:
    """Take part in benchmarks whose test sets stay unseen."""


@app.command()
def benchmarks(as_json: JsonOption = False) -> None:
    """List the benchmarks."""
    with Client() as client:
        rows = client.benchmarks().all()
    if as_json:
        _lines(row.model_dump(mode="json") for row in rows)
        return
    if not rows:
        err.print("no benchmark is published here; its operator does that: heldout-server import PACK", markup=False)
    cells = ((r.slug, r.title, r.version, ", ".join(f"{s.name} ({s.count})" for s in r.splits)) for r in rows)
    listing(out, ("slug", "title", "version", "splits"), cells)


@app.command()
def agree(
    name: Annotated[str, typer.Option(help="who accepts, by name")],
    benchmark: BenchmarkOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="accept without being asked; you have read it")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a benchmark's agreement and accept it."""
    with Client() as client:
        found = client.benchmark(benchmark)
        if found.agreement is None:
            err.print(f"{found.slug} has no agreement")
            return
        err.print(found.agreement.text, markup=False)
        if not yes and not _confirmed(name):
            raise typer.Abort
        accepted = client.accept_agreement(found.slug, name=name)
    if as_json:
        _line(accepted)
    else:
        out.print(f"{found.slug} {found.version}: {accepted.state}")


def _confirmed(name: str) -> bool:
    try:
        return typer.confirm(f"Accept as {name}?", err=True)
    except typer.Abort:
        if sys.stdin.isatty():
            raise
        words = "nobody can be asked here (no terminal), so nothing was accepted: read the agreement and give --yes"
        raise typer.BadParameter(words) from None


@app.command()
def problems(
    split: SplitOption = "test",
    benchmark: BenchmarkOption = None,
    limit: Annotated[int | None, typer.Option(min=1, help="at most so many")] = None,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="write JSON lines into this file")] = None,
    as_json: JsonOption = False,
) -> None:
    """Fetch the problems of a split."""
    if to is not None:
        writable(to, "--out")
    with Client() as client:
        served = client.get_problems(split, benchmark=benchmark)
        rows = served.first(limit) if limit is not None else served.all()
    records = [row.model_dump(mode="json", exclude_defaults=True) for row in rows]
    if to is not None:
        replaced(to, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
        out.print(f"{len(records)} problems in {to}")
    elif as_json:
        _lines(iter(records))
    else:
        for row in rows:
            _two_lines(row.id, f"{row.type}, {row.subject}: {' '.join(row.statement.split())}")
    if served.budget is not None:
        err.print(f"budget: {served.budget.used} of {served.budget.limit} used, renewed {served.budget.resets_at}")


@app.command()
def submit(
    file: Annotated[Path, typer.Argument(help=_FILE)],
    model: Annotated[str, typer.Option("--model", "-m", help="name or name@version")],
    split: SplitOption = "test",
    benchmark: BenchmarkOption = None,
    organisation: Annotated[str, typer.Option(help="who made the model")] = "",
    wait: Annotated[bool, typer.Option(help="wait until it is graded")] = True,
    key: Annotated[str | None, typer.Option(help="Idempotency-Key: the same again is the same submission")] = None,
    again: Annotated[bool, typer.Option("--again", help="a new submission, although the same was sent before")] = False,
    as_json: JsonOption = False,
) -> None:
    """Submit the answers in a file."""
    described = Model.of(model).model_copy(update={"organisation": organisation})
    with Client() as client:
        try:
            answers = read_answers(file, client.limits().answer_characters)
        except AnswersFileError as error:
            raise typer.BadParameter(str(error)) from None
        if answers.replaced:
            err.print(_REPLACED + ", ".join(answers.replaced), markup=False, soft_wrap=True)
        about = client.benchmark(benchmark)
        key = key or _key(answers, described, f"{about.slug} {about.version} {split}", again=again)
        before = {row.id for row in client.submissions().first(100)}
        with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
            task = bar.add_task("sending", total=len(answers))
            try:
                made = client.submit(
                    answers,
                    model=described,
                    split=split,
                    benchmark=about.slug,
                    idempotency_key=key,
                    progress=lambda sent, total: bar.update(task, completed=sent, total=total),
                )
            except HeldoutError as error:
                error.detail += answers.places(error.problems)
                raise
        if made.id in before:
            err.print(f"{made.id} has these answers already, nothing was sent anew: --again does", soft_wrap=True)
        err.print(f"{made.id}: {made.received} of {made.expected} problems answered", soft_wrap=True)
        shown = made.wait(progress=True) if wait else made
    _result(shown, as_json)


@app.command()
def status(
    submission: Annotated[str, typer.Argument(help="the submission's id; without it, the newest ones")] = "",
    wait: Annotated[bool, typer.Option(help="wait until it is graded")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a submission, or the newest ones."""
    with Client() as client:
        if submission:
            found = client.submission(submission)
            found = found.wait(progress=True) if wait else found
            _result(found, as_json)
            return
        rows = client.submissions().first(20)
    if as_json:
        _lines(row.model_dump(mode="json") for row in rows)
        return
    cells = ((r.id, r.benchmark, r.split, r.model.name, r.state, _number(r.score)) for r in rows)
    listing(out, ("id", "benchmark", "split", "model", "state", "score"), cells)


@app.command()
def finalize(
    submission: Annotated[str, typer.Argument(help="the submission's id")],
    wait: Annotated[bool, typer.Option(help="wait until it is graded")] = True,
    as_json: JsonOption = False,
) -> None:
    """Have an open submission graded as it is: what has no answer counts as not solved."""
    with Client() as client:
        made = client.submission(submission).finalize()
        shown = made.wait(progress=True) if wait else made
    _result(shown, as_json)


@app.command()
def select(submission: Annotated[str, typer.Argument(help="the submission's id")], as_json: JsonOption = False) -> None:
    """Have a submission ranked at its split's next scheduled release."""
    with Client() as client:
        found = client.submission(submission).select()
    _result(found, as_json)


@app.command()
def leaderboard(
    split: SplitOption = "test",
    benchmark: BenchmarkOption = None,
    everything: Annotated[bool, typer.Option("--all", help="every entry, not each model's best")] = False,
    limit: Annotated[int, typer.Option(min=1, help="at most so many rows")] = 50,
    as_csv: Annotated[bool, typer.Option("--csv", help="print comma-separated values with a line of names")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the leaderboard; needs no key."""
    if as_csv and as_json:
        raise typer.BadParameter("give either --csv or --json")
    with Client() as client:
        board = client.leaderboard(split, benchmark=benchmark, all=everything or None)
        rows = board.first(limit)
    if as_json:
        _lines(row.model_dump(mode="json") for row in rows)
        return
    if as_csv:
        names = [column.name for column in board.columns if "csv" in column.shown_in]
        lines = csv.writer(sys.stdout)
        lines.writerow(names)
        lines.writerows([row.cells.get(name) for name in names] for row in rows)
        return
    show(out, leaderboard_table(board.columns, rows), heads=2)


@app.command()
def whoami(as_json: JsonOption = False) -> None:
    """Show who the key belongs to."""
    with Client() as client:
        found = client.me()
    if as_json:
        _line(found)
        return
    out.print(f"{found.user} of {found.organisation or 'no organisation'}; scopes: {', '.join(found.scopes)}")


def _key(answers: Sequence[object], model: Model, course: str, *, again: bool) -> str:
    """The Idempotency-Key of a file: the same answers of the same model to the same split are one submission."""
    if again:
        return uuid.uuid4().hex
    whole = json.dumps([course, model.model_dump(mode="json"), list(answers)], sort_keys=True)
    return f"file-{hashlib.sha256(whole.encode()).hexdigest()}"


def _result(found: Submission, as_json: bool) -> None:
    if as_json:
        part = over_answered(found)
        _lines(iter([found.model_dump(mode="json") | ({"asked": part} if part else {})]))
    else:
        _show(found)


def _show(found: Submission) -> None:
    table = Table(show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    interval = f" [{found.interval.low:.3f}, {found.interval.high:.3f}]" if found.interval else ""
    facts = {
        "id": found.id,
        "benchmark": f"{found.benchmark} {found.version}, {found.split}",
        "model": f"{found.model.name} {found.model.version}".strip(),
        "state": found.state,
        "coverage": f"{found.coverage:.1%}",
        "score": _number(found.score) + interval,
        "note": found.note or found.failure,
        "answered": in_words(found),
    } | _released(found)
    for name, value in facts.items():
        if name == "answered" and not value:
            continue
        _row(table, name, value)
    out.print(table)
    for item in found.items or ():
        words = (_number(item.score), item.outcome, _short(item.reason or ""))
        _two_lines(item.problem, " ".join(word for word in words if word))


def _two_lines(name: str, words: str) -> None:
    """An id whole, to be copied, and below it what there is to say of it, in one line."""
    out.print(Text(f"{name}\n    {words}"[: len(name) + out.width]), soft_wrap=True)


def _released(found: Submission) -> dict[str, str]:
    """What was released of a submission to a hidden split, what is left, and when there is more."""
    shown = found.feedback
    if shown is None:
        return {}
    facts = {"feedback": shown.outcome if shown.new_best is None else "new best" if shown.new_best else "no new best"}
    if shown.stands is not None:
        facts["feedback part"] = f"{shown.stands.from_score:.3f} to {shown.stands.to_score:.3f}"
    if shown.decisions_left is not None:
        facts["decisions left"] = str(shown.decisions_left)
    facts["ranking"] = "ranked" if shown.ranked else "selected" if shown.selected else "not selected"
    if found.next_release is not None:
        facts["next release"] = f"{found.next_release:%Y-%m-%d %H:%M:%S} UTC"
    return facts


def _row(table: Table, *cells: str) -> None:
    # Texts of problems and models are not rich markup.
    table.add_row(*map(Text, cells))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"


def _line(record: BaseModel) -> None:
    """A record as a line of JSON."""
    _lines(iter([record.model_dump(mode="json")]))


def _lines(records: Iterator[dict[str, Any]]) -> None:
    for record in records:
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
