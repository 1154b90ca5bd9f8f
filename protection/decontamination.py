"""Which n-grams of a release are published so that makers of models can leave its hidden text out of their corpora.

Only windows that do not overlap are kept, and none that several problems share: a filter with overlapping grams can be
read out word by word, and shared wording (instructions) would throw out innocent text.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel, ConfigDict

from heldout.ngrams import WORDS, NgramFilter, words_of
from packs.problem import Problem, ReferenceLine, Variation

_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_]\w*)\s*\}\}")
Gram = tuple[str, ...]


class Decontamination(BaseModel):
    """A filter with what it covers: `covered` of `problems` hidden problems have a window of their own in it."""

    model_config = ConfigDict(frozen=True)

    problems: int
    covered: int
    filter: dict[str, str | int]


def publish(problems: Iterable[tuple[Problem, ReferenceLine]], secret: bytes, release: str) -> Decontamination:
    """The filter of hidden problems, the same for the same secret, release and problems.

    Texts of fewer than 13 words in one piece are not covered: shorter grams could be guessed.
    """
    pieces = [(problem.group or problem.id, list(_pieces(problem, line.variation))) for problem, line in problems]
    holders: dict[Gram, set[str]] = {}
    for group, texts in pieces:
        for words in texts:
            for start in range(len(words) - WORDS + 1):
                holders.setdefault(tuple(words[start : start + WORDS]), set()).add(group)
    shared = Counter({gram: len(groups) for gram, groups in holders.items()})
    kept: set[Gram] = set()
    covered = 0
    for _, texts in pieces:
        windows = [gram for words in texts for gram in _windows(words, shared)]
        covered += bool(windows)
        kept.update(windows)
    salt = hashlib.blake2b(f"n-gram filter\n{release}".encode(), key=secret[:64], digest_size=16).digest()
    made = NgramFilter.build(sorted(kept), salt=salt)
    return Decontamination(problems=len(pieces), covered=covered, filter=made.to_json())


def _windows(words: Sequence[str], holders: Counter[Gram]) -> Iterator[Gram]:
    start = 0
    while start + WORDS <= len(words):
        gram = tuple(words[start : start + WORDS])
        if holders[gram] > 1:
            start += 1
            continue
        yield gram
        start += WORDS


def _pieces(problem: Problem, variation: Variation | None) -> Iterator[list[str]]:
    """Runs of words that every variant has; constants count as numbers, a paraphrase ends a run."""
    constants = variation.constants if variation else {}
    for text in (problem.statement, *(choice.text for choice in problem.choices)):
        filled = _PLACEHOLDER.sub(lambda match: "0" if match[1] in constants else "\x00", text)
        for piece in filled.split("\x00"):
            yield [word for word, _, _ in words_of(piece)]
