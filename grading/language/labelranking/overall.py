"""What speaks for and against a choice in a response as a whole."""

from collections import Counter
from collections.abc import Sequence

from grading.language.labelranking.mentions import Mention
from grading.language.labelranking.reading import Features, Read
from grading.language.responses.choosing import Role

_CLOSING = 2
"""Sentences at the end of which the words are compared with those of the choices."""
_MANY = 5


def overall(response: Read, label: str, live: Sequence[Mention], labels: Sequence[str]) -> Features:
    """Features that all mentions of a label have."""
    mine = [each for each in live if each.label == label]
    if not mine:
        return {}
    firm = [each for each in live if each.kind != "part"]
    judged = (*response.by_letter, *response.by_words)
    down = frozenset().union(*(each.down for each in judged))
    counts = Counter(each.label for each in live)
    overlap = {one: _overlap(response, one, live) for one in labels}
    known: dict[str, float | bool] = {
        "a only one named": bool(firm) and {each.label for each in firm} == {label},
        "a named most": [one for one, count in counts.items() if count == max(counts.values())] == [label],
        "a share": counts[label] / counts.total(),
        "a sentences": min(len(mine), _MANY) / _MANY,
        "a down": label in down,
        "a others down": len(down - {label}) / max(1, len(labels) - 1),
        "a one left": set(labels) - down == {label},
        "a overlap at end": overlap[label],
        "a overlap ahead": overlap[label] - max((overlap[one] for one in labels if one != label), default=0.0),
        "a ever letter": any(each.letters for each in mine),
        "a ever words": any(each.words for each in mine),
        "a ever value": any(each.values for each in mine),
        "a chosen sometimes": sum(each.label == label for each in judged) / 4,
        "a firm sometimes": any(each.label == label and each.role > Role.STATED for each in judged),
        "a other firm": any(each.label not in (None, label) and each.role > Role.STATED for each in judged),
    }
    known |= _at_the_ends(response, label, firm)
    return {name: float(value) for name, value in known.items() if value}


def _at_the_ends(response: Read, label: str, firm: Sequence[Mention]) -> dict[str, bool]:
    """Whether the choice is the first, or among the last, that is named more than in part."""
    if not firm:
        return {}
    last, end = response.spoken[-1].sentence.paragraph, max(each.place for each in firm)
    closing = {each.label for each in firm if response.spoken[each.place].sentence.paragraph == last}
    lasts = {each.label for each in firm if each.place == end}
    return {
        "a only at end": closing == {label},
        "a last firm": lasts == {label},
        "a among last firm": label in lasts,
        "a first firm": firm[0].label == label,
    }


def _overlap(response: Read, label: str, live: Sequence[Mention]) -> float:
    """The largest share of a choice's own words in one of the last sentences."""
    end = len(response.spoken) - _CLOSING
    return max((each.part for each in live if each.label == label and each.place >= end), default=0.0)
