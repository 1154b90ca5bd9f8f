"""Chooses the label of a response that no sentence settles, or none, by weights that were fitted to labelled ones."""

import json
from collections.abc import Mapping
from importlib import resources
from typing import Final

from grading.language.labelranking.contest import Contest
from grading.language.ranking.rank import score, shares_of

_FILE = resources.files(__package__).joinpath("weights.json")
# Read with the module: a grading process can open no file once it is confined.
WEIGHTS: Final[Mapping[str, float]] = json.loads(_FILE.read_text()) if _FILE.is_file() else {}
"""What each feature counts; written by `tools.fit_labels`."""
_CAUTION: Final = 4.0
"""How many times the share of "no choice", and of every other label, that of a label has to be."""


def most_likely(found: Contest, weights: Mapping[str, float]) -> str | None:
    """The label with the largest share; None where "no choice" or another has nearly as much."""
    if found.undecided:
        return None
    scores = [score(each, weights) for each in (*found.features, found.nothing)]
    shares = shares_of(scores)
    together: dict[str, float] = {}
    for each, share in zip(found.live, shares, strict=False):
        together[each.label] = together.get(each.label, 0.0) + share
    best = max(together, key=lambda label: together[label])
    others = max([shares[-1], *(share for label, share in together.items() if label != best)])
    return best if together[best] > _CAUTION * others else None
