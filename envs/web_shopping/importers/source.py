"""A folder of WebShop's published files: products, attributes and instructions, whichever are there."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envs.web_shopping.importers import raw

PRODUCTS, LOOKALIKES = "items_shuffle*.json", "lookalike_*.json"
ATTRIBUTES, HUMAN = "items_ins_v2*.json", "items_human_ins*.json"


def texts(found: object) -> tuple[str, ...]:
    """A list of texts in the data; what is none is empty."""
    return tuple(str(one) for one in found) if isinstance(found, list) else ()


@dataclass(frozen=True)
class Source:
    """`records` are raw products in their order, `attributes` what is known of each besides, by number; `human` the
    instructions that people wrote. `restored` of the records were put together from look-alikes."""

    records: tuple[Mapping[str, Any], ...]
    attributes: Mapping[str, Mapping[str, Any]]
    human: Mapping[str, tuple[Mapping[str, Any], ...]]
    restored: int


def read_source(folder: Path) -> Source:
    """Everything in the folder. Raises FileNotFoundError where it has no products, ValueError for a file of another
    form."""
    listed = [record for _, records in _lists(folder, PRODUCTS) for record in records]
    alikes = [record for _, records in _lists(folder, LOOKALIKES) for record in records]
    if not listed and not alikes:
        raise FileNotFoundError(f"{folder} holds no products: neither {PRODUCTS} nor {LOOKALIKES}")
    known = {str(record.get("asin")) for record in listed}
    made = [record for record in _originals(alikes) if record["asin"] not in known]
    attributes: dict[str, Mapping[str, Any]] = {}
    for _, found in _objects(folder, ATTRIBUTES):
        attributes |= {asin: one for asin, one in found.items() if isinstance(one, dict)}
    human: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for _, found in _objects(folder, HUMAN):
        for asin, instructions in found.items():
            human[asin] += (
                [one for one in instructions if isinstance(one, dict)] if isinstance(instructions, list) else []
            )
    every = (*listed, *made, *alikes)
    return Source(every, attributes, {asin: tuple(given) for asin, given in human.items()}, len(made))


def _originals(alikes: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """One for each product that has look-alikes, in the order of its first one."""
    groups: dict[str, dict[str, Mapping[str, Any]]] = {}
    for record in alikes:
        asin = str(record.get("asin"))
        kind = asin.rsplit("_", 1)[0]
        if kind not in raw.CHANGED:
            # It stands for itself.
            continue
        groups.setdefault(raw.original(asin), {})[kind] = record
    yield from (raw.restored(group) for group in groups.values())


def _lists(folder: Path, pattern: str) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    for name, found in _files(folder, pattern):
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise ValueError(f"{name} is no list of products")
        yield name, found


def _objects(folder: Path, pattern: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, found in _files(folder, pattern):
        if not isinstance(found, dict):
            raise ValueError(f"{name} is no object by product numbers")
        yield name, found


def _files(folder: Path, pattern: str) -> Iterator[tuple[str, Any]]:
    for path in sorted(folder.glob(pattern)):
        try:
            yield path.name, json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise ValueError(f"{path.name} is no JSON: {error}") from None
