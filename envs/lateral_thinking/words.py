"""Questions as words: stems, phrases, and whether something is denied."""

import re
from collections.abc import Sequence
from functools import lru_cache

import snowballstemmer

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_DENIALS = frozenset(
    {"not", "no", "never", "nobody", "nothing", "none", "nowhere", "without", "neither", "nor", "cannot"}
)
_FUNCTION_WORDS = (
    "a an the and or but if of to in on at by for with from into onto over under about after before as than then "
    "that this these those there here it its he him his she her hers they them their we us our i me my you your is "
    "are was were be been being am do does did done has have had having will would can could shall should may "
    "might must not no never nobody nothing none nowhere without neither nor cannot so such very just also too "
    "which who whom whose what when where why how all any some each every both own same other more most only up "
    "down out off s t"
)
_FUNCTION = frozenset(_FUNCTION_WORDS.split())
Stems = tuple[str, ...]


def tokens(text: str) -> list[str]:
    """The words of a text in lower case; "n't" stays at its word, a possessive "'s" does not."""
    found = _WORD.findall(text.lower().replace("\u2019", "'"))
    return [word.removesuffix("'s") for word in found]


def stems(text: str) -> Stems:
    """The stems of a text's words, in order."""
    return tuple(_stem(word) for word in tokens(text))


def content(text: str) -> list[str]:
    """The words that say something, each once, in order."""
    return list(dict.fromkeys(word for word in tokens(text) if word not in _FUNCTION and not word.endswith("n't")))


def denied(text: str) -> bool:
    """Whether an odd number of words deny. "Wasn't he blind?" asks whether he was, so a first word does not count."""
    words = tokens(text)
    count = sum(word in _DENIALS or word.endswith("n't") for word in words)
    return (count - bool(words and words[0].endswith("n't"))) % 2 == 1


def has(words: Stems, phrase: Stems) -> bool:
    """Whether the words of a phrase stand together in a text."""
    length = len(phrase)
    return any(words[at : at + length] == phrase for at in range(len(words) - length + 1))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    # A stemmer keeps its word between calls, so that two threads may not share one.
    return str(snowballstemmer.stemmer("porter").stemWord(word[:60]))


@lru_cache(maxsize=10_000)
def phrase_stems(phrase: str) -> Stems:
    """The stems of a declared phrase."""
    return stems(phrase)


def is_about(words: Stems, groups: Sequence[Sequence[str]]) -> bool:
    """Whether a question has a phrase of each group."""
    return all(any(has(words, phrase_stems(phrase)) for phrase in group) for group in groups)
