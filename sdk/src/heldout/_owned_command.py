"""`heldout packs versions|diff|retire|delete-benchmark|export|items`, `heldout regrades` and `heldout reviewers`."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from heldout.client import Client
from heldout.owning import ItemMeasured, ItemStatistics, JobWatch, OwnerJob

regrades = typer.Typer(no_args_is_help=True, help="Grade a benchmark's submissions anew after a correction.")
disputes = typer.Typer(no_args_is_help=True, help="Golds that participants say are wrong.")
reviewers = typer.Typer(no_args_is_help=True, help="Who grades a benchmark's queue by name.")
out = Console()
err = Console(stderr=True)
SlugArgument = Annotated[str, typer.Argument(help="slug of your benchmark")]
EmailArgument = Annotated[str, typer.Argument(help="their e-mail address")]
JsonOption = Annotated[bool, typer.Option("--json", help="print JSON instead of text")]
SplitOption = Annotated[str, typer.Option(help="name of the split")]


def versions(benchmark: SlugArgument, as_json: JsonOption = False) -> None:
    """List the releases of a benchmark, newest first."""
    with Client() as client:
        rows = client.owned(benchmark).versions()
    if printed(as_json, rows):
        return
    for row in rows:
        marks = ["current"] * row.current + [f"corrects {row.corrects}"] * bool(row.corrects)
        say("  ".join([row.version, f"{row.published_at:%Y-%m-%d %H:%M}", *marks]))


def diff(
    benchmark: SlugArgument,
    old: Annotated[str, typer.Argument(help="version to compare from")],
    new: Annotated[str, typer.Argument(help="version to compare to")],
    as_json: JsonOption = False,
) -> None:
    """Show what changed between two releases; of golds only whether they did."""
    with Client() as client, watched() as progress:
        found = client.owned(benchmark).diff(old, new, progress=progress)
    if printed(as_json, found):
        return
    if found.corrects:
        say(f"{new} only mends golds of {old}: boards and agreements go on")
    for term in found.terms:
        say(f"~ {term}")
    for item in found.items:
        sign = {"added": "+", "removed": "-", "changed": "~"}[item.change]
        parts = [*item.fields, *(["gold"] if item.gold_changed else [])]
        say(f"{sign} {item.name} ({item.split}){': ' + ', '.join(parts) if parts else ''}")
        if item.old != item.new:
            for mark, statement in (("-", item.old), ("+", item.new)):
                for line in (statement or "").splitlines():
                    say(f"    {mark} {line}")
    if found.left_out:
        say(f"and {found.left_out} more")


def export(
    benchmark: SlugArgument,
    folder: Annotated[Path, typer.Argument(help="folder to write; it must not exist")],
    version: Annotated[str | None, typer.Option(help="the release; default: the current one")] = None,
    references: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="your own references.jsonl, for hidden splits")
    ] = None,
) -> None:
    """Write a release as a pack. Golds of hidden splits never leave the service: they come from your own file."""
    if folder.exists():
        raise typer.BadParameter(f"{folder} exists; name a new folder")
    with Client() as client, watched() as progress:
        done = client.owned(benchmark).export(folder, version, references=references, progress=progress)
    say(f"wrote {folder}: {benchmark} {done.version}, {done.problems} problems")
    if done.without_reference and references is None:
        say(f"{done.without_reference} of them, of hidden splits, without references; --references adds your own")


def retire(
    benchmark: SlugArgument,
    split: Annotated[str, typer.Option(help="the hidden split")],
    version: Annotated[str, typer.Option(help="version of the release that this makes")],
    into: Annotated[str, typer.Option(help="the dev split that gets the problems")] = "dev",
    everything: Annotated[bool, typer.Option("--everything", help="all of the split, not its feedback part")] = False,
    anyway: Annotated[bool, typer.Option("--anyway", help="though its golds are not presumed public yet")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
) -> None:
    """Publish a hidden split's feedback part, golds included, as dev problems of a new release. It cannot be undone."""
    if not yes:
        what = "all" if everything else "the feedback part"
        typer.confirm(f"Publish {what} of '{split}' with its golds as {benchmark} {version}?", abort=True)
    with Client() as client:
        done = client.owned(benchmark).retire(split, version, into=into, everything=everything, anyway=anyway)
    say(f"published {benchmark} {done.version} ({done.problems} problems)")


