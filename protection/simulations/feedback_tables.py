"""The attack tables of docs/protection.md, each cell beside what the specification allows.

Gains are points on the board, decisions are golds of the feedback part. Of every cell the worst of the attacks and of
what the attacker knew before is taken, as the specification does.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

import numpy as np

from protection.feedback.board import band_counts
from protection.feedback.exit import on_submission
from protection.feedback.policy import Mode
from protection.feedback.release import OrganisationState, Verdicts
from protection.simulations.attacks.decoder import WRONG, Decoder, draw, prior_beliefs
from protection.simulations.feedback import (
    Attack,
    Attacker,
    Learnt,
    attack_decisions,
    attack_ranking,
    attack_scores,
    scores_policy,
    sealed_policy,
)

# Two choices, four choices, free form.
KINDS = (2, 4, 0)
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Cell:
    """One number: measured with its standard error, and the specification's (None where it gives none).

    `specified_error` follows from ours and the number of times the specification's simulation was played.
    """

    table: str
    row: str
    choices: int
    organisations: int
    measured: float
    error: float
    specified: float | None
    specified_error: float

    @property
    def within(self) -> bool:
        """Not above the specification by more than three standard errors of the difference (and its rounding)."""
        allowed = 3.0 * math.hypot(self.error, self.specified_error)
        return self.specified is None or self.measured <= self.specified + 0.05 + allowed

    def json(self) -> dict[str, object]:
        return asdict(self) | {"within": self.within}


# Items, the feedback part's share, ranking releases a year; by organisations 1, 3, 10: the specification's gains (6.2).
RANKING: tuple[tuple[int, float, int, tuple[Triple, Triple, Triple]], ...] = (
    (100, 0.0, 1, ((0, 0, 0), (3.1, 2.3, 0.4), (8.9, 7.1, 0.8))),
    (200, 0.0, 1, ((0, 0, 0), (2.4, 2.3, 0.1), (4.6, 4.2, 0.3))),
    (200, 0.3, 1, ((0, 0, 0), (3.5, 1.8, 0.2), (8.2, 5.7, 0.6))),
    (500, 0.3, 1, ((0, 0, 0), (1.6, 1.4, 0.1), (4.2, 3.3, 0.3))),
    (500, 0.3, 2, ((1.8, 1.0, 0), (2.7, 1.5, 0.1), (4.2, 3.3, 0.5))),
    (1000, 0.3, 3, ((1.4, 0.6, 0), (1.5, 1.8, 0.1), (2.7, 2.5, 0.2))),
    (2000, 0.3, 4, ((1.1, 0.5, 0.1), (1.4, 0.7, 0), (2.3, 2.1, 0.2))),
    (5000, 0.3, 4, ((0.6, 0.3, 0), (0.7, 0.6, 0), (1.4, 1.0, 0.1))),
)
ORGANISATIONS = (1, 3, 10)

# Items, gains of 3, 30 and 100 organisations with four choices and one release.
MANY = ((200, (1.5, 10.4, 20.9)), (500, (1.0, 6.8, 10.9)), (2000, (0.4, 2.7, 6.3)))

# Items, releases in one hand with `models`, gains.
MODELS = ((500, 20, (4.8, 5.0, 0.1)), (1000, 30, (5.5, 3.7, 0.1)), (2000, 40, (4.5, 3.7, 0.1)))

# Decisions, organisations; golds of the feedback part of 200, 500 and 2000 items (6.3).
DECISIONS: tuple[tuple[int, int, tuple[Triple, Triple, Triple]], ...] = (
    (10, 1, ((1.7, 3.8, 0.7), (3.5, 2.8, 0.5), (5.5, 2.0, 0.8))),
    (30, 1, ((1.7, 5.8, 0.7), (3.5, 6.2, 0.5), (8.5, 6.2, 0.3))),
    (1000, 1, ((1.7, 10.8, 0.5), (3.5, 15.2, 1.3), (8.5, 30.5, 0))),
    (10, 10, ((7.8, 11.5, 4.7), (17.3, 27.5, 5.3), (47, 30, 4.8))),
    (30, 10, ((7.8, 23.2, 5.0), (18.2, 53, 12), (79, 82, 20))),
)
DECISION_SCORES: tuple[tuple[int, int, tuple[Triple, Triple, Triple]], ...] = (
    (30, 1, ((13.6, 10.8, 2.1), (15.1, 13.5, 1.8), (38, 25, 0))),
    (30, 10, ((15.1, 22.2, 3.5), (37, 54, 7.5), (110, 98, 8))),
)
SIZES = (200, 500, 2000)

# What one set without a partition tells, gains at 200, 500 and 2000 items (6.1).
ONE_SET: tuple[tuple[str, int, bool, float, tuple[Triple, Triple, Triple]], ...] = (
    ("exact score each time", 30, True, 1.0, ((12.1, 10.1, 3.1), (6.7, 6.6, 0.8), (2.8, 2.5, 0.4))),
    ("exact score each time", 300, True, 1.0, ((26.0, 37.3, 6.8), (23.4, 33.7, 6.3), (12.7, 10.8, 2.6))),
    ("scores: a band each time", 30, False, 1.0, ((9.2, 7.9, 1.0), (6.6, 6.2, 0.2), (2.4, 2.2, 0))),
    ("scores: bands of 2 SE", 30, False, 2.0, ((6.4, 7.6, 0.8), (4.9, 3.0, 0.4), (2.6, 1.9, 0))),
)

# Items of the ranking part, size of groups, points (6.5: ten organisations, first releases, four choices).
BREAKDOWN = (
    (350, 25, 14.7),
    (350, 50, 8.8),
    (350, 100, 7.1),
    (350, 350, 2.7),
    (1400, 25, 14.7),
    (1400, 50, 9.0),
    (1400, 100, 6.3),
    (1400, 1400, 1.6),
)


def trials_of(items: int, scale: float) -> int:
    """How often a cell is played, fewer times where each costs more."""
    full = 60 if items < 600 else 30 if items < 2500 else 16
    return max(3, round(full * scale))


def ranking(scale: float = 1.0, seed: int = 0) -> Iterator[Cell]:
    """6.2: what the board can be moved by."""
    for items, share, releases, rows in RANKING:
        for organisations, allowed in zip(ORGANISATIONS, rows, strict=True):
            for choices, one in zip(KINDS, allowed, strict=True):
                policy = sealed_policy(items, choices, rankings=releases, share=share)
                attacker = Attacker(choices, organisations, trials_of(items, scale), seed)
                label = f"n = {items}, f = {share:g}, r = {releases}"
                played = 30 if items < 800 else 10
                yield _points("board", label, attacker, attack_ranking(policy, attacker), one, played)


def many(scale: float = 1.0, seed: int = 0) -> Iterator[Cell]:
    """6.2: many organisations in one hand, and several models of one."""
    for items, row in MANY:
        for organisations, allowed in zip((3, 30, 100), row, strict=True):
            policy = sealed_policy(items, 4, rankings=1, share=0.3)
            attacker = Attacker(4, organisations, max(3, trials_of(items, scale) // 2), seed)
            found = attack_ranking(policy, attacker, Attack.FIRST)
            yield _points("many hands", f"n = {items}", attacker, found, allowed, 10)
    for items, releases, triple in MODELS:
        for choices, allowed in zip(KINDS, triple, strict=True):
            policy = replace(sealed_policy(items, choices, rankings=releases, share=0.3), models=True)
            attacker = Attacker(choices, 1, trials_of(items, scale), seed, (0.5,))
            found = attack_ranking(policy, attacker, Attack.FIRST)
            yield _points("models", f"n = {items}, {releases} releases", attacker, found, allowed, 12)


def decisions(scale: float = 1.0, seed: int = 0) -> Iterator[Cell]:
    """6.3: golds of the feedback part that decisions tell."""
    for count, organisations, rows in DECISIONS:
        for items, triple in zip(SIZES, rows, strict=True):
            for choices, allowed in zip(KINDS, triple, strict=True):
                policy = sealed_policy(items, choices, rankings=1, decisions=count, share=0.3)
                attacker = Attacker(choices, organisations, _fewer(items, count * organisations, scale), seed)
                found = attack_decisions(policy, attacker)
                yield _golds(f"K = {count}, n = {items}", attacker, found, allowed, 6)
    for count, organisations, rows in DECISION_SCORES:
        for items, triple in zip(SIZES, rows, strict=True):
            for choices, allowed in zip(KINDS, triple, strict=True):
                policy = sealed_policy(items, choices, rankings=1, decisions=count, share=0.3)
                attacker = Attacker(choices, organisations, _fewer(items, count * organisations, scale), seed)
                found = attack_scores(replace(policy, mode=Mode.SCORE), attacker)
                yield _golds(f"mode score, K = {count}, n = {items}", attacker, found, allowed, 10)


def one_set(scale: float = 1.0, seed: int = 0) -> Iterator[Cell]:
    """6.1: what a live board of one set tells."""
    for label, count, exact, grid, rows in ONE_SET:
        for items, triple in zip(SIZES, rows, strict=True):
            for choices, allowed in zip(KINDS, triple, strict=True):
                policy = scores_policy(items, decisions=count, grid=grid)
                attacker = Attacker(choices, 1, _fewer(items, count, scale), seed, (0.5,))
                found = attack_scores(policy, attacker, exact=exact)
                played = {200: 10, 500: 5}.get(items, 3) if count < 100 else 3
                yield _points("one set", f"{label}, {count}, n = {items}", attacker, found, allowed, played)


def blanks(scale: float = 1.0, seed: int = 0) -> Iterator[Cell]:
    """Padding by blanks instead of wrong answers: too few answers are a submission that tells nothing."""
    for choices in KINDS:
        policy = sealed_policy(500, choices, rankings=1, decisions=30, share=0.3)
        for left_out in (True, False):
            attacker = Attacker(choices, 1, trials_of(500, scale), seed, blanks=left_out)
            found = attack_decisions(policy, attacker)
            name = "left out" if left_out else "wrong on purpose"
            yield _golds(f"{name}, K = 30, n = 500", attacker, found, None, 1, table="blanks")


def breakdown(scale: float = 1.0, seed: int = 0) -> Iterator[Cell]:
    """6.5: what a breakdown by groups would cost, each group told in bands of its own size."""
    for items, size, allowed in BREAKDOWN:
        rng = np.random.default_rng([seed, items, size])
        gains = [100.0 * _broken_down(items, size, rng) for _ in range(max(3, round(15 * scale)))]
        error = float(np.std(gains, ddof=1)) / len(gains) ** 0.5
        label = f"R = {items}, " + (f"groups of {size}" if size < items else "none")
        theirs = error * math.sqrt(len(gains) / 15)
        yield Cell(
            "breakdown", label, 4, 10, round(float(np.mean(gains)), 2), round(error, 3), allowed, round(theirs, 3)
        )


def _broken_down(items: int, size: int, rng: np.random.Generator) -> float:
    beliefs = prior_beliefs(items, 4, 0.5, rng)
    golds = draw(beliefs, rng)
    decoder = Decoder(beliefs)
    honest = float((decoder.best() == golds).mean())
    groups = [np.arange(start, min(items, start + size)) for start in range(0, items, size)]
    for _ in range(9):
        run = decoder.guess(rng)
        for group in groups:
            policy = scores_policy(group.size)
            part = policy.feedback
            assert part is not None
            _, told = on_submission(OrganisationState(), Verdicts.plain((run == golds)[group]), policy)
            assert told.band is not None
            only = np.full(items, WRONG, dtype=np.int64)
            only[group] = run[group]
            low, high = band_counts(part, told.band)
            decoder.observe(only, int(low), int(high))
    decoder.agree_again(3)
    return float((decoder.best() == golds).mean()) - honest


def _fewer(items: int, asked: int, scale: float) -> int:
    full = 12 if asked <= 300 else 6
    return max(3, round(full * scale * (0.7 if items > 1000 else 1.0)))


def _points(table: str, row: str, attacker: Attacker, found: Learnt, allowed: float, played: int) -> Cell:
    return _cell(table, row, attacker, 100.0 * found.gain, 100.0 * found.error, allowed, played)


def _golds(
    row: str, attacker: Attacker, found: Learnt, allowed: float | None, played: int, table: str = "golds"
) -> Cell:
    return _cell(table, row, attacker, found.golds, found.error * found.items, allowed, played)


def _cell(
    table: str, row: str, attacker: Attacker, measured: float, error: float, allowed: float | None, played: int
) -> Cell:
    theirs = error * math.sqrt(attacker.trials / played)
    return Cell(
        table,
        row,
        attacker.choices,
        attacker.organisations,
        round(measured, 2),
        round(error, 3),
        allowed,
        round(theirs, 3),
    )
