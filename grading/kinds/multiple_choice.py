"""Multiple choice: one declared letter, committed to once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, Self

from pydantic import Field, model_validator

from grading.answer import Answer
from grading.equivalence.answers import compare_answer
from grading.equivalence.bold import text_in_bold
from grading.equivalence.finding import Rules
from grading.equivalence.pointed import pointed_at
from grading.equivalence.texts import read_gold
from grading.language import words
from grading.language.choices import UNNAMED, Chosen, chosen
from grading.language.extract import Extraction, extract, response_of
from grading.language.labelranking.contest import Contest, contest
from grading.language.labelranking.rank import WEIGHTS, most_likely
from grading.language.limits import LanguageError
from grading.language.ranking.laidout import IN_WORDS
from grading.language.relabelled import are_labels, relabelled
from grading.language.responses.labels import sentences
from grading.language.tree import Text
from grading.matching.calendar import day
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class MultipleChoiceReference(Reference):
    """`value` is the label of the right choice, `choices` all labels, `texts` the choices in words, in that order."""

    gold_field = "value"

    kind: Literal["multiple_choice"] = "multiple_choice"
    value: str = Field(pattern=r"^[A-Za-z]$")
    choices: tuple[str, ...] = ("A", "B", "C", "D")
    texts: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    """The choices as the question labels them, where not by letters: `1`, `2`, `3` or `i`, `ii`, `iii`."""

    @model_validator(mode="after")
    def _value_is_a_choice(self) -> Self:
        if self.value not in self.choices:
            raise ValueError(f"value {self.value!r} is none of the choices {', '.join(self.choices)}")
        if self.texts and len(self.texts) != len(self.choices):
            raise ValueError(f"{len(self.texts)} texts for {len(self.choices)} choices; give one text for each or none")
        if self.labels and (len(self.labels) != len(self.choices) or not are_labels(self.labels)):
            raise ValueError("labels are numbers or Roman numerals from one on, one for each choice")
        return self

    def values(self) -> dict[str, str]:
        """The choices that are numbers, quantities or formulas, by label: they are compared by value."""
        return {label: text for label, text in zip(self.choices, self.texts, strict=False) if is_value(text)}


_SELECTS = re.compile(
    r"\bwhich\s+(?:one\s+)?of\s+(?:these|those|the\s+(?:following|numbers|expressions))\b", re.IGNORECASE
)
"""A question about the choices themselves: of what is worked out on each of them none stands out as the answer."""
_LONGEST = 8_000
"""Characters of a response whose value is compared with the choices, each in turn."""
_AT_THE_END = 240
"""Characters at the end of a response in which quantities in other spellings are looked for."""
_MOST = 12
"""Such quantities."""
_QUANTITY = re.compile(
    rf"(?<![\w.,/^=·×*+−$-])(?:{IN_WORDS}|\d+(?:,\d{{3}})*(?:\.\d+)?(?:/\d+)?)"
    r"(?: ?(?:[^\W\d_][\w²³/·^-]*|[%°µ]\w*)(?![.,]\w)){0,4}",
    re.IGNORECASE,
)
"""A number and up to four words behind it, of which the first ones may be its unit."""
_FORMULA = re.compile(r"[\d\\$^=+√π∞]|^\W*[a-z]\W*$|^\W*[OΘΩ]\s?\(")


@lru_cache(maxsize=4096)
def is_value(text: str) -> bool:
    """Whether a choice's text is of the answer language and not a text in words."""
    if _FORMULA.search(text) is None:
        return False
    try:
        return not isinstance(read_gold(text, Rules()).node, Text)
    except LanguageError:
        return False


@dataclass(frozen=True, slots=True)
class _Values:
    """The choices that are compared by value, and the response."""

    texts: Mapping[str, str]
    found: Extraction
    response: str
    rules: Rules
    kept: list[str | None] = field(default_factory=list)

    def committed(self) -> str | None:
        """The choice that the committed value is equal to, worked out once."""
        if not self.kept:
            self.kept.append(self._committed())
        return self.kept[0]

    def _committed(self) -> str | None:
        """The choice of the one text in bold type where that is one, else that of the committed value."""
        bold = text_in_bold(self.response) if self.found.rule == "whole" else ()
        return next(filter(None, map(self._said, bold)), None) or self._equal(self.found, self.response)

    def spelt(self, text: str) -> str:
        """A text with the quantities at its end that are choices in their spelling."""
        start = max(0, len(text) - _AT_THE_END)
        return text[:start] + _QUANTITY.sub(self._respelt, text[start:], count=_MOST)

    def _respelt(self, quantity: re.Match[str]) -> str:
        words = quantity[0].split(" ")
        if words[0] in self.texts.values():
            return quantity[0]
        for end in range(len(words), 0, -1):
            if (label := self._said(" ".join(words[:end]))) is not None:
                return " ".join([self.texts[label], *words[end:]])
        return quantity[0]

    def _said(self, text: str) -> str | None:
        return self._equal(extract(Answer(text=text)), text)

    def _equal(self, found: Extraction, response: str) -> str | None:
        if len(found.text or "") > _LONGEST:
            return None
        outcomes = {label: compare_answer(text, found, response, self.rules) for label, text in self.texts.items()}
        same = [label for label, outcome in outcomes.items() if outcome.finding.equal]
        if len(same) != 1 or (outcomes[same[0]].rule == "ranked" and _SELECTS.search(self.rules.question)):
            return None
        return same[0]


