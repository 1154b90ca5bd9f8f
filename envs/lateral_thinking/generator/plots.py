"""Plots of puzzles, read from a text file: an owner writes a hidden set the same way.

A plot is a block of lines behind `# name`:

    Slot thing: kettle / teapot       a word that is drawn; `{thing}` stands for it everywhere
    Story: ...                        what is shown
    Truth: ...                        what lies behind it
    1 The lamp was a signal. = lamp, light; signal, message
    + He was alone. = alone           so, and part of no key
    - It was not raining. = rain      not so

A line with a number is a fact of that key (from 1); a `-` behind the number says that the thing asked about is not so.
Behind `=` are the groups of phrases of `spec.Fact`, with `;` between groups and `,` between phrases.
"""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from envs.lateral_thinking.spec import Fact, LateralThinkingSpec

SHIPPED = Path(__file__).with_name("plots.txt")
_FACT = re.compile(r"^(\d{0,2})([+-]?) +(.+?) = (.+)$")
_SLOT = re.compile(r"\{(\w+)\}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
NAMES: Mapping[str, tuple[str, ...]] = {
    "woman": ("Odrun", "Maelle", "Tavia", "Ilsabet", "Yorine", "Perla", "Runa", "Senta", "Ottilia", "Brisa"),
    "man": ("Alwin", "Corvin", "Tibor", "Jorick", "Emeric", "Lasko", "Bertil", "Osric", "Nandor", "Fedde"),
    "town": ("Harrowmere", "Quillby", "Ostend Bay", "Larkhaven", "Tollgrave", "Fennick", "Sundermoor", "Brackwater"),
}


@dataclass
class Plot:
    """A puzzle with open slots. `facts` are (key from 0 or None, holds, sentence, groups)."""

    name: str
    slots: dict[str, tuple[str, ...]] = field(default_factory=dict)
    story: str = ""
    truth: str = ""
    facts: list[tuple[int | None, bool, str, str]] = field(default_factory=list)

    def drawn(self, draw: random.Random) -> LateralThinkingSpec:
        """The puzzle with a word in each slot."""
        chosen = {slot: draw.choice(values) for slot, values in (dict(NAMES) | self.slots).items()}

        def filled(text: str) -> str:
            return _SLOT.sub(lambda found: chosen[found.group(1)], text)

        facts = tuple(
            Fact(text=filled(sentence), about=_groups(filled(about)), holds=holds, key=key)
            for key, holds, sentence, about in self.facts
        )
        story = filled(self.story)
        count = 1 + max(fact.key for fact in facts if fact.key is not None)
        keys = tuple(" ".join(fact.text for fact in facts if fact.key == number) for number in range(count))
        return LateralThinkingSpec(
            story=story, truth=filled(self.truth), story_keys=tuple(_SENTENCE.split(story)), keys=keys, facts=facts
        )


def read_plots(path: Path = SHIPPED) -> list[Plot]:
    """Every plot of a file. Raises FileNotFoundError, and ValueError naming the line that is wrong."""
    plots: list[Plot] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            _take(line.strip(), plots)
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from None
    for plot in plots:
        if problems := list(_problems(plot)):
            raise ValueError(f"{path.name}, '{plot.name}': {problems[0]}")
    if not plots:
        raise ValueError(f"{path.name} has no plot: one begins with a line '# name'")
    return plots


def _take(line: str, plots: list[Plot]) -> None:
    if not line:
        return
    if line.startswith("# "):
        plots.append(Plot(line[2:].strip()))
        return
    if not plots:
        raise ValueError("a plot begins with a line '# name'")
    plot = plots[-1]
    if found := _FACT.match(line):
        key, sign, sentence, about = found.groups()
        plot.facts.append((int(key) - 1 if key else None, sign != "-", sentence, about))
        return
    word, colon, rest = line.partition(": ")
    if word == "Story":
        plot.story = rest
    elif word == "Truth":
        plot.truth = rest
    elif word.startswith("Slot ") and colon:
        plot.slots[word.removeprefix("Slot ")] = tuple(value.strip() for value in rest.split("/"))
    else:
        raise ValueError("is no story, truth, slot or fact ('1 What is so. = phrase, phrase; phrase')")


def _problems(plot: Plot) -> Iterator[str]:
    if not plot.story or not plot.truth:
        yield "needs 'Story: ' and 'Truth: '"
    keys = {key for key, *_ in plot.facts if key is not None}
    if not keys or keys != set(range(len(keys))):
        yield "needs facts of the keys 1, 2, ... without a gap"
    texts = " ".join([plot.story, plot.truth, *(f"{sentence} {about}" for *_, sentence, about in plot.facts)])
    if unknown := set(_SLOT.findall(texts)) - {*NAMES, *plot.slots}:
        yield f"the slot '{min(unknown)}' is not declared"


def _groups(about: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.strip() for phrase in group.split(",")) for group in about.split(";"))
