"""Choices that a sentence names by some of their words: `Hamilton`, `the diversion of water by upstream farms`.

A word belongs to a choice where no other choice has it. A sentence names the choice of whose own words it says half,
by their stems; what stands from the first of these to the last is taken for its name.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final

from grading.matching.stem import stem

_WORD: Final = re.compile(r"[^\W\d_][\w’']*[^\W_]|[^\W\d_]|\d[\d.,]*\d|\d")
_SMALL: Final = re.compile(
    r"(?:the|a|an|and|or|nor|but|of|in|on|at|to|from|for|with|without|by|as|is|are|was|were|be|been|being|has"
    r"|have|had|do|does|did|it|its|they|their|them|he|she|his|her|this|that|these|those|there|which|who"
    r"|whom|whose|what|when|where|while|will|would|can|could|should|must|may|might|not|no|if|then|than|so"
    r"|because|since|due|into|onto|over|under|more|most|less|least|very|only|also|both|either|all|any|each"
    r"|some|such|about|through|during|before|after|between|both)"
)
"""Words that say nothing of a choice by themselves."""
_PREFIX: Final = 6
"""Letters of a stem with which another one may begin to count as the same word (`sarcoid`, `sarcoidosis`)."""
_HEAD: Final = re.compile(
    r"(?:(?:\b(?:the|an?)\s+(?:\w+\s+)?|^)(?:\w+\s+of|(?:statement|option|choice|claim|one|answer)\s+(?:about|on|with|concerning))\s+)?(?:\b(?:the|an?|its|their|his|her)\s+(?:\w+\s+)?)?$",
    re.IGNORECASE,
)
"""What stands before the words of a choice and belongs to them: `the diversion of`."""
_ARTICLE: Final = re.compile(r"\b(?:the|an?)\s+$", re.IGNORECASE)
_WORK: Final = r"(?:works?|slogan|writing|ideas?|creation|invention|discovery|theory|achievement|doing|view)"
_DENIAL: Final = re.compile(r"\b(?:not|no|never|without|lack(?:s|ed|ing)?)\b", re.IGNORECASE)
_DENIED_BEFORE: Final = re.compile(
    r"(?:(?:\b(?:is|are|was|were|do|does|did|can|could)\s*)?(?:n['’]t|\b(?:not|no|never|without|lack(?:s|ed|ing)?)))\b[^.;:]{0,60}$",
    re.IGNORECASE,
)
"""A denial that belongs to the words of the choice itself: `Not liable, because …`."""
_PARTICLE: Final = re.compile(r"(?:no|not(?:\s+\w+)?)\s*,", re.IGNORECASE)
"""A choice that answers by a denial, whose reason may be said alone: `No, because …`."""
_SEVERAL: Final = 2
_BETWEEN: Final = 60
"""Characters between two words of one name."""


_DENIED_INSIDE: Final = re.compile(r"n['’]t\b|\b(?:not|never|no|without|hardly|rarely|nor|neither|if|unless)\b")
_PARTED: Final = re.compile(
    r"[.;:?!,]\s|\s[–—-]\s|\b(?:where|which|who|whose|that|because|since|while|whereas|but|although)\b"
)
"""What ends a name between two of its words."""


def _stem(word: str) -> str:
    return stem(re.sub(r"['’]s?$", "", word.casefold()))


def alike(one: str, other: str) -> bool:
    """Whether two stems are of one word."""
    return one == other or (min(len(one), len(other)) >= _PREFIX and (one.startswith(other) or other.startswith(one)))


def _telling(words: list[str]) -> list[str]:
    """The words that say something; numbers do beside several words, alone they are compared as values."""
    long = [word for word in words if len(word) > 2 and word[0].isalpha() and not _SMALL.fullmatch(word.casefold())]
    return long + ([word for word in words if word[0].isdigit()] if len(long) >= _SEVERAL else [])


@lru_cache(maxsize=1024)
def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text that say something."""
    return frozenset(_stem(word) for word in _telling(_WORD.findall(text)))


@lru_cache(maxsize=256)
def own_words(choices: tuple[tuple[str, str], ...]) -> dict[str, frozenset[str]]:
    """The stems that each choice has for itself."""
    theirs = {label: stems(text) for label, text in choices}
    return {
        label: frozenset(
            each
            for each in own
            if not any(alike(each, one) for other, words in theirs.items() if other != label for one in words)
        )
        for label, own in theirs.items()
    }


def _is_name(text: str) -> bool:
    """Whether a choice is a proper name of several words: a thing of its bearer is another thing."""
    return re.fullmatch(r"[^\W\d_][\w'’.-]*(?:\s+[^\W\d_][\w'’.-]*)+", text) is not None and text == text.title()


