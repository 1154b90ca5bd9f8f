"""Where a response names its choices: by their letters, their words, a part of these, or their values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from grading.language.ranking.candidates import EQUALITY
from grading.language.ranking.laidout import laid_out
from grading.language.responses.labelled import mentions_in
from grading.language.responses.labels import sentences
from grading.language.responses.partly import own_words, words_of_choices
from grading.language.responses.segments import Sentence
from grading.language.responses.sizes import same, size_of
from grading.language.responses.ticked import CROSS, TICK

_WRAPPERS: Final = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|boxed|mbox|operatorname|textit|bm|dfrac|tfrac|left|right)(?![A-Za-z])\s*"
    r"|[{}$`\"“”]|\\[()\[\],;! ]|\\q?quad(?![A-Za-z])|</?(?:b|strong|em|i)>"
)
_FORMULA: Final = re.compile(
    r"\$\$([^$]{1,600})\$\$|\$([^$\n]{1,400})\$|\\\[(.{1,600}?)\\\]|\\\((.{1,400}?)\\\)", re.DOTALL
)
_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]")
_LISTED: Final = re.compile(r"[ \t]*(?:[-•*+][ \t]|\d{1,2}[.)][ \t]|\|)")
_BOLD: Final = re.compile(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__")
_SPACES: Final = re.compile(r"\s+")
_NUMBER: Final = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?![\d])")
_MEASURE: Final = re.compile(
    r"[~≈$€£\s]*(?P<number>[-−]?\d+(?:,\d{3})*(?:\.\d+)?)(?:\s*[^\d\s=+*^()]\S{0,9}(?:\s[^\d\s=+*^()]\S{0,9}){0,2})?"
)
_LONGEST: Final = 900
"""Characters of a sentence that is looked at."""
_SEARCHED: Final = 8_000
_LATEST: Final = 40
"""Sentences from the end in which choices are looked for."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence with its marks of type taken off; `bold` is what of its line stands in bold type."""

    sentence: Sentence
    bold: str
    ticked: bool
    crossed: bool


@dataclass(slots=True)
class Mention:
    """A choice in a sentence: the spans of its letter, of its words, of its value, and the share of its own words."""

    label: str
    place: int
    letters: list[tuple[int, int]] = field(default_factory=list)
    words: list[tuple[int, int]] = field(default_factory=list)
    values: list[tuple[int, int]] = field(default_factory=list)
    numbers: list[tuple[int, int]] = field(default_factory=list)
    part: float = 0.0
    parts: list[tuple[int, int]] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """How firmly the choice is mentioned: by `letter`, `words`, `value`, `number`, or in `part`."""
        kinds = (("letter", self.letters), ("words", self.words), ("value", self.values), ("number", self.numbers))
        return next((kind for kind, spans in kinds if spans), "part")

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The spans of the firmest kind."""
        return self.letters or self.words or self.values or self.numbers or self.parts

    @property
    def extent(self) -> tuple[int, int]:
        """Where the first of them begins and ends; where the words of a part begin and end."""
        start, end = min(self.spans)
        return start, max(self.spans)[1] if self.kind == "part" else end


def spoken_in(text: str, spelt: Mapping[str, str], values: frozenset[str]) -> list[Spoken]:
    """The sentences of a response, line by line, the last ones; `values` are the choices that are no words."""
    text = _in_their_spelling(text[-_SEARCHED:], spelt, values)
    found: list[Spoken] = []
    paragraph = 0
    for raw in laid_out(text).split("\n"):
        if not raw.strip():
            paragraph += 1
            continue
        bold = " ".join(one or two for one, two in _BOLD.findall(raw))
        plain = _SPACES.sub(" ", _WRAPPERS.sub(" ", raw.replace("**", "").replace("__", ""))).strip()
        heading, listed = _HEADING.match(raw) is not None, _LISTED.match(raw) is not None
        ticked, crossed = TICK.search(raw) is not None, CROSS.search(raw) is not None
        plain = plain.lstrip("#*-•>| ").strip()
        for each in sentences(plain):
            if each.strip():
                one = Sentence(each.strip()[:_LONGEST], heading, listed, paragraph)
                found.append(Spoken(one, bold, ticked, crossed))
    return found[-_LATEST:]


@lru_cache(maxsize=64)
def _whole(choices: tuple[tuple[str, str], ...]) -> Mapping[str, re.Pattern[str]]:
    """For each choice the pattern of its words as a whole."""
    found = {}
    for label, text in choices:
        bare = re.sub(
            r"^(?:the|an?)\s+", "", _SPACES.sub(" ", _WRAPPERS.sub(" ", text)).strip().rstrip("."), flags=re.IGNORECASE
        )
        if len(bare) > 1 or bare.isdigit():
            spaced = r"\s*".join(re.escape(each) for each in bare.split())
            found[label] = re.compile(rf"(?<![\w.,−-]){spaced}(?![\w%])(?![.,]\d)", re.IGNORECASE)
    return found


def _in_their_spelling(text: str, spelt: Mapping[str, str], values: frozenset[str]) -> str:
    """A text whose formulas that come to a choice's value end in that choice as the question spells it."""
    sizes = {label: size for label in values if (size := size_of(spelt[label].strip("$ "))) is not None}
    sizes = {
        label: size
        for label, size in sizes.items()
        if not any(same(size, one) for other, one in sizes.items() if other != label)
    }
    if not sizes:
        return text

    def put(found: re.Match[str]) -> str:
        formula = next(part for part in found.groups() if part is not None)
        *earlier, last = EQUALITY.split(formula)
        size = size_of(last.strip(" .,;\n"))
        label = next((label for label, one in sizes.items() if size is not None and same(size, one)), None)
        if label is None:
            return found[0]
        lead = f"{' = '.join(earlier)} = " if earlier else ""
        return f"{lead}{spelt[label]}{last.rstrip()[-1:] if last.rstrip()[-1:] in '.,;' else ''}"

    return _FORMULA.sub(put, text)


