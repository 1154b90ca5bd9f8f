"""Names in short answers of lively wording, where the question tells what in the sentence is not new.

    answer = exclamation* , sentence , tail*
    sentence = `not X but` NAME | front `:` NAME | front `in other words` NAME | given words , verb , NAME
             | `you mean` NAME | preposition NAME | `it was` NAME `'s doing`

What is new in a sentence whose other words the question has said is its answer. Words that deny, doubt, report or
compare leave none.
"""

import re
from collections.abc import Iterator
from typing import Final

from grading.language.manners import LEAVES, without_exclamation
from grading.language.responses import vocabulary as say
from grading.language.responses.corrections import taken_back
from grading.language.responses.namewords import COMPARED, NO_AGENT, RELATIVES_OF, words
from grading.language.responses.naming import unsaid
from grading.language.spellings import is_asked_name
from grading.matching.stem import stem

_LONGEST: Final = 200
_NAME: Final = r"(?P<name>[^\s,;:.?!()][^,;:?!()]{0,80}?)"
_NOT_BUT: Final = re.compile(
    rf"^\W*(?:(?:it|that)(?:['’]s|\s+is|\s+was)\s+|it\s+isn['’]t\s+|that\s+isn['’]t\s+)?(?:not\s+)?(?:the\s+|an?\s+)?[^,;:?!]{{2,50}}?,?\s+(?:(?:as|like)\s+[^,;:?!]{{3,60}}?,\s+)?but\s+(?:rather\s+|actually\s+|indeed\s+)?{_NAME}[\s.!]*$",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"^\W*(?:(?:it|that)(?:['’]s|\s+is|\s+was)\s+)?not\b|^\W*(?:it|that)\s+(?:isn|wasn)['’]t\b", re.IGNORECASE
)
_SAID_AGAIN: Final = re.compile(
    rf"^[^;:?!]{{2,100}}?(?:,|—|–|-)\s+(?:(?:or\s+)?in\s+other\s+words|that\s+is(?:\s+to\s+say)?|i\.\s?e\.|which\s+is\s+to\s+say|(?:better\s+|also\s+|otherwise\s+)?(?:known|called)\s+as|a\.?k\.?a\.?|so|hence|thus|namely|meaning|in\s+short),?\s+(?:it['’]s\s+|that['’]s\s+)?{_NAME}[\s.!]*$",
    re.IGNORECASE,
)
_HEADED: Final = re.compile(rf"^(?P<front>[^,;:?]{{2,80}}(?:,[^,;:?]{{2,60}})?)(?::|\s[—–-])\s+{_NAME}[\s.!]*$")
_MEANS: Final = re.compile(
    rf"^(?:you(?:['’]re|\s+are)?\s+(?:must\s+|surely\s+|probably\s+)?(?:mean(?:ing)?|want|after|looking\s+for|looking\s+at|thinking\s+of|talking\s+about|describing)|that\s+(?:has\s+to|must|can\s+only|would)\s+be|it\s+(?:has\s+to|must|can\s+only|would)\s+be|(?:gotta|got\s+to|has\s+to|must)\s+be|look\s+no\s+further\s+than|say\s+hello\s+to|meet|enter|none\s+other\s+than|that['’]d\s+be|it['’]d\s+be"
    rf"|they\s+go\s+by\s+the\s+name\s+of|it\s+goes\s+by\s+the\s+name\s+of|(?:we|people|chemists|physicists|biologists|mathematicians|doctors|geologists|linguists|economists|historians|grammarians|logicians|engineers|scientists|astronomers|folks|they|most\s+people|i)\s+(?:would\s+)?(?:call|name|term|dub)(?:\s+(?:(?:it|that|this|them|these|those)(?:\s+(?:one|sort|kind))?|such\s+an?\s+\w+))?(?:\s+(?:an?|the))?|(?:credit|thanks|the\s+credit|that\s+honou?r|the\s+honou?r)\s+(?:goes|belongs)\s+to|hats\s+off\s+to|blame|thank)\s+{_NAME}[\s.!]*$",
    re.IGNORECASE,
)
_TURN: Final = re.compile(
    r"^(?:it|that|this)(?:['’]s|\s+(?:is|was))\s+(?:all\s+)?(?:the\s+)?(?P<name>[^,;:?!]{2,60}?)['’]s?\s+(?:own\s+)?(?:turn|doing|work|idea|discovery|call|job|fault|brainchild|baby|invention|creation|achievement|handiwork|masterpiece|feat|claim\s+to\s+fame|business|department|honou?r|capital)\b[^,;:?!]{0,40}$",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(
    r"^(?:(?:(?:right|down|up|deep|out|over|way|back|just|only|mostly|mainly|here|there|inside)\s+){0,3})(?:in|on|at|from|to|by|of|under|inside|within|through|with|during|around)\s+"
    rf"{_NAME}[\s.!]*$",
    re.IGNORECASE,
)
_DOES: Final = re.compile(
    r"^(?P<name>(?:the\s+|an?\s+)?[^,;:?!]{2,50}?)\s+(?:(?:does|did|do|is|was|can|has)(?:\s+(?:it|that|so|this|the\s+(?:job|trick)))?|[a-z]+(?:ed|ook|ote|ew|ade|aid|on|ot|ld|s)\s+(?:it|that|them|this\s+one|the\s+lot))[\s.!]*$",
    re.IGNORECASE,
)
"""`The bishop does`, `Bobby Fischer took it`"""
_APPOSED: Final = re.compile(
    r"^(?:that|this|the|our|your|an?)\s+(?!(?:[^,]*\s)?(?:is|are|was|were|has|have|had|does|did|do)\s)(?:[^,;:?!\s]+\s+){2,8}[^,;:?!\s]+,\s+(?:the|an?|our|good\s+old)\s+(?P<name>[^,;:?!]{2,40}?)[\s.!]*$",
    re.IGNORECASE,
)
"""`That little cauliflower at the back, the cerebellum.`"""
_READ_OFF: Final = re.compile(
    r"^you(?:['’]d|\s+would|\s+can|['’]ll)?\s+(?!(?:confuse|mistake|mix|compare|replace|swap|pair)\b)[a-z]+\s+(?:it|that|this|them)\s+(?:off|with|on|by|using|from|in)\s+(?:an?|the)\s+(?P<name>[^,;:?!]{2,40}?)[\s.!]*$",
    re.IGNORECASE,
)
"""`You'd read it off a barometer.`"""
_PLAIN_NAME: Final = re.compile(r"(?:(?:the|an?)\s+)?[^\s,;:?!.]+(?:\s+[^\s,;:?!.]+){0,4}[\s.!]*", re.IGNORECASE)
_ASKS_PLACE: Final = re.compile(
    r"^\W*(?:in|on|at|from|to|by|of|under|through|with|during|around)?\s*(?:where|which|what|whom?)\b|\b(?:where|in\s+(?:which|what))\b",
    re.IGNORECASE,
)
_BEFORE_NAME: Final = re.compile(
    r"^(?:(?:the|an?|our|that|this|just|simply|of\s+course|good|old|dear|mighty|humble|famous|great|one\s+and\s+only|legendary|very|same|certain|late|trusty|so-called|plain|it['’]s|friend|little|big|clever|beloved|mere|well-known)\s+)+",
    re.IGNORECASE,
)
_VERB_END: Final = re.compile(r"(?:s|ed|t|ght|ew|oke|ose|ote|und|ave|ame|id|old|ent)$")
_NO_VERBS: Final = (
    COMPARED
    | NO_AGENT
    | RELATIVES_OF
    | words(
        "resembles beats outweighs lacks lacked denies denied rejects rejected excludes excluded misses"
        " missed hates avoids avoided follows followed precedes preceded predates neighbours neighbors borders"
        " contains exceeds dwarfs rivals mimics imitates fights destroys destroyed eats kills opposes opposed"
        " without lost"
    )
)
_PASSED: Final = words(
    "the a an of in on at to by for with from and its it this that these those which what who whom whose"
    " how is are was were be been do does did has have had you we they he she i s t as"
)
_SORTS: Final = words("letter word term number element name")
_WORD: Final = re.compile(r"[^\W_]+")


def lively_names(text: str, question: str) -> Iterator[str]:
    """The names that a short text says so, each with and without words that only say what sort of thing it is."""
    text = " ".join(text.replace("*", "").split())
    if not text or len(text) > _LONGEST:
        return
    said = without_exclamation(text)
    for name in _named(said, question):
        yield from _forms(name, question)


def _named(text: str, question: str) -> Iterator[str]:
    denied = _NOT_BUT.match(text) if _DENIES.match(text) else None
    if denied is not None:
        if not unsaid(denied["name"]) and not taken_back(denied["name"]):
            yield denied["name"]
        return
    text = LEAVES.sub("", _WHO_ELSE.sub(".", text))
    text = _head(text) or text
    if taken_back(text) or unsaid(_SURE.sub("", text)):
        return
    for form in (_MEANS, _TURN, _SAID_AGAIN, _DOES, _APPOSED, _READ_OFF):
        found = form.match(text)
        if found is not None:
            yield found["name"]
    headed = _HEADED.match(text)
    if headed is not None and not _ANOTHER.search(headed["front"]):
        yield headed["name"]
    placed = _PLACED.match(text) if question and _ASKS_PLACE.search(question) else None
    if placed is not None:
        yield placed["name"]
    if _PLAIN_NAME.fullmatch(text):
        yield text
    if question:
        yield from _new(text, question)


def _head(text: str) -> str | None:
    """What stands before a remark of free words that unsettles nothing and names nothing else; None of other texts."""
    found = re.search(r"(?<=[^\W\d_])(?:[,;]|\s[—–-])\s+", text)
    if found is None:
        return None
    head, tail = text[: found.start()], _MANNERLY.sub("", text[found.end() :]).strip(" .!")
    if len(head.split()) > _MOST or _JOINS.match(tail) or (tail and _LOWER.search(tail) is None):
        return None
    unsettled = unsaid(_SURE.sub("", tail)) or taken_back(tail) or _AGAINST.search(tail) or say.REPORTED.search(tail)
    return None if unsettled or (tail and len(tail.split()) < _FEWEST) else head


_MOST, _FEWEST = 7, 3
_MANNERLY: Final = re.compile(
    r"\b(?:if|should)\s+you\s+(?:want|like|care|must|wish)\s+(?:to\s+)?(?:sound|be|know|show|look|ask|impress)\b[^,;]{0,40}",
    re.IGNORECASE,
)
_JOINS: Final = re.compile(
    r"(?:and|or|nor|plus|as\s+well|not|then|along|together|in\s+other\s+words|that\s+is|i\.\s?e|so|hence|thus|aka|also|known|namely|which\s+is|called|the\s+[a-z]+\W*$|an?\s+[a-z]+\W*$)\b",
    re.IGNORECASE,
)
_LOWER: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|did|must|can|will|the|an?|my|our|your|his|her|their|its|i|we|you|he|she|it|they|like|of|in|from|to|at|for|what|who|which|working|after)\b"
)
_AGAINST: Final = re.compile(
    r"\b(?:then|next|now|formerly|close|second|third|rather|unlike|versus|while|whereas|though|although|only|except|half|part|once|until|before|opposed|opposite|confused?|mixed|similar|related|wish|dream|joke|lie|trap|gets?\s+the\s+credit|instead|replac\w+|correct\w*|answer)\b",
    re.IGNORECASE,
)
"""Words of a remark with which another name may be the answer."""
_WHO_ELSE: Final = re.compile(r",\s+(?:who|what|where)\s+else\?$", re.IGNORECASE)
_SURE: Final = re.compile(
    r"\b(?:would|must|could\s+only)\s+be\b|\bno\s+(?:other\s+than|doubt)\b|\bnone\s+other\s+than\b|\bno\s+further\s+than\b|\bpeople\b",
    re.IGNORECASE,
)
_ANOTHER: Final = re.compile(
    r"\b(?:opposite|contrary|reverse|converse|second|next|previous|other|another|runner|least|last|different|example|hint|question|similar|related|like|unlike|compare|versus|near|almost|before|after|cousin|rival|neighbou?r|reverse|parent|child|wrong|half|part|given|note)\w*\b",
    re.IGNORECASE,
)
"""Words of a heading with which what stands behind it is not what was asked for."""


