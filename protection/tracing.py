"""Who leaked a copy: evidence against each organisation from the marks that were found in it.

Each organisation gets an e-value: the likelihood of the observed symbols if it took part, over the likelihood if it did
not, averaged over models of how a copy is made (alone, or two or three organisations mixing their copies by turns, by
majority or by minority, with a few symbols misread). For an innocent organisation the expectation of the e-value is 1
whatever the pirates did, because its code was drawn without regard to theirs; so by Markov's inequality an innocent one
exceeds N/alpha with probability at most alpha/N, and any of N is accused with probability at most alpha. The bound
holds without a normal approximation and for any strategy; the models only decide the power.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from protection import tardos

ALPHA = 1e-3
NOISE = 0.03
MAX_COLLUDERS = 3
Floats = NDArray[np.float64]
Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class Suspect:
    """One organisation: base-10 logarithm of its e-value, how many marks agree of how many, and whether it is named.

    `bound` is the chance, at most, that anybody innocent of all the candidates reaches this much evidence.
    """

    organisation: str
    evidence: float
    matched: int
    bound: float
    named: bool


@dataclass(frozen=True)
class Trace:
    """Suspects from the strongest down; `named` is empty when the evidence is too weak to accuse anyone."""

    suspects: tuple[Suspect, ...]
    positions: int
    alpha: float

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(suspect.organisation for suspect in self.suspects if suspect.named)

    @property
    def summary(self) -> str:
        odds = f"1 in {round(1 / self.alpha)}"
        if not self.positions:
            return "no marks were found: nobody can be accused"
        if not self.named:
            return f"{self.positions} marks were found: too weak to accuse anyone at {odds}"
        return f"{self.positions} marks name {', '.join(self.named)}; an innocent is named in at most {odds} traces"


def trace(observed: Mapping[str, int], organisations: Sequence[str], secret: bytes, *, alpha: float = ALPHA) -> Trace:
    """Rank organisations by the marks found: `observed` maps positions (`tardos.position`) to the bit found."""
    positions = sorted(observed)
    if not positions or not organisations:
        return Trace((), len(positions), alpha)
    found = np.array([bool(observed[position]) for position in positions])
    words = tardos.codewords(secret, organisations, positions)
    logs = log_evidence(words, found, tardos.biases(secret, positions))
    matched = (words == found).sum(axis=1)
    line = threshold(len(organisations), alpha)
    suspects = [
        Suspect(
            organisations[index],
            float(logs[index]) / math.log(10),
            int(matched[index]),
            min(1.0, len(organisations) * math.exp(-max(0.0, float(logs[index])))),
            bool(logs[index] > line),
        )
        for index in np.argsort(-logs, kind="stable")
    ]
    return Trace(tuple(suspects), len(positions), alpha)


def threshold(organisations: int, alpha: float = ALPHA) -> float:
    """The natural logarithm of the e-value above which an organisation is named."""
    return math.log(organisations / alpha)


def log_evidence(words: Bits, found: Bits, biases: Floats, noise: float = NOISE) -> Floats:
    """Natural logarithm of each organisation's e-value.

    `words` has shape (organisations, positions), `found` and `biases` (positions,).
    """
    weights = np.stack([_log_ratios(model, found, biases, noise) for model in _models()])
    gain = (weights[:, 1] - weights[:, 0]).T
    logs = words.astype(np.float32) @ gain.astype(np.float32) + weights[:, 0].sum(axis=1)
    top = logs.max(axis=1, keepdims=True)
    result: Floats = (top[:, 0] + np.log(np.exp(logs - top).mean(axis=1))).astype(np.float64)
    return result


@cache
def _models() -> tuple[tuple[float, ...], ...]:
    """For each model the chance of a 1 in the copy, by the number of colluders who had a 1 there."""
    models: list[tuple[float, ...]] = [(0.0, 1.0)]
    for size in range(2, MAX_COLLUDERS + 1):
        ones = range(size + 1)
        majority = tuple(1.0 if 2 * k > size else 0.5 if 2 * k == size else 0.0 for k in ones)
        models.append(tuple(k / size for k in ones))
        models.append(majority)
        # Where all have the same symbol the copy has it too.
        models.append(tuple(majority[k] if k in (0, size) else 1.0 - majority[k] for k in ones))
    return tuple(models)


def _log_ratios(model: tuple[float, ...], found: Bits, biases: Floats, noise: float) -> Floats:
    """Log-likelihood ratios at each position for a participant with a 0 and with a 1, shape (2, positions)."""
    chances = noise + (1.0 - 2.0 * noise) * np.array(model)
    others = len(model) - 2
    one = np.zeros((2, biases.size))
    for k in range(others + 1):
        weight = math.comb(others, k) * biases**k * (1.0 - biases) ** (others - k)
        one[0] += weight * chances[k]
        one[1] += weight * chances[k + 1]
    anybody = (1.0 - biases) * one[0] + biases * one[1]
    ratios: Floats = np.log(np.where(found, one / anybody, (1.0 - one) / (1.0 - anybody)))
    return ratios
