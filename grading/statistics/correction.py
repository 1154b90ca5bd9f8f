"""Correcting a score for its judge's errors, with intervals that include the calibration's own uncertainty."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist, fmean, variance

from grading.statistics.intervals import Interval, wilson

WEAK = 0.2


@dataclass(frozen=True)
class Calibration:
    """A binary judge against people, who said yes to `tp + fn` items and no to `tn + fp`; it agreed on tp and tn."""

    tp: int
    fn: int
    tn: int
    fp: int

    @classmethod
    def of(cls, people: Sequence[bool], judge: Sequence[bool]) -> "Calibration":
        """Count a calibration sample, one pair an item."""
        pairs = list(zip(people, judge, strict=True))
        return cls(
            tp=pairs.count((True, True)),
            fn=pairs.count((True, False)),
            tn=pairs.count((False, False)),
            fp=pairs.count((False, True)),
        )

    @property
    def sensitivity(self) -> float:
        """Share of right answers that the judge accepts; 0.5 while none was seen."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 0.5

    @property
    def specificity(self) -> float:
        """Share of wrong answers that the judge refuses; 0.5 while none was seen."""
        return self.tn / (self.tn + self.fp) if self.tn + self.fp else 0.5

    def youden(self, confidence: float = 0.95) -> Interval:
        """Sensitivity plus specificity minus 1 (0: a coin, 1: perfect), from the two Wilson intervals."""
        ends = 1 - (1 - confidence) / 2
        yes, no = wilson(self.tp, self.tp + self.fn, ends), wilson(self.tn, self.tn + self.fp, ends)
        return Interval(yes.low + no.low - 1, yes.high + no.high - 1)

    def too_weak(self, confidence: float = 0.95) -> bool:
        """Whether the judge may be little better than a coin, so that a corrected score says nothing."""
        return self.youden(confidence).low < WEAK


@dataclass(frozen=True)
class Corrected:
    """A score as estimated, its interval, and whether it should be greyed because the judge is too weak."""

    score: float
    interval: Interval
    weak: bool = False


def rogan_gladen(accepted: int, judged: int, calibration: Calibration, confidence: float = 0.95) -> Corrected:
    """True rate behind a judge's rate of acceptance (Rogan and Gladen 1978), `accepted` of `judged` items.

    Interval after Lang and Reiczigel (2014): it includes the uncertainty of sensitivity and specificity, and holds
    when the calibration sample has another share of right answers, as long as the judge errs alike on right and on
    wrong answers. A judge no better than a coin gives [0, 1]. Raises ValueError unless 0 <= accepted <= judged.
    """
    if not 0 <= accepted <= judged:
        raise ValueError(f"need 0 <= accepted <= judged, not {accepted} of {judged}")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    weak = calibration.too_weak(confidence)
    yes, no = calibration.tp + calibration.fn, calibration.tn + calibration.fp
    power = calibration.sensitivity + calibration.specificity - 1
    if judged == 0 or yes == 0 or no == 0 or power <= 0:
        return Corrected(accepted / judged if judged else 0.5, Interval(0.0, 1.0), weak=True)
    score = _clip((accepted / judged + calibration.specificity - 1) / power)
    rate = (accepted + z * z / 2) / (judged + z * z)
    se, sp = (calibration.tp + 1) / (yes + 2), (calibration.tn + 1) / (no + 2)
    middle = (rate + sp - 1) / (se + sp - 1)
    own = rate * (1 - rate) / (judged + z * z)
    from_se, from_sp = se * (1 - se) / (yes + 2), sp * (1 - sp) / (no + 2)
    shift = 2 * z * z * (middle * from_se - (1 - middle) * from_sp)
    half = z * math.sqrt(own + middle**2 * from_se + (1 - middle) ** 2 * from_sp) / abs(se + sp - 1)
    interval = Interval(_clip(min(middle + shift - half, score)), _clip(max(middle + shift + half, score)))
    return Corrected(score, interval, weak)


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))