def delete_benchmark(
    benchmark: SlugArgument,
    reason: Annotated[str, typer.Option(help="why; it is shown wherever the benchmark is asked for")],
    confirm: Annotated[str, typer.Option(help="the slug once more; without it you are asked")] = "",
) -> None:
    """Delete a published benchmark with its golds, answers and entries. It cannot be undone; the ledger stays."""
    with Client() as client:
        owned = client.owned(benchmark)
        rows = owned.versions()
        say(f"{benchmark}: {len(rows)} releases, the newest is {rows[0].version}")
        say("Golds, problems, answers, transcripts and entries are erased. The slug is never used again.")
        written = confirm or typer.prompt("Write its name to delete it")
        if written != benchmark:
            raise typer.BadParameter(f"'{written}' is not '{benchmark}'; nothing was deleted", param_hint="--confirm")
        done = owned.delete(reason, confirm=written)
    say(f"deleted {benchmark}: {done.problems} problems, {done.submissions} submissions, {done.entries} entries")


def items(
    benchmark: SlugArgument,
    split: SplitOption = "test",
    last: Annotated[bool, typer.Option("--last", help="what was measured last, without measuring again")] = False,
    top: Annotated[int, typer.Option(min=1, help="how many problems to show")] = 20,
    as_json: JsonOption = False,
) -> None:
    """Measure how submissions do on each problem; suspected wrong golds come first."""
    with Client() as client, watched() as progress:
        owned = client.owned(benchmark)
        found = owned.items(split).statistics if last else owned.measure_items(split, progress=progress)
    if printed(as_json, found):
        return
    say(f"{benchmark} {found.version}, {split}: {found.submissions} submissions, {found.strong} of them the strongest")
    for item in found.items[:top]:
        say(_described(item, found))


def _described(item: ItemMeasured, found: ItemStatistics) -> str:
    figures = [
        "not answered" if item.right is None else f"{item.right:.0%} right",
        "" if item.discrimination is None else f"discrimination {item.discrimination:+.2f}",
        "" if item.seconds is None else f"{item.seconds:.1f} s",
        "" if item.judge_disagrees is None else f"judge differs on {item.judge_disagrees:.0%}",
    ]
    mark = "? " if item.suspected else "  "
    lines = [f"{mark}{item.name}: {', '.join(figure for figure in figures if figure)}"]
    lines += [
        f"      {wrong.count} x {wrong.text}  ({wrong.strong} of the {found.strong} strongest)"
        for wrong in item.wrong[:3]
    ]
    return "\n".join(lines)


@regrades.command("list")
def list_regrades(benchmark: SlugArgument, as_json: JsonOption = False) -> None:
    """List the regradings of a benchmark with who moved."""
    with Client() as client:
        rows = client.owned(benchmark).regrades()
    if printed(as_json, rows):
        return
    none_of(len(rows), f"regrading of {benchmark}")
    for row in rows:
        # With hidden splits the count is told with the next scheduled release.
        told = f"{row.done} of {row.total}" if row.done or row.finished_at else f"{row.total}, under way or told later"
        say(f"{row.id}  {row.created_at:%Y-%m-%d %H:%M}  {told}  {row.reason}")
        for mover in row.movers:
            scores = [one.get("score", 0.0) for one in (mover.before, mover.after)]
            say(f"    {mover.model} ({mover.organisation}): {scores[0]:.3f} -> {scores[1]:.3f}")


@regrades.command()
def preview(benchmark: SlugArgument, as_json: JsonOption = False) -> None:
    """Show whose score a regrading would move; nothing is changed, and nobody else sees it."""
    with Client() as client, watched() as progress:
        found = client.owned(benchmark).preview_regrade(progress=progress)
    if printed(as_json, found):
        return
    say(f"under the golds of {found.version}, {len(found.entries)} of {found.submissions} submissions would move")
    table = Table("model", "organisation", "split", "before", "after", "answers")
    for entry in found.entries:
        cells = (entry.model, entry.organisation, entry.split, f"{entry.before:.3f}", f"{entry.after:.3f}")
        table.add_row(*map(Text, cells), str(entry.answers_changed))
    if found.entries:
        out.print(table)
    for item in found.items:
        say(f"{item.name} ({item.split}): {item.better} better, {item.worse} worse")


@regrades.command()
def begin(
    benchmark: SlugArgument,
    reason: Annotated[str, typer.Option(help="why; everybody reads it")],
    as_json: JsonOption = False,
) -> None:
    """Grade every stored submission anew with the golds of the current release."""
    with Client() as client:
        begun = client.owned(benchmark).regrade(reason)
    if printed(as_json, {"id": begun}):
        return
    say(f"{begun} has begun; `heldout regrades list {benchmark}` says how far it is")


