"""What an attacker believes of the golds: an assumed-density decoder of counts.

The items' answers are kept independent; each count that is told moves them to the nearest distribution (in relative
entropy) that agrees with it. Small sets of uncertain items are updated exactly.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

Floats = NDArray[np.float64]
Answers = NDArray[np.int64]

# An answer that is wrong on purpose: no candidate.
WRONG = -1
_EXACT = 70
_SURE = 1e-6


def prior_of(choices: int) -> tuple[float, ...]:
    """How likely each candidate answer to an unknown item is; free form (0 choices) has four poor guesses."""
    return (1.0 / choices,) * choices if choices > 1 else (0.15, 0.05, 0.05, 0.05)


def prior_beliefs(items: int, choices: int, share: float, rng: np.random.Generator) -> Floats:
    """Beliefs, shape (items, candidates), of an attacker who knows `share` of the answers and nothing of the rest."""
    beliefs = np.tile(np.array(prior_of(choices)), (items, 1))
    known = rng.permutation(items)[: int(share * items)]
    beliefs[known] = 0.0
    beliefs[known, 0] = 1.0
    return beliefs


def draw(beliefs: Floats, rng: np.random.Generator) -> Answers:
    """One answer an item; the number of candidates where none of them is right."""
    drawn: Answers = (rng.random(len(beliefs))[:, None] > beliefs.cumsum(axis=1)).sum(axis=1)
    return drawn


class Decoder:
    """Beliefs of shape (items, candidates), moved by the counts that were told of runs over them."""

    def __init__(self, beliefs: Floats) -> None:
        self.beliefs = beliefs.copy()
        self._rows = np.arange(len(beliefs))
        self._heard: list[tuple[Answers, int, int]] = []

    def right(self, run: Answers) -> Floats:
        """How likely each answer of a run is right; 0 where it is wrong on purpose."""
        return np.where(run < 0, 0.0, self.beliefs[self._rows, np.maximum(run, 0)])

    def best(self) -> Answers:
        """The likeliest answers."""
        chosen: Answers = self.beliefs.argmax(axis=1)
        return chosen

    def guess(self, rng: np.random.Generator, share: float = 1.0) -> Answers:
        """A draw from the beliefs (Thompson sampling) for `share` of the items, the likeliest answer elsewhere."""
        drawn = draw(self.beliefs / np.maximum(1.0, self.beliefs.sum(axis=1, keepdims=True)), rng)
        best = self.best()
        drawn = np.where(drawn >= self.beliefs.shape[1], best, drawn)
        return drawn if share >= 1.0 else np.where(rng.random(drawn.size) < share, drawn, best)

    def observe(self, run: Answers, low: int, high: int) -> None:
        """The run has between `low` and `high` right answers: match the mean of the normal cut to that window."""
        right = self.right(run)
        mean = float(right.sum())
        spread = math.sqrt(max(1e-6, float((right * (1.0 - right)).sum())))
        a, b = (low - 0.5 - mean) / spread, (high + 0.5 - mean) / spread
        mass = float(ndtr(b) - ndtr(a))
        expected = min(max(mean, low), high) if mass < 1e-9 else mean + spread * (_density(a) - _density(b)) / mass
        self._tilt(run, right, expected)
        self._heard.append((run.copy(), low, high))

    def observe_exactly(self, run: Answers, low: int, high: int) -> None:
        """As `told`, by exact marginals where at most 70 answers of the run are uncertain."""
        right = self.right(run)
        right = np.where(right > 0.999, 1.0, np.where(right < 0.001, 0.0, right))
        open_ = np.flatnonzero((right > 0.0) & (right < 1.0))
        if open_.size > _EXACT:
            self.observe(run, low, high)
            return
        sure = int((right == 1.0).sum())
        chances = right[open_]
        given = _given_window(chances, low - sure, high - sure)
        if given is None:
            return
        after = np.clip(given, _SURE, 1.0 - _SURE)
        self.beliefs[open_] *= ((1.0 - after) / (1.0 - chances))[:, None]
        self.beliefs[open_, run[open_]] = after

    def agree_again(self, times: int) -> None:
        """Go over what was heard before, until beliefs agree with all of it again."""
        for _ in range(times):
            calm = True
            for run, low, high in self._heard:
                right = self.right(run)
                mean = float(right.sum())
                if mean < low - 0.25 or mean > high + 0.25:
                    self._tilt(run, right, float(low if mean < low else high))
                    calm = False
            if calm:
                return

    def _tilt(self, run: Answers, right: Floats, expected: float) -> None:
        """The nearest independent beliefs whose expected count is `expected`: one shift of all log-odds."""
        moved = (run >= 0) & (right > 1e-6) & (right < 1.0 - 1e-6)
        chances = right[moved]
        if not chances.size:
            return
        aim = min(max(expected - float(right[~moved].sum()), 1e-3), chances.size - 1e-3)
        after = np.clip(_shifted(chances, aim), 1e-9, 1.0 - 1e-9)
        where = np.flatnonzero(moved)
        self.beliefs[where] *= ((1.0 - after) / (1.0 - chances))[:, None]
        self.beliefs[where, run[where]] = after


def _density(z: float) -> float:
    return math.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)


def _shifted(chances: Floats, aim: float) -> Floats:
    """Chances with all log-odds shifted alike so that they sum to `aim`: Newton's steps, guarded by bisection."""
    odds = np.log(chances / (1.0 - chances))
    low, high, shift = -25.0, 25.0, 0.0
    moved: Floats = chances
    for _ in range(40):
        moved = expit(odds + shift)
        over = float(moved.sum()) - aim
        if abs(over) < 1e-6:
            break
        low, high = (low, shift) if over > 0 else (shift, high)
        step = shift - over / max(1e-9, float((moved * (1.0 - moved)).sum()))
        shift = step if low < step < high else (low + high) / 2.0
    return moved


def counts(chances: Floats) -> Floats:
    """The distribution of the number of right ones among independent items, shape (items + 1,)."""
    masses = np.ones(1)
    for chance in chances:
        masses = _joined(masses, float(chance))
    return masses


def _joined(masses: Floats, chance: float) -> Floats:
    wider = np.zeros(masses.size + 1)
    wider[:-1] = masses * (1.0 - chance)
    wider[1:] += masses * chance
    return wider


def _given_window(chances: Floats, low: int, high: int) -> Floats | None:
    """The chance of each item given that the count lies in the window; None where that cannot be."""
    size = chances.size
    if not size:
        return None
    before = [np.ones(1)]
    after = [np.ones(1)]
    for index in range(size):
        before.append(_joined(before[-1], float(chances[index])))
        after.append(_joined(after[-1], float(chances[size - 1 - index])))
    mass = float(before[-1][max(0, low) : max(0, high + 1)].sum())
    if mass < 1e-9:
        return None
    given = np.empty(size)
    for index in range(size):
        rest = np.concatenate([[0.0], after[size - 1 - index].cumsum()])
        mine = before[index]
        # With this item right the others hold one less: j of those before it, low - 1 - j to high - 1 - j after it.
        j = np.arange(mine.size)
        top = rest[np.clip(high - j, 0, rest.size - 1)]
        bottom = rest[np.clip(low - 1 - j, 0, rest.size - 1)]
        given[index] = chances[index] * float(mine @ (top - bottom)) / mass
    return given
