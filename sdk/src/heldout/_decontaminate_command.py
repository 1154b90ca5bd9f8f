"""`heldout decontaminate`: which documents of a corpus hold a benchmark's hidden text."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from heldout._files import replaced, writable
from heldout.client import Client
from heldout.ngrams import NgramFilter


def decontaminate(
    files: Annotated[list[Path], typer.Argument(help="texts, or JSON lines (.jsonl) with one document a line")],
    benchmark: Annotated[str | None, typer.Option("--benchmark", "-b", help="or HELDOUT_BENCHMARK")] = None,
    saved: Annotated[Path | None, typer.Option("--filter", help="a filter saved earlier, instead of asking")] = None,
    save: Annotated[Path | None, typer.Option(help="keep the filter in this file")] = None,
    field: Annotated[str, typer.Option(help="where a JSON line has its text")] = "text",
) -> None:
    """Find a benchmark's hidden text in a corpus without holding that text: one JSON line for each document with hits.

    The last line counts: documents read, documents with hits. Exit code 1 where there are any.
    """
    if save is not None:
        writable(save, "--save")
    known = _filter(benchmark, saved)
    if save is not None:
        replaced(save, json.dumps(known.to_json()))
    documents = dirty = 0
    for name, text in _documents(files, field):
        documents += 1
        if hits := known.hits(text):
            dirty += 1
            _line({"document": name, "hits": [[hit.start, hit.end] for hit in hits]})
    _line({"documents": documents, "with_hits": dirty, "grams": known.grams})
    if dirty:
        raise typer.Exit(1)


def _filter(benchmark: str | None, saved: Path | None) -> NgramFilter:
    if saved is None:
        with Client() as client:
            return client.ngram_filter(benchmark)
    try:
        return NgramFilter.from_json(json.loads(saved.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{saved}: {error}") from None


def _documents(files: list[Path], field: str) -> Iterator[tuple[str, str]]:
    for path in files:
        try:
            with path.open(encoding="utf-8", errors="replace") as file:
                if path.suffix != ".jsonl":
                    yield str(path), file.read()
                    continue
                for number, line in enumerate(file, 1):
                    if line.strip():
                        yield f"{path}:{number}", _text(path, number, line, field)
        except OSError as error:
            raise typer.BadParameter(f"{path}: {error.strerror}") from None


def _text(path: Path, number: int, line: str, field: str) -> str:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise typer.BadParameter(f"{path}:{number}: not JSON: {error}") from None
    text = row.get(field) if isinstance(row, dict) else None
    if not isinstance(text, str):
        raise typer.BadParameter(f"{path}:{number}: no text under '{field}'; name the field with --field")
    return text


def _line(record: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
