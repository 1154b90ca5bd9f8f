"""Chooses the answer of a response that no mark names, or none, by weights that were fitted to labelled responses."""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Final

from grading.language.ranking.candidates import is_exact
from grading.language.ranking.contest import Contest, contest
from grading.language.ranking.cues import REVERSED
from grading.language.ranking.features import Features
from grading.language.ranking.guards import is_bounded, is_hedged
from grading.language.ranking.sorts import Asked
from grading.language.responses.making import Committed

# Read with the module: a grading process can open no file once it is confined.
WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = json.loads(
    resources.files(__package__).joinpath("weights.json").read_text()
)
"""What each feature counts where the question is known (`asked`) and where not; written by `tools.fit_ranking`."""

_CAUTION: Final = 1.5
"""How many times the share of "no answer" that of a value has to be."""


@lru_cache(maxsize=16)
def ranked(text: str, asked: Asked, question: str = "") -> Committed | None:
    """The value that most speaks for, of the sort that was asked for; None where the grammar of sentences decides."""
    found = contest(text, asked, question)
    if found is None:
        return None
    place = most_likely(found, WEIGHTS["asked" if question else "unasked"])
    if place is None:
        return Committed(None, "ranked", problem="no value is said to be the answer")
    if "g slip later" in found.features[place] or _is_taken_back(found, place):
        return Committed(None, "ranked", problem="what is said of the value later denies or changes it")
    place = place if asked.decimal else _exact(found, place)
    return found.commitments[place] or Committed(found.live[place].text, "ranked")


def _is_taken_back(found: Contest, place: int) -> bool:
    """Whether it is reversed or doubted where it is chosen, or bounded or doubted where it is said again."""
    here = found.live[place]
    later = [found.live[at] for at in found.again[place] if found.live[at].place > here.place]
    said_before = any("g changed later" in found.features[at] for at in found.again[place])
    if any(REVERSED.match(each.rest) or is_hedged(each) for each in (here, *later)):
        return True
    return any(map(is_bounded, later)) or (said_before and is_bounded(here))


def _exact(found: Contest, place: int) -> int:
    """Of a value that its sentence also says in decimals, the place of the exact one."""
    here = [at for at in found.again[place] if found.live[at].place == found.live[place].place]
    return next((at for at in (place, *here) if is_exact(found.live[at].text)), place)


def score(features: Features, weights: Mapping[str, float]) -> float:
    """The sum of what its features count."""
    return sum(value * weights.get(name, 0.0) for name, value in features.items())


def most_likely(found: Contest, weights: Mapping[str, float]) -> int | None:
    """The place of the value with the largest share of all its mentions; None where "no answer" has nearly as much."""
    scores = [score(each, weights) for each in (*found.features, found.nothing)]
    shares = shares_of(scores)
    together = [sum(shares[at] for at in again) for again in found.again]
    best = max(range(len(together)), key=lambda place: (round(together[place], 9), scores[place]), default=None)
    return None if best is None or together[best] <= _CAUTION * shares[-1] else best


def shares_of(scores: Sequence[float]) -> list[float]:
    """The share of each score, all together 1."""
    highest = max(scores)
    powers = [math.exp(each - highest) for each in scores]
    return [power / sum(powers) for power in powers]
