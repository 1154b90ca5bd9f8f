"""Attacks on feedback: what can be learnt of hidden labels from released scores alone.

The attackers know nothing: their models guess binary labels. `true` is the accuracy of the last model on fresh items,
always near one half; what `released` shows above one half was learnt from the feedback.

- `majority`: random guesses; those that raise the released score (or, where every score is reported, all of them
  turned to the better side) vote together (Blum and Hardt 2015);
- `climb`: random changes to a block of the best run, kept when the released score goes up;
- `item`: one item changed at a time, kept when the released score goes up;
- `partial`: credits of 1/2, 1/4, 1/8... so that one exact sum gives away twenty labels (the idea of log-loss oracles).
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from protection.ladder import LadderState, consider, default_budget

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]
_BLOCK = 20


class Policy(StrEnum):
    """`ladder`; `aggregate` reports every score with two decimals; `exact` reports it whole (for comparison)."""

    LADDER = "ladder"
    AGGREGATE = "aggregate"
    EXACT = "exact"


class Attack(StrEnum):
    MAJORITY = "majority"
    CLIMB = "climb"
    ITEM = "item"
    PARTIAL = "partial"


@dataclass(frozen=True)
class Boosting:
    """Means over trials; `raised` is `released` less one half, `bits` what the ladder counted."""

    simulation: str
    policy: str
    attack: str
    items: int
    submissions: int
    organisations: int
    verified: bool
    trials: int
    released: float
    true: float
    raised: float
    bits: float

    def json(self) -> dict[str, object]:
        return asdict(self)


class Feedback:
    """What organisations of one attacker learn of one split, by the product's own rule."""

    def __init__(self, labels: Labels, policy: Policy, organisations: int, budget: int | None) -> None:
        self.labels = labels
        self.policy = policy
        self.bits = 0.0
        self._budget = budget
        self._states = [LadderState() for _ in range(organisations)]
        self._best: list[Floats | None] = [None] * organisations
        self._turn = 0

    def submit(self, guess: Labels, credits: Floats | float = 1.0) -> tuple[float | None, bool]:
        """The score that is reported after this submission, and whether it is a new one."""
        scores = np.where(guess == self.labels, credits, 0.0)
        if self.policy is Policy.EXACT:
            return float(scores.mean()), True
        if self.policy is Policy.AGGREGATE:
            return round(float(scores.mean()), 2), True
        who = self._turn % len(self._states)
        self._turn += 1
        best = self._best[who]
        decision = consider(self._states[who], scores, best, budget_left=self._budget)
        self._states[who] = decision.state
        if decision.accepted:
            self._best[who] = scores
            self._budget = None if self._budget is None else self._budget - 1
            self.bits += decision.bits
        return decision.state.released, decision.accepted

    def shown(self) -> float:
        """The best score on the leaderboard."""
        return max((s.released for s in self._states if s.released is not None), default=0.5)


def run(
    items: int,
    submissions: int,
    policy: Policy,
    attack: Attack = Attack.MAJORITY,
    *,
    organisations: int = 1,
    verified: bool = False,
    trials: int = 30,
    seed: int = 0,
) -> Boosting:
    """Run an attack `trials` times. Organisations that are not `verified` share one ladder, as in the product."""
    rng = np.random.default_rng(seed)
    released, true, bits = [], [], []
    for _ in range(trials):
        labels = rng.integers(0, 2, items)
        budget = default_budget(items) if organisations > 1 else None
        feedback = Feedback(labels, policy, organisations if verified else 1, budget)
        final = _ATTACKS[attack](feedback, submissions - 1, rng)
        last, _ = feedback.submit(final)
        reported = feedback.shown() if policy is Policy.LADDER else float(last or 0.0)
        released.append(reported)
        true.append(float((final == rng.integers(0, 2, items)).mean()))
        bits.append(feedback.bits)
    mean = float(np.mean(released))
    return Boosting(
        "boosting",
        policy.value,
        attack.value,
        items,
        submissions,
        organisations,
        verified,
        trials,
        round(mean, 4),
        round(float(np.mean(true)), 4),
        round(mean - 0.5, 4),
        round(float(np.mean(bits)), 1),
    )


def _majority(feedback: Feedback, rounds: int, rng: np.random.Generator) -> Labels:
    items = feedback.labels.size
    votes = np.zeros(items)
    for _ in range(rounds):
        guess = rng.integers(0, 2, items)
        reported, fresh = feedback.submit(guess)
        if reported is None or not fresh:
            continue
        # Where every first score is reported, a run below one half is as good turned round.
        votes += (2 * guess - 1) * (np.sign(reported - 0.5) or 1)
    return _decide(votes, rng)


def _climb(feedback: Feedback, rounds: int, rng: np.random.Generator) -> Labels:
    items = feedback.labels.size
    best = rng.integers(0, 2, items)
    score, _ = feedback.submit(best)
    for _ in range(rounds - 1):
        guess = best.copy()
        block = rng.choice(items, max(1, min(items, int(rng.geometric(0.05)))), replace=False)
        guess[block] = 1 - guess[block]
        reported, fresh = feedback.submit(guess)
        if fresh and reported is not None and (score is None or reported > score):
            best, score = guess, reported
    return best


def _item(feedback: Feedback, rounds: int, rng: np.random.Generator) -> Labels:
    best = rng.integers(0, 2, feedback.labels.size)
    score, _ = feedback.submit(best)
    for item in range(min(rounds - 1, best.size)):
        guess = best.copy()
        guess[item] = 1 - guess[item]
        reported, fresh = feedback.submit(guess)
        if fresh and reported is not None and (score is None or reported > score):
            best, score = guess, reported
    return best


def _partial(feedback: Feedback, rounds: int, rng: np.random.Generator) -> Labels:
    items = feedback.labels.size
    known = rng.integers(0, 2, items)
    for start in range(0, min(items, rounds * _BLOCK), _BLOCK):
        block = np.arange(start, min(items, start + _BLOCK))
        credits = np.zeros(items)
        credits[block] = 0.5 ** np.arange(1, block.size + 1)
        reported, fresh = feedback.submit(np.ones(items, dtype=np.int64), credits)
        if not fresh or reported is None:
            continue
        total = reported * items
        for item in block:
            known[item] = int(total >= credits[item] - 1e-9)
            total -= credits[item] * known[item]
    return known


def _decide(votes: Floats, rng: np.random.Generator) -> Labels:
    coin = rng.integers(0, 2, votes.size)
    return np.where(votes > 0, 1, np.where(votes < 0, 0, coin)).astype(np.int64)


_ATTACKS: dict[Attack, Callable[[Feedback, int, np.random.Generator], Labels]] = {
    Attack.MAJORITY: _majority,
    Attack.CLIMB: _climb,
    Attack.ITEM: _item,
    Attack.PARTIAL: _partial,
}
