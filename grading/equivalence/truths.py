"""Golds yes and no: what a sentence says of the property that the question asks about.

`Is 91 prime?` is answered by `it isn't prime` and by `91 = 7·13, so it's composite`. Only a sentence about the
question's subject counts, and only a property that the question ends in, or the one that is its opposite.
"""

import re
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, different, equal
from grading.language import words

_COMPLEMENTS: Final = (
    "prime composite",
    "convergent divergent",
    "true false",
    "invertible singular",
    "correct wrong",
)
"""Pairs of which one holds where the other does not; those that a syllable denies need no list."""
_CONTRARIES: Final = (
    "even odd",
    "positive negative",
    "increasing decreasing",
    "endothermic exothermic",
    "acidic basic",
    "convex concave",
)
"""Pairs that do not hold together, and may both fail: what is not odd need not be even."""
_SAME: Final = {
    **dict.fromkeys(("converge", "converges", "converged"), "convergent"),
    **dict.fromkeys(("diverge", "diverges", "diverged"), "divergent"),
    **dict.fromkeys(("increase", "increases"), "increasing"),
    **dict.fromkeys(("decrease", "decreases"), "decreasing"),
    "alkaline": "basic",
    "nonsingular": "invertible",
    "incorrect": "wrong",
    "right": "correct",
    "commutative": "abelian",
}
_COMPLEMENT, _CONTRARY = (
    {one: other for pair in pairs for one, other in (pair.split(), list(reversed(pair.split())))}
    for pairs in (_COMPLEMENTS, _CONTRARIES)
)
_ASKS: Final = re.compile(
    r"(?:^|[.!?:,]\s+|\n)(?P<verb>is|are|was|were|does|do|did)\s+(?!not\b)(?P<asked>[^?\n]{2,200})\?\s*$", re.IGNORECASE
)
_BEHIND: Final = re.compile(
    r"\s+(?:on|over|at|in|under|for|everywhere|mod|modulo|by|to|as)\b(?!\s*\w*\s*\?).*$", re.IGNORECASE | re.DOTALL
)
_NOUNS: Final = (
    r"(?:numbers?|integers?|functions?|matrix|matrices|sets?|series|sequences?|vectors?|group|ring|field|graph|reactions?"
    r"|molecules?|compounds?|substances?|tests?|differences?|equations?|systems?|subspace|tree|cycle|relation|estimator|process|solution|operator|map|statement|events?|variables?)"
)
_PROPERTY: Final = re.compile(rf"(?P<property>[A-Za-z]{{3,}}(?:-[a-z]+)?)(?:\s+{_NOUNS})?\s*$")
_NOT_PROPERTIES: Final = frozenset(
    {"number", "numbers", "integer", "function", "matrix", "this", "that", "them", "exist"}
)
_NEGATIVE: Final = re.compile(r"^(?:non-?|un|in|im|ir|dis)(?=[a-z]{4})")
_NO_DENIAL: Final = frozenset({"flammable", "creasing", "variant", "habited", "valuable", "jective"})
"""What begins with such a syllable and is no denial of it."""
_VERB: Final = (
    r"(?P<verb>\s+(?:is|are|was|were|does|do|did)\b|['’](?:s|re)\b"
    r"|\s+(?:isn|aren|wasn|weren|doesn|don|didn)(?=['’]t\b)|(?=\s+[a-z]+s\b))"
)
_SHOWN: Final = r"(?:follows|means|shows?|see|know|conclude|implies|find)\s+that"
_CLAIM: Final = re.compile(
    rf"(?:^|[,;:.—–]\s+|\b(?:so|hence|thus|therefore|and|{_SHOWN})\s+)(?P<subject>[^,;:.!?—–]{{1,60}}?){_VERB}(?P<not>\s+not\b|['’]t\b)?\s+"
    rf"(?:(?:a|an|clearly|indeed|thus|therefore|hence|actually|also)\s+){{0,2}}(?P<how>[a-z]+ly\s+)?(?P<property>[A-Za-z]{{3,}}(?:-[a-z]+)?)"
    rf"(?:\s+{_NOUNS})?(?=[\s.!]*$|\s*[,;:(—–.]|\s+(?:since|because|as|by|there|here|on|for|over|at|in)\b)",
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    rf"^\W*(?P<not>not\s+)?(?:(?:a|an)\s+)?(?P<how>[a-z]+ly\s+)?(?P<property>[A-Za-z]{{3,}}(?:-[a-z]+)?)(?:\s+{_NOUNS})?(?=[\s.!*]*$|\s*[,;:(—–]|\s+(?:since|because)\b)",
    re.IGNORECASE,
)
_ELLIPTIC: Final = re.compile(
    r"(?:^\W*(?:indeed,?\s+)?|[,;:.—–]\s+(?:so\s+|hence\s+|thus\s+|therefore\s+|and\s+)?)(?:it|this|that|they|these)(?P<verb>\s+(?:is|are|was|were|does|do|did)|['’](?:s|re)(?=\s+not)|\s+(?:isn|aren|wasn|weren|doesn|don|didn)(?=['’]t\b))(?P<not>\s+not\b|['’]t\b)?"
    r"(?=[\s.!*]*$|\s*[,;:(—–]|\s+(?:since|because)\b)",
    re.IGNORECASE,
)
"""`it isn't`, where the property itself is left to the question"""
_MANNERS: Final = frozenset(
    {"strictly", "absolutely", "conditionally", "uniformly", "monotonically", "linearly", "continuously", "pointwise"}
)
_FORMS: Final = {"re": "is", "s": "is", "are": "is", "was": "is", "were": "is", "do": "does", "did": "does"}
_HEAD: Final = re.compile(r"\s(?:of|with|in|on|for|from|between|given|whose)\s|[(=]|(?<=[a-z]{3})\s+(?=[^a-z\s])")
"""What stands behind the noun of a subject."""
_PRONOUNS: Final = frozenset({"it", "this", "that", "they", "these", "those", "he", "she"})
_PASSED: Final = frozenset(
    {"the", "a", "an", "so", "thus", "hence", "therefore", "then", "given", "and", "is", "of", "number", "function"}
)
_UNSOUND: Final = re.compile(
    r"\b(?:if|unless|but|however|although|though|while|might|may|could|would|should|maybe|perhaps|probably|possibly|seems?|appears?|looks?|only|sometimes|almost|nearly|neither|nor|never"
    r"|claims?|said|says|suppose|assum\w+|otherwise|whether|or|think|thought|believe\w*|except|wrong|false\s+to|deny|untrue|unlikely|likely|not\s+sure|unclear|unknown|both|until|instead|rather)\b|\?|(?:\bnot?|n['’]t)\b[^,;.]{0,40}\bthat\b",
    re.IGNORECASE,
)
_SHORT: Final = 200


