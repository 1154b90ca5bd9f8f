"""Which n-grams of a release are published so that makers of models can leave its hidden text out of their corpora.

Only windows that do not overlap are kept, and none that several problems share: a filter with overlapping grams can be
read out word by word, and shared wording (instructions) would throw out innocent text.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Gram = tuple[str, ...]


@dataclass(frozen=True)
class HiddenText:
    """The words of one hidden problem in uninterrupted runs. Problems of one `group` may share wording."""

    group: str
    runs: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class TellingGrams:
    """Grams that one group alone has and that do not overlap; `covered` problems have at least one."""

    grams: frozenset[Gram]
    covered: int


def telling_grams(texts: Sequence[HiddenText], length: int) -> TellingGrams:
    """The grams of `length` words to publish. A problem whose runs are all shorter is not covered."""
    groups: dict[Gram, set[str]] = {}
    for text in texts:
        for run in text.runs:
            for start in range(len(run) - length + 1):
                groups.setdefault(run[start : start + length], set()).add(text.group)
    shared = Counter({gram: len(names) for gram, names in groups.items()})
    kept: set[Gram] = set()
    covered = 0
    for text in texts:
        windows = [gram for run in text.runs for gram in _windows(run, length, shared)]
        covered += bool(windows)
        kept.update(windows)
    return TellingGrams(frozenset(kept), covered)


def filter_salt(secret: bytes, release: str) -> bytes:
    """The salt of a release's filter (16 bytes), the same for the same secret and release."""
    return hashlib.blake2b(f"n-gram filter\n{release}".encode(), key=secret[:64], digest_size=16).digest()


def _windows(words: Gram, length: int, groups: Counter[Gram]) -> Iterator[Gram]:
    start = 0
    while start + length <= len(words):
        gram = words[start : start + length]
        if groups[gram] > 1:
            start += 1
            continue
        yield gram
        start += length
