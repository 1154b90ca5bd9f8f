"""Names that stand where the question asks for one: behind the words that stand there before `which` or `whose`.

`Under whose direction …?` is answered by `under the direction of Rutherford`, `For explaining which effect …?` by `for
his explanation of the photoelectric effect`, `In which organelle …?` by `It occurs inside mitochondria`.
"""

import re
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, different, equal
from grading.language.responses import vocabulary as say
from grading.language.responses.mainclause import without_turned_down
from grading.language.responses.namewords import words
from grading.language.responses.samenames import in_either_number
from grading.matching.stem import stem

_ASKS: Final = re.compile(
    r"(?P<before>(?:\b[a-z]+\s+){1,2})(?P<wh>which|what|whose|whom)\b(?P<noun>(?:\s+[a-z]+){0,2})", re.IGNORECASE
)
_ALIKE: Final = {
    **{word: word for word in ("by", "under", "for", "from", "with", "at", "to", "after", "of", "against")},
    **dict.fromkeys(("in", "inside"), "(?:in(?:side)?|within)"), "on": "(?:up)?on",
    "through": "(?:through|via|by)", "during": "(?:during|in)",
}  # fmt: skip
"""Prepositions before the word that asks, and those of an answer."""
_ARTICLE: Final = r"(?:(?:the|an?|its|his|her|their)\s+)?"
_END: Final = (
    r"(?=\**(?:\W*$|\s*[,;:(]|\s+(?:and|who|which|that|while|where|in|at|on|by|during|since|because"
    r"|between|from|as|with)\b))(?!['’]s?\b|-\w)"
)
_OTHERS: Final = re.compile(
    r"\b(?:not|never|no|neither|nor|unlike|than|other|another|opposite|reverse|contrary|if|unless|or|but|except|instead|would|could|might|may|maybe|perhaps|possibly|probably|almost|nearly|claims?|said|says|wrong\w*|false\w*)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_CONVERSE: Final = re.compile(
    r"(?P<subject>[\w'’ -]{1,40}?)\s+(?:is|was)\s+the\s+(?:[a-z]+\s+)?(?P<noun>[a-z]+)\s+(?:of|for)\s+"
    r"(?:the\s+)?(?P<name>[^,;:()]{2,60}?)(?:\s*\([^()]*\)|,\s+from\s[^,;:]*)?[\s.!]*"
)
"""`Au is the symbol for gold`"""
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_PASSED: Final = words(
    "the and was were are for his her its their who that this with under from has had have does did into"
)
_PRONOUN: Final = re.compile(r"\W*(?:it|he|she|they|this|these)\b", re.IGNORECASE)
_REPLACED: Final = re.compile(
    r"\b(?:in\s+place\s+of|instead\s+of|in(?:\s+\w+)?\s+stead\s+of|to\s+replace|replac(?:es?|ing)|takes?\s+the\s+place\s+of)\s+(?:the\s+)?(?P<old>[\w-]+)",
    re.IGNORECASE,
)
_INSTEAD: Final = r"(?:instead|in\s+place|rather\s+than)(?:\s+of)?"
_LONGEST: Final = 300


def echoed(gold: str, text: str, question: str) -> Finding | None:
    """The finding where a text of one sentence names the gold at the place that was asked for; else None."""
    if not question or max(len(gold), len(text)) > _LONGEST or re.search(r"[\\$=\d]", gold):
        return None
    text = " ".join(_without_bold(text).split())
    gold = gold.strip(" .")
    named = f"(?:{'|'.join(map(re.escape, in_either_number(gold)))})"
    replaced = _in_place_of(named, text, question)
    if replaced is not None:
        return replaced
    text = without_turned_down(text)
    converse = _CONVERSE.fullmatch(text)
    if converse is not None and re.fullmatch(named, converse["name"], re.IGNORECASE):
        asked = _words_of(question)
        if stem(converse["noun"].lower()) in asked and re.search(rf"\b{re.escape(converse['subject'])}\b", question):
            return equal("named where the question asks for it")
    last = re.escape(gold.rpartition(" ")[2])
    if not any(len(re.findall(rf"\b{each}\b", text, re.IGNORECASE)) == 1 for each in (named, last)) or re.search(
        r"[.!?]\s+[A-Z]", text
    ):
        return None
    for form in _forms(question):
        found = re.search(form.replace("GOLD", named).replace("LAST", last) + _END, text, re.IGNORECASE)
        if found is None:
            continue
        clause = text[: found.start()]
        if (
            _OTHERS.search(clause)
            or say.REPORTED.search(clause)
            or _OTHERS.search(text[found.end() :].partition(";")[0])
        ):
            return None
        said = {stem(word) for word in _WORD.findall(clause.lower())} - _PASSED
        if _PRONOUN.match(text) or not clause.strip() or said & _words_of(question):
            return equal("named where the question asks for it")
    return None


