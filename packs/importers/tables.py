"""Tables as people keep them: JSON lines, JSON, CSV, TSV and Parquet, each row a mapping of columns."""

import csv
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from packs.files import read_jsonl

_WIDEST = 50_000_000


def _delimited(separator: str) -> Callable[[Path], Iterator[dict[str, Any]]]:
    def read(path: Path) -> Iterator[dict[str, Any]]:
        csv.field_size_limit(min(_WIDEST, sys.maxsize))
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, delimiter=separator, strict=True)
            try:
                for row in reader:
                    if None in row or None in row.values():
                        raise ValueError(f"{path.name}:{reader.line_num}: the row has not as many cells as the header")
                    yield dict(row)
            except csv.Error as error:
                raise ValueError(f"{path.name}:{reader.line_num}: {error}") from error

    return read


def _parquet(path: Path) -> Iterator[dict[str, Any]]:
    try:
        from pyarrow import ArrowException, parquet  # 40 MB that only this format needs
    except ModuleNotFoundError as error:
        raise ValueError(f"{path.name}: Parquet needs one more package: pip install pyarrow") from error
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=1000):
                yield from batch.to_pylist()
    except ArrowException as error:
        raise ValueError(f"{path.name} is no Parquet file: {error}") from error


READERS: Mapping[str, Callable[[Path], Iterator[dict[str, Any]]]] = {
    ".jsonl": lambda path: iter(read_jsonl(path)),
    ".json": lambda path: iter(read_jsonl(path)),
    ".csv": _delimited(","),
    ".tsv": _delimited("\t"),
    ".parquet": _parquet,
}
"""How to read a file, by the end of its name. Each raises ValueError with the file's name."""


def mapped(row: Mapping[str, Any], columns: Mapping[str, str | list[str]]) -> dict[str, Any]:
    """The row with our names for its columns: a column by its name, `a.b` within one, or several as a list.

    Raises ValueError for a column that the row has not.
    """
    named = dict(row)
    for ours, theirs in columns.items():
        if isinstance(theirs, list):
            values = [_value(row, name) for name in theirs]
            named[ours] = [value for value in values if value not in (None, "")]
        else:
            named[ours] = _value(row, theirs)
    return named


def _value(row: Mapping[str, Any], path: str) -> Any:
    if path in row:
        return row[path]
    found: Any = row
    for name in path.split("."):
        if not isinstance(found, Mapping) or name not in found:
            raise ValueError(f"there is no column '{path}'; there are {', '.join(map(str, row))}")
        found = found[name]
    return found
