"""`heldout packs`: the life of a benchmark for its owner."""

import json
import shutil
import sys
from importlib import resources
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from heldout._tables import listing
from heldout.client import Client
from heldout.packs import Pack

app = typer.Typer(
    no_args_is_help=True, help="Bring a benchmark and look after it; needs a key with `benchmarks:write`."
)
out = Console()
err = Console(stderr=True)
PathArgument = Annotated[Path, typer.Argument(help="folder of the pack, or a zip, tar, tar.gz or tar.zst of it")]
IdArgument = Annotated[str, typer.Argument(help="the pack's id, as `heldout packs status` lists it")]
JsonOption = Annotated[bool, typer.Option("--json", help="print JSON instead of text")]


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="folder to write; it must not exist")],
    owner: Annotated[str | None, typer.Option(help="your organisation's short name")] = None,
    slug: Annotated[str | None, typer.Option(help="the benchmark's name in addresses; default: the folder's")] = None,
) -> None:
    """Write a complete example of a pack, commented, that passes every check."""
    if folder.exists():
        raise typer.BadParameter(f"{folder} exists; name a new folder")
    with resources.as_file(resources.files("heldout") / "starter") as starter:
        shutil.copytree(starter, folder, ignore=shutil.ignore_patterns("__pycache__"))
    head = folder / "benchmark.toml"
    text = head.read_text(encoding="utf-8").replace(
        'slug = "my-benchmark"', f'slug = "{slug or folder.resolve().name}"'
    )
    if owner is not None:
        text = text.replace('owner = "my-organisation"', f'owner = "{owner}"')
    head.write_text(text, encoding="utf-8")
    out.print(f"wrote {folder}; read {folder}/README.md, then: heldout packs check {folder}", soft_wrap=True)


@app.command()
def check(path: PathArgument, as_json: JsonOption = False) -> None:
    """Have the service check a pack, and keep nothing of it. Ends with 1 if it may not be published as it is."""
    with Client() as client:
        done = _checked(client, path)
        client.packs.delete(done.id)
    _end(done, as_json=as_json)


@app.command()
def upload(path: PathArgument, as_json: JsonOption = False) -> None:
    """Upload a pack and have it checked; an upload that was interrupted goes on. Publish it with `publish`."""
    with Client() as client:
        done = _checked(client, path)
    _end(done, as_json=as_json)


@app.command()
def status(
    pack: Annotated[str, typer.Argument(help="the pack's id; without it, the newest ones")] = "",
    wait: Annotated[bool, typer.Option(help="wait until a check or a publication has ended")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show how far a pack is, with every fault, or list your organisation's newest packs."""
    with Client() as client:
        if pack:
            found = _waited(client, pack) if wait else client.packs.get(pack)
            _end(found, as_json=as_json)
        rows = client.packs.all()
    if as_json:
        _json([row.model_dump(mode="json") for row in rows])
        return
    cells = (
        (row.id, row.benchmark or "", row.version or "", row.state, row.name, f"{row.created_at:%Y-%m-%d %H:%M}")
        for row in rows
    )
    listing(out, ("id", "benchmark", "version", "state", "file", "uploaded"), cells)


@app.command()
def preview(pack: IdArgument, as_json: JsonOption = False) -> None:
    """Show the first problems of each split as a participant will see them."""
    with Client() as client:
        found = client.packs.preview(pack)
    if as_json:
        _json(found.model_dump(mode="json"))
        return
    for item in found.items:
        out.print(f"[bold]{item.split}[/] ", end="")
        _line(f"{item.name} ({item.type}, {item.subject})")
        _line(item.statement)
        for choice in item.choices:
            _line(f"  {choice['label']}. {choice['text']}")
        for image in item.images:
            _line(f"  picture {image.path}: {image.alt}")
        _line(item.answer_format)
        _line(f"gold: {item.gold}\n" if item.gold is not None else "")


@app.command()
def publish(
    pack: IdArgument,
    anyway: Annotated[bool, typer.Option(help="though the admission check failed; the page says so")] = False,
    as_json: JsonOption = False,
) -> None:
    """Publish a checked pack as a release of its benchmark."""
    with Client() as client:
        client.packs.publish(pack, anyway=anyway)
        _end(_waited(client, pack), as_json=as_json)


@app.command()
def delete(pack: IdArgument) -> None:
    """Forget a pack that is not published, with its archive."""
    with Client() as client:
        client.packs.delete(pack)
    out.print(f"{pack} is deleted", highlight=False)


def _checked(client: Client, path: Path) -> Pack:
    with Progress(TextColumn("sending"), BarColumn(), console=err, transient=True) as bar:
        task = bar.add_task("", total=None)
        begun = client.packs.upload(path, progress=lambda sent, parts: bar.update(task, completed=sent, total=parts))
    return _waited(client, begun.id)


def _waited(client: Client, pack: str) -> Pack:
    with Progress(TextColumn("{task.description}"), BarColumn(), console=err, transient=True) as bar:
        task = bar.add_task("waiting", total=None)

        def show(found: Pack) -> None:
            bar.update(task, description=found.stage or found.state, completed=found.done, total=found.total or None)

        return client.packs.wait(pack, progress=show)


def _end(pack: Pack, *, as_json: bool) -> NoReturn:
    """Show a pack; 1 where it has faults or may not be published as it is."""
    if as_json:
        _json(pack.model_dump(mode="json"))
    else:
        named = f" {pack.benchmark} {pack.version}" if pack.benchmark else ""
        _line(f"{pack.id}{named}: {pack.state}")
        splits = ", ".join(f"{split.name} ({split.visibility}, {split.problems})" for split in pack.splits)
        for line in [f"splits: {splits}"] if splits else []:
            _line(line)
        for fault in pack.faults:
            _line(str(fault))
        if pack.faults_left_out:
            _line(f"and {pack.faults_left_out} more faults")
        for refusal in pack.refusals:
            _line(f"FAIL {refusal}")
        if pack.rubrics_required and pack.state == "checked":
            _line(f"approve the rubrics of {', '.join(pack.rubrics_required)} before you publish it:")
            _line(f"  heldout rubrics draft {pack.benchmark} {' '.join(pack.rubrics_required)} --pack {pack.id}")
        for warning in pack.warnings:
            _line(f"warning: {warning}")
    raise typer.Exit(1 if pack.state == "refused" or pack.admissible is False else 0)


def _line(text: str) -> None:
    # Texts of packs are not rich markup, and ids and paths are there to be copied.
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def _json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
