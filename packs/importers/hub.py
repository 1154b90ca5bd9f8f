"""A dataset folder as the Hugging Face hub has it: `README.md` with its YAML head, and data files by split.

Splits are found as the hub documents it: `configs: - config_name, data_files: [{split, path}]` in the head, else by the
words train, validation and test in names of files and folders. `split` (test) becomes the hidden split, `dev_split`
(if given) the public one. `columns` is that of `table`; a gold that is a class label's number becomes its name, and
`#### 42` at the end of a gold (as in GSM8K) is the answer of which the rest is the solution.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from packs.draft import DraftPack
from packs.importers.questions import Builder, Source
from packs.importers.table import GOLD, add_rows, slug_of
from packs.importers.tables import READERS, mapped
from packs.importers.yaml_files import read_yaml_text

_WORDS = {"train": "train", "training": "train", "validation": "validation", "valid": "validation", "dev": "validation"}
_WORDS |= {"val": "validation", "test": "test", "testing": "test", "eval": "test", "evaluation": "test"}
_HEAD = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_FOUR_HASHES = re.compile(r"\n#### *([^\n]+)\s*\Z")


@dataclass(frozen=True)
class Dataset:
    """A dataset folder: its head, and the files of each split of one configuration."""

    folder: Path
    head: Mapping[str, Any]
    splits: Mapping[str, list[Path]]

    def rows(self, split: str) -> Iterator[dict[str, Any]]:
        """The rows of a split. Raises ValueError where there is none."""
        if split not in self.splits:
            raise ValueError(f"there is no split '{split}'; there are {', '.join(self.splits) or 'none'}")
        labels = self._labels()
        for path in self.splits[split]:
            for row in READERS[path.suffix](path):
                yield row | {name: names[row[name]] for name, names in labels.items() if _numbers(row.get(name), names)}

    def _labels(self) -> dict[str, list[str]]:
        """The names of class labels, by column."""
        info = self.head.get("dataset_info") or {}
        found = {}
        for one in info if isinstance(info, list) else [info]:
            for feature in one.get("features") or ():
                kind = feature.get("dtype")
                names = (kind.get("class_label") or {}).get("names") if isinstance(kind, dict) else None
                if isinstance(names, dict):
                    names = [names[key] for key in sorted(names, key=int)]
                if names:
                    found[feature["name"]] = [str(name) for name in names]
        return found


def _numbers(value: Any, names: list[str]) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(names)


def open_dataset(folder: Path, config: str | None = None) -> Dataset:
    """Find the splits of a dataset folder. Raises ValueError where it has no data."""
    readme = folder / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    found = _HEAD.match(text)
    head = read_yaml_text(found[1], "README.md") if found else {}
    declared = _declared(folder, head, config)
    splits = declared or _by_name(folder)
    if not splits:
        raise ValueError(f"{folder} has no data file that ends in {', '.join(READERS)}")
    return Dataset(folder, head, splits)


def _declared(folder: Path, head: Mapping[str, Any], config: str | None) -> dict[str, list[Path]]:
    configs = [one for one in head.get("configs") or () if isinstance(one, dict) and one.get("data_files")]
    if not configs:
        if config is not None:
            raise ValueError(f"README.md names no configuration '{config}'")
        return {}
    named = {str(one.get("config_name", "default")): one for one in configs}
    default = [name for name, one in named.items() if one.get("default")] or list(named)[:1]
    wanted = config or default[0]
    if wanted not in named:
        raise ValueError(f"there is no configuration '{wanted}'; there are {', '.join(named)}")
    files = named[wanted]["data_files"]
    parts = files if isinstance(files, list) else [{"split": "train", "path": files}]
    return {str(part["split"]): _matching(folder, part["path"]) for part in parts if isinstance(part, dict)}


def _matching(folder: Path, patterns: str | list[str]) -> list[Path]:
    """Files that match patterns of the head; none leads out of the folder."""
    root = folder.resolve()
    found = []
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        if pattern.startswith("/") or ".." in Path(pattern).parts:
            raise ValueError(f"README.md: the path '{pattern}' leads out of the folder")
        found += [path for path in sorted(folder.glob(pattern)) if path.is_file() and path.suffix in READERS]
    if outside := [path for path in found if not path.resolve().is_relative_to(root)]:
        raise ValueError(f"{outside[0]} leads out of the folder")
    return found


def _by_name(folder: Path) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in READERS]
    for path in files:
        words = re.split(r"[^a-z]+", path.relative_to(folder).as_posix().lower())
        split = next((_WORDS[word] for word in words if word in _WORDS), "train")
        found.setdefault(split, []).append(path)
    return found


def read(
    source: Path,
    *,
    split: str = "test",
    dev_split: str | None = None,
    config: str | None = None,
    columns: dict[str, Any] | None = None,
    kind: str | None = None,
    published: bool | str = True,
    limit: int | None = None,
    dev: int = 0,
    slug: str = "",
) -> DraftPack:
    """Read splits of a dataset folder. Raises ValueError for a split or a column that it has not."""
    dataset = open_dataset(source, config)
    head = dataset.head
    name = slug_of(slug or source.name)
    title = str(head.get("pretty_name") or name)[:200]
    licence = head.get("license") or "not stated"
    licence = ", ".join(map(str, licence)) if isinstance(licence, list) else str(licence)
    builder = Builder(
        Source(name, title, licence, source.name, f"Questions of the dataset {title}.", published), dev=dev
    )
    for wanted, ours in ((split, ""), (dev_split, "dev")):
        if wanted is not None:
            add_rows(
                builder, islice(_plain(dataset.rows(wanted), columns or {}), limit), columns or {}, ours, kind=kind
            )
    left = [other for other in dataset.splits if other not in (split, dev_split)]
    if left:
        builder.report.notes.append(f"not carried over: the splits {', '.join(left)}")
    return builder.draft()


def _plain(table: Iterator[dict[str, Any]], columns: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Rows whose gold is the answer alone."""
    theirs = next((str(columns[name]) for name in GOLD if name in columns), None)
    for row in table:
        name = theirs or next((name for name in GOLD if row.get(name) is not None), None)
        value = mapped(row, {"gold": name})["gold"] if name else None
        found = _FOUR_HASHES.search(value) if isinstance(value, str) else None
        if found and name and isinstance(value, str):
            yield row | {name: found[1].strip(), "solution": value[: found.start()].strip()}
        else:
            yield row
