"""Sentence BLEU as sacreBLEU computes it: 13a tokens, up to 4-grams, exponential smoothing, effective order."""

import math
import re
from collections import Counter
from collections.abc import Sequence

ORDER = 4
MAX_TEXT = 50_000


def tokens_13a(text: str) -> list[str]:
    """Tokens of mteval-v13a."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    text = f" {text} "
    text = re.sub(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 ", text)
    text = re.sub(r"([^0-9])([\.,])", r"\1 \2 ", text)
    text = re.sub(r"([\.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


def _ngrams(words: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + order]) for start in range(len(words) - order + 1))


def sentence_bleu(prediction: str, references: Sequence[str]) -> float:
    """BLEU in [0, 1] of one sentence against one or more references. Raises ValueError without a reference."""
    if not references:
        raise ValueError("BLEU needs at least one reference")
    words = tokens_13a(prediction[:MAX_TEXT].rstrip())
    golds = [tokens_13a(reference[:MAX_TEXT].rstrip()) for reference in references]
    precisions: list[float] = []
    smoothing = 1.0
    for order in range(1, ORDER + 1):
        total = len(words) - order + 1
        if total < 1:
            break
        matched = _matched(words, golds, order)
        if matched == 0:
            smoothing *= 2
        precisions.append(matched / total if matched else 1 / (smoothing * total))
    if not precisions or _matched(words, golds, 1) == 0:
        return 0.0
    closest = min((abs(len(gold) - len(words)), len(gold)) for gold in golds)[1]
    brevity = 1.0 if len(words) >= closest else math.exp(1 - closest / len(words))
    return brevity * math.exp(sum(map(math.log, precisions)) / len(precisions))


def _matched(words: Sequence[str], golds: Sequence[Sequence[str]], order: int) -> int:
    best: Counter[tuple[str, ...]] = Counter()
    for gold in golds:
        best |= _ngrams(gold, order)
    return (_ngrams(words, order) & best).total()