def claimed(gold: str, text: str, question: str) -> Finding | None:
    """The finding where a short answer says what was asked about, or its opposite; None of other answers."""
    expected = {"yes": True, "true": True, "no": False, "false": False}.get(words.plain(gold))
    asked = _asked(question) if expected is not None and question and len(text) <= _SHORT else None
    if asked is None or expected is None or _UNSOUND.search(text):
        return None
    wanted, how, subject, verb = asked
    said = {held for found in _claims(text, subject) if (held := _holds(found, wanted, how)) is not None}
    said |= {found["not"] is None for found in _ELLIPTIC.finditer(text) if _form(found["verb"]) == verb}
    if len(said) != 1:
        return None
    return equal("what was asked about is said so") if said.pop() == expected else different("the opposite is said")


@lru_cache(maxsize=64)
def _asked(question: str) -> tuple[str, str, str, str] | None:
    """The property that a question asks about, the adverb before it, its subject, and its verb."""
    found = _ASKS.search(question[-400:].rstrip())
    if found is None or re.search(r"\b(?:or|not|n['’]t|if|any|every|all|some|both|either)\b", found["asked"]):
        return None
    asked = found["asked"].replace("$", "").rstrip()
    for part in (_BEHIND.sub("", asked), asked):
        last = _PROPERTY.search(part)
        if last is not None and last.start() and last["property"].lower() not in _NOT_PROPERTIES:
            how = re.search(r"\b([a-z]+ly)\s*$", asked[: last.start()])
            subject = asked[: how.start() if how is not None else last.start()]
            return property_of(last["property"]), how[1] if how is not None else "", subject, _form(found["verb"])
    return None


def _form(verb: str) -> str:
    """`is` or `does` for a verb in any of its forms."""
    bare = re.sub(r"[\s'’]|n$", "", verb.lower())
    return _FORMS.get(bare, bare)


def _terms(text: str) -> list[str]:
    return [term for term in re.findall(r"[^\W_]+|[√π]", text.lower()) if term not in _PASSED]


def property_of(word: str) -> str:
    word = word.lower()
    return _SAME.get(word, word)


def _claims(text: str, asked: str) -> list[re.Match[str]]:
    """The claims of a text that are about the subject of the question."""
    text = text.replace("$", "").replace("*", "")
    bare = _BARE.match(text)
    found = [bare] if bare is not None else []
    for each in _CLAIM.finditer(text):
        subject = re.sub(rf"^.*\b(?:so|hence|thus|therefore|{_SHOWN})\s+", "", each["subject"].lower())
        if subject.strip() in _PRONOUNS or _is_subject(subject, asked):
            found.append(each)
    return found


def _is_subject(named: str, asked: str) -> bool:
    """Whether words name the subject of a question: all of it, or its noun (`the series` of `the series 1/n`)."""
    terms, known = _terms(named), _terms(asked)
    if not terms:
        return re.match(r"\s*the\s+(\w+)\s*$", named) is not None and named.split()[-1] in asked.lower().split()
    head = _HEAD.split(asked, maxsplit=1)[0]
    return set(terms) == set(known) or (" and " not in head and set(terms) <= set(_terms(head)))


def _holds(found: re.Match[str], asked: str, how: str) -> bool | None:
    """Whether a claim says that what is asked about holds; None where it says nothing of it.

    What is strictly so is so, and what is not so is not strictly so, but not the other way round.
    """
    manner = (found["how"] or "").strip().lower()
    if manner and manner not in _MANNERS | {how}:
        return None
    said, denied = property_of(found["property"]), found["not"] is not None
    if said == asked or (said.rstrip("s") == asked.rstrip("s") and len(said) > 3):
        other = manner if denied else how
        return not denied if manner == how or not other or other == "linearly" else None
    if manner and how and manner != how:
        return None
    if _CONTRARY.get(said) == asked:
        return None if denied else False
    opposite = _COMPLEMENT.get(said) == asked or said in denied_by_syllable(asked) or asked in denied_by_syllable(said)
    return denied if opposite else None


def is_complement(one: str, other: str) -> bool:
    """Whether of two properties one holds where the other does not."""
    return _COMPLEMENT.get(one) == other


def denied_by_syllable(word: str) -> tuple[str, ...]:
    """The word that a syllable of denial stands before (`independent`, `non-zero`)."""
    bare = _NEGATIVE.sub("", word)
    return () if bare == word or bare in _NO_DENIAL else (bare,)