def _without_choices(question: str, reference: MultipleChoiceReference) -> str:
    """What is asked, without the list of the choices."""
    first = re.escape(reference.choices[0])
    listed = re.search(
        rf"(?:^|\s)[(\[]?{first}[).\]:]\s(?=[^\n]*(?:\n|\s)[(\[]?{re.escape(reference.choices[1])}[).\]:]\s)", question
    )
    return question[: listed.start()] if listed is not None else question


def _by_other_labels(text: str, reference: MultipleChoiceReference) -> Chosen | None:
    """The choice whose number or Roman numeral the response commits to; None where it names none of them."""
    if not reference.labels:
        return None
    worded = () if reference.texts == reference.labels else reference.texts
    said, letters = relabelled(text, reference.labels, alone=not any(map(is_value, worded)))
    if said == text:
        return None
    found = chosen(said, letters, worded)
    if found.label is None:
        return None if found.reason == UNNAMED else found
    return found._replace(label=reference.choices[letters.index(found.label)])


def _by_date(text: str, reference: MultipleChoiceReference) -> str | None:
    """The choice that is the date of the last sentence, in whatever spelling."""
    dates = {label: each for label, each in zip(reference.choices, reference.texts, strict=False) if day(each)}
    last = re.split(r"(?<=[a-z\d][.!])\s+|\n", text.strip())[-1]
    said = [label for label, each in dates.items() if (found := pointed_at(each, last)) is not None and found.equal]
    return said[0] if len(said) == 1 else None


def _in_bold(text: str, spelt: dict[str, str]) -> str | None:
    """The label of the choice whose words are the only text in bold type, where no word about it changes it."""
    said = {words.plain(each) for each in text_in_bold(text)}
    named = [label for label, each in spelt.items() if each and words.plain(each) in said]
    return named[0] if len(named) == 1 else None


def entered(answer: Answer, found: Extraction, reference: MultipleChoiceReference) -> tuple[Chosen, Contest | None]:
    """What the rules read from a response, and the contest of its labels where these settle nothing."""
    text = found.text or ""
    values = reference.values()
    question = _without_choices(answer.question, reference)
    compared = _Values(values, found, response_of(answer), Rules(question=question)) if values else None
    ruled = _by_other_labels(text, reference) or chosen(text, reference.choices, reference.texts, compared, question)
    if ruled.label is None and ruled.reason == UNNAMED:
        ruled = ruled._replace(label=_by_date(text, reference))
    spelt = dict(zip(reference.choices, reference.texts, strict=False))
    if ruled.label is None and reference.texts and "**" in text:
        ruled = ruled._replace(label=_in_bold(text, spelt))
    if ruled.settled or found.rule != "whole" or reference.labels or not reference.texts:
        return ruled, None
    by_value = compared.committed() if compared else None
    if by_value is not None and by_value == ruled.label and len(sentences(text)) == 1:
        return ruled, None
    return ruled, contest(text, spelt, frozenset(values), ruled, by_value, question)


@grader(MultipleChoiceReference, version="18", inline=lambda reference: not reference.values())
def multiple_choice(answer: Answer, reference: MultipleChoiceReference, tools: Tools) -> Verdict:
    """Correct exactly when the answer commits to the right label and to no other."""
    del tools
    found = extract(answer)
    if found.text is None:
        return Verdict.unparseable(found.problem or "no answer was found")
    ruled, labels = entered(answer, found, reference)
    label = ruled.label if labels is None else most_likely(labels, WEIGHTS)
    if label is None:
        reason = ruled.reason if ruled.label is None else "no choice is said to be the answer"
        several = "several" in reason or "commit" in reason
        return (Verdict.incorrect if several else Verdict.unparseable)(reason, given=found.text[:500])
    if label == reference.value:
        return Verdict.correct(f"chose {label}", rule=found.rule)
    return Verdict.incorrect(f"chose {label}", rule=found.rule)
