"""The ledger of bits: what decisions told in the worst case, how worn a part is, and when it is to be retired.

Every decision is charged the logarithm of the number of answers it could have had, so the transcripts of a split
satisfy Kraft's inequality: no more than 2^b of them have b bits. The ledger silences nobody.
"""

import math
from dataclasses import dataclass

from protection.feedback.policy import FeedbackPolicy, PartPolicy

# Gain of the strongest simulated attack on the board, in standard errors a root of a helping organisation.
_LAW_TWO_CHOICES = 0.6
_LAW_MORE_CHOICES = 0.45
_LAW_FREE_FORM = 0.1


@dataclass(frozen=True)
class Wear:
    """Bits told of a part, the bits its golds hold, and their ratio; `presumed_public` from 1 on."""

    bits: float
    capacity: float

    @property
    def share(self) -> float:
        return self.bits / self.capacity if self.capacity else 0.0

    @property
    def presumed_public(self) -> bool:
        """Whether the golds must be taken for known: then the feedback part is published and a new one is drawn."""
        return self.bits >= self.capacity


def decision_bits(part: PartPolicy, lowest: int) -> float:
    """Bits of a decision that is refused or tells one of the bands from `lowest` up."""
    return math.log2(1 + max(0, part.bands - lowest))


def band_bits(part: PartPolicy) -> float:
    """Bits of telling a band whatever it is (mode `score`, regrades)."""
    return math.log2(part.bands)


def wear(bits: float, items: int, choices: int) -> Wear:
    """How worn a part of `items` items is: a gold of `choices` choices holds log2 of them, one in free form 1 bit."""
    return Wear(bits, items * math.log2(choices if choices > 1 else 2))


def expected_gain(policy: FeedbackPolicy, organisations: int) -> float:
    """What the strongest simulated attack gains on the board with this many organisations in one hand, as a score.

    The law c * sqrt(H - 1) * SE, where with `models` every release counts as one of H.
    """
    if policy.ranking is None:
        return 0.0
    law = {0: _LAW_FREE_FORM, 2: _LAW_TWO_CHOICES}.get(policy.choices, _LAW_MORE_CHOICES)
    hands = organisations * max(1, policy.rankings) if policy.models else organisations
    return law * math.sqrt(max(0, hands - 1)) * policy.ranking.error
