"""Exact match of the final answer with one of the accepted texts."""

import re
import unicodedata
from typing import Literal

from pydantic import Field

from grading.answer import Answer
from grading.equivalence.bold import text_in_bold
from grading.equivalence.named import is_named
from grading.equivalence.persons import with_golds_names
from grading.equivalence.pointed import pointed_at
from grading.equivalence.typeset import same_formula, same_moment, same_type
from grading.equivalence.wordforms import with_golds_forms
from grading.language import words
from grading.language.atodds import at_odds
from grading.language.extract import extract
from grading.language.gaps import without_long_runs
from grading.language.responses import vocabulary as say
from grading.language.responses.claims import claim_of
from grading.language.responses.closing import left_described
from grading.language.responses.commitments import committed
from grading.language.responses.contradicted import named_twice
from grading.language.responses.corrections import taken_back
from grading.language.responses.labels import sentences
from grading.language.responses.segments import segmented
from grading.language.responses.spoken import is_linked, is_subject, named_before, says
from grading.language.responses.values import tail_of
from grading.language.upright import UPRIGHT_TEXT
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

_DRESS = re.compile(r"^\W*\*\*|\*\*(?:\.?\s*)$|(?<=\w)\.\s*$")
_TYPOGRAPHIC = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"'})
_UPRIGHT = re.compile(rf"\$?\s*{UPRIGHT_TEXT.pattern}\s*\$?\.?")
"""A text set upright or bold in a formula: `\\text{isosceles}`."""
_BRACKETED = re.compile(r"(?P<main>[^()]{1,200}?)\s*(?P<remark>\([^()?]{1,200}\))[.\s]*")
"""A text with a remark behind it: `1969 (20 July)`."""
_COMMITTING = frozenset({"phrase", "heading", "statement", "display"})
"""Rules by which a sentence commits to a value, also to one that is no text of letters (`The lookup is O(1).`)."""
_NAME = re.compile(r"\b[A-ZÀ-Þ]\w*[à-ÿ]\w*|\b[À-Þ]\w+")
_ASKED = re.compile(
    r"^\s*(?:(?!(?:is|was|are|could|might|maybe|perhaps|or)\b)[^?.!\n]{3,160}\?\s+)(?=\S)", re.IGNORECASE
)
"""The question once more before the answer: `The capital of Australia? Canberra.`"""
_FIRST = re.compile(r"(?P<text>[^.()?!]{2,80})(?:\.\s+|\s+(?=\())(?P<rest>\S.{3,400})", re.DOTALL)
_OPENS_AGAIN = re.compile(
    r"\W*(?:or|not|maybe|perhaps|but|however|wait|no|formerly|sometimes|i\s+am|i['’]m|and)\b", re.IGNORECASE
)
_RATIO = re.compile(r"(?<=\d) ?: ?(?=\d)")
_YEAR = re.compile(r"[12]\d{3}")
_IN_YEAR = re.compile(
    r"\b(?:in|of|de|del|di|en|im|year|année|año|ano|anno|jahr|january|february|march|april|may|june|july|august|september|october|november|december)\s+\**(\d{4})\**(?:[\s.!]*$|,?\s+(?:with|when|as|at|during)\s[^\d;:?]*$)",
    re.IGNORECASE,
)
_CHANGES_YEAR = re.compile(
    r"\b(?:before|after|by|until|since|not|never|or|between|around|about|if|unless|but|than|early|late|might|maybe|perhaps|said|claims?)\b|n['’]t\b|\?",
    re.IGNORECASE,
)


class ExactReference(Reference):
    """`value` or one of `alternatives` must be the answer, letter by letter after the named normalisations."""

    gold_field = "value"

    kind: Literal["exact"] = "exact"
    value: str = Field(min_length=1, max_length=20_000)
    alternatives: tuple[str, ...] = ()
    case_sensitive: bool = True
    collapse_space: bool = True
    whole: bool = False
    """Compare the whole response and not the final answer found in it."""


def _unaccented(name: re.Match[str]) -> str:
    """A name without accents: `Poincaré` is written `Poincare` too."""
    return "".join(char for char in unicodedata.normalize("NFKD", name[0]) if not unicodedata.combining(char))


def _plain(text: str, reference: ExactReference) -> str:
    text = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHIC)
    text = text if reference.case_sensitive else _NAME.sub(_unaccented, text)
    text = _RATIO.sub(":", " ".join(text.split())) if reference.collapse_space else text
    return text if reference.case_sensitive else text.casefold()


def _stated(given: str, accepted: set[str], reference: ExactReference) -> bool:
    """Whether an answer is an accepted text in bold type or with a remark, or a sentence that says it."""
    if _plain(_DRESS.sub("", given), reference) in accepted:
        return True
    if not reference.case_sensitive and not say.UNSETTLED.search(given):
        truth = words.truth(given) or words.judged(given)
        if truth in ("true", "false") and truth in accepted:
            return True
    remarked = _BRACKETED.fullmatch(given.strip())
    harmless = remarked is not None and not words.hedged(given) and tail_of(remarked["remark"]) == ""
    if remarked is not None and harmless and _plain(_DRESS.sub("", remarked["main"]), reference) in accepted:
        return True
    spoken = _plain(given, reference)
    return any(
        re.search(rf"(?<!\w){re.escape(text)}(?!\w)", spoken) is not None and _says(given, text) for text in accepted
    )


