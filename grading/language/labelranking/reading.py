"""A response as the rules of sentences read it, beside what its question asks."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grading.language.labelranking.mentions import Spoken
from grading.language.ranking.questions import stems
from grading.language.responses.asides import apart
from grading.language.responses.choosing import Choice, choice_in
from grading.language.responses.chosenwords import named
from grading.language.responses.turning import turned_aside

Features = dict[str, float]

_CHOICES_BEGIN: Final = re.compile(r"(?:^|\s)[(\[*]{0,3}(?:A|a|1|i)[)\].:][)\]*]*\s")
_NEGATIVE: Final = re.compile(r"\b(?:not|except|least|false|incorrect|wrong|never)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Read:
    """The sentences of a response, with what the rules read from each by letters and by words.

    `asked` are stems of what the question asks, without those of the choices; `negative` is whether it asks for what
    does not hold.
    """

    spoken: Sequence[Spoken]
    by_letter: Sequence[Choice]
    by_words: Sequence[Choice]
    roles: Sequence[str]
    beside: frozenset[int]
    asked: frozenset[str]
    negative: bool

    def text(self, place: int) -> str:
        """The text of a sentence."""
        return self.spoken[place].sentence.text


def read(spoken: Sequence[Spoken], spelt: Mapping[str, str], question: str) -> Read:
    """What the rules make of each sentence; `question` may be empty, `spelt` are the choices in words by label."""
    begins = _CHOICES_BEGIN.search(question)
    asks = question[: begins.start()] if begins else question
    sentences = [each.sentence for each in spoken]
    outside = {id(each) for each in apart(sentences)[1]}
    labels = tuple(spelt)
    return Read(
        spoken,
        [choice_in(each.text, labels) for each in sentences],
        [choice_in(named(each.text, spelt), labels, in_words=True) for each in sentences],
        turned_aside(sentences),
        frozenset(place for place, each in enumerate(sentences) if id(each) in outside),
        stems(asks) - frozenset().union(*map(stems, spelt.values())),
        _NEGATIVE.search(asks) is not None,
    )
