"""The public board of a hidden split: a function of feedback releases alone."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from protection.best_of import expected_maximum
from protection.feedback.policy import FeedbackPolicy, PartPolicy
from protection.feedback.release import FeedbackRelease

FLAG_LEVEL = 0.01
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class BoardEntry:
    """What the board knows of one entry: its releases, and how often its organisation asked.

    `status` is the release that ranks it (of the ranking part; of the feedback part where the board is live),
    `feedback` the newest of the feedback part, `attempts` the decisions on the feedback part, `rankings` the ranking
    releases used so far.
    """

    entry: str
    status: FeedbackRelease
    feedback: FeedbackRelease | None = None
    attempts: int = 0
    rankings: int = 1


@dataclass(frozen=True)
class BoardRow:
    """One row: score and interval are None in the last class, which cannot be distinguished from guessing.

    `place` counts from 1, equal bands share it. `adjusted` is the score less the expected luck of the best of the
    ranking releases used. `overfit`: the feedback part is ahead of the ranking part by more than chance and choosing
    the best of the attempts explain.
    """

    entry: str
    place: int
    band: int | None
    score: float | None
    low: float | None
    high: float | None
    adjusted: float | None
    overfit: bool


def board(entries: Iterable[BoardEntry], policy: FeedbackPolicy) -> list[BoardRow]:
    """The rows from the best down, in an order that does not depend on that of `entries`."""
    part = policy.ranking or policy.feedback
    if part is None:
        raise ValueError("an open split has no board of bands")
    ranked = sorted(entries, key=lambda one: (-_band(one, part, policy), one.entry))
    rows: list[BoardRow] = []
    for index, entry in enumerate(ranked):
        same = index > 0 and _band(ranked[index - 1], part, policy) == _band(entry, part, policy)
        rows.append(_row(entry, rows[-1].place if same else index + 1, part, policy))
    return rows


def _band(entry: BoardEntry, part: PartPolicy, policy: FeedbackPolicy) -> int:
    """The band that ranks an entry; all below the floor are one class, on a live board too."""
    band = entry.status.band
    listed = band is not None and (policy.ranking is None or band >= part.floor_band)
    return band if band is not None and listed else -1


def _row(entry: BoardEntry, place: int, part: PartPolicy, policy: FeedbackPolicy) -> BoardRow:
    band = _band(entry, part, policy)
    if band < 0:
        return BoardRow(entry.entry, place, None, None, None, None, None, False)
    lowest, highest = part.scores(band)
    low, high = band_interval(part, band)
    score = (lowest + highest) / 2.0
    luck = expected_maximum(max(1, entry.rankings)) * part.error
    flagged = overfit_p(entry, policy) < FLAG_LEVEL
    return BoardRow(entry.entry, place, band, score, low, high, max(0.0, score - luck), flagged)


def band_counts(part: PartPolicy, band: int) -> tuple[float, float]:
    """The lowest and highest number of right items in a band; in effective items where weights differ."""
    items = part.effective_items
    low, high = part.scores(band)
    if abs(items - part.items) > 1e-6 * part.items:
        return low * items, high * items
    top = math.ceil((band + 1) * part.step * part.items - 1e-9) - 1
    lowest = math.ceil(low * part.items - 1e-9)
    return float(lowest), float(max(lowest, min(part.items, top)))


def band_interval(part: PartPolicy, band: int) -> tuple[float, float]:
    """Clopper-Pearson's 95 % interval, from the lower end of the band's lowest count to the upper of its highest."""
    from scipy.special import betaincinv  # half a second of processor time, which a web process has no use for

    tail = (1.0 - _CONFIDENCE) / 2.0
    items = part.effective_items
    low, high = band_counts(part, band)
    return (
        float(betaincinv(low, items - low + 1.0, tail)) if low > 0.0 else 0.0,
        float(betaincinv(high + 1.0, items - high, 1.0 - tail)) if high < items - 1e-9 else 1.0,
    )


def overfit_p(entry: BoardEntry, policy: FeedbackPolicy) -> float:
    """A p-value that the feedback part is no easier than the ranking part, from the bands that were told.

    The feedback part is a random subset of the split, so the number of right items in it is hypergeometric; its lowest
    count is held against the highest of the ranking part, times the attempts of which it may be the best.
    """
    if policy.ranking is None or policy.feedback is None or entry.feedback is None or entry.feedback.band is None:
        return 1.0
    status = entry.status.band
    if status is None:
        return 1.0
    first = math.floor(policy.feedback.effective_items + 1e-6)
    second = math.floor(policy.ranking.effective_items + 1e-6)
    mine = math.floor(band_counts(policy.feedback, entry.feedback.band)[0])
    theirs = min(second, math.ceil(band_counts(policy.ranking, status)[1]))
    return min(
        1.0, max(1, entry.attempts) * hypergeometric_tail(min(first, mine), first, second, min(first, mine) + theirs)
    )


def hypergeometric_tail(least: int, first: int, second: int, right: int) -> float:
    """P(at least `least` of the `right` items are among the `first`) when these are drawn from `first + second`."""
    whole = _log_choose(first + second, right)
    top = min(first, right)
    return min(
        1.0,
        math.fsum(
            math.exp(_log_choose(first, k) + _log_choose(second, right - k) - whole)
            for k in range(max(least, right - second), top + 1)
        ),
    )


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
