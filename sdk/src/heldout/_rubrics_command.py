"""`heldout rubrics`: drafted by the service's judge model, edited, approved and published by the benchmark's owner."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from heldout._owned import Owned
from heldout._owned_command import JsonOption, SlugArgument, printed, say, watched
from heldout.client import Client
from heldout.owning import RubricText

rubrics = typer.Typer(no_args_is_help=True, help="Rubrics of your benchmark: drafted by a model, approved by you.")
ProblemArgument = Annotated[str, typer.Argument(help="name of the problem in its pack")]


@rubrics.command("list")
def list_rubrics(benchmark: SlugArgument, as_json: JsonOption = False) -> None:
    """List the problems that have a rubric or could have one, as `draft` last found them."""
    with Client() as client:
        rows = client.owned(benchmark).rubrics()
    if printed(as_json, rows):
        return
    for row in rows:
        who = [f"drafted by {row.model}"] * bool(row.model) + [f"approved by {row.approved_by}"] * bool(row.approved_by)
        say("  ".join([row.problem, row.split, row.kind, row.state, *who]))


@rubrics.command()
def draft(
    benchmark: SlugArgument,
    problems: Annotated[list[str] | None, typer.Argument(help="names of problems; without, it only looks")] = None,
    pack: Annotated[str | None, typer.Option(help="look at this checked pack (pck_...), before its release")] = None,
    total: Annotated[float, typer.Option(help="what the points of a rubric sum to", min=0.5)] = 10.0,
    again: Annotated[bool, typer.Option("--again", help="also where there is a rubric already")] = False,
    as_json: JsonOption = False,
) -> None:
    """Look at the current release, or a checked pack, and have the judge model draft rubrics from worked solutions."""
    with Client() as client, watched() as progress:
        owned = client.owned(benchmark)
        found = owned.draft_rubrics(problems or (), pack=pack, total=total, again=again, progress=progress)
    if not printed(as_json, found):
        say(f"{found.listed} problems of {found.version} have or could have a rubric; {len(found.drafted)} drafted")
        for fault in found.faults:
            say(fault)
    if found.faults:
        raise typer.Exit(1)


@rubrics.command()
def show(benchmark: SlugArgument, problem: ProblemArgument, as_json: JsonOption = False) -> None:
    """Show a rubric beside its problem and solution. With --json it is what `edit` takes."""
    with Client() as client:
        found = _named(client.owned(benchmark), problem)
    if not printed(as_json, found):
        _tell(found)


def _tell(found: RubricText) -> None:
    for text in (f"## {found.problem}: {found.state}", found.statement, "### Solution", found.solution, "### Rubric"):
        say(text)
    for one in found.criteria:
        more = f", after {', '.join(one.requires)}" if one.requires else ""
        more += f", one of '{one.alternative}'" if one.alternative else ""
        say(f"- {one.id} ({one.points:g} of {found.total:g} points{more}): {one.text}")
        for name, text in (("full", one.full), ("half", one.half), ("none", one.none)):
            if text:
                say(f"    {name}: {text}")


@rubrics.command()
def edit(
    benchmark: SlugArgument,
    problem: ProblemArgument,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="what `show --json` wrote, edited")],
) -> None:
    """Write another rubric from a file with `revision`, `total` and `criteria`."""
    given = _read(file)
    with Client() as client:
        owned = client.owned(benchmark)
        found = _named(owned, problem)
        done = owned.edit_rubric(found.id, given["revision"], given["criteria"], given.get("total", 10.0))
    say(f"{problem}: {done.state}, {len(done.criteria)} criteria")
    for fault in done.faults:
        say(f"cannot be approved yet: {fault}")


@rubrics.command()
def approve(
    benchmark: SlugArgument,
    problem: ProblemArgument,
    yes: Annotated[bool, typer.Option("--yes", help="do not show it and ask")] = False,
) -> None:
    """Say that you have read the rubric of a problem."""
    with Client() as client:
        owned = client.owned(benchmark)
        found = _named(owned, problem)
        if not yes:
            _tell(found)
            typer.confirm("Approve it?", abort=True)
        done = owned.approve_rubric(found.id, found.revision)
    say(f"{problem}: {done.state}")


@rubrics.command()
def publish(
    benchmark: SlugArgument,
    version: Annotated[str, typer.Option(help="version of the release that this makes")],
    as_json: JsonOption = False,
) -> None:
    """Publish the current release with all approved rubrics."""
    with Client() as client, watched() as progress:
        done = client.owned(benchmark).publish_rubrics(version, progress=progress)
    if not printed(as_json, done):
        say(f"published {benchmark} {done.version} with the rubrics of {', '.join(done.problems)}")


def _named(owned: Owned, problem: str) -> RubricText:
    for row in owned.rubrics():
        if row.problem == problem:
            return owned.rubric(row.id)
    raise typer.BadParameter(f"'{problem}' is not among them; `heldout rubrics list` names those that are")


def _read(file: Path) -> dict[str, Any]:
    try:
        given = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise typer.BadParameter(f"{file} is no JSON: {error}") from None
    if not isinstance(given, dict) or not {"revision", "criteria"} <= given.keys():
        raise typer.BadParameter(f"{file} needs 'revision' and 'criteria'; `heldout rubrics show --json` writes them")
    return given
