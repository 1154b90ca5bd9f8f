"""Statements that say one property of their subject, by an adjective, a verb or a noun, denied or not, in one manner.

`The series converges absolutely`, `it is absolutely convergent` and `the convergence is absolute` are one; so are `the
matrix is singular` and `it isn't invertible`. The subject has to be a pronoun, or what the gold or the question names.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from grading.equivalence.finding import Finding, equal
from grading.equivalence.truths import denied_by_syllable, is_complement, property_of
from grading.language.responses.namewords import words
from grading.matching.stem import stem


class Trait(NamedTuple):
    """`manner` are adverbs such as `absolutely`; `subject` has the stem of its head first."""

    subject: tuple[str, ...]
    denied: bool
    manner: frozenset[str]
    name: str


_NOUN: Final = (
    r"(?:\s+(?:function|matrix|series|sequence|number|integer|reaction|group|graph|set|map|operator|process|system|test|curve"
    r"|point|lines?|vectors?|events?|one))?"
)
_NO_VERB: Final = r"(?!(?:is|are|was|not|that|which|who|whose|case|true|false)\s)"
_SUBJECT: Final = (
    rf"(?:(?P<subject>(?!it\s+is\b)(?:{_NO_VERB}[\w'’-]+\s+){{0,7}}?[\w'’-]+?)(?:\s+(?=[a-z])|(?=['’]s\b)))?"
)
_HOW: Final = r"(?P<how>(?:[a-z]+ly\s+){0,2})"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        r"the\s+(?P<name>convergence|divergence)(?:\s+of\s+(?P<subject>[\w\s]{3,40}?))?\s+is\s+(?P<not>not\s+)?(?P<adjective>[a-z]+)",
        rf"{_SUBJECT}(?:(?:is|are|was|were|['’]s)(?P<not>n['’]t|\s+not)?|(?:is|are)n['’]t)\s+(?:an?\s+)?{_HOW}(?P<name>[a-z-]{{4,}}){_NOUN}",
        rf"{_SUBJECT}(?:(?P<not>(?:does|do|did)(?:\s+not|n['’]t))\s+)?(?P<before>(?:[a-z]+ly\s+)?)(?P<name>converges?|diverges?|increases?|decreases?|exists?|commutes?)(?P<how>(?:,?\s+[a-z]+ly){{0,2}})",
        rf"(?P<not>not\s+)?(?:an?\s+)?{_HOW}(?P<name>[a-z-]{{4,}}){_NOUN}",
        rf"{_SUBJECT}(?:shows?|has|exhibits?)\s+(?P<adjective>[a-z]+)\s+(?P<name>convergence|divergence)",
    )
)
_REWRITTEN: Final = (
    (
        re.compile(r",?\s+but\s+(?:does\s+)?not\s+(?:converge\s+)?absolutely\b|,?\s+but\s+only\s+conditionally\b"),
        " conditionally",
    ),
    (re.compile(r",?\s+but\s+only\s+(?=[a-z]+ly\b)"), " "),
    (re.compile(r"\s(?:only|therefore|thus|hence|also|indeed|clearly|then)\s"), " "),
)
_OF_VERBS: Final = {"convergence": "convergent", "divergence": "divergent", "exist": "existent", "exists": "existent"}
_PRONOUNS: Final = frozenset({"it", "they", "this", "that", "these", "those"})
_PASSED: Final = words("the a an its their this that these both two given f")
_OTHERS: Final = words(
    "other second first third next previous left right left-hand right-hand one-sided inverse reverse dual conjugate "
    "opposite complementary remaining another different derived no some all every each most not"
)
"""Words that make of a subject another one."""
_UNSAID: Final = re.compile(
    r"[,;:?]|\b(?:if|unless|or|and|but|may|might|could|would|seems?|almost|nearly|neither|never|no|only)\b"
)
_FORMULA: Final = re.compile(r"\$[^$\n]{1,120}\$|\\\([^\n]{1,120}?\\\)")
_LONGEST: Final = 200


def same_trait(gold: str, text: str, question: str) -> Finding | None:
    """The finding where both say one property, in the same manner, of one subject; None where that is not certain."""
    if max(len(gold), len(text)) > _LONGEST:
        return None
    expected = _trait(gold)
    found = _trait(text) if expected is not None else None
    if expected is None or found is None or expected.manner != found.manner or not _of_one(expected, found, question):
        return None
    if expected.name == found.name:
        same = expected.denied == found.denied
    else:
        same = expected.denied != found.denied and (
            is_complement(expected.name, found.name)
            or expected.name in denied_by_syllable(found.name)
            or found.name in denied_by_syllable(expected.name)
        )
    return equal("the same property") if same else None


@lru_cache(maxsize=256)
def _trait(text: str) -> Trait | None:
    plain = " ".join(_FORMULA.sub(" f ", text).replace("*", "").split()).strip(" .!").lower()
    for pattern, meant in _REWRITTEN:
        plain = pattern.sub(meant, plain)
    if _UNSAID.search(plain):
        return None
    for form in _FORMS:
        found = form.fullmatch(plain)
        if found is None:
            continue
        said = {name: value or "" for name, value in found.groupdict().items()}
        if said["name"] in _PRONOUNS or said["name"].endswith("ly"):
            continue
        adjective = said.get("adjective", "")
        manner = (
            {adjective + "ly"}
            if adjective
            else {*said["how"].replace(",", " ").split(), *said.get("before", "").split()}
        )
        name = _OF_VERBS.get(said["name"]) or property_of(said["name"])
        denied = bool(said.get("not")) or "n't" in plain or "n’t" in plain
        return Trait(_named(said.get("subject", "")), denied, frozenset(manner), name)
    return None


def _named(subject: str) -> tuple[str, ...]:
    """The words of a noun phrase, the stem of its head first; empty for a pronoun."""
    front = re.split(r"\s(?:of|in|for|between|on|with|f)(?:\s|$)", subject, maxsplit=1)[0]
    named = [word for word in front.split() if word not in _PASSED]
    if not named or (len(named) == 1 and named[0] in _PRONOUNS):
        return ()
    return (stem(named[-1]), *named[:-1])


def _of_one(expected: Trait, found: Trait, question: str) -> bool:
    """Whether both speak of one subject."""
    if set(found.subject[1:]) & _OTHERS - set(expected.subject):
        return False
    if not found.subject:
        return True
    if expected.subject:
        return expected.subject[0] == found.subject[0]
    return found.subject[0] in {stem(word) for word in re.findall(r"[a-z]{3,}", question.lower())}
