"""Sentence BLEU as the published replies are matched by it: four equal weights, smoothing "method 4" of Chen and Cherry
(2014) with k = 5, on words between spaces. Equal to NLTK's, which a test shows.
"""

import math
from collections import Counter

ORDERS = (1, 2, 3, 4)
K = 5


def bleu(reference: str, candidate: str) -> float:
    """The score of `candidate` against one reference, in [0, 1]."""
    wanted, given = reference.split(), candidate.split()
    if not set(wanted) & set(given):
        return 0.0
    precisions, missing = [], 0
    for order in ORDERS:
        there, counted = _grams(given, order), _grams(wanted, order)
        matched = float(sum(min(number, counted[gram]) for gram, number in there.items()))
        if not matched and len(given) > 1:
            missing += 1
            matched = 1 / (2**missing * K / math.log(len(given)))
        precisions.append(matched / max(1, sum(there.values())))
    brevity = 1.0 if len(given) > len(wanted) else math.exp(1 - len(wanted) / len(given))
    return brevity * math.exp(math.fsum(math.log(one) / len(ORDERS) for one in precisions if one > 0))


def _grams(words: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))
