"""Overlap of texts: ROUGE-L, token F1, set F1, Jaccard."""

import re
from collections import Counter
from collections.abc import Collection, Hashable

from grading.matching.stem import stem

MAX_WORDS = 4000


def rouge_l(prediction: str, gold: str) -> float:
    """ROUGE-L F1 with Porter stemming, as the package `rouge-score` computes it; texts are cut at MAX_WORDS words."""
    given, expected = _rouge_words(prediction), _rouge_words(gold)
    shared = _longest_common(given, expected)
    return 2 * shared / (len(given) + len(expected)) if shared else 0.0


def _rouge_words(text: str) -> list[str]:
    words = re.findall(r"[a-z0-9]+", " ".join(text.split()[:MAX_WORDS]).lower())
    return [stem(word) if len(word) > 3 else word for word in words]


def _longest_common(left: list[str], right: list[str]) -> int:
    """Length of the longest common subsequence (Hyyrö 2004): one integer holds a row of the table, a bit a word."""
    places: dict[str, int] = {}
    for position, word in enumerate(left):
        places[word] = places.get(word, 0) | 1 << position
    full = (1 << len(left)) - 1
    row = full
    for word in right:
        found = row & places.get(word, 0)
        row = (row + found | row - found) & full
    return len(left) - row.bit_count()


def _f1(shared: float, given: float, expected: float) -> float:
    return 2 * shared / (given + expected) if given + expected else 1.0


def token_f1(prediction: str, gold: str) -> float:
    """F1 of the bags of words (SQuAD): lower case, without punctuation and the articles a, an, the."""
    left, right = Counter(squad_words(prediction)), Counter(squad_words(gold))
    if not left or not right:
        return float(left == right)
    return _f1((left & right).total(), left.total(), right.total())


def squad_words(text: str) -> list[str]:
    """Words as SQuAD's evaluation normalises them."""
    bare = "".join(character for character in text.lower() if character not in _PUNCTUATION)
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def set_f1(prediction: Collection[Hashable], gold: Collection[Hashable]) -> float:
    """F1 of two sets; two empty sets agree."""
    left, right = set(prediction), set(gold)
    return _f1(len(left & right), len(left), len(right))


def jaccard(left: Collection[Hashable], right: Collection[Hashable]) -> float:
    """Size of the intersection by size of the union; two empty sets agree."""
    a, b = set(left), set(right)
    return len(a & b) / len(a | b) if a | b else 1.0
