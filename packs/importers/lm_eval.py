"""A task of lm-evaluation-harness: its YAML (`include` is followed) and a dataset folder.

`doc_to_text`, `doc_to_target` and `doc_to_choice` are Jinja templates, names of columns, or lists, as published; what
is `!function` is code, which is not run: a task that needs it for one of these cannot be converted, and other code is
named in the report. `data` is the dataset's folder as the hub has it, or a table; without it
`dataset_kwargs.data_files` or `dataset_path` beside the YAML. Few-shot examples and metrics are not carried over.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from packs.draft import DraftPack
from packs.importers.head import note_left
from packs.importers.hub import open_dataset
from packs.importers.questions import Builder, Source, rows
from packs.importers.table import add_rows, slug_of
from packs.importers.yaml_files import Tagged, read_yaml

_DEEPEST = 10
_WRITTEN = ("doc_to_text", "doc_to_target", "doc_to_choice")
_LEFT = (
    "process_docs",
    "process_results",
    "filter_list",
    "metric_list",
    "num_fewshot",
    "fewshot_config",
    "generation_kwargs",
)
# Templates are of others: nothing of Python is reached from them.
_TEMPLATES = ImmutableSandboxedEnvironment(keep_trailing_newline=True)


def read(
    source: Path,
    *,
    data: str = "",
    split: str = "",
    published: bool | str = True,
    limit: int | None = None,
    dev: int = 0,
    slug: str = "",
) -> DraftPack:
    """Read a task. Raises ValueError for a task that needs code, and for data that are not there."""
    task = _whole(source)
    if code := [name for name in (*_WRITTEN, "process_docs") if isinstance(task.get(name), Tagged)]:
        raise ValueError(f"{source.name}: {', '.join(code)} is code ({task[code[0]]}), which is not run")
    name = slug_of(slug or str(task.get("task") or source.stem))
    wanted = split or str(task.get("test_split") or task.get("validation_split") or "test")
    table = _data(source.parent, task, data, wanted)
    builder = Builder(
        Source(name, name, "not stated", source.name, f"The task {name}, split {wanted}.", published), dev=dev
    )
    add_rows(builder, (_row(task, row) for row in islice(table, limit)), {})
    draft = builder.draft()
    note_left(draft, {name: task.get(name) for name in _LEFT})
    return draft


def _whole(path: Path, depth: int = 0) -> dict[str, Any]:
    """A task with what it includes, which it overrides."""
    if depth > _DEEPEST:
        raise ValueError(f"{path.name}: includes that include one another")
    task = read_yaml(path)
    included = task.pop("include", None)
    for name in included if isinstance(included, list) else [included] if included else []:
        base = path.parent / str(name)
        if not base.is_file():
            raise ValueError(f"{path.name}: there is no file '{name}' that it includes")
        task = _whole(base, depth + 1) | task
    return task


def _data(folder: Path, task: Mapping[str, Any], data: str, split: str) -> Iterator[dict[str, Any]]:
    files = (task.get("dataset_kwargs") or {}).get("data_files")
    if isinstance(files, dict):
        files = files.get(split)
    named = data or files or task.get("dataset_path")
    path = Path(str(named)) if data else folder / str(named)
    if isinstance(files, list) or not named or not path.exists():
        raise ValueError(f"name the folder or table of the dataset '{task.get('dataset_path')}': --option data=FOLDER")
    if path.is_dir():
        config = task.get("dataset_name")
        dataset = open_dataset(path)
        return (open_dataset(path, str(config)) if config and _has(dataset.head, str(config)) else dataset).rows(split)
    return rows(path)


def _has(head: Mapping[str, Any], config: str) -> bool:
    return any(isinstance(one, dict) and one.get("config_name") == config for one in head.get("configs") or ())


def _row(task: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """A document as a row of `table`."""
    text = _written(task.get("doc_to_text"), document, "doc_to_text")
    target = _written(task.get("doc_to_target"), document, "doc_to_target")
    description = _written(task.get("description", ""), document, "description")
    row: dict[str, Any] = {"question": f"{description}{text}".strip(), "answer": target}
    if task.get("output_type", "generate_until") != "generate_until":
        row["choices"] = _choices(task.get("doc_to_choice"), document)
    row["answer"] = target.strip() if isinstance(target, str) else target
    return row | {name: document[name] for name in ("id", "subject") if document.get(name)}


def _choices(given: Any, document: Mapping[str, Any]) -> list[str]:
    if isinstance(given, list):
        return [str(_rendered(str(one), document, "doc_to_choice")) for one in given]
    found = _written(given, document, "doc_to_choice")
    if isinstance(found, str):
        # What a template writes is a list in Python's spelling.
        found = _TEMPLATES.compile_expression(found)()
    if not isinstance(found, list):
        raise ValueError("doc_to_choice gives no list")
    return [str(one) for one in found]


def _written(given: Any, document: Mapping[str, Any], name: str) -> Any:
    """A column by its name, a template filled in, or the value itself; digits are a number, as there."""
    if isinstance(given, int):
        return given
    if not isinstance(given, str):
        raise ValueError(f"the task has no {name} that is a column or a template")
    if given in document:
        return document[given]
    text = _rendered(given, document, name)
    return int(text) if name == "doc_to_target" and text.strip().isdecimal() else text


def _rendered(template: str, document: Mapping[str, Any], name: str) -> str:
    try:
        return _TEMPLATES.from_string(template).render(**document)
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        raise ValueError(f"{name}: {error}") from error
