"""The n-gram filter of a release, by which makers of models leave its hidden text out of their corpora."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from heldout.ngrams import WORDS, NgramFilter, words_of
from packs.problem import Problem, ReferenceLine
from packs.variation.wording import shared_wording
from protection.decontamination import HiddenText, filter_salt, telling_grams


class Decontamination(BaseModel):
    """A filter with what it covers: `covered` of `problems` hidden problems have a window of their own in it."""

    model_config = ConfigDict(frozen=True)

    problems: int
    covered: int
    filter: dict[str, str | int]


def ngram_filter(problems: Iterable[tuple[Problem, ReferenceLine]], secret: bytes, release: str) -> Decontamination:
    """The filter of hidden problems, the same for the same secret, release and problems.

    Texts of fewer than 13 words in one piece are not covered: shorter grams could be guessed.
    """
    texts = [HiddenText(problem.group or problem.id, _words(problem, line)) for problem, line in problems]
    chosen = telling_grams(texts, WORDS)
    made = NgramFilter.build(sorted(chosen.grams), salt=filter_salt(secret, release))
    return Decontamination(problems=len(texts), covered=chosen.covered, filter=made.to_json())


def _words(problem: Problem, line: ReferenceLine) -> tuple[tuple[str, ...], ...]:
    runs = shared_wording(problem, line.variation)
    return tuple(tuple(word for word, _, _ in words_of(run)) for run in runs)
