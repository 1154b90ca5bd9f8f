"""Samples as Inspect's `json_dataset` and `csv_dataset` read them: `input`, `target`, `choices`, `id`, `metadata`.

An `input` of several messages becomes one text; a `target` of several texts is right with any of them. Samples that
need files, a setup or a sandbox are left out: they are episodes, not questions.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from packs.draft import DraftPack
from packs.importers.questions import Builder, Source, rows
from packs.importers.table import question_of, slug_of

_NEEDS = ("files", "setup", "sandbox")
_ROLES = {"system": "", "user": "", "assistant": "Assistant: ", "tool": "Tool: "}


def read(
    source: Path, *, published: bool | str = False, limit: int | None = None, dev: int = 0, slug: str = ""
) -> DraftPack:
    """Read the samples. Raises ValueError for a row that is none."""
    name = slug_of(slug or source.stem)
    builder = Builder(Source(name, name, "not stated", source.name, f"Samples of {source.name}.", published), dev=dev)
    keys: dict[str, None] = {}
    for number, row in enumerate(rows(source, limit), 1):
        if needs := [part for part in _NEEDS if row.get(part)]:
            builder.report.read += 1
            builder.report.exclude(str(row.get("id") or f"q{number}"), "sandbox", f"it needs {', '.join(needs)}")
            continue
        metadata = _parsed(row.get("metadata"))
        keys |= dict.fromkeys(metadata if isinstance(metadata, Mapping) else ())
        builder.add(question_of(_row(row, metadata), number))
    left = [key for key in keys if key != "subject"]
    if left:
        builder.report.notes.append(f"not carried over: metadata {', '.join(left)}")
    return builder.draft()


def _row(sample: Mapping[str, Any], metadata: Any) -> dict[str, Any]:
    """A sample as a row of `table`."""
    target = _parsed(sample.get("target"))
    row: dict[str, Any] = {"question": _text(_parsed(sample.get("input"))), "id": sample.get("id")}
    row["choices"] = sample.get("choices") or None
    if isinstance(metadata, Mapping):
        row["subject"] = metadata.get("subject")
    if isinstance(target, list) and len(target) > 1 and not row["choices"]:
        texts = [str(one) for one in target]
        return row | {"answer": texts[0], "kind": "exact", "alternatives": texts[1:]}
    return row | {"answer": target[0] if isinstance(target, list) and target else target}


def _parsed(value: Any) -> Any:
    """What a cell of a CSV file holds, where it is JSON of a list or an object."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _text(given: Any) -> str | None:
    if not isinstance(given, list):
        return given if isinstance(given, str) else None
    return "\n\n".join(_messages(given))


def _messages(given: list[Any]) -> Iterator[str]:
    for message in given:
        if not isinstance(message, Mapping):
            raise ValueError("an input's messages have a role and a content")
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        if any(not isinstance(part, Mapping) or part.get("type") != "text" for part in parts):
            raise ValueError("an input shows something that is no text; write a pack with pictures instead")
        yield _ROLES.get(str(message.get("role")), "") + "".join(str(part["text"]) for part in parts)
