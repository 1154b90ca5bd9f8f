"""A competition bundle as Codabench takes it: a folder, or a zip of one, with `competition.yaml`.

The `reference_data` of a task holds golds, its `input_data` the questions; each is a folder or a zip with one table
(`tables`). Where both have one they are joined by `id`, or row by row. `task` picks a task by its name or index;
without it the first. Title, description, terms and `max_submissions` are carried over; the scoring program is not.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from packs.draft import DraftPack
from packs.importers.evalai import page
from packs.importers.head import note_left, with_head
from packs.importers.questions import Builder, Source, rows
from packs.importers.table import add_rows, slug_of
from packs.importers.tables import READERS
from packs.importers.yaml_files import read_yaml

CONFIG = "competition.yaml"
_MOST_BYTES = 2 * 2**30
_MOST_FILES = 100_000


def read(
    source: Path,
    *,
    task: str = "",
    columns: dict[str, Any] | None = None,
    published: bool | str = False,
    limit: int | None = None,
    dev: int = 0,
    slug: str = "",
) -> DraftPack:
    """Read a task of a bundle. Raises ValueError for what is no bundle, and for a task or data that are not there."""
    with _opened(source) as opened:
        path = _found(opened, CONFIG)
        config, folder = read_yaml(path), path.parent
        tasks = [one for one in config.get("tasks") or () if isinstance(one, dict)]
        chosen = _task(tasks, task)
        title = str(config.get("title") or source.stem)
        name = slug_of(slug or source.stem)
        builder = Builder(
            Source(name, title[:200], "not stated", source.name, f"The competition {title}.", published), dev=dev
        )
        table = _joined(_table(folder, chosen.get("input_data")), _table(folder, chosen.get("reference_data")))
        add_rows(builder, table[:limit], columns or {})
        phases = [one for one in config.get("phases") or () if isinstance(one, dict)]
        most = [one["max_submissions"] for one in phases if isinstance(one.get("max_submissions"), int)]
        draft = with_head(
            builder.draft(),
            title=title,
            summary=str(config.get("description") or ""),
            card="\n\n".join(
                page(folder, one.get("file")) for one in config.get("pages") or () if isinstance(one, dict)
            ),
            terms=page(folder, config.get("terms")),
            submissions=max(most) if most and max(most) > 0 else None,
        )
    others = [str(one.get("name", one.get("index"))) for one in tasks if one is not chosen]
    note_left(
        draft,
        {
            "the scoring program": chosen.get("scoring_program"),
            "the ingestion program": chosen.get("ingestion_program"),
            "dates of the phases": any(one.get("start") for one in phases),
            "the logo": config.get("image"),
            "leaderboards": config.get("leaderboards"),
            f"the tasks {', '.join(others)}": others,
        },
    )
    return draft


def _task(tasks: list[dict[str, Any]], wanted: str) -> dict[str, Any]:
    found = [one for one in tasks if not wanted or wanted in (str(one.get("name")), str(one.get("index")))]
    if not found:
        names = ", ".join(str(one.get("name")) for one in tasks)
        raise ValueError(f"{CONFIG} has no task '{wanted}'; it has {names or 'none'}")
    return found[0]


@contextmanager
def _opened(path: Path) -> Iterator[Path]:
    """A folder, or what a zip holds; links in it are written as plain files, names that lead out are cut."""
    if path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="heldout-bundle-") as folder:
        try:
            with ZipFile(path) as archive:
                entries = archive.infolist()
                if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > _MOST_BYTES:
                    raise ValueError(f"{path.name} holds more than {_MOST_FILES} files or {_MOST_BYTES} bytes")
                archive.extractall(folder)
        except (BadZipFile, OSError, RuntimeError) as error:
            raise ValueError(f"{path.name} is neither a folder nor a zip that opens: {error}") from error
        yield Path(folder)


def _found(folder: Path, name: str) -> Path:
    """A file at the top, or in the only folder there."""
    found = [path for path in (folder / name, *sorted(folder.glob(f"*/{name}"))) if path.is_file()]
    if not found:
        raise ValueError(f"there is no {name}")
    return found[0]


def _table(folder: Path, name: object) -> list[dict[str, Any]]:
    """The rows of the only table in a folder or zip that the bundle names; none where it names none."""
    if not name:
        return []
    path = folder / str(name)
    if not path.exists() or not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"there is no '{name}' in the bundle")
    if path.suffix in READERS:
        return list(rows(path))
    with _opened(path) as inner:
        files = [file for file in sorted(inner.rglob("*")) if file.suffix in READERS]
        if len(files) != 1:
            raise ValueError(f"{name}: one table is needed, that ends in {', '.join(READERS)}; there are {len(files)}")
        return list(rows(files[0]))


def _joined(questions: list[dict[str, Any]], golds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Questions with their golds. Raises ValueError where the two do not fit."""
    if not questions or not golds:
        return golds or questions
    by_id: Mapping[Any, dict[str, Any]] = {row.get("id"): row for row in golds}
    if None not in by_id and all(row.get("id") in by_id for row in questions):
        return [row | by_id[row["id"]] for row in questions]
    if len(questions) != len(golds):
        raise ValueError(f"{len(questions)} rows of input and {len(golds)} of reference data, not joined by 'id'")
    return [one | other for one, other in zip(questions, golds, strict=True)]