def words_of_choices(sentence: str, owned: Mapping[str, frozenset[str]]) -> dict[str, list[tuple[int, int, str]]]:
    """The words of a sentence that belong to one choice: where each begins and ends, and the stem that it hits."""
    said: dict[str, list[tuple[int, int, str]]] = {}
    for found in _WORD.finditer(sentence):
        end = found.end() - (2 if found[0].endswith(("'s", "’s")) else 0)
        said_stem = _stem(found[0])
        for label, own in owned.items():
            if hit := next((each for each in own if alike(each, said_stem)), None):
                said.setdefault(label, []).append((found.start(), end, hit))
    return said


def _by_surname(words: list[tuple[int, int, str]], sentence: str, choice: str) -> bool:
    """Whether the words are the last one of a person's name, as it is written there."""
    said = {sentence[start:end] for start, end, _ in words}
    return _is_name(choice) and re.search(rf"\s{re.escape(next(iter(said)))}$", choice) is not None and len(said) == 1


def _spans(
    said: Mapping[str, list[tuple[int, int, str]]],
    owned: Mapping[str, frozenset[str]],
    sentence: str,
    option: str,
    spelt: Mapping[str, str],
) -> list[tuple[int, int, str]]:
    """Where a sentence says half of the own words of a choice, with its label."""
    spans: list[tuple[int, int, str]] = []
    for label, words in said.items():
        few = 2 * len({hit for _, _, hit in words}) < len(owned[label])
        if option.format(label) in sentence or (few and not _by_surname(words, sentence, spelt[label])):
            continue
        parts: list[list[tuple[int, int, str]]] = [[words[0]]]
        for word in words[1:]:
            between = sentence[parts[-1][-1][1] : word[0]]
            if len(between) > _BETWEEN or _PARTED.search(between):
                parts.append([])
            parts[-1].append(word)
        telling = [part for part in parts if len({hit for _, _, hit in part}) >= _SEVERAL] or parts[:1]
        spans += [(part[0][0], part[-1][1], label) for part in telling]
    return sorted(span for span in spans if not _denies_inside(sentence, span, spelt))


def _denies_inside(sentence: str, span: tuple[int, int, str], spelt: Mapping[str, str]) -> bool:
    """Whether a denial stands between the words of a choice that has none."""
    start, end, label = span
    return _DENIED_INSIDE.search(sentence[start:end]) is not None and _DENIED_INSIDE.search(spelt[label]) is None


def _told_apart(sentence: str, spelt: Mapping[str, str], option: str) -> list[tuple[int, int, str]]:
    """Where a sentence says half of the words of the one choice that they tell from each other one: of each it says
    a word that the other has not, and none that only the other has."""
    if option.partition(" ")[0] in sentence:
        return []
    theirs = {label: stems(text) for label, text in spelt.items()}
    heard = [(found.start(), found.end(), _stem(found[0])) for found in _WORD.finditer(sentence)]
    said = {
        label: {each for each in own if any(alike(each, word) for _, _, word in heard)} for label, own in theirs.items()
    }
    apart = [
        label
        for label, own in theirs.items()
        if len(said[label]) >= _SEVERAL and 2 * len(said[label]) >= len(own)
        if all(said[label] - theirs[other] and not said[other] - own for other in theirs if other != label)
    ]
    if len(apart) != 1:
        return []
    words = [place for place in heard if any(alike(each, place[2]) for each in said[apart[0]])]
    span = (words[0][0], words[-1][1], apart[0])
    near = all(one[0] - other[1] <= _BETWEEN for other, one in pairwise(words))
    whole = near and not _PARTED.search(sentence[span[0] : span[1]])
    return [span] if whole and not _denies_inside(sentence, span, spelt) else []


def _with_denial(before: str, said: str, choice: str) -> str | None:
    """What stands before the words of a choice that denies, without that denial; None where nothing denies."""
    denied = _DENIED_BEFORE.search(before)
    if denied is not None:
        return f"{before[: denied.start()]} is "
    return before if _PARTICLE.match(choice) or _DENIAL.search(said) else None


def named_in_part(sentence: str, spelt: Mapping[str, str], option: str) -> str:
    """A sentence with the name `option` of a choice (`option {}`) for the words that belong to that choice alone."""
    owned = own_words(tuple(spelt.items()))
    said = words_of_choices(sentence, owned)
    spans = _spans(said, owned, sentence, option, spelt) or _told_apart(sentence, spelt, option)
    if any(one[1] > other[0] for one, other in pairwise(spans)):
        return sentence
    for start, end, label in reversed(spans):
        before = (_ARTICLE if _is_name(spelt[label]) else _HEAD).sub("", sentence[:start])
        if _DENIAL.search(spelt[label]):
            said_so = _with_denial(before, sentence[start:], spelt[label])
            if said_so is None:
                continue
            before = said_so
        behind = re.sub(rf"^['’]s\s+{_WORK}\b", "", sentence[end:])
        if behind.startswith(("'s", "’s")):
            return sentence
        sentence = before + option.format(label) + behind
    return sentence
