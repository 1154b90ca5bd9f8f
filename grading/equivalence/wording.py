"""Golds in words: whether an answer says the same words, alone or in a plain statement."""

import re
from functools import lru_cache

from grading.equivalence.finding import Finding, different, equal, unknown
from grading.language import words
from grading.language.responses import tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.segments import MARK, segmented
from grading.language.tree import Text

_SHORT = 200
_SENTENCE = 4
"""From this many words on a text is a sentence."""
_MOST_WORDS = 30
_SPELT_OUT = re.compile(r"([^()]{1,60}?)\s+\((?!(?:not|or|and|maybe|was|wrong)\b)[A-Za-z ,-]{3,40}\)")
"""`NaCl (sodium chloride)`"""
_COMPLEMENT = re.compile(r"^.{6,200}\b(?:is|are)\s+((?!not\b)[\w\s-]{2,40})[.!]?\s*$", re.DOTALL)
_WRAPPED = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|boxed|mbox|operatorname|emph)\b|[{}*`\"“”]|\\[,;:! ]")
_CONVERSE = (
    (re.compile(r"\b(?:doesn't|don't|do\s+not)\s+exist\b"), "does not exist"),
    (re.compile(r"\b(?:does\s+not|doesn't|do\s+not|don't|fails?\s+to)\s+converge\b|\bnot\s+convergent\b"), "diverges"),
    (re.compile(r"\b(?:does\s+not|doesn't|do\s+not|don't)\s+diverge\b|\bnot\s+divergent\b"), "converges"),
)
"""What is denied of one is said of the other."""
_STEMS = {
    **dict.fromkeys(("converge", "converges", "convergent", "konvergiert", "konvergent", "converge."), "converge"),
    **dict.fromkeys(("diverge", "diverges", "divergent", "divergiert", "diverges."), "diverge"),
    **dict.fromkeys(("fausse", "faux"), "faux"),
    **dict.fromkeys(("vraie", "vrai"), "vrai"),
    **dict.fromkeys(("verdadera", "verdadero"), "verdadero"),
    **dict.fromkeys(("falsa", "falso"), "falso"),
    **dict.fromkeys(("increases", "increasing", "increase"), "increase"),
    **dict.fromkeys(("decreases", "decreasing", "decrease"), "decrease"),
}
"""Forms of one word."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARTICLES = _words("a an the un une le la ein eine der die das el os")
_ADVERBS = _words(
    "always indeed therefore thus clearly hence then also exactly simply now in fact actually certainly "
    "definitely necessarily precisely donc ainsi"
)
_LINKS = _words("is are was were be being becomes become remains on by via through called as 's named")
_FOREIGN_LINKS = _words("est sont ist sind es son é são è sono c'est")
_VERBS = _words("converge diverge exists exist oscillates increase decrease doubles halves")
"""What a subject may do without a linking verb."""
_LEADING = _words("so thus hence therefore then finally yes no and we i conclude see find that it follows consequently")
_FALLS = _words("falls fall lands land occurs happens is proceeds goes runs reacts known classified")
"""Verbs before `on`, `by`, `as`."""
_DETERMINERS = _words("the this that it these those our such both each every all l' le la")
_NOUNS = _words(
    "mechanism reaction process type group geometry molecule gas distribution bond structure series "
    "integral function point sequence product one statement claim number day shape curve solution case"
)
"""Nouns that may follow what was asked for."""
_TAILS = _words(
    "of because since by as at in with so which to due here where from under according parce denn weil porque"
)
_SETTING = _words("since because as although though while whereas given despite after")
_OPENERS = (
    _SETTING
    | _ADVERBS
    | _words(
        "by in for from on at with using under of here overall considering combining comparing looking when if to all "
        "altogether together finally so this that these the it we i you "
        "there note answer yes no par dans selon nach bei por"
    )
)
"""Words that begin what stands before a comma and the answer (`By symmetry, blue`)."""
_REMARK = re.compile(r"\((?=[^()]*\b(?:is|are|was|were)\b)[^()]*\)")
_BOLD = re.compile(r"\*\*([^*\n]{1,80})\*\*")
_UNSOUND = re.compile(
    r"\b(?:if|unless|when|whenever|or|either|would|could|might|may|almost|nearly|virtually|practically|partly|half|after"
    r"|before|latest|earliest|most|least|until|opposite|short|except|but|only|seems?|looks?|appears?|resembles?|stops?"
    r"|used\s+to|sometimes|often|usually|rarely|maybe|perhaps|possibly|like|instead|rather|other|neither|nor|than"
    r"|call|calls|nobody|wait|edit|correction|actually|sorry)\b|\?",
    re.IGNORECASE,
)
_FOREIGN = re.compile(r"\b(?:est|ist|es|são|sono|è|é|is\s+niet)\b|\bn['’]est\b", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]{2,4}[a-z]?\d{1,2}[A-Za-z]{0,2}|[A-Z]\d[a-z][A-Z]")
"""A name in letters and digits (`SN2`, `E1cB`), whose digits may stand as indexes."""


def compare_words(expected: Text, source: str, given: str) -> Finding:
    """Compare words; a sentence that says more than the gold, or less, is left to a judge."""
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
    if len(found.split()) < _SENTENCE and sorted(stemmed(found)) == sorted(stemmed(expected.words)):
        return equal("the same words")
    if is_code(source):
        spelling = "[_{}]*".join(map(re.escape, source.strip()))
        given = re.sub(rf"\$?(?:\\\\(?:mathrm|text)\s*\{{\s*)?{spelling}\}}*\$?", source.strip(), given)
    if _rival(given, expected.words, words.plain(source)):
        return different("another text stands in bold type")
    if says(given, expected.words) or says(given, words.plain(source)):
        return equal("a sentence that says it")
    return _contained(expected.words, found, given)


def _contained(gold: str, found: str, given: str) -> Finding:
    """The verdict on other words: left to a judge where one text holds the other and neither denies it."""
    first, second = set(gold.split()), set(found.split())
    long = len(first) >= _SENTENCE or len(second) >= _SENTENCE
    if not (long and second and (first <= second or second <= first)) or words.negated(gold, found):
        return different("other words than the reference's")
    unsound = _UNSOUND.search(given) or say.DENIED.search(given)
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
    return re.sub(r"[\s_$.]", "", _WRAPPED.sub("", given)) == gold.strip()


def stemmed(text: str) -> list[str]:
    """The words of a text, the forms of one word as one."""
    return [_STEMS.get(word, word) for word in text.split()]


@lru_cache(maxsize=64)
def _spoken(text: str) -> tuple[str, ...]:
    """The words of a text's last statement, in small letters, formulas as `f`."""
    response = segmented(_WRAPPED.sub(" ", text))
    told = [each.text for each in response.sentences if not say.ASIDE.search(each.text)]
    if not told:
        return ()
    phrases = list(say.STRONG.finditer(told[-1]))
    last = told[-1][phrases[-1].end() :] if phrases and say.LEAD.match(told[-1][: phrases[-1].start()]) else told[-1]
    last = re.sub(MARK, " f ", _REMARK.sub(" ", last).replace("’", "'"))
    for denied, meant in _CONVERSE:
        last = denied.sub(meant, last)
    return tuple(re.findall(r"[a-zà-ÿ]+'(?=[a-zà-ÿ]{2})|'s\b|[\w-]+|[,;:?]", last.casefold()))


def says(given: str, gold: str) -> bool:
    """Whether the last statement of an answer says the gold of its subject, and nothing that unsettles it."""
    wanted = stemmed(gold)
    if not wanted or len(wanted) > _SENTENCE or len(given) > 4_000:
        return False
    spoken = [_STEMS.get(word, word) for word in _spoken(given)]
    while len(spoken) > 1 and spoken[0] in _LEADING | {","} and spoken[1] not in _LINKS | _FOREIGN_LINKS:
        spoken = spoken[1:]
    if len(spoken) > _MOST_WORDS:
        return False
    bare = [(place, word) for place, word in enumerate(spoken) if word not in _ARTICLES or word in wanted]
    for start in range(len(bare) - len(wanted) + 1):
        window = bare[start : start + len(wanted)]
        if sorted(word for _, word in window) != sorted(wanted):
            continue
        before, after = spoken[: window[0][0]], spoken[window[-1][0] + 1 :]
        if wanted == ["neither"] and re.fullmatch(r"\w+ nor \w+", " ".join(after)):
            after = []
        if {"because", "since"} & set(before[1:]):
            continue
        if not _another_first(before) and _sound(before, after) and _links(before, window[0][1]) and _follows(after):
            return True
    return False


def _rival(given: str, *golds: str) -> bool:
    """Whether the last statement names another text in bold type (`The 15th is **red**, and the next one is blue`)."""
    last = re.split(r"(?<=[.!?])\s+|\n", given.strip())[-1]
    bold = [words.plain(part) for part in _BOLD.findall(last)]
    pairs = [(gold, part) for part in bold if part for gold in golds if gold]
    return bool(bold) and not any(a in b or b in a or sorted(stemmed(a)) == sorted(stemmed(b)) for a, b in pairs)


def _another_first(before: list[str]) -> bool:
    """Whether a clause that says something else stands before: `it is red; the next one is`."""
    if (before and before[0] in _SETTING) or {"so", "thus", "hence", "therefore"} & set(before):
        return False
    said = next((place for place, word in enumerate(before) if word in _LINKS | _FOREIGN_LINKS), len(before))
    return any(word in (";", "and", ",") for word in before[said + 1 :]) and any(
        word in _LINKS | _FOREIGN_LINKS for word in before[said + 1 :]
    )


def _sound(before: list[str], after: list[str]) -> bool:
    """Whether nothing around what is said denies, doubts, bounds or exchanges it."""
    rest = " ".join([*before, "|", *after])
    if _UNSOUND.search(rest) or say.DENIED.search(rest) or say.DOUBTED.search(rest) or say.REPORTED.search(rest):
        return False
    return not (_FOREIGN_LINKS & set(before) and tongues.NO.search(rest))


def _links(before: list[str], first: str) -> bool:
    """Whether what stands before a complement joins it to a subject."""
    before = [word for word in before if word not in _ARTICLES or word == "the"]
    while before and (before[-1] in _ADVERBS or before[-1] == "the"):
        before = before[:-1]
    if not before:
        return True
    last = before[-1]
    if last in ("on", "by", "via", "through", "as"):
        return len(before) > 1 and before[-2] in _FALLS
    if last in _LINKS or last in _FOREIGN_LINKS or last == "'s":
        return len(before) > 1 or last == "c'est"
    if last == "," and before[0] not in _OPENERS and not (_LINKS | _FOREIGN_LINKS) & set(before):
        return False  # One of a list: `London, Paris`.
    if last == "c'" or (last in (",", ":") and len(before) <= _SENTENCE):
        return True
    named = before[0] in _DETERMINERS or before[0] == "f"
    return first in _VERBS | {"does"} and named and not set(before) & (_LINKS | {",", ":"})


def _follows(after: list[str]) -> bool:
    """Whether what stands behind a complement is a clause of reason or of place, or the noun it belongs to."""
    if after and after[0] in _NOUNS:
        after = after[1:]
    while after and after[0] in (",", ";", ":"):
        after = after[1:]
    return not after or after[0] in _TAILS
