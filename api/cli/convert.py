"""`convert`: published formats into packs."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from api.admission import soundness
from api.cli.common import console, fail, named
from envs import registry
from envs.base import EpisodeError
from packs.read import PackError, read_pack


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(convert)


def convert(
    name: Annotated[str, typer.Argument(help="the format, such as mmlu, jsonl, agentbench-os, turkingbench, webarena")],
    source: Annotated[Path, typer.Argument(help="the published file or folder")],
    out: Annotated[Path, typer.Option(help="folder of the new pack; it must not exist")],
    limit: Annotated[int | None, typer.Option(help="take at most so many rows")] = None,
    dev: Annotated[int | None, typer.Option(help="put so many of the first questions into a public dev split")] = None,
    check: Annotated[bool | None, typer.Option(help="play the gold of each episode first")] = None,
    option: Annotated[list[str] | None, typer.Option(help="further options of the format, as name=value")] = None,
    brief: Annotated[bool, typer.Option(help="counts only, not each question that was left out")] = False,
) -> None:
    """Turn a published set into a pack, check it whole, and say what was left out and why."""
    given: dict[str, Any] = {"limit": limit, "dev": dev}
    options = {key: value for key, value in given.items() if value is not None}
    options |= named(option or ())
    if not source.exists():
        fail(f"{source} does not exist")
    try:
        report = soundness.convert(name, source, out, options, check)
        read_pack(out, registry, grade_gold=False)
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
