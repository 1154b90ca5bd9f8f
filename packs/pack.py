"""A whole, checked pack, and the digest of its content."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from packs.benchmark import Benchmark, Visibility
from packs.problem import Model, Problem, ReferenceLine

BENCHMARK_FILE = "benchmark.toml"
PROBLEMS_FILE = "problems.jsonl"
REFERENCES_FILE = "references.jsonl"
ASSETS_FOLDER = "assets"


@dataclass(frozen=True)
class Pack:
    """A pack that passed every check. `assets` maps a path below `assets/` to the file on disk."""

    path: Path
    benchmark: Benchmark
    problems: tuple[Problem, ...]
    references: tuple[ReferenceLine, ...]
    assets: Mapping[str, Path] = field(default_factory=dict)

    @cached_property
    def reference_by_id(self) -> Mapping[str, ReferenceLine]:
        """The secret side of each problem by the problem's id."""
        return {line.id: line for line in self.references}

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of what may be known of the content: the same whatever the formatting or the order of fields.

        The references of hidden splits are left out: everybody is told the digest, and could try golds against it.
        """
        total = hashlib.sha256()
        # Digests of images tell of machines: the same benchmark may be published again where they are others.
        head = self.benchmark.model_copy(update={"sandbox_images": {}})
        open_splits = {name for name, split in head.splits.items() if split.visibility is Visibility.DEV}
        shown = {problem.id for problem in self.problems if problem.split in open_splits}
        references = [line for line in self.references if line.id in shown]
        records: tuple[Model, ...] = (head, *self.problems, *references)
        for record in records:
            total.update(canonical(record).encode() + b"\n")
        for name in sorted(self.assets):
            total.update(f"{name} {hashlib.sha256(self.assets[name].read_bytes()).hexdigest()}\n".encode())
        return total.hexdigest()


def canonical(record: Model) -> str:
    """Canonical JSON of one record. Defaults are left out, so that a new optional field changes no old digest."""
    data = record.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
