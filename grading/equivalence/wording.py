"""Golds in words: whether an answer says the same words, alone or in a plain statement."""

import re

from grading.equivalence.finding import Finding, different, equal, unknown
from grading.language import words
from grading.language.formulae import species
from grading.language.responses import tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.spoken import UNSOUND, WRAPPED, same_but_for_order, says, stemmed
from grading.language.tree import Text

_SHORT, _ENDS = 200, 2
_FORMULA = re.compile(r"(?<=[a-z*]),?\s+\(?\$?(?P<formula>(?:\\(?:mathrm|ce|text)\{)?[A-Z(][^\s,;]{1,40}?)\$?\)?[.*]*$")
"""A formula behind the name of a substance."""
_SENTENCE = 4
"""From this many words on a text is a sentence."""
_SPELT_OUT = re.compile(r"([^()]{1,60}?)\s+\((?!(?:not|or|and|maybe|was|wrong)\b)[A-Za-z ,-]{3,40}\)")
"""`NaCl (sodium chloride)`"""
_COMPLEMENT = re.compile(r"^.{6,200}\b(?:is|are)\s+((?!not\b)[\w\s-]{2,40})[.!]?\s*$", re.DOTALL)
_BOLD = re.compile(r"\*\*([^*\n]{1,80})\*\*")
_FOREIGN = re.compile(r"\b(?:est|ist|es|são|sono|è|é|is\s+niet)\b|\bn['’]est\b", re.IGNORECASE)
_HYPHEN = re.compile(r"(?<=[A-Za-z])-(?=[A-Za-z])")
_CODE = re.compile(r"[A-Z]{2,4}[a-z]?\d{1,2}[A-Za-z]{0,2}|[A-Z]\d[a-z][A-Z]")
"""A name in letters and digits (`SN2`, `E1cB`), whose digits may stand as indexes."""


def compare_words(expected: Text, source: str, given: str) -> Finding:
    """Compare words; a sentence that says more than the gold, or less, is left to a judge."""
    given = _without_formula(given, source)
    meaning = words.phrase(given) if len(given) < _SHORT else None
    if predicate_of(source) == words.plain(given):
        return equal("what the reference's sentence says")
    found = meaning.words if isinstance(meaning, Text) else words.plain(given)
    if expected.words in ("true", "false") and len(given) < _SHORT and (judged := words.judged(given)) is not None:
        return (
            equal("a sentence that says it") if judged == expected.words else different("the claim is judged otherwise")
        )
    spelt = _SPELT_OUT.fullmatch(given.strip())
    if spelt is not None and words.plain(spelt[1]) == expected.words and not words.negated(given, source):
        return equal("the same words")
    if found == expected.words or words.parts(given) == words.parts(source):
        return equal("the same words")
    if len(found.split()) < _SENTENCE and same_but_for_order(stemmed(found), stemmed(expected.words)):
        return equal("the same words")
    if is_code(source):
        spelling = "[_{}]*".join(map(re.escape, source.strip()))
        given = re.sub(rf"\$?(?:\\\\(?:mathrm|text)\s*\{{\s*)?{spelling}\}}*\$?", source.strip(), given)
    if _rival(given, expected.words, words.plain(source)):
        return different("another text stands in bold type")
    if says(given, expected.words) or says(given, words.plain(source)):
        return equal("a sentence that says it")
    if " " in expected.words and says(_HYPHEN.sub(" ", given), expected.words):
        return equal("a sentence that says it")
    return _contained(expected.words, found, given)


def _without_formula(given: str, source: str) -> str:
    """`The product is ethanol, CH₃CH₂OH.` without the formula that says the name again."""
    found = _FORMULA.search(given) if len(given) < _SHORT and source not in given[-len(source) - _ENDS :] else None
    if found is None or len(re.findall("[A-Z]", found["formula"])) < _ENDS or species(found["formula"]) is None:
        return given
    return given[: found.start()]


def _contained(gold: str, found: str, given: str) -> Finding:
    """The verdict on other words: left to a judge where one text holds the other and neither denies it."""
    first, second = set(gold.split()), set(found.split())
    long = len(first) >= _SENTENCE or len(second) >= _SENTENCE
    if not (long and second and (first <= second or second <= first)) or words.negated(gold, found):
        return different("other words than the reference's")
    unsound = UNSOUND.search(given) or say.DENIED.search(given)
    if unsound is None and _FOREIGN.search(given):
        unsound = tongues.NO.search(given)
    if unsound is not None and unsound[0].casefold() not in gold and first <= second:
        return different(f"'{unsound[0]}' beside the reference's words")
    return unknown("one text contains the other; whether it says the same is for a judge")


def predicate_of(source: str) -> str | None:
    """What a sentence says of its subject (`The function is odd.`), at most three words; None of other texts."""
    match = _COMPLEMENT.search(source)
    found = words.plain(match[1]) if match is not None else ""
    return found if found and len(found.split()) < _SENTENCE and not words.hedged(source) else None


def is_code(text: str) -> bool:
    """Whether a text is a name in letters and digits."""
    return _CODE.fullmatch(text.strip()) is not None


def same_code(gold: str, given: str) -> bool:
    """Whether an answer is such a name in whatever dress (`\\mathrm{S_N2}`, `S_{N}2` for `SN2`)."""
    return re.sub(r"[\s_$.]", "", WRAPPED.sub("", given)) == gold.strip()


def _rival(given: str, *golds: str) -> bool:
    """Whether the last statement names another text in bold type (`The 15th is **red**, and the next one is blue`)."""
    last = re.split(r"(?<=[.!?])\s+|\n", given.strip())[-1]
    bold = [words.plain(part) for part in _BOLD.findall(last)]
    pairs = [(gold, part) for part in bold if part for gold in golds if gold]
    return bool(bold) and not any(a in b or b in a or sorted(stemmed(a)) == sorted(stemmed(b)) for a, b in pairs)
