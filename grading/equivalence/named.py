"""Golds that are words: whether a response names them at a place where an answer is said."""

import re
from collections.abc import Iterable

from grading.equivalence.finding import Finding, different, equal
from grading.equivalence.typeset import is_typeset, same_type
from grading.language import words
from grading.language.ranking.questions import question_of, stems
from grading.language.responses import vocabulary as say
from grading.language.responses.lively import lively_names
from grading.language.responses.naming import names_in, unsaid
from grading.language.responses.samenames import same_but_for_number, same_name, same_person
from grading.language.responses.segments import segmented
from grading.language.responses.telling import own_sentences
from grading.language.unitnames import is_unit

_YEAR = re.compile(r"[12]\d{3}")
_WORDED = re.compile(r"[^\W\d_]{3}")
_NOTATION = re.compile(r"[\\$=^]")
_ROWS = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miércoles jueves viernes sábado domingo",
)
_MONTHS = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
)
_CALENDAR = {
    word: (kind, place)
    for kind, rows in (("day", _ROWS), ("month", _MONTHS))
    for row in rows
    for place, word in enumerate(row.split())
}
_WORD = re.compile(r"[^\W\d_]+")
_PREMISE = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore),?\s+)?(?:if|since|because|as|given\s+that|counting|starting|start|beginning|from|wenn|da|si|comme)\b[^,;?]{3,120}(?:,|\bthen\b|\bdann\b|\balors\b|\bentonces\b)",
    re.IGNORECASE,
)
"""What the question set, said again: `if today is a Wednesday,`."""
_BOUNDED = re.compile(
    r"\b(?:not|never|no|nor|neither|or|before|after|until|till|by|between|around|about|early|late|earliest|latest|except|but|however|unless|maybe|perhaps|possibly|probably|might|could|would"
    r"|other|another|next|following|preceding|previous|instead|rather|than|vor|nach|nicht|kein\w*|oder|bis|avant|après|pas|antes|después|ou|o)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|\n")
_LANDMARK = re.compile(
    r"(?:the\s+)?(?P<name>[A-Z]\w+(?:\s[A-Z]\w+)?)\s(?:Desert|River|Ocean|Mountains|Sea)", re.IGNORECASE
)
_QUANTITY = re.compile(r"[-−+]?\d[\d.,]*\s*(?P<unit>\D.*)")
_LONGEST = 80
_PHRASE, _ONE_SENTENCE = 4, 300
_LONGEST_RESPONSE, _LONGER = 8_000, 4
_FEWEST = 2
"""Words of the question that a sentence has to share, where it has as many; and half of all."""
_SORT_ASKED = re.compile(
    r"\b(?:which|what)\s+(?:(?:kind|type|sort)s?\s+of\s+)?(?P<sort>(?!is\b|are\b|was\b|were\b|do\b|does\b|did\b)[a-z-]+)\b",
    re.IGNORECASE,
)
_LED = (
    r"\b(?:is|are|was|were|be|become|becomes|became|remains|called|named|by|so|thus|hence|therefore)\s"
    r"(?:(?:the|a|an|in\sfact|\w+ly|now|so|thus)\s){0,3}"
)
"""What stands before a name that is said of a subject, or is one."""
_NOT_FOR_GOOD = re.compile(
    r"\b(?:until|till|formerly|once|attributed|credited|ascribed|expect\w*|considered|regarded|supposed|between\s+\d|from\s+\d{3,4}\s+to)\b",
    re.IGNORECASE,
)
_TITLE = re.compile(r"[\"“]([^\"“”]{3,60})[\"”]")
_OF_SYMBOL = re.compile(r"\b(?:symbol|abbreviation)\b", re.IGNORECASE)


def is_named(given: str, expected: Iterable[str], *, folded: bool, question: str = "") -> bool:
    """Whether a response names one of the expected texts that have letters, or that are years."""
    texts = [text for text in expected if re.search(r"[^\W\d_]", text) or _YEAR.fullmatch(text)]
    spelt = {same_name(text, folded=folded) for text in texts}
    if not spelt:
        return False
    if any((found := _calendar(text, given)) is not None and found.equal for text in texts):
        return True
    if folded and _answers(given, question, spelt):
        return True
    named = names_in(given)
    said = {same_name(name, folded=folded) for name in named}
    if not spelt.isdisjoint(said):
        return True
    if folded and any(
        same_name(name, folded=True) in spelt
        or _is_alike(text, {same_name(name, folded=True)})
        or (_is_surname(text, name) and re.match(r"\W*who\b", question, re.IGNORECASE))
        for name in lively_names(given, question)
        for text in texts
    ):
        return True
    if folded and any(
        _is_alike(text, said) or _is_short(text, said, given) or _is_object(text, given) for text in texts
    ):
        return True
    return any(same_type(name, text, folded=folded) for text in texts if is_typeset(text) for name in named)


