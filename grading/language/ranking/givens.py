"""How a value comes from what the question gives: by how many steps, from how much of it, and from what else."""

import itertools
import re
from collections.abc import Container, Iterable, Sequence
from typing import Final

from grading.language.ranking.candidates import Candidate

_FRACTION: Final = re.compile(r"\\[dt]?frac\s*\{?(\d+)\}?\s*\{?(\d+)\}?")
_SPACING: Final = re.compile(r"\{,\}|\\,|\\!|\u202f|(?<=\d),(?=\d{3}(?!\d))")
_OF_ANY_WORKING: Final = frozenset({0.0, 1.0, 2.0, 3.0, 4.0, 10.0, 60.0, 100.0, 1000.0})
_MOST: Final = 60
"""Numbers of a formula or a sentence that are looked at."""
_LONGEST: Final = 4000


def numbers(text: str) -> set[float]:
    """The first numbers of a text, without signs."""
    text = _FRACTION.sub(r" \1 / \2 ", _SPACING.sub("", text[:_LONGEST]))
    return {float(each[0]) for each in itertools.islice(re.finditer(r"\d+(?:\.\d+)?", text), _MOST)}


def _keys(number: float) -> tuple[str, ...]:
    """A number to six digits, also as a share in per cent and of a share."""
    return tuple(f"{each:.6g}" for each in (number, number * 100, number / 100))


def _known(values: Iterable[float]) -> set[str]:
    return {_keys(each)[0] for each in values}


def _is_among(number: float, known: Container[str]) -> bool:
    return any(key in known for key in _keys(number))


def coming_from(question: str, live: Sequence[Candidate], again: Sequence[Sequence[int]]) -> list[dict[str, float]]:
    """The features of each candidate; `again` are the places of all mentions of its value."""
    given = _known(numbers(question))
    derived: dict[str, tuple[int, set[float]]] = {}
    seen: set[str] = set()
    found: list[dict[str, float]] = []
    depths: list[int] = []
    for each in live:
        into = numbers("".join(each.members[:-1])) if len(each.members) > 1 else set()
        mine, said = numbers(each.value), numbers(each.sentence.text)
        steps = [derived[key] for key in {key for one in into for key in _keys(one)} if key in derived]
        new = [
            one
            for one in into
            if one not in _OF_ANY_WORKING and not any(_is_among(one, known) for known in (given, seen, derived))
        ]
        besides = said - mine - _OF_ANY_WORKING
        depth = 1 + max((step[0] for step in steps), default=0) if into else 0
        used = {one for one in into if _is_among(one, given)}
        cover = used.union(*(step[1] for step in steps))
        found.append(
            {
                "k new inputs": min(len(new), 3) / 3,
                "k given inputs": min(len(used), 4) / 4,
                "k derived inputs": min(len(steps), 3) / 3,
                "k depth": min(depth, 5) / 5,
                "k cover": len(cover) / max(1, len(given)) if into else 0.0,
                "k no inputs": float(not into),
                "k new in sentence": min(sum(not (_is_among(one, given) or _is_among(one, seen)) for one in besides), 3)
                / 3,
                "k value given": float(bool(mine) and all(_is_among(one, given) for one in mine)),
            }
        )
        depths.append(depth)
        if each.arrives or len(each.members) > 1:
            for key in _known(mine):
                if key not in derived or derived[key][0] < depth:
                    derived[key] = (depth, cover)
        seen |= _known(said | into | mine)
    deepest = max(depths, default=0)
    for place, features in enumerate(found):
        features["k deepest"] = float(0 < deepest == depths[place])
        features["k cover of it"] = max(found[at]["k cover"] for at in again[place])
        features["k depth of it"] = max(found[at]["k depth"] for at in again[place])
        features["k new of it"] = min(found[at]["k new inputs"] + found[at]["k new in sentence"] for at in again[place])
    return found
