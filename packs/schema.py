"""The pack format as JSON Schema and as a page for authors, both generated from the models."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from grading.registry import own_kinds
from packs.benchmark import Benchmark
from packs.pack import BENCHMARK_FILE, PROBLEMS_FILE, REFERENCES_FILE
from packs.problem import Problem, ReferenceLine

FOLDER = Path(__file__).resolve().parents[1] / "docs"
STARTER = FOLDER.parent / "sdk/src/heldout/starter"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILES: dict[str, type[BaseModel]] = {
    "benchmark.toml": Benchmark,
    "problems.jsonl": Problem,
    "references.jsonl": ReferenceLine,
}

_INTRODUCTION = """# The pack format

A pack is a folder from which a benchmark is loaded. `heldout packs new FOLDER` writes one that is complete and passes
every check; this page goes through it file by file, and then explains every field.

| file | what it holds |
| --- | --- |
| `benchmark.toml` | the head: names, licence, card, splits, scoring |
| `problems.jsonl` | what participants see, one JSON object a line |
| `references.jsonl` | golds and how answers are graded, one JSON object a line, joined to the problems by `id` |
| `assets/` | pictures that problems show (PNG, JPEG, GIF or WebP, at most 5 MB each) |

The two sides are separate files so that the public side can be handled without the secret one.

```bash
heldout packs new rivers --owner my-organisation
heldout packs check rivers
```

The check reads a pack as a whole and says every fault with file, line, field, what is wrong and what would be right.
Unknown fields are faults. Ids are unique; every problem has exactly one reference. A stated `gold` and each of
`answers` must be graded correct by its own `reference`. An episode's `environment` is one that is installed where the
pack is read; its `spec` and the arguments of each probe must be what that environment declares.

This page and `pack-schema.json` (JSON Schema 2020-12) are generated from the models and the example by `make schema`.

## The example

### Its head, `benchmark.toml`

```toml
{head}```

### Its problems and references

Each problem is shown with its line of `references.jsonl` below it.
"""
# What each problem of the example shows; the page has a section for each.
_SHOWN = {
    "dev-choice": "One letter. `variation` with `choices` lets each organisation see another order of the choices.",
    "dev-number": "A number with a unit: `rel_tol` 0.01 and the unit `m` take `44.1 m`, `44 m` and `0.0441 km`.",
    "dev-integral": 'A formula. `"constants": ["C"]` says that `C` stands for any constant: `sin(x) + C` and '
    "`K + sin x` are right, and `sin(x)` alone is not.",
    "dev-name": "A text, with `alternatives` that are as right.",
    "dev-picture": "A picture below `assets/`, named in the problem's `images`.",
    "test-number": "`{{a}}` and `{{b}}` vary from one organisation to the next; the gold is an expression of them.",
}
_KINDS = """# The kinds of reference

