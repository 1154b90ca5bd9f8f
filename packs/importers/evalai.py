"""A challenge as EvalAI takes it: a folder with `challenge_config.yaml`, annotations and pages.

The annotation file of a phase (`test_annotation_file`) holds the questions and their golds: a table of `tables`, or
JSON with such a list under one name. `phase` picks a phase by its codename or name; without it the first. Title,
description, terms and `max_submissions` are carried over; the evaluation script is not, for answers are
graded by references here.
"""

from pathlib import Path
from typing import Any

from packs.draft import DraftPack
from packs.files import json_rows
from packs.importers.head import note_left, with_head
from packs.importers.questions import Builder, Source, rows
from packs.importers.table import add_rows, slug_of
from packs.importers.yaml_files import read_yaml

CONFIG = "challenge_config.yaml"


def read(
    source: Path,
    *,
    phase: str = "",
    columns: dict[str, Any] | None = None,
    published: bool | str = False,
    limit: int | None = None,
    dev: int = 0,
    slug: str = "",
) -> DraftPack:
    """Read a phase of a challenge. Raises ValueError for what is no challenge, a phase or a file that is not there."""
    path = source / CONFIG if source.is_dir() else source
    config, folder = read_yaml(path), path.parent
    phases = [one for one in config.get("challenge_phases") or () if isinstance(one, dict)]
    chosen = _phase(phases, phase)
    name, title = slug_of(slug or folder.name), str(config.get("title") or folder.name)
    builder = Builder(
        Source(name, title[:200], "not stated", folder.name, f"The challenge {title}.", published), dev=dev
    )
    add_rows(builder, _annotations(inside(folder, chosen.get("test_annotation_file")), limit), columns or {})
    most = chosen.get("max_submissions")
    draft = with_head(
        builder.draft(),
        title=title,
        summary=str(config.get("short_description") or ""),
        card=page(folder, config.get("description")),
        terms=page(folder, config.get("terms_and_conditions")),
        submissions=most if isinstance(most, int) and most > 0 else None,
    )
    others = [str(one.get("codename") or one.get("name")) for one in phases if one is not chosen]
    note_left(
        draft,
        {
            "the evaluation script": config.get("evaluation_script"),
            "dates of the phase": chosen.get("start_date") or chosen.get("end_date"),
            "submissions a day and a month": chosen.get("max_submissions_per_day"),
            "the leaderboard's schema": config.get("leaderboard"),
            f"the phases {', '.join(others)}": others,
        },
    )
    return draft


def _phase(phases: list[dict[str, Any]], wanted: str) -> dict[str, Any]:
    found = [one for one in phases if not wanted or wanted in (one.get("codename"), one.get("name"))]
    if not found:
        names = ", ".join(str(one.get("codename") or one.get("name")) for one in phases)
        raise ValueError(f"{CONFIG} has no phase '{wanted}'; it has {names or 'none'}")
    return found[0]


def inside(folder: Path, name: object) -> Path:
    """A file that a configuration names. Raises ValueError where it is not there, or outside the folder."""
    path = folder / str(name)
    if not name or not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"there is no file '{name}' in {folder}")
    return path


def page(folder: Path, name: object) -> str:
    """The text of a page that a configuration names, or the text itself; empty where it has none."""
    text = str(name or "")
    if not text.endswith((".html", ".md", ".txt")):
        return text
    try:
        return inside(folder, text).read_text(encoding="utf-8", errors="replace")
    except ValueError:
        return ""


def _annotations(path: Path, limit: int | None) -> list[dict[str, Any]]:
    if path.suffix != ".json":
        return list(rows(path, limit))
    found = json_rows(path)
    if len(found) == 1 and isinstance(found[0], dict):
        lists = [value for value in found[0].values() if isinstance(value, list)]
        found = lists[0] if len(lists) == 1 else found
    return [row for row in found if isinstance(row, dict)][:limit]
