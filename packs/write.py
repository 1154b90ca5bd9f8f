"""Writing a pack to disk, whole or not at all."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from packs.benchmark import Benchmark
from packs.pack import ASSETS_FOLDER, BENCHMARK_FILE, PROBLEMS_FILE, REFERENCES_FILE
from packs.problem import Model, Problem, ReferenceLine


def write_pack(
    out: Path,
    benchmark: Benchmark,
    problems: Iterable[Problem],
    references: Iterable[ReferenceLine],
    assets: Mapping[str, bytes | Path] | None = None,
) -> None:
    """Write a pack into the new folder `out`; raises FileExistsError if something is there already.

    The folder is made beside `out` and moved, so a stopped run leaves no half pack under the name.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise FileExistsError(f"{out} exists; name a new folder or remove it first")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as temporary:
        folder = Path(temporary) / out.name
        folder.mkdir()
        (folder / BENCHMARK_FILE).write_text(to_toml(_dump(benchmark)), encoding="utf-8")
        _write_lines(folder / PROBLEMS_FILE, problems)
        _write_lines(folder / REFERENCES_FILE, references)
        for name, content in (assets or {}).items():
            target = folder / ASSETS_FOLDER / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.read_bytes())
        if out.exists():
            out.rmdir()
        shutil.move(folder, out)


def to_toml(data: Mapping[str, Any]) -> str:
    """TOML of plain data: tables, strings, numbers, booleans and lists of these."""
    return "\n".join(_table(data, ())).lstrip("\n") + "\n"


def _dump(record: Model) -> dict[str, Any]:
    return record.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude_none=True)


def _write_lines(path: Path, records: Iterable[Model]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(json.dumps(_dump(record), ensure_ascii=False) + "\n")


def _table(data: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    plain = {key: value for key, value in data.items() if not isinstance(value, Mapping)}
    lines = ["", f"[{'.'.join(map(_key, path))}]"] if path and (plain or not data) else []
    lines += [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in data.items():
        if isinstance(value, Mapping):
            lines += _table(value, (*path, key))
    return lines


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    text = str(value)
    if "\n" in text:
        body = _escape(text, keep_newlines=True).replace('"""', '\\"\\"\\"')
        return '"""\n' + (body[:-1] + '\\"' if body.endswith('"') else body) + '"""'
    return _quoted(text)


def _quoted(text: str) -> str:
    return '"' + _escape(text, keep_newlines=False).replace('"', '\\"') + '"'


def _escape(text: str, *, keep_newlines: bool) -> str:
    text = text.replace("\\", "\\\\").replace("\x7f", "\\u007f")
    kept = "\n\t" if keep_newlines else "\t"
    return "".join(c if c >= " " or c in kept else f"\\u{ord(c):04x}" for c in text)
