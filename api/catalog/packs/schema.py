"""The pack format as JSON Schema and as a page for authors, both generated from the models."""

import argparse
import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from api.catalog.packs import format as words
from grading.registry import kinds

FOLDER = Path(__file__).resolve().parents[3] / "docs"
FILES = {"benchmark.toml": words.Benchmark, "problems.jsonl": words.Problem, "references.jsonl": words.ReferenceLine}

_INTRODUCTION = """# The pack format

A pack is a folder from which a benchmark is loaded:

| file | what it holds |
| --- | --- |
| `benchmark.toml` | one table: the card, the licence, the canary, the splits and the scoring scheme |
| `problems.jsonl` | the public side, one JSON object a line |
| `references.jsonl` | the secret side, one JSON object a line, joined to the problems by `id` |
| `assets/` | pictures that problems show (PNG, JPEG, GIF or WebP, at most 5 MB each) |

The two sides are separate files so that the public side can be handled without the secret one. The server reads a pack
as a whole: it checks everything, tells every fault with file, line, field, what is wrong and what would be right, and
writes nothing unless there is none. Unknown fields are faults. Ids are unique; every problem has exactly one reference.
A stated `gold` (and each of `answers`) must be graded correct by its own `reference`.

This page and `pack-schema.json` (JSON Schema 2020-12) are generated from the models by `make schema`.
"""


def json_schema() -> dict[str, Any]:
    """JSON Schema of all three files and of every kind of reference, under `$defs`."""
    models: list[type[BaseModel]] = [*FILES.values(), *(entry.model for entry in kinds().values())]
    _, schema = models_json_schema([(model, "validation") for model in models], by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Heldout pack",
        "type": "object",
        "properties": {name: {"$ref": f"#/$defs/{model.__name__}"} for name, model in FILES.items()},
        **schema,
    }


def page() -> str:
    """The format in Markdown: a table of fields for each file and each kind of reference."""
    definitions = json_schema()["$defs"]
    parts = [_INTRODUCTION]
    parts += [_section(f"`{name}`", definitions[model.__name__], 2) for name, model in FILES.items()]
    parts.append("## Parts\n")
    inner = sorted(set(definitions) & {n for n in vars(words) if n[0].isupper()} - {m.__name__ for m in FILES.values()})
    parts += [_section(name, definitions[name], 3) for name in inner]
    parts.append("## Kinds of `reference`\n\nThe field `kind` picks the grader.\n")
    parts += [_section(f"`{kind}`", definitions[entry.model.__name__], 3) for kind, entry in kinds().items()]
    return "\n".join(parts)


def outputs() -> dict[Path, str]:
    """The generated files and their content."""
    schema = json.dumps(json_schema(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    return {FOLDER / "pack-schema.json": schema, FOLDER / "pack-format.md": page()}


def _section(title: str, schema: dict[str, Any], level: int) -> str:
    lines = [f"{'#' * level} {title}", "", schema.get("description", "").replace("\n", "  \n"), ""]
    if "enum" in schema:
        return "\n".join([*lines, "One of " + ", ".join(f"`{value}`" for value in schema["enum"]) + ".", ""])
    required = set(schema.get("required", ()))
    lines += ["| field | type | default |", "| --- | --- | --- |"]
    for name, field in schema.get("properties", {}).items():
        default = "required" if name in required else f"`{json.dumps(field.get('default'), ensure_ascii=False)}`"
        lines.append(f"| `{name}` | {_type(field)} | {default} |")
    return "\n".join([*lines, ""])


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        return str(field["$ref"]).rsplit("/", 1)[-1]
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return " or ".join(f"`{value}`" for value in field["enum"])
    if options := field.get("anyOf") or field.get("oneOf"):
        return " or ".join(_type(option) for option in options)
    kind = str(field.get("type", "any JSON"))
    if kind == "array":
        items = field.get("items") or {}
        return f"list of {_type(items)}" if items else "list"
    values = field.get("additionalProperties")
    if kind == "object" and isinstance(values, dict):
        return f"object of {_type(values)}"
    limits = {"minLength": "≥ {} chars", "maxLength": "≤ {} chars", "minimum": "≥ {}", "maximum": "≤ {}"}
    notes = [text.format(field[key]) for key, text in limits.items() if key in field]
    if "pattern" in field:
        notes.append(f"matches `{field['pattern']}`".replace("|", "\\|"))
    return f"{kind} ({', '.join(notes)})" if notes else kind


def main() -> None:
    """Write the generated files, or with `--check` fail when they are stale."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = [path for path, text in outputs().items() if not path.exists() or path.read_text("utf-8") != text]
    if check and stale:
        raise SystemExit(f"stale: {', '.join(path.name for path in stale)}; run `make schema`")
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
