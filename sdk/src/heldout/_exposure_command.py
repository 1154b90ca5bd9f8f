"""`heldout exposure`, `feedback`, `entries` and `access`: what a benchmark lets out, and to whom."""

import csv
import json
import sys
from itertools import islice
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console

from heldout._files import writable
from heldout._owned_command import JsonOption, SlugArgument, SplitOption, none_of, watched
from heldout.client import Client
from heldout.exposure import ExposureFilters, Served
from heldout.organisations import AccessState

exposure = typer.Typer(no_args_is_help=True, help="Who was served what of your benchmark.")
feedback = typer.Typer(no_args_is_help=True, help="What the hidden splits of your benchmark let out.")
entries = typer.Typer(no_args_is_help=True, help="Entries of your benchmark's boards.")
access = typer.Typer(no_args_is_help=True, help="Who asked for access to your benchmark, and who has it.")
out = Console()
RequestArgument = Annotated[str, typer.Argument(help="the request's id, as `heldout access list` shows it")]
EntryArgument = Annotated[str, typer.Argument(help="the submission's id, as the board lists it")]
Filter = Annotated[str | None, typer.Option(help="only these rows")]
Time = Annotated[str | None, typer.Option(help="a day or a time, like 2026-11-23")]


@exposure.command("list")
def list_exposure(
    benchmark: SlugArgument,
    organisation: Filter = None,
    split: Filter = None,
    problem: Filter = None,
    key: Filter = None,
    channel: Filter = None,
    address: Filter = None,
    since: Time = None,
    until: Time = None,
    top: Annotated[int, typer.Option(min=1, help="at most so many rows")] = 100,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="write all rows into this file, as CSV")] = None,
    as_json: JsonOption = False,
) -> None:
    """List who was served what, newest first; with --out write every row that the filters let through."""
    if to is not None:
        writable(to, "--out")
    given = {"organisation": organisation, "split": split, "problem": problem, "key": key, "channel": channel}
    given |= {"address": address, "since": since, "until": until}
    filters = cast(ExposureFilters, {name: value for name, value in given.items() if value is not None})
    with Client() as client:
        rows = client.owned(benchmark).exposure(**filters)
        if to is not None:
            with to.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(Served.model_fields))
                writer.writeheader()
                count = 0
                for count, row in enumerate(rows, 1):  # noqa: B007 - counted
                    writer.writerow(row.model_dump(mode="json"))
            _line(f"wrote {count} rows into {to}")
            return
        count = 0
        for count, row in enumerate(islice(rows, top), 1):  # noqa: B007 - counted
            if as_json:
                _json(row.model_dump(mode="json"))
            else:
                variant = f" variant {row.variant}" if row.variant else ""
                where = f"{row.organisation} ({row.key}, {row.address}, {row.channel})"
                _line(f"{row.served_at:%Y-%m-%d %H:%M:%S}  {where}  {row.split}/{row.problem}{variant}")
        none_of(count or as_json, f"problem of {benchmark} was served that the filters let through")


@exposure.command()
def check(benchmark: SlugArgument, as_json: JsonOption = False) -> None:
    """Walk the hash chain of the service's ledger. Ends with 1 where it is broken."""
    with Client() as client:
        found = client.owned(benchmark).check_ledger()
    if as_json:
        _json(found.model_dump(mode="json"))
    elif found.holds:
        _line(f"the chain of {found.rows} rows holds; {found.unsealed} wait to be sealed; head {found.head}")
    else:
        _line(f"the chain breaks at row {found.broken}")
    if not found.holds:
        raise typer.Exit(1)


@feedback.command()
def presets(benchmark: SlugArgument, split: SplitOption = "test", as_json: JsonOption = False) -> None:
    """Simulate what each preset of feedback would cost a split of this size. Nothing is changed."""
    with Client() as client, watched() as progress:
        found = client.owned(benchmark).preset_costs(split, progress=progress)
    if as_json:
        _json(found.model_dump(mode="json"))
        return
    _line(f"{benchmark} {found.version}, {split}: {found.problems} problems, preset {found.preset}")
    for row in found.items:
        told = f"{row.decisions} decisions and {row.rankings} rankings a year, {row.organisations} in one hand"
        learnt = f"{row.golds_learnt:.1f} ± {row.golds_error:.1f} golds learnt"
        gained = f"{round(row.points_gained, 1) + 0.0:.1f} ± {row.points_error:.1f} points gained"
        _line(f"{'* ' if row.current else '  '}{row.preset}: {told}: {learnt}, {gained}")