A reference is the secret side of a problem. Its field `kind` picks the grader. This page and `reference-schema.json`
are generated from the graders by `make schema`.
"""


def json_schema() -> dict[str, Any]:
    """JSON Schema of the three files, the models under `$defs`."""
    _, schema = models_json_schema([(model, "validation") for model in FILES.values()], by_alias=True)
    properties = {name: {"$ref": f"#/$defs/{model.__name__}"} for name, model in FILES.items()}
    return {"$schema": DIALECT, "title": "Heldout pack", "type": "object", "properties": properties, **schema}


def reference_schema() -> dict[str, Any]:
    """JSON Schema of a `reference`: one model for each `kind` that has a grader."""
    models: dict[str, type[BaseModel]] = {kind: entry.model for kind, entry in own_kinds().items()}
    _, schema = models_json_schema([(model, "validation") for model in models.values()], by_alias=True)
    options = [{"$ref": f"#/$defs/{model.__name__}"} for model in models.values()]
    return {"$schema": DIALECT, "title": "Heldout reference", "oneOf": options, **schema}


def format_page() -> str:
    """The format in Markdown: the example that `heldout packs new` writes, and every field of each file."""
    definitions = json_schema()["$defs"]
    parts = [*_example(), "The kinds of `reference` are in [reference-kinds.md](reference-kinds.md).\n"]
    parts += [_section(f"`{name}`", definitions[model.__name__], 2) for name, model in FILES.items()]
    parts.append("## Parts\n")
    # JsonValue has no fields of its own.
    inner = sorted(set(definitions) - {model.__name__ for model in FILES.values()} - {"JsonValue"})
    return "\n".join(parts + [_section(name, definitions[name], 3) for name in inner])


def _example() -> Iterator[str]:
    """The pack that `heldout packs new` writes, file by file."""
    yield _INTRODUCTION.replace("{head}", (STARTER / BENCHMARK_FILE).read_text("utf-8"))
    lines = [
        {json.loads(line)["id"]: line for line in (STARTER / name).read_text("utf-8").splitlines()}
        for name in (PROBLEMS_FILE, REFERENCES_FILE)
    ]
    for name, text in _SHOWN.items():
        shown = "\n".join(by_id[name] for by_id in lines)
        yield f"`{name}`: {text}\n\n```json\n{shown}\n```\n"


def kinds_page() -> str:
    """The kinds of reference in Markdown."""
    definitions = reference_schema()["$defs"]
    named = {entry.model.__name__: kind for kind, entry in own_kinds().items()}
    parts = [_KINDS] + [_section(f"`{kind}`", definitions[name], 2) for name, kind in named.items()]
    inner = sorted(set(definitions) - set(named))
    return "\n".join([*parts, "## Parts\n", *(_section(name, definitions[name], 3) for name in inner)])


def outputs() -> dict[str, str]:
    """The generated files of `docs/` and their content."""
    return {
        "pack-schema.json": _json(json_schema()),
        "pack-format.md": format_page(),
        "reference-schema.json": _json(reference_schema()),
        "reference-kinds.md": kinds_page(),
    }


def _json(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _section(title: str, schema: dict[str, Any], level: int) -> str:
    lines = [f"{'#' * level} {title}", "", schema.get("description", "").replace("\n", "  \n"), ""]
    if "enum" in schema:
        return "\n".join([*lines, "One of " + ", ".join(_code(value) for value in schema["enum"]) + ".", ""])
    required, fields = set(schema.get("required", ())), schema.get("properties", {})
    if not fields:
        return "\n".join([*lines[:2], schema.get("description", "Any JSON."), ""])
    rows: list[tuple[str, ...]] = [("field", "type", "default", "meaning"), ("---",) * 4]
    for name, field in fields.items():
        # What has no default of its own is made empty.
        default = "required" if name in required else f"`{json.dumps(field.get('default', {}), ensure_ascii=False)}`"
        meaning = field.get("description", "").replace("\n", " ").replace("|", "\\|")
        rows.append((f"`{name}`", _type(field), default, meaning))
    if not any("description" in field for field in fields.values()):
        rows = [row[:3] for row in rows]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows), ""])


def _code(value: Any) -> str:
    return f"`{value}`" if value != "" else '`""`'


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        return str(field["$ref"]).rsplit("/", 1)[-1]
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return " or ".join(_code(value) for value in field["enum"])
    if options := field.get("anyOf") or field.get("oneOf"):
        return " or ".join(_type(option) for option in options)
    kind = str(field.get("type", "any JSON"))
    if kind == "array":
        items = field.get("items") or {}
        return f"list of {_type(items)}" if items else "list"
    values = next(iter(field.get("patternProperties", {}).values()), field.get("additionalProperties"))
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
    FOLDER.mkdir(exist_ok=True)
    for name, text in outputs().items():
        path = FOLDER / name
        if check and (not path.exists() or path.read_text("utf-8") != text):
            raise SystemExit(f"docs/{name} is stale; run `make schema`")
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
