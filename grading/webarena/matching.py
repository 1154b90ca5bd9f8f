"""Text matching of the published evaluators, each defect switchable, and of the strict mode."""

import re

from grading.matching import typed
from grading.matching.tokens import holds, tokens
from grading.webarena.defects import Defect

ALTERNATIVES = " |OR| "
Fixed = frozenset[Defect]


def clean(text: str) -> str:
    """Stripped, one layer of equal quotes removed, lower case."""
    text = text.strip()
    for quote in ("'", '"'):
        if text.startswith(quote) and text.endswith(quote):
            return text[1:-1].lower()
    return text.lower()


# Penn Treebank tokenisation, the steps in order: what stands apart from its neighbours.
_STEPS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"[«“‘„]|`+", r" \g<0> "),
        (r'^"', r" `` "),
        (r"""(?<=[ (\[{<])("|'')""", r" `` "),
        (r"(?i)'(?!(?:re|ve|ll|[mtsdn]))(?=\w\b)", r"' "),
        (r"""(?<=[^.])\.(?=[\])}>"'»”’ ]*\s*$)""", r" . "),
        (r"[:,](?=\D)|[:,]$", r" \g<0> "),
        (r"\.{2,}|[;@#$%&?!*]", r" \g<0> "),
        (r"(?<=[^'])'(?=\s)", r" ' "),
        (r"[][(){}<>]|--|[»”’]", r" \g<0> "),
        (r"''|\"", r" '' "),
        (r"(?<=[^' ])('[sS]|'[mM]|'[dD]|')(?=\s)", r" \1 "),
        (r"(?i)(?<=[^' ])('ll|'re|'ve|n't)(?=\s)", r" \1 "),
        (r"(?i)\b(can)(not)\b|\b(gim|lem)(me)\b|\b(gon|wan)(na)\b|\b(got)(ta)\b", r" \1\3\5\7 \2\4\6\8 "),
    )
)


def word_tokens(text: str) -> list[str]:
    """Penn Treebank word tokens by sentence, close to NLTK's word_tokenize (which takes seconds to load).

    Sentences are split after . ! ? and space; NLTK's trained splitter also knows abbreviations.
    """
    return [token for part in re.split(r"(?<=[.!?])\s+", text) for token in _words(part)]


def _words(sentence: str) -> list[str]:
    for pattern, replacement in _STEPS:
        sentence = pattern.sub(replacement, f" {sentence} " if "(?=\\s)" in pattern.pattern else sentence)
    return sentence.split()


def exact(given: str, expected: str, fixed: Fixed) -> bool:
    """exact_match: equal when cleaned; with D5 fixed also the same typed value or the same words."""
    if clean(given) == clean(expected):
        return True
    return "D5" in fixed and typed.same(clean(given), clean(expected)) is True


def include(given: str, expected: str, fixed: Fixed, *, alone: bool) -> bool:
    """must_include of one text in an answer; `alone` when the reference lists no other text."""
    options = expected.split(ALTERNATIVES) if "D3" in fixed else [expected]
    return any(_include_one(given, option, fixed, alone) for option in options)


def _include_one(given: str, expected: str, fixed: Fixed, alone: bool) -> bool:
    needle, hay = clean(expected), clean(given)
    if alone and len(needle) == 1 and len(word_tokens(needle)) == 1:
        return holds_tokens(given, expected) if "D2" in fixed else needle in word_tokens(hay)
    return holds_tokens(given, expected) if "D1" in fixed else needle in hay


def include_in_page(content: str, expected: str, fixed: Fixed) -> bool:
    """must_include of one text, or one of its alternatives, in a page's content (never tokenised as published)."""
    return any(
        holds_tokens(content, option) if "D1" in fixed else clean(option) in clean(content)
        for option in expected.split(ALTERNATIVES)
    )


def holds_tokens(text: str, expected: str) -> bool:
    """Whether whole tokens of `expected` occur in `text`; text without tokens (symbols only) is looked for as it is."""
    parts = tokens(expected)
    return holds(tokens(text), parts) if parts else bool(expected.strip()) and expected.strip() in text


def same_strictly(given: str, expected: str) -> bool:
    """Strict equality: the same typed value, or the same words."""
    return typed.same(given.strip().strip("'\""), expected.strip().strip("'\"")) is True