def _answers(given: str, question: str, spelt: set[str]) -> bool:
    """Whether the sentence of a longer response that says most of what was asked names one of the texts.

    Where several sentences say as much of it, each has to.
    """
    asked = question_of(question) if question and len(given) <= _LONGEST_RESPONSE else None
    sort = _SORT_ASKED.search(question) if asked is not None else None
    core = asked.core - (stems(sort["sort"]) if sort is not None else frozenset()) if asked is not None else frozenset()
    told = [each.text for each in own_sentences(segmented(given).sentences) if not each.text.rstrip().endswith(":")]
    if not core or len(told) < _LONGER:
        return False
    title = _TITLE.search(question)
    shared = [len(core & stems(each)) + (len(core) if title and title[1] in each else 0) for each in told]
    most = max(shared)
    if 2 * most < len(core) or most < min(_FEWEST, len(core)):
        return False
    best = [each for each, count in zip(told, shared, strict=True) if count == most]
    words_of_question = {same_name(each, folded=True) for each in re.findall(r"\w+", question)}
    return any(
        not set(one.split()) <= words_of_question and all(_is_said_in(one, each) for each in best) for one in spelt
    )


def _is_said_in(name: str, sentence: str) -> bool:
    """Whether a sentence says the name of its subject, or something of what is named, for good and in its own voice."""
    if _NOT_FOR_GOOD.search(sentence) or name not in {same_name(each, folded=True) for each in names_in(sentence)}:
        return False
    spoken = same_name(sentence, folded=True)
    return re.search(rf"(?:^|{_LED}){re.escape(name)}(?!\w)", spoken) is not None


def _is_surname(text: str, name: str) -> bool:
    """Whether a name is a surname with first names before it: `Johannes Kepler` for `Kepler`."""
    first, _, last = name.rpartition(" ")
    return bool(first) and text[:1].isupper() and last == text and all(part[:1].isupper() for part in first.split())


def _is_alike(text: str, said: set[str]) -> bool:
    """Whether a common noun is named in the other number, or a person without initials."""
    wanted = same_name(text, folded=True)
    if text.rpartition(" ")[2].islower():
        return any(same_but_for_number(wanted, name) for name in said)
    return any(same_person(wanted, name) for name in said)


def _is_short(text: str, said: set[str], given: str) -> bool:
    """Whether a desert, river or ocean is named without that word: `the Gobi`."""
    found = _LANDMARK.fullmatch(text.strip())
    if found is None or same_name(found["name"], folded=True) not in said:
        return False
    return re.search(rf"\b[Tt]he\s+\**{re.escape(found['name'])}(?!\s+[A-Z]|\w)", given) is not None


def _is_object(text: str, given: str) -> bool:
    """Whether the only sentence says a phrase of several words of its subject, behind any verb, at its end."""
    sentence = " ".join(given.replace("*", "").split())
    if len(text.split()) < _PHRASE or len(sentence) > _ONE_SENTENCE or re.search(r"[.!?]\s", sentence):
        return False
    found = re.fullmatch(
        rf"(?P<before>[^,;:?]{{3,120}}?\b[a-z]+(?:s|ed)\s+)(?:the\s+|an?\s+)?{re.escape(text)}(?:,?\s+(?:because|since|in|by)\s[^;:?]*)?[.!]?",
        sentence,
        re.IGNORECASE,
    )
    return found is not None and not (unsaid(sentence) or say.REPORTED.search(sentence) or say.DOUBTED.search(sentence))


def compare_named(gold: str, given: str, question: str = "") -> Finding | None:
    """The finding where a response names a gold in words; None of other golds, and where it names none."""
    gold = gold.strip()
    symbol = re.fullmatch("[A-Z][a-z]", gold) is not None and _OF_SYMBOL.search(question) is not None
    if len(gold) > _LONGEST or not (symbol or _WORDED.search(gold)) or _NOTATION.search(gold) is not None:
        return None
    quantity = _QUANTITY.fullmatch(gold)
    if quantity is not None and is_unit(quantity["unit"]):
        return None
    found = _calendar(gold, given)
    if found is not None:
        return found
    if words.truth(gold) is not None and words.is_bounded_truth(given):
        return None
    return equal("the text that a sentence names") if is_named(given, (gold,), folded=True, question=question) else None


def _calendar(gold: str, given: str) -> Finding | None:
    """A weekday or a month, in whatever language the last sentence names the only one of its kind."""
    if gold.casefold() not in _CALENDAR:
        return None
    kind, place = _CALENDAR[gold.casefold()]
    last = next((each for each in reversed(_SENTENCE.split(given.strip())) if _WORD.search(each)), "")
    said = _PREMISE.sub("", last.replace("*", ""))
    found = {
        _CALENDAR[word.casefold()] for word in _WORD.findall(said) if word[0].isupper() and word.casefold() in _CALENDAR
    }
    found = {each for each in found if each[0] == kind}
    if (
        len(found) != 1
        or _BOUNDED.search(said)
        or say.REPORTED.search(said)
        or say.DOUBTED.search(said)
        or unsaid(said)
    ):
        return None
    return equal("the same day or month") if found == {(kind, place)} else different("another day or month")