def _begun(given: str) -> str:
    """What an answer line says before a sentence or a remark in brackets that takes nothing of it back."""
    first = _FIRST.match(given.strip())
    if first is None or words.hedged(given) or taken_back(first["rest"]) or say.UNSETTLED.search(first["rest"]):
        return ""
    return "" if say.DOUBTED.search(first["rest"]) or _OPENS_AGAIN.match(first["rest"]) else first["text"].strip("* ")


def _says(given: str, text: str) -> bool:
    """Whether a sentence says an accepted text that occurs in it."""
    if _YEAR.fullmatch(text):
        return _is_year(given, text)
    if named_before(given):
        return False
    pointed = pointed_at(text, given)
    if pointed is not None:
        return pointed.equal
    meant = words.plain(text)
    if re.search(r"[^\W\d_]{2}", text) is None:
        return False
    spelt = given.replace(text, text.replace(",", ""))
    return (is_linked(given) and says(spelt, meant)) or is_subject(spelt, meant)


def _is_year(given: str, year: str) -> bool:
    """Whether a sentence says the year: `The year was 1969.`, `It landed in 1969.`"""
    if _CHANGES_YEAR.search(given) or len(set(re.findall(r"\d{4}", given))) != 1:
        return False
    found = _IN_YEAR.search(given)
    return (found is not None and found[1] == year) or says(given, year)


_IS_NOT = re.compile(
    r"\W*(?:it|that|this|(?:the|my)\s+answer)\s+(?:is|was)(?:n['’]t|\s+not)\s+(?:the\s+)?", re.IGNORECASE
)
_SHORT = 400
"""Characters of a text in which one thing may be named twice."""


def _unsaid(given: str, reference: ExactReference) -> str | None:
    """Why a text of two sentences says nothing: both name one thing, or one only goes on from the other's year."""
    if len(given) >= _SHORT:
        return None
    if named_twice(sentences(given)):
        return "two texts are said of one thing"
    last = sentences(given)[-1:]
    if (
        last
        and _IS_NOT.match(last[0])
        and _plain(_IS_NOT.sub("", last[0]).strip(" .!*"), reference) == _plain(reference.value, reference)
    ):
        return "the text is denied at last"
    if _YEAR.fullmatch(reference.value) and left_described(segmented(given).sentences):
        return "described by another date, not stated"
    return None


def _as_asked(given: str, reference: ExactReference, question: str) -> str:
    """An answer with a person's name, a term and what was asked for as the reference has them; else as it is."""
    if reference.whole or reference.case_sensitive:
        return given
    return with_golds_forms(reference.value, with_golds_names(reference.value, given, question), question)


@grader(ExactReference, version="15", inline=True)
def exact(answer: Answer, reference: ExactReference, tools: Tools) -> Verdict:
    """Correct exactly when the answer equals an accepted text."""
    del tools
    found = extract(answer)
    given = (answer.text or "") if reference.whole else found.text
    if given is None:
        return Verdict.unparseable(found.problem or "no answer was found")
    given = _ASKED.sub("", given.translate(_TYPOGRAPHIC))
    given = _as_asked(given, reference, answer.question)
    unsaid = _unsaid(given, reference) if found.rule == "whole" and not reference.whole else None
    unsaid = unsaid or (None if reference.whole else at_odds(reference.value, given, answer.question))
    if unsaid is not None:
        return Verdict.incorrect(unsaid, given=given[:500], rule=found.rule)
    accepted = {_plain(text, reference) for text in (reference.value, *reference.alternatives)}
    upright = _UPRIGHT.fullmatch(given.strip())
    if _plain(given, reference) in accepted or (upright is not None and _plain(upright[1], reference) in accepted):
        return Verdict.correct("the same text as the reference", rule=found.rule)
    given = without_long_runs(given)
    claim = committed(given) if found.rule == "whole" and not reference.whole else None
    named = claim is not None and claim.rule in _COMMITTING and not claim.condition
    if claim is not None and claim.rule in ("statement", "display"):
        named = named and claim_of(given, found.rule, reference.value) == claim
    if claim is not None and named and _plain(_DRESS.sub("", claim.text or ""), reference) in accepted:
        return Verdict.correct("the text that a sentence commits to", rule=claim.rule)
    wanted = (reference.value, *reference.alternatives)
    folded = not reference.case_sensitive
    if not reference.whole and any(same_type(given, text, folded=folded) for text in wanted):
        return Verdict.correct("the same text in another type", rule=found.rule)
    if not reference.whole and any(same_moment(given, text) or same_formula(given, text) for text in wanted):
        return Verdict.correct("the same date, time or substance in another writing", rule=found.rule)
    if (
        found.rule == "whole"
        and not reference.whole
        and any(_plain(each, reference) in accepted for each in text_in_bold(given))
    ):
        return Verdict.correct("the text that a sentence sets in bold type", rule=found.rule)
    if found.rule != "whole" and not reference.whole and _plain(_begun(given), reference) in accepted:
        return Verdict.correct("the text that the answer begins with", rule=found.rule)
    if found.rule == "whole" and not reference.whole and _stated(given, accepted, reference):
        return Verdict.correct("a sentence that says it", rule=found.rule)
    if (
        not reference.whole
        and reference.collapse_space
        and is_named(given, wanted, folded=folded, question=answer.question)
    ):
        return Verdict.correct("the text that a sentence names", rule=found.rule)
    return Verdict.incorrect("not the text asked for", given=given[:500], rule=found.rule)
