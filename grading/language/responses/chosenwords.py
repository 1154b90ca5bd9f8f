"""Labels of multiple choice beside the words of their choices: which one is named, where the two disagree."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from grading.language.responses import vocabulary as say
from grading.language.responses.labels import SPOKEN_AGAINST
from grading.language.responses.naming import CONCLUDES, names_in, unsaid
from grading.language.responses.samenames import same_name

_BEHIND: Final = re.compile(
    r"(?P<lead>.{8,300}?)\s*[,;–—-]\s*(?:(?:also|so|hence|thus|therefore|that\s+is|i\.\s?e\.|d\.\s?h\.|donc"
    r"|ainsi|quindi|dunque|portanto|entonces)\s*,?\s*)?"
    r"(?:(?:the|die|la|a)\s+)?(?:(?:correct|right|richtige|bonne)\s+)?(?:answer|option|choice|Antwort|réponse"
    r"|respuesta|opción|resposta|opção|alternativa|risposta|opzione|letra)\s*[:]?\s+"
    r"[(\[]?(?P<label>[A-Z])[)\]]?\W*",
    re.IGNORECASE | re.DOTALL,
)
"""`The solution is pink – answer B`"""
_AT_THE_END: Final = re.compile(
    r"(?P<lead>.{12,400}?)(?::|\b(?:is|are|was)\s+the\s+one\s+in(?=\s+option\b)|\b(?:is|are"
    r"|was)(?=\s+[(\[]?[A-Z][)\]]?\W*$))\s*(?:(?:option|choice|answer)\s+)?[(\[]?(?P<label>[A-Z])[)\]]?\W*",
    re.DOTALL,
)
"""`acceptance is by performance: C.`, `the only change that does it is A.`"""
SPOKEN_AGAINST_ALL: Final = re.compile(
    r"\b(?:unlike|compare\w*|contrary|trap|fewer|less|more|than|similar|half|twice|next|second|third|opposite"
    r"|other\w*|before|after|without|except|only|partly|once|used\s+to|both|all|every|too|also|of)\b",
    re.IGNORECASE,
)
"""Words with which the one choice that a sentence mentions may not be what it says."""
_LONG_WORD: Final = 5
_ONE_SENTENCE: Final = 200
_POINTED: Final = re.compile(
    r"(?:(?P<lead>[^?]{3,300}?)\s(?:→|⇒|=>|->|⟹)\s*|^(?:so\s+)?(?:that|this|it)(?:['’]s"
    r"|\s+is)\s+(?:therefore\s+)?(?:the\s+)?(?:option|choice|answer)\s+"
    r"|^(?:so,?\s+|thus,?\s+|therefore,?\s+)?the\s+(?:correct|true|right|best|false|incorrect)\s+(?:statement"
    r"|option|choice|one)\s+is\s+)"
    r"[(\[]?(?P<label>[A-Z])(?![\w'’])[)\]]?(?P<rest>[^?]*)",
    re.IGNORECASE,
)
"""`... isn't required → A`, `That's option D.`, `The correct statement is B; ...`"""
_ORDINAL: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|last|next|other)(?:\s+(?:one|option|choice|answer|statement))?\s*$",
    re.IGNORECASE,
)
_DENIED_ABROAD: Final = re.compile(
    r"\b(?:nicht|kein\w*|pas|jamais|no|nunca|não|non|mai|if|wenn|oder|ou|or)\b", re.IGNORECASE
)


def label_behind(sentence: str, spelt: Mapping[str, str]) -> str | None:
    """The label that a statement ends in behind a comma or a dash."""
    sentence = sentence.strip()
    pointed = _POINTED.fullmatch(sentence)
    if pointed is not None and pointed["label"] in spelt:
        rest = pointed["rest"]
        settled = (
            say.UNSETTLED.search(rest) is None and re.search(r"\b(?:or|not|wrong|maybe|if|unless)\b|→|⇒", rest) is None
        )
        others = re.search(r"(?<![\w'’])[B-H](?![\w'’])", re.sub(r"[;,].*", "", rest))
        hedged = re.search(
            r"\b(?:if|maybe|perhaps|wrong|would|might|could|guess)\b", pointed["lead"] or "", re.IGNORECASE
        )
        return pointed["label"] if settled and others is None and hedged is None else None
    found = _BEHIND.fullmatch(sentence)
    drawn = _AT_THE_END.fullmatch(sentence) if found is None else None
    found = found or drawn
    if found is None or found["label"] not in spelt or _ORDINAL.search(found["lead"]):
        return None
    lead = re.sub(_spaced(spelt[found["label"]]), " ", found["lead"]) if spelt[found["label"]] else found["lead"]
    if lead != found["lead"] or (drawn is not None and CONCLUDES.match(lead)):
        against = unsaid(lead) or say.REPORTED.search(lead) is not None
    else:
        denying = (SPOKEN_AGAINST, say.DENIED, say.DOUBTED, say.REPORTED, _DENIED_ABROAD)
        against = any(words.search(lead) for words in denying)
    return None if against else found["label"]


def label_named(text: str, spelt: Mapping[str, str]) -> str | None:
    """The one choice whose words the response names; one that stands beside its own label before others."""
    spelt = {label: unicodedata.normalize("NFKC", words) for label, words in spelt.items()}
    beside = [label for label, words in spelt.items() if len(words) > 1 and _said_with(text, label, words)]
    if len(beside) == 1 and not _others(text, beside[0], spelt):
        return beside[0]
    names = {same_name(name, folded=True) for name in names_in(text)}
    found = [
        label
        for label, words in spelt.items()
        if re.search(r"[^\W\d_]", words) and same_name(words, folded=True) in names
    ]
    if len(found) > 1:
        found = [label for label in found if re.search(rf"{_spaced(spelt[label])}\s*\((?:\w+\s+)?{label}\)", text)]
    if not found:
        found = _by_predicate(text.strip(), spelt)
    if not found:
        mentioned = [
            label
            for label, words in spelt.items()
            if len(words) >= _LONG_WORD and re.search(rf"(?<![\w-]){_spaced(words)}(?![\w-]|['’]s)", text)
        ]
        plain = len(mentioned) == 1 and len(text) < _ONE_SENTENCE and re.search(r"[.!?:;]\s+\S", text.strip()) is None
        # Behind a phrase that names the answer the whole group of nouns counts, and not a word of it.
        found = mentioned if plain and say.STRONG.search(text) is None and not _unsettled(text) else []
    return found[0] if len(found) == 1 and not _others(text, found[0], spelt) else None


_IT: Final = re.compile(
    r"(?:it|they|he|she)\s+(?P<verb>[a-z]{3,}?)(?P<end>s|es)?(?P<rest>(?:\s+[\w'’-]+){0,6})\W*", re.IGNORECASE
)
_SUBJECT: Final = (
    r"(?:(?:so|thus|hence|therefore),?\s+)?(?:it|they|he|she|(?:the|its|their)\s+[\w'’-]+(?:\s+[\w'’-]+){0,2}?)\s+"
    r"(?:(?:will|then|therefore|thus|also|must)\s+){0,2}"
)


def _by_predicate(text: str, spelt: Mapping[str, str]) -> list[str]:
    """The choices whose predicate a single sentence says of its subject, where all say one of `it`: `It decreases`."""
    said = {label: _IT.fullmatch(words.strip()) for label, words in spelt.items()}
    if len(text) > _ONE_SENTENCE or not all(said.values()) or _unsettled(text):
        return []
    return [
        label
        for label, one in said.items()
        if one is not None
        and re.fullmatch(
            rf"\W*{_SUBJECT}{re.escape(one['verb'])}(?:e|s|es)?{re.escape(one['rest'])}[\s.*!]*", text, re.IGNORECASE
        )
    ]


def _unsettled(text: str) -> bool:
    """Whether a sentence denies, doubts, reports or compares."""
    return unsaid(text) or any(
        words.search(text) for words in (SPOKEN_AGAINST_ALL, say.REPORTED, say.DOUBTED, say.DENIED)
    )


def _said_with(text: str, label: str, words: str) -> bool:
    """Whether a choice's words stand before its label in brackets, in a sentence that denies and doubts nothing."""
    own = _spaced(words)
    found = re.search(rf"(?<![\w-]){own}[^\w.;!?]{{0,4}}\s*\((?:(?i:option|choice|answer)\s+)?{label}\)", text)
    found = found or re.search(rf"\b(?:is|are)\s+{label}\s*[,:–—]\s*[\"“'(]?{own}(?!\w)", text)
    if found is None:
        return False
    start = max(text.rfind(". ", 0, found.start()), text.rfind("\n", 0, found.start())) + 1
    sentence = re.split(r"[.!?]\s", text[start:])[0]
    sentence = re.sub(_spaced(words), " ", sentence)
    return not unsaid(sentence) and say.REPORTED.search(sentence) is None


def _others(text: str, label: str, spelt: Mapping[str, str]) -> bool:
    """Whether a response names another label in so many words."""
    return any(
        re.search(rf"\((?:\w+\s+)?{other}\)|\b(?i:option|choice|answer)\s+{other}\b", text)
        for other in spelt
        if other != label
    )


def disagrees(text: str, label: str, spelt: Mapping[str, str]) -> bool:
    """Whether a label stands beside the words of another choice: `A) Niels Bohr` where A is Einstein."""
    own = spelt.get(label, "")
    for other, words in spelt.items():
        if other == label or len(words) < 2 or words.casefold() in own.casefold() or own.casefold() in words.casefold():
            continue
        beside = rf"(?<![\w'’]){label}\s*[)\].:,–—-]+\s*(?:the\s+|an?\s+)?{_spaced(words)}(?!\w)"
        if re.search(beside, text):
            return True
    return False


def _spaced(words: str) -> str:
    return "(?i:" + r"\s+".join(re.escape(word) for word in words.split()) + ")"
