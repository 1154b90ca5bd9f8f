"""What a question asks, in the words of a response about its choices."""

import re
from collections.abc import Mapping
from typing import Final

from grading.language.asked import asking
from grading.language.responses.partly import alike, stems

_TOPICAL: Final = re.compile(
    r"\b(?:second|third|next|worst|least|fewer|less|lower|oldest|older|previous|closest|closer|nearest|opposite|contrary|converse|inverse|reverse|complement|negation|similar"
    r"|difference|different|weak(?:est|er)?|drawback|defect|fault|objection|against|fallacy|misconception|myth)\b",
    re.IGNORECASE,
)
"""Words that set something beside the answer, unless they are what is asked for: `Second place goes to B`."""


_ASKED_NOUN: Final = re.compile(
    r"\b(?:which|what)\s+(?!(?:is|are|was|were|of|do|does|did|can|will|has|have)\b)([a-z]{3,})\b", re.IGNORECASE
)
"""What sort of thing the choices are: `which wall of the heart`."""

_LONGEST: Final = 600
"""Characters at the end of a question that are looked at."""


def in_its_terms(text: str, question: str, choices: tuple[str, ...]) -> str:
    """A response without the colour of such words that its question uses, where no choice does, and without the noun
    that its choices are adjectives of: `of the inferior wall` beside `Which wall?`."""
    asked = {found[0].lower() for found in _TOPICAL.finditer(question[-_LONGEST:])}
    asked -= {found[0].lower() for each in choices for found in _TOPICAL.finditer(each)}
    if asked:
        text = re.sub(rf"\b(?:{'|'.join(sorted(asked))})\b", "particular", text, flags=re.IGNORECASE)
    noun = next((found[1] for found in reversed([*_ASKED_NOUN.finditer(question[-_LONGEST:])])), None)
    single = [re.escape(each) for each in choices if re.fullmatch(r"[^\W\d_]{3,}", each)]
    if noun is None or len(single) < len(choices) or not single:
        return text
    named = rf"(?P<choice>{'|'.join(single)})\s+{re.escape(noun)}\b(?!-|['’])"
    text = re.sub(
        rf"(?P<is>\b(?:this|that|it)\s+(?:is|was)\s+)an?\s+\w+\s+(?:of|in)\s+(?:the\s+)?{named}",
        r"\g<is>\g<choice>",
        text,
        flags=re.IGNORECASE,
    )
    return re.sub(named, r"\g<choice>", text, flags=re.IGNORECASE)


_EXCEPTS: Final = re.compile(
    r"\b(?:not|except|least|false|incorrect|never|cannot|odd\s+one|unlike|neither|no)\b|n['’]t\b", re.IGNORECASE
)
_GENERIC: Final = stems(
    "take place happen occur call know name term refer following statement best describe correct true main chief "
    "primary likely kind type sort example mean find found make made give given use used get answer option choice"
)
_PLACED: Final = re.compile(
    r"\b(?:happens?|occurs?|takes?\s+place|goes\s+on|runs?|sits?|lies?|starts?|begins?"
    r"|is\s+(?:found|located|situated|made|produced|formed|stored))\b"
    r"[^;:]{0,60}?\b(?:in|at|on|during)\s+(?=(?:the\s+)?option [A-Z]\b)",
    re.IGNORECASE,
)
"""What is said of where something is: `happens outside of any organelle, in`."""


def excepts(question: str) -> bool:
    """Whether a question asks for what is not so."""
    return _EXCEPTS.search(re.split(r"[.;:]\s", question.strip()[-_LONGEST:])[-1]) is not None


def asked_words(question: str, choices: Mapping[str, str]) -> frozenset[str]:
    """The stems that the sentence which asks has for itself; none where it asks for what is not so."""
    if excepts(question):
        return frozenset()
    own = stems(asking(question.strip()[-_LONGEST:])) - _GENERIC
    theirs = stems(" ".join(choices.values()))
    return frozenset(each for each in own if not any(alike(each, one) for one in theirs))


_OF_WHICH: Final = re.compile(r"\b([a-z]+)\s+(?:of|in|on|by|for)\s+(?=(?:the\s+)?option [A-Z]\b)", re.IGNORECASE)

_AT_END: Final = re.compile(r"\b(?:in|at|on)\s+(?=(?:the\s+)?option [A-Z]\W*$)")
_SEVERAL: Final = 2
"""Words of the question that a sentence has to take up, where its verb is open: `the Saône joins the Rhône at Lyon`."""


def placed(sentence: str, asked: frozenset[str]) -> str:
    """A sentence that says of the thing that was asked about where it is, or says the question's own words about what
    it is (`due to lack of vitamin C`), as one that says what it is."""
    found = _PLACED.search(sentence)
    if found is not None and not stems(sentence[: found.start()]).isdisjoint(asked):
        return f"{sentence[: found.start()]}is {sentence[found.end() :]}"
    found = _AT_END.search(sentence)
    if found is not None and len(stems(sentence[: found.start()]) & asked) >= _SEVERAL:
        return f"{sentence[: found.start()]}is {sentence[found.end() :]}"
    found = _OF_WHICH.search(sentence)
    if found is not None and stems(found[1]) & asked and stems(sentence[: found.start()]) & asked:
        return f"{sentence[: found.start()]}{sentence[found.end() :]}"
    return sentence