def _stems(text: str) -> set[str]:
    return {stem(word.casefold()) for word in _WORD.findall(text)}


def _new(text: str, question: str) -> Iterator[str]:
    """The object of a sentence whose subject the question has named, behind any verb that compares nothing."""
    asked = _stems(question) | _PASSED
    tokens = text.strip(" .!").split()
    for place in range(1, min(len(tokens) - 1, 12)):
        word = tokens[place].casefold()
        if not _VERB_END.search(word) or word in _NO_VERBS or not word.isalpha():
            continue
        subject = {stem(each.casefold()) for each in _WORD.findall(" ".join(tokens[:place]))}
        if subject - {"it", "that", "this", "they", "he", "she"} <= asked and subject:
            rest = tokens[place + 1 :]
            while rest and rest[0].casefold() in ("you", "us", "me", "up", "in", "the", "a", "an", "to", "by", "as"):
                rest = rest[1:]
            if rest and not any(each.endswith((",", ";", ":")) for each in rest):
                yield " ".join(rest)
            return


def _forms(name: str, question: str) -> Iterator[str]:
    """A name, without praise or nouns of the question before it, and without the noun that is asked for behind it.

    Another noun behind it makes another name: `hydrogen peroxide` is no hydrogen.
    """
    name = name.strip(" .,!'\"“”‘’")
    bare = _BEFORE_NAME.sub("", name)
    yield name
    if bare != name:
        yield bare
    asked = _stems(question) | _SORTS
    said = bare.split()
    while len(said) > 1 and stem(said[0].casefold()) in asked | {"letter", "greek"}:
        said = said[1:]
        yield " ".join(said)
    said = bare.split()
    while len(said) > 1 and (said[-1].casefold() in _SORTS or is_asked_name(said[-1], question)):
        said = said[:-1]
        yield " ".join(said)
