"""Reading a pack's files into records, with the line of each and every fault found on the way."""

import json
import re
import stat
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from packs.benchmark import Benchmark
from packs.faults import Fault, from_validation
from packs.problem import Model

M = TypeVar("M", bound=Model)
MAX_FILE = 1_000_000_000
MAX_LINE = 4_000_000
MAX_NESTING = 64


@dataclass(frozen=True)
class Located(Generic[M]):
    """A record and the line it stands on."""

    line: int
    record: M


def read_text(path: Path, faults: list[Fault]) -> str | None:
    """The file's text, or None with a fault. A link, a pipe or a device is no file of a pack: it is not opened."""
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            faults.append(Fault(path.name, 0, "", "not a regular file", "put the file itself there, no link"))
            return None
        if found.st_size > MAX_FILE:
            size = f"the file has {found.st_size} bytes"
            faults.append(Fault(path.name, 0, "", size, f"at most {MAX_FILE} are allowed: split the benchmark"))
            return None
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        faults.append(Fault(path.name, 0, "", "the file is missing", "a pack has it in its folder"))
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        faults.append(Fault(path.name, line, "", "the text is not UTF-8", "save the file as UTF-8"))
    except OSError as error:
        faults.append(Fault(path.name, 0, "", f"the file cannot be read ({error.strerror})", "check its permissions"))
    return None


def read_benchmark(path: Path, faults: list[Fault]) -> Benchmark | None:
    """`benchmark.toml`, or None with faults."""
    text = read_text(path, faults)
    if text is None:
        return None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found.group(1)) if found else text.count("\n") + 1
        faults.append(Fault(path.name, line, "", f"not TOML: {error}", "see docs/pack-format.md for an example"))
        return None
    except RecursionError:
        faults.append(Fault(path.name, 0, "", f"nested deeper than {MAX_NESTING}", "flatten it"))
        return None
    try:
        return Benchmark.model_validate(data)
    except ValidationError as error:
        lines = toml_lines(text)
        for fault, detail in zip(from_validation(error, path.name, 0, Benchmark), error.errors(), strict=True):
            line = _line_of(lines, tuple(str(part) for part in detail["loc"]))
            faults.append(replace(fault, line=line))
        return None


def toml_lines(text: str) -> dict[tuple[str, ...], int]:
    """The line of each table and key of a TOML text (inline tables count as one key)."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    inside: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if inside is None and (header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line)):
            table = _keys(header.group(1))
            lines.setdefault(table, number)
        elif inside is None and (key := re.match(r"\s*([A-Za-z0-9_.\"'-]+)\s*=", line)):
            lines.setdefault(table + _keys(key.group(1)), number)
        for mark in re.findall(r'"""|\'\'\'', line):
            inside = mark if inside is None else None if mark == inside else inside
    return lines


def read_lines(path: Path, model: type[M], faults: list[Fault]) -> list[Located[M]]:
    """The records of a JSONL file that are right, in order; faults for the others. Empty lines are passed over."""
    records: list[Located[M]] = []
    text = read_text(path, faults)
    for number, line in enumerate((text or "").split("\n"), 1):
        if not line.strip():
            continue
        data = _parse(line, path.name, number, faults)
        if data is None:
            continue
        try:
            records.append(Located(number, model.model_validate(data)))
        except ValidationError as error:
            faults.extend(from_validation(error, path.name, number, model))
    return records


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file or of a JSON file with one list. Raises ValueError that tells every fault."""
    faults: list[Fault] = []
    text = read_text(path, faults)
    if text is not None and path.suffix == ".json":
        data = json.loads(text)
        data = data if isinstance(data, list) else [data]
        return [row for row in data if isinstance(row, dict)]
    found = [
        _parse(line, path.name, number, faults)
        for number, line in enumerate((text or "").split("\n"), 1)
        if line.strip()
    ]
    if faults:
        raise ValueError("\n".join(map(str, faults)))
    return [row for row in found if row is not None]


def json_rows(path: Path) -> list[Any]:
    """What a file holds: the items of a JSON list, one JSON value, or one JSON value a line.

    Raises ValueError, which names the file and the line.
    """
    text = path.read_text(encoding="utf-8-sig")
    try:
        found = json.loads(text)
    except ValueError:
        # Texts may hold other marks at which splitlines would divide a line, such as U+2028.
        lines = enumerate(text.split("\n"), start=1)
        return [_json_row(path, number, line) for number, line in lines if line.strip()]
    return found if isinstance(found, list) else [found]


def _json_row(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise ValueError(f"{path.name}:{number} is no JSON: {error}") from None


def _parse(line: str, file: str, number: int, faults: list[Fault]) -> dict[str, Any] | None:
    problem, remedy, quoting = "", "write one JSON object on the line", ""
    try:
        if len(line) > MAX_LINE:
            raise ValueError(f"the line has {len(line)} characters, {MAX_LINE} are the limit")
        data = json.loads(line, object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
        if isinstance(data, dict):
            if _depth(data) <= MAX_NESTING:
                return data
            problem, remedy = f"nested deeper than {MAX_NESTING}", "flatten it"
        else:
            problem = f"a JSON {type(data).__name__}, not an object"
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg} at column {error.colno}"
    except RecursionError:
        problem, remedy = f"nested deeper than {MAX_NESTING}", "flatten it"
    except ValueError as error:
        problem, quoting = "no JSON object that can be taken", str(error)
    faults.append(Fault(file, number, "", problem, remedy, quoting))
    return None


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field '{twice[:80]}' is given twice")
    return data


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _depth(data: Any) -> int:
    children = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return 1 + max((_depth(child) for child in children), default=0)


def _keys(text: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in text.split("."))


def _line_of(lines: dict[tuple[str, ...], int], location: tuple[str, ...]) -> int:
    for length in range(len(location), 0, -1):
        if location[:length] in lines:
            return lines[location[:length]]
    return 0