@lru_cache(maxsize=64)
def _numbers(choices: tuple[tuple[str, str], ...]) -> dict[float, str]:
    """The choices that are a number with a unit or without, by their numbers, where no two have the same."""
    found = {
        label: float(one["number"].replace(",", "").replace("−", "-"))
        for label, text in choices
        if (one := _MEASURE.fullmatch(_WRAPPERS.sub(" ", text).strip()))
    }
    return {number: label for label, number in found.items() if list(found.values()).count(number) == 1}


def _by_number(text: str, numbers: Mapping[float, str], here: Mapping[str, Mention]) -> None:
    """Numbers of a sentence that are those of a choice, whatever their unit."""
    for found in _NUMBER.finditer(text) if numbers else ():
        label = numbers.get(float(found[0].replace(",", "").replace("−", "-")))
        if label is not None and not any(start <= found.start() < end for start, end in here[label].values):
            here[label].numbers.append(found.span())


def mentions(spoken: list[Spoken], spelt: Mapping[str, str], values: frozenset[str]) -> list[Mention]:
    """The choices that each sentence names, in the order of the sentences and labels."""
    choices = tuple(spelt.items())
    patterns, owned, numbers = _whole(choices), own_words(choices), _numbers(choices)
    found: list[Mention] = []
    for place, each in enumerate(spoken):
        text = each.sentence.text
        here = {label: Mention(label, place) for label in spelt}
        for label, start, end in mentions_in(text, tuple(spelt)):
            here[label].letters.append((start, end))
        for label, pattern in patterns.items():
            spans = [one.span() for one in pattern.finditer(text)]
            (here[label].values if label in values else here[label].words).extend(spans)
        _by_number(text, numbers, here)
        _drop_inner(here)
        for label, hits in words_of_choices(text, owned).items():
            if label not in values:
                here[label].part = len({stem for _, _, stem in hits}) / len(owned[label])
                here[label].parts = [(start, end) for start, end, _ in hits]
        found += [one for one in here.values() if one.spans]
    return found


def _drop_inner(here: dict[str, Mention]) -> None:
    """Take away words of a choice that stand within those of another: `sodium` in `sodium nitrate`."""
    for label, mention in here.items():
        others = [span for other, one in here.items() if other != label for span in (*one.words, *one.values)]
        for spans in (mention.words, mention.values):
            spans[:] = [
                (start, end)
                for start, end in spans
                if not any(at <= start and end <= to and (at, to) != (start, end) for at, to in others)
            ]
