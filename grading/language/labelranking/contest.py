"""The choices that a response mentions, with what speaks for each, and "no choice" beside them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from grading.language.choices import Chosen
from grading.language.labelranking import cues
from grading.language.labelranking.features import features_of
from grading.language.labelranking.mentions import Mention, mentions, spoken_in
from grading.language.labelranking.reading import Features, Read, read
from grading.language.ranking.cues import HEDGED

_FEW, _MANY, _CLOSING = 3, 8, 3
_WORD: Final = re.compile(r"[a-z']+")
_NO_LETTER: Final = re.compile(r"[^a-z ]")


@dataclass(slots=True)
class Contest:
    """The mentions with their features; `nothing` are the features of no choice."""

    live: list[Mention]
    features: list[Features]
    nothing: Features
    undecided: bool
    """Whether its writer says at the end that he does not choose."""


def contest(
    text: str, spelt: Mapping[str, str], values: frozenset[str], ruled: Chosen, by_value: str | None, question: str
) -> Contest | None:
    """The choices that a response mentions; None where it mentions none.

    `spelt` are the choices in words by label, of which those in `values` are numbers and formulas; `ruled` is what the
    rules of sentences choose, `by_value` the choice that the committed value is equal to, `question` what was asked.
    """
    spoken = spoken_in(text, spelt, values)
    live = mentions(spoken, spelt, values) if spoken else []
    if not live:
        return None
    response = read(spoken, spelt, question)
    features = features_of(response, live, tuple(spelt), ruled.label, by_value)
    return Contest(live, features, _nothing(response, live, len(spelt), ruled), _is_undecided(response, live))


def _is_undecided(response: Read, live: list[Mention]) -> bool:
    """Whether one of the last two sentences leaves the choice open, behind which none is named."""
    end = len(response.spoken)
    open_at = next((at for at in (end - 1, end - 2) if at >= 0 and cues.UNDECIDED.search(response.text(at))), None)
    return open_at is not None and not any(each.place > open_at and each.kind != "part" for each in live)


def _nothing(response: Read, live: list[Mention], count: int, ruled: Chosen) -> Features:
    """What speaks for no choice: how long the response is, what it says at its end, why the rules read none."""
    spoken = response.spoken
    last, sentences = spoken[-1].sentence.text, len(spoken)
    known: dict[str, float | bool] = {
        "n": 1.0,
        "n one": sentences == 1,
        "n few": sentences <= _FEW,
        "n many": sentences > _MANY,
        "n hedged": any(HEDGED.search(each.sentence.text) for each in spoken),
        "n hedged last": HEDGED.search(last) is not None,
        "n asks last": "?" in last,
        "n unruled": ruled.label is None,
        "n clouded last": response.by_letter[-1].clouded or response.by_words[-1].clouded,
        "n several last": response.by_letter[-1].several or response.by_words[-1].several,
        "n labels": len({each.label for each in live}) / count,
        "n undecided": any(cues.UNDECIDED.search(each.sentence.text) for each in spoken),
        "n none firm": all(each.kind == "part" for each in live),
    }
    if ruled.label is None:
        known[f"n:{_NO_LETTER.sub('', ruled.reason.split(':')[0])[:40]}"] = 1.0
    known |= {f"ns:{word}": 1.0 for each in spoken[-_CLOSING:] for word in _WORD.findall(each.sentence.text.lower())}
    known |= {f"nl:{word}": 1.0 for word in _WORD.findall(last.lower())}
    return {name: float(value) for name, value in known.items() if value}
