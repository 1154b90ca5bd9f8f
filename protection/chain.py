"""The hash chain of the ledger: each row's hash covers the row and the hash before it.

A row that is changed, removed or put in later breaks the chain at that row, and `first_broken` names it. The last
hash can be published or sent to the owner, so that the whole chain cannot be rebuilt unseen.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

GENESIS = "0" * 64


@dataclass(frozen=True)
class Link:
    """One row of the ledger as the chain sees it: its content, and the hash that was stored with it."""

    content: Mapping[str, JsonValue]
    hash: str


@dataclass(frozen=True)
class Break:
    """Where the chain breaks: the row's index (0 is the first), what is stored and what would be right."""

    index: int
    stored: str
    expected: str


def link_hash(previous: str, content: Mapping[str, JsonValue]) -> str:
    """SHA-256 (hex) over the previous hash and the canonical JSON of the row."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()


def extend(previous: str, rows: Iterable[Mapping[str, JsonValue]]) -> list[str]:
    """Hashes of new rows that follow the row whose hash is `previous` (GENESIS for the first)."""
    hashes: list[str] = []
    for row in rows:
        previous = link_hash(previous, row)
        hashes.append(previous)
    return hashes


def first_broken(links: Iterable[Link], start: str = GENESIS) -> Break | None:
    """The first row whose stored hash does not follow from the row before it; None when the chain holds."""
    previous = start
    for index, link in enumerate(links):
        expected = link_hash(previous, link.content)
        if expected != link.hash:
            return Break(index, link.hash, expected)
        previous = link.hash
    return None
