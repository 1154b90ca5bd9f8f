"""Which features of a candidate count together: what leads to a value means another thing at the end than before it."""

from collections.abc import Iterable
from typing import Final

from grading.language.ranking.features import Features

TOGETHER: Final = frozenset(
    [
        "agreement",
        "agrees less",
        "begins paragraph",
        "chains left",
        "concludes",
        "conclusions left",
        "digit",
        "displayed",
        "ends paragraph",
        "for expression",
        "for number",
        "for quantity",
        "for range",
        "for set",
        "for tuple",
        "from end",
        "g nothing worked",
        "g supposed",
        "g taken back",
        "how equation",
        "how formula",
        "how listed",
        "how plain",
        "how proposed",
        "how value",
        "in list",
        "k deepest",
        "k depth of it",
        "k no inputs",
        "k value given",
        "last paragraph",
        "last sentence",
        "last value",
        "measured",
        "name counted",
        "new",
        "no chain left",
        "others in paragraph",
        "others left",
        "paragraphs left",
        "place",
        "q asking words",
        "q core clause",
        "q core clause less",
        "q core sentence",
        "q unknown words",
        "remarks follow",
        "ruled",
        "s another",
        "unreal",
    ]
)
"""Those that count most alone."""
BESIDE: Final = " & "
"""Between the two names of a pair."""


def add_pairs(several: Iterable[Features], together: frozenset[str] = TOGETHER) -> None:
    """Each two of the features in `together` that a candidate has, as their product."""
    for features in several:
        here = sorted((name, value) for name, value in features.items() if value and name in together)
        for place, (name, value) in enumerate(here):
            for other, another in here[place + 1 :]:
                features[f"{name}{BESIDE}{other}"] = value * another
