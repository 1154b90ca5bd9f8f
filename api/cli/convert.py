"""`convert`: published formats into packs."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from api.admission import soundness
from api.cli.common import console, fail, named
from envs import registry as environments
from envs.base import EpisodeError
from packs import registry
from packs.benchmark import Visibility
from packs.pack import Pack
from packs.read import PackError, read_pack


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(convert)


def convert(
    name: Annotated[str, typer.Argument(help=f"the format: {', '.join(registry.importers())}")],
    source: Annotated[Path, typer.Argument(help="the file or folder to convert")],
    out: Annotated[Path, typer.Option(help="folder of the new pack; it must not exist")],
    owner: Annotated[
        str | None, typer.Option(help="your organisation's short name, as `heldout whoami` shows it")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="take at most so many rows")] = None,
    dev: Annotated[
        int | None, typer.Option(help="put so many of the first questions that say no split into a public dev split")
    ] = None,
    check: Annotated[bool | None, typer.Option(help="play the gold of each episode first")] = None,
    option: Annotated[list[str] | None, typer.Option(help="further options of the format, as name=value")] = None,
    brief: Annotated[bool, typer.Option(help="counts only, not each question that was left out")] = False,
) -> None:
    """Turn a table of questions or a published set into a pack, check it whole, and say what was left out and why.

    \b
    Columns of a table, with other names that are understood:
      question  (problem, statement, prompt, input)
      answer    (gold, target); with choices a letter, a number from 0,
                or the text of a choice
      choices   a list; in CSV files as JSON
      kind      how it is graded; options of the kind (unit, rel_tol,
                alternatives) are columns too
      split     dev is public, any other name hidden; --dev N deals out
                only rows without it
      id, subject, type, solution, answer_format

    \b
    {"question": "Which bird brings babies?", "answer": "stork", "split": "dev"}
    heldout-server convert table birds.jsonl --out birds --owner my-organisation
    """
    given: dict[str, Any] = {"limit": limit, "dev": dev}
    options = {key: value for key, value in given.items() if value is not None}
    options |= named(option or ())
    if not source.exists():
        fail(f"{source} does not exist")
    try:
        report = soundness.convert(name, source, out, options, check, owner)
        pack = read_pack(out, environments, grade_gold=False)
    except PackError as error:
        fail(f"the pack {out} was written but has faults:\n{error}")
    except (ValueError, OSError, EpisodeError) as error:
        fail(str(error))
    lines = report.lines()[: 1 + len(report.notes) if brief else None]
    console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
    if brief:
        causes = Counter(("left out", r.kind) for r in report.excluded) + Counter(
            ("marked", r.kind) for r in report.marked
        )
        for (word, kind), count in sorted(causes.items()):
            console.print(f"{word}, {kind}: {count}", markup=False, highlight=False, soft_wrap=True)
    console.print("\n".join(_described(pack)), markup=False, highlight=False, soft_wrap=True)


def _described(pack: Pack) -> Iterator[str]:
    """What was written, where to look at it, and what comes next."""
    head = pack.benchmark
    for name, split in head.splits.items():
        inside = {problem.id for problem in pack.problems if problem.split == name}
        kinds = Counter(line.reference["kind"] for line in pack.references if line.id in inside)
        shown = "public" if split.visibility is Visibility.DEV else f"hidden, {split.feedback.preset}"
        chance = "" if split.visibility is Visibility.DEV else f", chance level {split.chance_level:g}"
        counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        yield f"split {name} ({shown}{chance}): {len(inside)} problems, graded as {counted}"
    yield f"owner: {head.owner}; licence: {head.licence}"
    yield f"look at {pack.path}/benchmark.toml (owner, licence, card), problems.jsonl and references.jsonl, then:"
    yield f"heldout packs check {pack.path}"
