"""Decisions about a null hypothesis: `reject H0` in the words of whoever decides.

Every clause that speaks of rejecting or keeping it has to be of the grammar, and all have to say the same. What
supposes, or explains the rule ("if p < 0.05 we reject"), decides nothing.
"""

import re
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, different, equal

_H0: Final = r"\$?H\s?_?\{?(?:\\text\{)?[0₀o]\}{0,2}\$?"
_NULL: Final = rf"(?:(?:the\s+)?(?:null\s+hypothesis|null|hypothesis)(?:\s+\(?{_H0}\)?)?|{_H0}|it)"
_VERB: Final = r"(?:(?P<{0}out>reject|discard)|(?P<{0}in>retain|keep|accept|maintain|uphold))"
_NOT: Final = (
    r"(?:fail(?:s|ed)?\s+to|(?:do|does|did|can|could|must|should|will|may)(?:\s+not|n['’]t)|cannot|can['’]t|not)"
)
_SO: Final = (
    r"(?:(?:so|thus|hence|therefore|and|yes|no|we\s+conclude\s+that|conclusion|decision|answer)\W+)*"
    r"(?:(?:because|since|as)\s[^,;:]{1,60}?\s(?=we\s))?"
)
_ADVERBS: Final = r"(?:(?:therefore|thus|hence|then|clearly|must|should|can|may|will|have\s+to|has\s+to)\s+)*"
_TAIL: Final = (
    r"(?:\s+(?:at|on|with|for|using)\s+[^,;:]{1,60}|\s*\([^()]{1,60}\)"
    r"|\s+(?:because|since|as)\s[^;:]{1,80}|\s+in\s+favou?r\s+of\s[^,;:]{1,40}|\s+here){0,2}"
)
_FORMS: Final = (
    re.compile(
        rf"{_SO}(?:(?:we|I|one|you|the\s+test|the\s+decision\s+is\s+to|the\s+conclusion\s+is\s+to)\s+)?{_ADVERBS}(?P<not>{_NOT}\s+)?{_ADVERBS}{_VERB.format('a')}(?:s|ed)?(?:\s+{_NULL})?{_TAIL}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_SO}{_NULL}\s+(?:is|was|be|(?:must|should|can|has\s+to|may|could)(?P<not1>\s+not|not|n['’]t)?\s+be|(?P<not2>can['’]t|isn['’]t|wasn['’]t)(?:\s+be)?)\s+(?P<not3>not\s+)?{_ADVERBS}{_VERB.format('b')}(?:e?d|ed|pt)?{_TAIL}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_SO}(?:there\s+is|there['’]s|we\s+have|the\s+(?:data|sample)\s+(?:give|gives|provide|provides|offer|offers)|the\s+evidence\s+is)(?P<not4>n['’]t|\s+not|\s+no|\s+insufficient|\s+(?:do|does)\s+not\s+\w+)?(?:\s+(?:enough|sufficient|strong|significant|statistically|convincing))*(?:\s+evidence)?(?:\s+strong\s+enough)?\s+to\s+(?P<cout>reject)\s+{_NULL}{_TAIL}",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<not5>not\s+)(?P<dout>rejected)|(?P<eout>rejected)|(?P<ein>retained|accepted)", re.IGNORECASE),
)
_SPEAKS: Final = re.compile(r"reject|retain|\bkeep|\bkept|accept|discard|maintain|uphold|upheld", re.IGNORECASE)
_ABOUT: Final = re.compile(r"\b(?:null|hypothesis)\b|(?<!\w)H\s?_?\{?(?:\\text\{)?[0₀]", re.IGNORECASE)
_FAVOUR: Final = re.compile(
    r"\s+in\s+favou?r\s+of\s+(?:the\s+)?(?:alternative(?:\s+hypothesis)?|\$?H_?\{?[1aA₁]\}?\$?)(?!\w)"
)
_OTHER: Final = re.compile(
    r"alternative|(?<!\w)H\s?_?\{?(?:[1aA₁]|ₐ)(?!\w)|\b(?:when(?:ever)?|if|unless|would|or|but|however|although|maybe|perhaps|might|wrong|error|almost"
    r"|never|nothing|only|until)\b|\?",
    re.IGNORECASE,
)
_TRUTH: Final = re.compile(r"\W*(?P<word>yes|no)\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[;:—–.](?!\d)|,\s|\b(?:so|hence|therefore|thus)\b")
_LEVEL: Final = re.compile(
    r"(\d+(?:\.\d+)?)\s?\\?%|(?:α|\\alpha|alpha|level(?:\s+of)?)\s*=?\s*(0?\.\d+)|(0?\.\d+)\s+(?:significance\s+)?level"
)
_LONGEST: Final = 300


def decided(gold: str, text: str, question: str) -> Finding | None:
    """The finding where both texts decide about the null hypothesis; None of other golds and undecided answers."""
    expected = _decision(gold, known=False) if len(gold) <= _LONGEST else None
    if expected is None or len(text) > _LONGEST:
        return None
    levels, asked = _levels(text), _levels(question) | _levels(gold)
    found = _decision(text, known=True)
    if found is None or (levels and asked and not levels <= asked):
        return None
    return (
        equal("the same decision about the null hypothesis") if found == expected else different("the other decision")
    )


@lru_cache(maxsize=256)
def _decision(text: str, *, known: bool) -> bool | None:
    """Whether a text rejects the null hypothesis; None where it does not decide, or says both."""
    if _SPEAKS.search(text) is None or not (known or _ABOUT.search(text)):
        return None
    text = _FAVOUR.sub("", text.replace("*", ""))
    if _OTHER.search(text):
        return None
    said = {_said(clause.strip()) for clause in _CLAUSE.split(text) if _SPEAKS.search(clause)}
    truth = _TRUTH.match(text)
    decision = said.pop() if len(said) == 1 else None
    if decision is None or (truth is not None and known and (truth["word"].lower() == "yes") != decision):
        return None
    return decision


def _said(clause: str) -> bool | None:
    for form in _FORMS:
        found = form.fullmatch(clause)
        if found is not None:
            groups = {name for name, value in found.groupdict().items() if value is not None}
            denied = any(name.startswith("not") for name in groups)
            return denied != any(name.endswith("out") for name in groups)
    return None


def _levels(text: str) -> set[float]:
    found = (percent or share or level for percent, share, level in _LEVEL.findall(text))
    return {value if value < 0.5 else value / 100 for value in map(float, found)}