def beginnings(gold: str, text: str, question: str) -> tuple[str, ...]:
    """What stands before a semicolon, where all that it says beside the gold is the question's: `Canberra is the
    capital; Sydney is only the largest city`."""
    front, _, behind = _without_bold(text.strip()).partition(";")
    if not behind or "\n" in text or _OTHERS.search(front) or len(text) > _LONGEST:
        return ()
    said = {stem(word) for word in _WORD.findall(front.lower())} - _PASSED
    named = {stem(word) for word in _WORD.findall(gold.lower())}
    asked = said - named
    return (front,) if named <= said and asked and asked <= _words_of(question) else ()


def _without_bold(text: str) -> str:
    return text.replace("**", "").replace("__", "")


@lru_cache(maxsize=64)
def _words_of(question: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(question.lower())) - _PASSED


@lru_cache(maxsize=64)
def _forms(question: str) -> tuple[str, ...]:
    """What stands before a name, or about it, at the places that a question asks for."""
    forms: list[str] = []
    for asks in _ASKS.finditer(question):
        *_, last = asks["before"].lower().split()
        nouns = asks["noun"].lower().split()
        noun = rf"(?:{'|'.join(nouns)})" if nouns else ""
        preposition = _ALIKE.get(last)
        if asks["wh"].lower() == "whose":
            if preposition and nouns:
                forms += [
                    rf"\b{preposition}\s+{_ARTICLE}{nouns[0]}\s+of\s+{_ARTICLE}GOLD",
                    rf"\b{preposition}\s+(?:GOLD|LAST)['’]s?\s+{nouns[0]}",
                ]
        elif preposition:
            sort = rf"(?:{noun}\s+(?:of\s+|called\s+)?)?" if noun else ""
            forms.append(rf"\b{preposition}\s+{_ARTICLE}{sort}GOLD")
        elif len(last) > 4 and last.endswith(("ing", "ed", "ion", "ment", "ance")):
            root = re.escape(stem(last)[:5])
            forms.append(rf"\b{root}\w*\s+(?:of\s+)?{_ARTICLE}GOLD")
    return tuple(forms)


def _in_place_of(named: str, text: str, question: str) -> Finding | None:
    """Who replaces whom, where the question asks what stands in another's place."""
    asked = _REPLACED.search(question)
    if (
        asked is None
        or re.search(rf"\b{named}\b", asked[0], re.IGNORECASE)
        or _OTHERS.search(re.sub(_INSTEAD, "", text))
    ):
        return None
    old = re.escape(asked["old"])
    remark = r"(?:\s*\([^()]{1,20}\))?"

    def replaces(new: str, old: str) -> bool:
        return any(
            re.search(form, text, re.IGNORECASE)
            for form in (
                rf"\b{old}\b{remark}\s+(?:is|was|gets|has\s+been)\s+(?:replaced|substituted)\s+(?:by|with)\s+{_ARTICLE}{new}\b",
                rf"\b{new}\b{remark}\s+(?:replaces|takes\s+the\s+place\s+of|substitutes(?:\s+for)?|stands\s+in\s+for)\s+{_ARTICLE}{old}\b",
                rf"\b{new}\b{remark}\s+{_INSTEAD}\s+{_ARTICLE}{old}\b",
                rf"\b{_INSTEAD}\s+{_ARTICLE}{old}\b{remark},?\s+[^,;.]{{0,40}}?\b{new}\b",
            )
        )

    if replaces(old, named):
        return different("the other way round")
    return equal("named in the place of the other") if replaces(named, old) else None