@reviewers.command("list")
def list_reviewers(benchmark: SlugArgument, as_json: JsonOption = False) -> None:
    """List who grades the queue by name."""
    with Client() as client:
        emails = client.owned(benchmark).reviewers()
    if printed(as_json, emails):
        return
    none_of(len(emails), f"reviewer of {benchmark} is named; members of its organisation review")
    for email in emails:
        say(email)


@reviewers.command()
def add(benchmark: SlugArgument, email: EmailArgument) -> None:
    """Let somebody grade the queue; their key needs `reviews:write`."""
    with Client() as client:
        client.owned(benchmark).add_reviewer(email)
    say(f"{email} may review {benchmark}")


@reviewers.command()
def remove(benchmark: SlugArgument, email: EmailArgument) -> None:
    """Take a reviewer's part back; votes that were cast stay."""
    with Client() as client:
        client.owned(benchmark).remove_reviewer(email)
    say(f"{email} reviews {benchmark} no more")


@reviewers.command()
def judges(
    benchmark: SlugArgument,
    to: Annotated[
        Path | None, typer.Option("--out", "-o", help="write both scores of every answer into this file, as CSV")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how the judge models do against people."""
    with Client() as client:
        owned = client.owned(benchmark)
        if to is not None:
            to.write_bytes(owned.calibration_table())
            say(f"wrote {to}")
            return
        found = owned.calibration()
    if printed(as_json, found):
        return
    say(f"{found.waiting} answers wait for people")
    for judge in found.judges:
        weak = "; not to be relied on yet" if judge.weak else ""
        say(f"{judge.judge}: {judge.n} answers, Pearson {_share(judge.pearson)}, kappa {_share(judge.kappa)}{weak}")
        for one in judge.criteria:
            figures = f"agreement {one.agreement:.2f}, kappa {_share(one.kappa)}, Pearson {_share(one.pearson)}"
            say(f"    {one.criterion}: {one.n} answers, {figures}")


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


@disputes.command("raise")
def raise_dispute(
    problem: Annotated[str, typer.Argument(help="the problem's id, as your organisation was shown it")],
    reason: Annotated[str, typer.Option(help="what the answer is, and how that can be seen; for the owner")],
) -> None:
    """Say that the gold of a problem is wrong."""
    with Client() as client:
        raised = client.dispute(problem, reason)
    say(f"{raised.id}: {raised.state}")


@disputes.command("list")
def list_disputes(
    benchmark: Annotated[
        str, typer.Argument(help="your own benchmark; without it, what your organisation raised")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """List disputes: those on your benchmark, or those that your organisation raised, with the answers."""
    with Client() as client:
        rows = client.owned(benchmark).disputes() if benchmark else client.disputes()
    if printed(as_json, rows):
        return
    none_of(len(rows), "dispute")
    for row in rows:
        say(f"{row.id}  {row.state}  {row.benchmark} {row.version} {row.split}  {row.name or row.problem or ''}")
        say(f"    {row.organisation}: {row.reason}")
        if row.answer:
            say(f"    owner: {row.answer}")


@disputes.command()
def answer(
    dispute: Annotated[str, typer.Argument(help="the dispute's id")],
    text: Annotated[str, typer.Option("--text", help="your answer to who raised it")],
    accept: Annotated[bool, typer.Option("--accept/--reject", help="whether the gold will be corrected")],
) -> None:
    """Accept or reject a dispute on your benchmark, once."""
    with Client() as client:
        done = client.owned("").decide_dispute(dispute, "accepted" if accept else "rejected", text)
    say(f"{done.id}: {done.state}")


def register(packs: typer.Typer) -> None:
    """Add what belongs to a published benchmark to `heldout packs`."""
    for command in (versions, diff, export, retire, delete_benchmark, items):
        packs.command()(command)


@contextmanager
def watched() -> Iterator[JobWatch]:
    """A bar on the terminal that follows a job."""
    with Progress(TextColumn("{task.description}"), BarColumn(), console=err, transient=True) as bar:
        task = bar.add_task("waiting", total=None)

        def show(job: OwnerJob) -> None:
            bar.update(task, description=job.state, completed=job.done, total=job.total or None)

        yield show


def none_of(found: int, what: str) -> None:
    """Say beside the output that a list is empty: to people, no output looks like a failure."""
    if not found:
        err.print(f"no {what}", markup=False, highlight=False, soft_wrap=True)


def say(text: str) -> None:
    # Names and statements are not rich markup, and are there to be copied.
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def printed(as_json: bool, value: BaseModel | Sequence[BaseModel] | Sequence[str] | dict[str, str]) -> bool:
    """Whether JSON was asked for; then it is written."""
    if as_json:
        sys.stdout.write(json.dumps(value, ensure_ascii=False, default=_plain) + "\n")
    return as_json


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} is not written as JSON")
