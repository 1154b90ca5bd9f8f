"""The echo detector: a submission that answers its own variants with the gold of another organisation's variants.

Looks at the answers that are wrong for the submitter's variant and right for another variant. A model that never saw
another copy hits the variant of organisation B at such an item with a known probability, because B's code was drawn
without regard to the model; so the number of hits has a known (Poisson-binomial) distribution whatever the model is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from protection import marks, tardos
from protection.marks import IsGold, V, VariantSet


@dataclass(frozen=True)
class Echo:
    """One organisation's copy as the source: hits, what chance would give, and the p-value over all organisations."""

    organisation: str
    hits: int
    items: int
    expected: float
    p: float


def echoes(
    answers: Mapping[str, str],
    submitter: str,
    organisations: Sequence[str],
    catalogue: Mapping[str, VariantSet[V]],
    secret: bytes,
    is_gold: IsGold[V],
) -> list[Echo]:
    """Every other organisation, most suspect first. `answers` is by problem; p-values are Bonferroni-adjusted."""
    foreign = _foreign(answers, submitter, catalogue, secret, is_gold)
    others = [name for name in organisations if name != submitter]
    chances = np.array([_chance(secret, problem, catalogue[problem].bits, found) for problem, found in foreign.items()])
    tail = upper_tail(chances)
    result = []
    for name in others:
        hits = sum(
            tardos.number(secret, name, problem, catalogue[problem].bits) in found for problem, found in foreign.items()
        )
        p = min(1.0, float(tail[hits]) * len(others))
        result.append(Echo(name, hits, len(foreign), float(chances.sum()), p))
    return sorted(result, key=lambda echo: (echo.p, -echo.hits, echo.organisation))


def foreign_marks(
    answers: Mapping[str, str],
    submitter: str,
    catalogue: Mapping[str, VariantSet[V]],
    secret: bytes,
    is_gold: IsGold[V],
) -> dict[str, int]:
    """Marks, for `tracing.trace`, in the answers that are wrong for the submitter's own copy."""
    observed: dict[str, int] = {}
    for problem, numbers in _foreign(answers, submitter, catalogue, secret, is_gold).items():
        observed.update(marks.agreed(problem, catalogue[problem], numbers))
    return observed


def upper_tail(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(at least k of independent events) for k = 0..n, exactly."""
    mass = np.zeros(chances.size + 1)
    mass[0] = 1.0
    for index, chance in enumerate(chances):
        mass[1 : index + 2] = mass[1 : index + 2] * (1.0 - chance) + mass[: index + 1] * chance
        mass[0] *= 1.0 - chance
    tail: NDArray[np.float64] = np.minimum(1.0, np.cumsum(mass[::-1])[::-1])
    return tail


def _foreign(
    answers: Mapping[str, str],
    submitter: str,
    catalogue: Mapping[str, VariantSet[V]],
    secret: bytes,
    is_gold: IsGold[V],
) -> dict[str, set[int]]:
    """By problem, the variants that the answer is right for, where it is wrong for the submitter's own."""
    found: dict[str, set[int]] = {}
    for problem, answer in answers.items():
        made = catalogue.get(problem)
        if made is None or made.bits == 0:
            continue
        numbers = marks.matching(answer, made, is_gold)
        if numbers and tardos.number(secret, submitter, problem, made.bits) not in numbers:
            found[problem] = numbers
    return found


def _chance(secret: bytes, problem: str, bits: int, numbers: set[int]) -> float:
    ones = [tardos.bias(secret, tardos.position(problem, bit)) for bit in range(bits)]
    return float(
        sum(np.prod([ones[bit] if number >> bit & 1 else 1.0 - ones[bit] for bit in range(bits)]) for number in numbers)
    )