@feedback.command()
def releases(benchmark: SlugArgument, split: SplitOption = "test", as_json: JsonOption = False) -> None:
    """Show when a split's ranking was released, when it is next, and how often you may call for it this year."""
    with Client() as client:
        found = client.owned(benchmark).releases(split)
    if as_json:
        _json(found.model_dump(mode="json"))
        return
    following = f"{found.next_release:%Y-%m-%d %H:%M}" if found.next_release else "none: it has no ranking part"
    _line(f"{benchmark}, {split} ({found.policy}): next release {following}; {found.calls_left} calls left")
    for one in found.items:
        _line(
            f"  {one.scheduled:%Y-%m-%d %H:%M}  {'called' if one.called else 'scheduled'}{'' if one.done else ', due'}"
        )


@feedback.command()
def release(benchmark: SlugArgument, split: SplitOption = "test", as_json: JsonOption = False) -> None:
    """Release a split's ranking now, for all who selected a run; within the year's allowance."""
    with Client() as client:
        called = client.owned(benchmark).call_release(split)
    if as_json:
        _json(called.model_dump(mode="json"))
        return
    _line(f"called for; it is made within seconds. {called.calls_left} calls are left this year")


@entries.command("list")
def list_entries(
    benchmark: SlugArgument,
    split: SplitOption = "test",
    hidden: Annotated[
        bool | None, typer.Option("--hidden/--listed", help="only those off the board, or only those on it")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the entries of your board, newest first, also those that you took off it."""
    with Client() as client:
        count = 0
        for count, row in enumerate(client.owned(benchmark).entries(split, hidden=hidden), 1):  # noqa: B007 - counted
            if as_json:
                _json(row.model_dump(mode="json"))
                continue
            made = f"{row.created_at:%Y-%m-%d}" if row.created_at else ""
            score = "-" if row.score is None else f"{row.score:.3f}"
            marks = "".join(f"  {name}" for name in ("hidden", "verified") if getattr(row, name))
            _line(f"{row.submission}  {made}  {score}  {row.model.name} ({row.organisation}){marks}")
        none_of(count or as_json, f"such entry on the split {split}; --split names another")


@entries.command()
def hide(entry: EntryArgument, as_json: JsonOption = False) -> None:
    """Take an entry off the board; it can be restored."""
    with Client() as client:
        client.owned("").change_entry(entry, hidden=True)
    _done(f"{entry} is hidden", {"id": entry, "hidden": True}, as_json=as_json)


@entries.command()
def restore(entry: EntryArgument, as_json: JsonOption = False) -> None:
    """Put a hidden entry back."""
    with Client() as client:
        client.owned("").change_entry(entry, hidden=False)
    _done(f"{entry} is on the board again", {"id": entry, "hidden": False}, as_json=as_json)


@entries.command()
def verify(
    entry: EntryArgument,
    undo: Annotated[bool, typer.Option("--undo", help="take the mark away")] = False,
    as_json: JsonOption = False,
) -> None:
    """Mark an entry as verified."""
    with Client() as client:
        client.owned("").change_entry(entry, verified=not undo)
    _done(f"{entry} is {'not ' * undo}verified", {"id": entry, "verified": not undo}, as_json=as_json)


@access.command("list")
def list_access(
    benchmark: SlugArgument,
    state: Annotated[AccessState | None, typer.Option(help="only these")] = None,
    as_json: JsonOption = False,
) -> None:
    """List applicants and readers, and how much each was served."""
    with Client() as client:
        rows = client.access(benchmark, state=state).all()
    none_of(len(rows) or as_json, f"applicant or reader of {benchmark} who accepted an agreement")
    for row in rows:
        if as_json:
            _json(row.model_dump(mode="json"))
        else:
            _line(
                f"{row.id}  {row.state}  {row.organisation} ({row.name})  {row.version}  {row.served} problems served"
            )


@access.command()
def approve(benchmark: SlugArgument, request: RequestArgument, as_json: JsonOption = False) -> None:
    """Let an applicant read."""
    with Client() as client:
        client.decide_access(request, "accepted", benchmark=benchmark)
    _done(f"{request} is accepted", {"id": request, "state": "accepted"}, as_json=as_json)


@access.command()
def decline(
    benchmark: SlugArgument,
    request: RequestArgument,
    reason: Annotated[str, typer.Option(help="why; the applicant reads it")],
    as_json: JsonOption = False,
) -> None:
    """Decline an applicant, or take access back."""
    with Client() as client:
        client.decide_access(request, "declined", reason=reason, benchmark=benchmark)
    _done(f"{request} is declined", {"id": request, "state": "declined"}, as_json=as_json)


def register(app: typer.Typer) -> None:
    """Add the groups of commands."""
    for group, name in ((exposure, "exposure"), (feedback, "feedback"), (entries, "entries"), (access, "access")):
        app.add_typer(group, name=name)


def _done(text: str, value: dict[str, str | bool], *, as_json: bool) -> None:
    if as_json:
        _json(value)
    else:
        _line(text)


def _line(text: str) -> None:
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def _json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
