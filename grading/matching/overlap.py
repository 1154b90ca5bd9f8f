"""Overlap of texts: ROUGE-L, token F1, set F1, Jaccard."""

import re
from collections import Counter
from collections.abc import Collection, Hashable
from functools import cache
from typing import Any

MAX_WORDS = 4000


@cache
def _scorer() -> Any:
    from rouge_score import rouge_scorer

    return rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)


def rouge_l(prediction: str, gold: str) -> float:
    """ROUGE-L F1 with Porter stemming, as the package `rouge-score` computes it; texts are cut at MAX_WORDS words."""
    left, right = (" ".join(text.split()[:MAX_WORDS]) for text in (prediction, gold))
    return float(_scorer().score(right, left)["rougeL"].fmeasure)


def _f1(shared: float, given: float, wanted: float) -> float:
    return 2 * shared / (given + wanted) if given + wanted else 1.0


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