@dataclass(frozen=True)
class Stratum:
    """Scores in [0, 1] of one stratum: the judge's of all its items, and pairs (person, judge) of a random sample."""

    judged: Sequence[float]
    pairs: Sequence[tuple[float, float]]


def difference_estimate(strata: Mapping[str, Stratum], confidence: float = 0.95) -> Corrected:
    """Mean score corrected by the mean difference between people and judge in each stratum's own sample.

    Needs no assumption on how the judge errs, since every stratum has its own sample (the difference estimator of
    survey sampling; prediction-powered inference, Angelopoulos et al. 2023); partial credit is allowed. Student's t
    with the degrees of freedom of Satterthwaite. A stratum with fewer than two pairs makes the interval [0, 1].
    """
    total = sum(len(stratum.judged) for stratum in strata.values())
    if total == 0:
        raise ValueError("there is nothing to estimate: no item was judged")
    score, spread, parts, blind = 0.0, 0.0, list[tuple[float, int]](), False
    for stratum in strata.values():
        if not stratum.judged:
            continue
        weight = len(stratum.judged) / total
        gaps = [person - judge for person, judge in stratum.pairs]
        score += weight * (fmean(stratum.judged) + (fmean(gaps) if gaps else 0.0))
        if len(gaps) >= len(stratum.judged):
            spread += weight**2 * _variance([person for person, _ in stratum.pairs]) / len(stratum.judged)
            continue
        if len(gaps) < 2:
            blind = True
            continue
        own = _variance(stratum.judged) / len(stratum.judged)
        part = weight**2 * _floored(gaps) / len(gaps)
        spread += part + weight**2 * own
        parts.append((part, len(gaps) - 1))
    if blind:
        return Corrected(_clip(score), Interval(0.0, 1.0), weak=True)
    half = _student(confidence, _freedom(spread, parts)) * math.sqrt(spread)
    return Corrected(_clip(score), Interval(_clip(score - half), _clip(score + half)))


def widened(best: Corrected, strata: Mapping[str, Stratum], confidence: float = 0.95) -> Corrected:
    """A difference estimate whose strata were formed by the judge's own scores: their sizes are chance, not a given.

    Adds the variance between strata to both sides of the interval.
    """
    total = sum(len(stratum.judged) for stratum in strata.values())
    between = 0.0
    for stratum in strata.values():
        gap = fmean(a - b for a, b in stratum.pairs) if stratum.pairs else 0.0
        between += len(stratum.judged) / total * (fmean(stratum.judged) + gap - best.score) ** 2
    extra = NormalDist().inv_cdf(0.5 + confidence / 2) * math.sqrt(between / total)
    low = best.score - math.hypot(best.score - best.interval.low, extra)
    high = best.score + math.hypot(best.interval.high - best.score, extra)
    return replace(best, interval=Interval(_clip(low), _clip(high)))


def _variance(values: Sequence[float]) -> float:
    return variance(values) if len(values) > 1 else 0.0


def _floored(gaps: Sequence[float]) -> float:
    """Variance of differences as if two more had been seen, one of each sign: no sample proves a perfect judge."""
    return variance([*gaps, 1.0, -1.0]) if all(gap == gaps[0] for gap in gaps) else variance(gaps)


def _freedom(spread: float, parts: Sequence[tuple[float, int]]) -> float:
    below = sum(part**2 / freedom for part, freedom in parts)
    return spread**2 / below if below else math.inf


def _student(confidence: float, freedom: float) -> float:
    """Quantile of Student's t (Cornish-Fisher expansion; within 1 % for five degrees of freedom and more)."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    if math.isinf(freedom):
        return z
    v = max(freedom, 1.0)
    terms = (
        (z**3 + z) / 4 / v,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96 / v**2,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / v**3,
    )
    return z + sum(terms)
