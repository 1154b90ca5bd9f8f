"""The vocabulary files that AgentBench ships with its knowledge graph track, read from the owner's folder."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel

FILES = VOCABULARY, ROLES, TYPES = "vocab.json", "fb_roles", "fb_types"


class VocabularyFile(BaseModel):
    """`vocab.json`."""

    relations: list[str]
    attributes: list[str]


@dataclass(frozen=True)
class Ontology:
    """Relations and attributes that may be listed; domain and range of each relation; the other name of relations that
    are said in both directions; the types above each type."""

    relations: frozenset[str]
    attributes: frozenset[str]
    domains: Mapping[str, str]
    ranges: Mapping[str, str]
    inverses: Mapping[str, str]
    broader: Mapping[str, frozenset[str]]

    @cached_property
    def by_domain(self) -> Mapping[str, tuple[str, ...]]:
        """The listed relations and attributes of each type, in order."""
        found: dict[str, list[str]] = defaultdict(list)
        for relation, domain in sorted(self.domains.items()):
            if relation in self.relations or relation in self.attributes:
                found[domain].append(relation)
        return {domain: tuple(names) for domain, names in found.items()}


def read_ontology(folder: Path) -> Ontology:
    """The files of a folder. Raises FileNotFoundError for one that is missing, ValueError for one that is not such."""
    vocabulary = VocabularyFile.model_validate(json.loads((folder / VOCABULARY).read_text("utf-8")))
    roles = list(_rows(folder / ROLES, 3))
    broader: dict[str, set[str]] = defaultdict(set)
    for type_, _, above in _rows(folder / TYPES, 3):
        broader[type_].add(above)
    inverses: dict[str, str] = {}
    if (folder / "reverse_properties").exists():
        for one, other in _rows(folder / "reverse_properties", 2):
            inverses.setdefault(one, other)
            inverses.setdefault(other, one)
    return Ontology(
        relations=frozenset(vocabulary.relations),
        attributes=frozenset(vocabulary.attributes),
        domains={relation: domain for domain, relation, _ in roles},
        ranges={relation: range_ for _, relation, range_ in roles},
        inverses=inverses,
        broader={type_: frozenset(above) for type_, above in broader.items()},
    )


def _rows(path: Path, fields: int) -> Iterator[list[str]]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        row = line.split()
        if row and len(row) < fields:
            raise ValueError(f"{path.name}:{number} has {len(row)} fields, not {fields}")
        if row:
            yield row[:fields]  # some lines end with a full stop, and one runs into the next, which is left out
