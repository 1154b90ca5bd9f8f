"""Long runs of what people do not write, shortened before a text is read: patterns look at each place of a run anew."""

import re
from typing import Final

from grading.language.limits import MAX_DIGITS

_GAP: Final = re.compile(r"\s{24,}")
_LINES, _LINE, _SPACES = "\n\n\n", "\n", " " * 8
_RUN: Final = re.compile(r"(?P<digits>\d{81,})|[A-Za-z]{81,}|[!-/:-@\[-`{-~]{81,}|(?P<sign>[^\w\s])(?P=sign){80,}")
_SENTENCE: Final = re.compile(r"(?:[^\n.!?]|[.!?](?![\s\"”)*]))+")
_WORD, _NAME = 80, 400
"""Characters of the longest run in a sentence, and in an answer that may be compared letter by letter."""
LONGEST_SENTENCE, _END = 1_500, 700
"""Characters of the longest sentence, and what is left of a longer one on either side."""


def without_long_runs(text: str, longest: int = _NAME) -> str:
    """A text whose gaps, words and runs of signs end somewhere; a number keeps so many digits that nothing reads it."""
    if len(text) <= _WORD:
        return text
    most = max(longest, MAX_DIGITS + 1)
    return _RUN.sub(lambda run: run[0][: most if run["digits"] else longest], _GAP.sub(_narrow, text))


def without_middles(text: str) -> str:
    """A text without long runs, and of a sentence that is longer than any of people's only its two ends."""
    text = without_long_runs(text, _WORD)
    if len(text) <= LONGEST_SENTENCE:
        return text
    return _SENTENCE.sub(lambda found: found[0] if len(found[0]) <= LONGEST_SENTENCE else _ends_of(found[0]), text)


def _narrow(gap: re.Match[str]) -> str:
    lines = gap[0].count("\n")
    return _LINES if lines > 1 else _LINE if lines else _SPACES


def _ends_of(sentence: str) -> str:
    return f"{sentence[:_END]} … {sentence[-_END:]}"
