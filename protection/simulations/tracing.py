"""Collusion: organisations mix their marked copies, paraphrase the result and leak it.

The paraphrase destroys every mark in the wording; of the marks in the answers a few are misread and a few items are
lost. The pirates see the symbols of one another and mix where they differ.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from protection import tardos, tracing

MISREAD = 0.02
LOST = 0.05
Bits = NDArray[np.bool_]


class Strategy(StrEnum):
    """How pirates choose where their copies differ: by turns at random, the majority's symbol, or the minority's."""

    INTERLEAVING = "interleaving"
    MAJORITY = "majority"
    MINORITY = "minority"


@dataclass(frozen=True)
class Tracing:
    """Share of trials in which a true source is named, and in which anybody innocent is."""

    simulation: str
    items: int
    organisations: int
    colluders: int
    strategy: str
    share: float
    bits_an_item: int
    trials: int
    named: float
    accused_innocent: float

    def json(self) -> dict[str, object]:
        return asdict(self)


def run(
    items: int,
    organisations: int,
    colluders: int,
    strategy: Strategy = Strategy.INTERLEAVING,
    *,
    share: float = 1.0,
    bits_an_item: int = 1,
    trials: int = 200,
    seed: int = 0,
) -> Tracing:
    """Draw codes, leak, trace; `share` of the items is in the leaked copy."""
    rng = np.random.default_rng(seed)
    named = accused = 0
    line = tracing.threshold(organisations)
    for _ in range(trials):
        biases = tardos.draw_biases(rng, items * bits_an_item)
        words = rng.random((organisations, biases.size), dtype=np.float32) < biases.astype(np.float32)
        pirates = rng.choice(organisations, colluders, replace=False)
        found = mix(words[pirates], strategy, rng) ^ (rng.random(biases.size) < MISREAD)
        kept = np.repeat(rng.random(items) < share * (1.0 - LOST), bits_an_item)
        logs = tracing.log_evidence(words[:, kept], found[kept], biases[kept])
        guilty = logs[pirates].max() > line
        logs[pirates] = -np.inf
        named += bool(guilty)
        accused += bool((logs > line).any())
    return Tracing(
        "tracing",
        items,
        organisations,
        colluders,
        strategy.value,
        share,
        bits_an_item,
        trials,
        round(named / trials, 5),
        round(accused / trials, 5),
    )


def mix(copies: Bits, strategy: Strategy, rng: np.random.Generator) -> Bits:
    """The pirates' copy from theirs, shape (colluders, positions) to (positions,)."""
    size, length = copies.shape
    ones = copies.sum(axis=0)
    if strategy is Strategy.INTERLEAVING:
        mixed: Bits = copies[rng.integers(0, size, length), np.arange(length)]
        return mixed
    coin = rng.random(length) < 0.5
    majority = np.where(2 * ones == size, coin, 2 * ones > size)
    alike = (ones == 0) | (ones == size)
    return np.asarray(
        majority if strategy is Strategy.MAJORITY else np.where(alike, majority, ~majority), dtype=np.bool_
    )
