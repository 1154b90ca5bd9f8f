"""Ways to ask: each spends the decisions of the helping organisations and leaves the beliefs that followed.

- `first`: every helper sends one draw from the beliefs;
- `climb`: every release is a whole draw, all helpers of one round are told together;
- `pad`: known items bring the count to one below what would be told, so that a small group of unknown ones decides: one
  bit a decision, and no losses in the test against the own best;
- `patient`: the same, with a new best made rare, because refusals are free and climbing is not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from protection.feedback.policy import ALPHA
from protection.simulations.attacks.channel import Channel, ExactChannel
from protection.simulations.attacks.decoder import WRONG, Answers, Decoder, Floats, counts

# Wins that the sign test asks for where nothing is lost.
WINS = math.ceil(-math.log2(ALPHA))
_KNOWN = 0.995
_MOST_OPEN = 60
_LARGEST_GROUP = 12
_NO_ANSWERS = np.zeros(0, dtype=np.int64)


def every_score(
    channel: Channel | ExactChannel, decoder: Decoder, helpers: int, rounds: int, rng: np.random.Generator
) -> None:
    """Where every decision tells a score, draws from the beliefs are as good as anything."""
    asked = helpers * rounds
    for turn in range(asked):
        run = decoder.guess(rng)
        heard = channel.submit(turn % helpers, run)
        if heard is not None:
            decoder.observe(run, heard.low, heard.high)
        if (turn + 1) % max(10, asked // 8) == 0:
            decoder.agree_again(2)
    decoder.agree_again(6)


def first(channel: Channel, decoder: Decoder, senders: Sequence[int], rng: np.random.Generator) -> None:
    """One release after another, each of a draw from the beliefs."""
    for helper in senders:
        run = decoder.guess(rng)
        heard = channel.submit(helper, run)
        if heard is not None and (heard.high < channel.items or heard.low > 0):
            decoder.observe(run, heard.low, heard.high)
    decoder.agree_again(4)


def climb(channel: Channel, decoder: Decoder, helpers: int, rounds: int, rng: np.random.Generator) -> None:
    """Whole draws, all helpers told together at each round."""
    for turn in range(rounds):
        sent = [(one, decoder.guess(rng, 1.0 if turn < 2 or one % 2 else 0.5)) for one in range(helpers)]
        for helper, run in sent:
            heard = channel.submit(helper, run)
            if heard is not None and heard.new:
                decoder.observe(run, heard.low, heard.high)
        decoder.agree_again(2)


@dataclass
class Padding:
    """The padding attack of several helpers who share their beliefs. `persistent`: new bests are made rare."""

    channel: Channel
    decoder: Decoder
    rng: np.random.Generator
    rounds: int
    persistent: bool = False
    best: dict[int, Answers] = field(default_factory=dict)

    def run(self, helpers: int) -> None:
        """All rounds; a helper that can ask nothing more drops out."""
        active = list(range(helpers))
        for turn in range(self.rounds):
            active = [helper for helper in active if self._ask(helper, self.rounds - turn)]
            if not active:
                return

    def _ask(self, helper: int, left: int) -> bool:
        channel, decoder = self.channel, self.decoder
        base = self.best.get(helper)
        if base is None:
            base = np.full(channel.items, WRONG, dtype=np.int64)
        climbing = channel.band(helper) is not None
        right = decoder.right(base)
        top = decoder.best()
        sure = decoder.beliefs.max(axis=1)
        spare = self.rng.permutation(np.flatnonzero((sure > _KNOWN) & (base == WRONG)))
        open_ = right[(right > 1.0 - _KNOWN) & (right <= _KNOWN)]
        group, guesses = self._group(base, sure, too_open=open_.size > _MOST_OPEN)
        if not group.size and not open_.size and not spare.size:
            return False
        plan = _Plan(
            lowest=channel.threshold(helper) if climbing else max(1, channel.threshold(helper)),
            wins=WINS if climbing else 0,
            certain=int((right > _KNOWN).sum()),
            open=counts(np.concatenate([open_, decoder.beliefs[group, guesses]])),
            group=counts(decoder.beliefs[group, guesses]),
        )
        padded = plan.padding(spare.size, self._aim(spare.size, left))
        if padded is None:
            return False
        run = base.copy()
        run[group] = guesses
        run[spare[:padded]] = top[spare[:padded]]
        return self._submit(helper, run, group, plan, padded)

    def _group(self, base: Answers, sure: Floats, *, too_open: bool) -> tuple[Answers, Answers]:
        """The most uncertain items that were not tried, so many that their count is a coin toss, with guesses."""
        if too_open:
            return _NO_ANSWERS, _NO_ANSWERS
        drawn = self.decoder.guess(self.rng)
        tried = self.rng.permutation(np.flatnonzero((sure <= _KNOWN) & (base == WRONG)))
        chances = self.decoder.beliefs[tried, drawn[tried]]
        group: list[int] = []
        none = 1.0
        for index in np.argsort(np.abs(chances - 0.5), kind="stable"):
            if none <= 0.55 or len(group) >= _LARGEST_GROUP:
                break
            if chances[index] >= 0.02:
                group.append(int(tried[index]))
                none *= 1.0 - float(chances[index])
        chosen = np.array(group, dtype=np.int64)
        return chosen, drawn[chosen]

    def _aim(self, spare: int, left: int) -> float:
        """How likely a new best should be: a coin toss, or as rare as the climbs that are still possible allow."""
        if not self.persistent:
            return 0.5
        climbs = max(1.0, spare / max(self.channel.part.step * self.channel.items, WINS, 1))
        return min(0.5, max(0.08, climbs / max(1, left)))

    def _submit(self, helper: int, run: Answers, group: Answers, plan: "_Plan", padded: int) -> bool:
        heard = self.channel.submit(helper, run)
        if heard is None:
            return False
        decoder, items = self.decoder, self.channel.items
        only = np.full(items, WRONG, dtype=np.int64)
        only[group] = run[group]
        if heard.new:
            if heard.high < items or heard.low > 0:
                decoder.observe_exactly(run, heard.low, heard.high)
            if plan.wins > padded:
                decoder.observe_exactly(only, plan.wins - padded, items)
            self.best[helper] = run
        elif padded >= plan.wins:
            decoder.observe_exactly(run, 0, plan.lowest - 1)
        elif plan.certain + padded >= plan.lowest:
            decoder.observe_exactly(only, 0, plan.wins - padded - 1)
        return True


@dataclass(frozen=True)
class _Plan:
    """What one padded run has to reach: the lowest count that is told, and the wins of the sign test.

    `certain` answers of the last best are right; `open` and `group` are distributions of counts of the uncertain ones,
    the last best's included and the new group's alone.
    """

    lowest: int
    wins: int
    certain: int
    open: Floats
    group: Floats

    def padding(self, spare: int, aim: float) -> int | None:
        """How many known answers to add so that a new best is as likely as `aim`; None where nothing can be told."""
        whole, mine = _tail(self.open), _tail(self.group)
        by_band = self.lowest - self.certain - int(np.argmin(np.abs(whole - aim)))
        by_test = self.wins - int(np.argmin(np.abs(mine - aim))) if self.wins else 0
        padded = max(by_band, by_test, 0)
        if padded <= spare:
            return padded
        need = self.lowest - self.certain - spare
        lost = self.wins - spare
        if not _likely(whole, need) or (self.wins and not _likely(mine, lost)):
            return None
        return spare


def _tail(masses: Floats) -> Floats:
    """P(count >= k) for each k."""
    return masses[::-1].cumsum()[::-1]


def _likely(tail: Floats, count: int) -> bool:
    return count < tail.size and float(tail[max(0, count)]) >= 0.03
