"""What the last statement of a text says in words: a subject, a link, and what is said of it (`The sky is blue`)."""

import re
from functools import lru_cache

from grading.language.responses import tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.asides import argument, ended
from grading.language.responses.segments import MARK, segmented
from grading.language.responses.telling import is_named_before
from grading.language.responses.values import tail_of
from grading.language.upright import UPRIGHT

_SENTENCE = 4
"""From this many words on a text is a sentence."""
_MOST_WORDS = 30
_ONE_SENTENCE = 300
WRAPPED = re.compile(rf"{UPRIGHT.pattern}|[{{}}*`\"“”„«»]|\\[,;:! ]")
_CONVERSE = (
    (re.compile(r"\b(?:doesn't|don't|do\s+not)\s+exist\b"), "does not exist"),
    (re.compile(r"\b(?:does\s+not|doesn't|do\s+not|don't|fails?\s+to)\s+converge\b|\bnot\s+convergent\b"), "diverges"),
    (re.compile(r"\b(?:does\s+not|doesn't|do\s+not|don't)\s+diverge\b|\bnot\s+divergent\b"), "converges"),
)
"""What is denied of one is said of the other."""
_NOT_BUT = (
    (
        re.compile(
            r"\b(?:is|was|are|were)(?:n['’]t|\s+not)\s+[^,;:.?]{2,60}?,?\s+but\s+(?:rather\s+)?(?=\w)", re.IGNORECASE
        ),
        "is ",
    ),
    (
        re.compile(
            r"\b(?:it|this|that)(?:['’]s\s+not|\s+(?:is|was)(?:n['’]t|\s+not))\s+[^,;:.?]{2,60}[,;]\s+(?=(?:it|this|that)(?:['’]s|\s+(?:is|was))\s)",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(
            r"(?<=\w\s)(that|which|who)\s+(?:is|are|was|do|does|did|has|have|can)n['’]t\s+[^,;:.?]{2,60}?(?=\s(?:is|was)\s)",
            re.IGNORECASE,
        ),
        r"\1 is there",
    ),
)
"""What is denied in a clause of its own, before what is said: `it isn't red, it's blue`."""
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
_SORTS = _words(
    "city town village state country kingdom island element planet compound gas metal month year day name case law "
    "principle process method author poet novelist physicist chemist mathematician composer painter philosopher "
    "engineer king queen president"
)
"""Nouns that only say what sort of thing or person is named behind them."""
_MAKERS = _words("author poet novelist physicist chemist mathematician composer painter philosopher engineer")
"""Of these, behind `of` stands what they made."""
_LINKS = _words("is are was were be being becomes become remains on by via through called as 's named")
_FOREIGN_LINKS = _words("est sont ist sind es son é são è sono c'est")
_VERBS = _words(
    "converge diverge exists exist oscillates increase decrease doubles halves rise rises fall falls drop drops "
    "grow grows shrink shrinks vanishes triples"
)
"""What a subject may do without a linking verb."""
_LINKED = re.compile(
    rf"(?<!\w)(?:be|{'|'.join(sorted(map(re.escape, _LINKS | _FOREIGN_LINKS)))})(?!\w)"
    r"|\b(?:is|are|was|were)n['’]t\b|['’]s(?!\w)|[:–—]"
)
_LEADING = _words("so thus hence therefore then finally yes no and we i conclude see find that it follows consequently")
_PLACED = _words(
    "is are was were lies lie located situated found born based held stands built place made formed produced stored "
    "happens occurs carried"
)
"""Verbs before a place or a year."""
_FALLS = _words("falls fall lands land occurs happens is proceeds goes runs reacts known classified")
"""Verbs before `on`, `by`, `as`."""
_MADE = _words(
    "written painted composed directed invented discovered spoken said sung designed built created founded proposed "
    "formulated introduced developed published made caused produced proved won named called coined"
)
"""Participles before `by` and the one who did it."""
_DETERMINERS = _words("the this that it these those our such both each every all l' le la")
_NOUNS = _words(
    "mechanism reaction process type group geometry molecule gas distribution bond structure series "
    "integral function point sequence product one statement claim number day shape curve solution case"
)
"""Nouns that may follow what was asked for."""
_TAILS = _words(
    "of because since by as at in with so which to due here where from under according parce denn weil porque"
)
_PLACING = _words("on by via through as")
_RELATIVE = _words("which who that where")
_SETTING = _words("since because as although though while whereas given despite after")
_MODIFIED = _words("centred centered having passing opening located symmetric oriented translated rotated inscribed")
"""Words behind a noun that say more of it (`a circle centred at the origin`)."""
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
_REMARK = re.compile(r"\s\((?!(?:not|or|and|maybe|was|wrong|no)\b)[^()?]{1,160}\)")
"""A remark in brackets that puts nothing else in place of what stands before it."""
_LATER = re.compile(
    r"\b\d+\s+(?:days?|weeks?|months?|years?|hours?|minutes?|places?|steps?)\s+(?:after|before|from|past)\s+(?:[\w:]+\s+){1,3}?(?=(?:is|was|will\s+be|falls|comes)\b)",
    re.IGNORECASE,
)
"""`100 days after Sunday` before its verb names what is spoken of."""
_WOULD_BE = re.compile(r"(?:^|(?<=[.!?]\s))(?:that|this|it)\s+would\s+be\b", re.IGNORECASE | re.MULTILINE)
"""`That would be blue`, which is modest and no supposition."""
_TURNED_DOWN = re.compile(
    r"\s*(?:,|\band\b|,\s*and)\s+not\s+(?!(?:always|necessarily|quite|really|exactly|entirely|only|just|sure|for|in|on|at|if|when|yet|all"
    r"|every|fully|completely|in\s+general)\b)[^,;.:]{2,80}\W*$"
)
"""Another text that is turned down behind the one that is said."""
_NOT_THIS = re.compile(r",\s+(?:and\s+)?not\s+[^,;.:]{2,50},\s+(?=(?:is|are|was|were)\b)")
"""`Blue, not red, is the colour`"""
_BEFORE_A_DASH = re.compile(r"(?P<said>[^\n–—]{3,200}?)\s(?P<remark>[–—]\s[^\n]{3,300})\Z")
_SUPERLATIVE = re.compile(r"\bthe (?:most|least) ")
_PRAISED = re.compile(r"is the (?:only )?(?:correct|right|best) (?:answer|choice|option|one)")
_OTHER_SUBJECT = re.compile(
    r"\b(?:wrong|incorrect|false|reverse|converse|another|different|distractor|runner|second|next|previous|not|n't)\b"
)
_RELATES = re.compile(
    r"[a-z]{2,}(?:[^su]s|ed)|than|to|from|by|before|after|over|under|into|without|not|for|with|on|in|at|no|all|every|each|some"
)
"""Verbs and prepositions: `zinc reduces copper` is not `copper reduces zinc`."""
UNSOUND = re.compile(
    r"\b(?:if|unless|when|whenever|or|either|would|could|might|may|almost|nearly|virtually|practically|partly|half|after"
    r"|before|(?:reverse|inverse|converse)\s+of|(?:cousin|relative|rival|variant|counterpart|sibling|analog(?:ue)?|extension|kin)\s+(?:of|to)\s+(?:this|that|it|these)|(?:close|akin|similar|comparable|analogous)\s+to|latest|earliest|most|least|until|opposite|short|except|but|only|seems?|looks?|appears?|resembles?|stops?"
    r"|used\s+to|(?:one|an?)\s+(?:possible\s+|good\s+)?(?:option|candidate|contender|possibility|suggestion)|formerly|previously|sometimes|often|usually|rarely|maybe|perhaps|possibly|like|instead|rather|other|fewer|neither|nor|than"
    r"|my\s+(?:teacher|textbook|friend|book|brother|sister|tutor|colleague)|call|calls|nobody|wait|edit|correction|actually|sorry)\b|\?",
    re.IGNORECASE,
)


def stemmed(text: str) -> list[str]:
    """The words of a text, the forms of one word as one."""
    return [_STEMS.get(word, word) for word in text.split()]


def same_but_for_order(found: list[str], gold: list[str]) -> bool:
    """Whether two lists hold the same words; in another order only where none of them relates the others."""
    return found == gold or (sorted(found) == sorted(gold) and not any(map(_RELATES.fullmatch, gold)))


@lru_cache(maxsize=64)
def named_before(text: str) -> bool:
    """Whether an earlier sentence than the last names what was asked for."""
    return is_named_before(segmented(text).sentences)


@lru_cache(maxsize=64)
def _spoken(text: str) -> tuple[str, ...]:
    """The words of a text's last statement, in small letters, formulas as `f`."""
    response = segmented(_WOULD_BE.sub("it is", WRAPPED.sub(" ", text)))
    told = [each.text for each in ended(argument(response.sentences)[0]) if not say.ASIDE.search(each.text)]
    if not told:
        return ()
    while len(told) > 1 and told[-1].count(")") > told[-1].count("("):
        # A bracket that was opened before the point of an abbreviation: `X (engl. Y)`.
        told = [*told[:-2], f"{told[-2]} {told[-1]}"]
    phrases = list(say.STRONG.finditer(told[-1]))
    last = told[-1][phrases[-1].end() :] if phrases and say.LEAD.match(told[-1][: phrases[-1].start()]) else told[-1]
    last = re.sub(MARK, " f ", _REMARK.sub(_unless_unsound, last).replace("’", "'"))
    last = _NOT_THIS.sub(" ", _TURNED_DOWN.sub("", last))
    last = _LATER.sub("that ", last)
    for denied, meant in (*_CONVERSE, *(_NOT_BUT if "n't" in last or " not " in last else ())):
        last = denied.sub(meant, last)
    return tuple(
        re.findall(r"\b[a-z]+n't\b|[a-zà-ÿ]+'(?=[a-zà-ÿ]{2})|'s\b|(?:[\w-]*\w[\w-]*)|[,;:?–—]| - ", last.casefold())
    )


def _unless_unsound(remark: re.Match[str]) -> str:
    return remark[0] if UNSOUND.search(remark[0]) or tail_of(remark[0]) else " "


def without_possessive(given: str, gold: str) -> tuple[str, str]:
    """An answer and a gold in words (`avogadro's law`), both with the name in the genitive as one word."""
    for name in re.findall(r"\b(\w{2,})'s\b", gold):
        given = re.sub(rf"\b{name}['’]s\b", f"{name}s", given, flags=re.IGNORECASE)
        gold = gold.replace(f"{name}'s", f"{name}s")
    return given, gold


def is_linked(text: str) -> bool:
    """Whether a text has what a sentence has and a list (`red, blue`) has not: a verb that links, or a colon."""
    return _LINKED.search(text.casefold()) is not None


def is_subject(given: str, gold: str) -> bool:
    """Whether a text is one sentence that begins with the gold and says what it is (`Blue is the colour`)."""
    given, gold = without_possessive(given, gold)
    response = segmented(given)
    spoken = _spoken(given)
    wanted = gold.split()
    praised = _PRAISED.fullmatch(" ".join(spoken[len(wanted) :])) is not None
    if (
        (len(response.sentences) != 1 and not praised)
        or len(given) > _ONE_SENTENCE
        or not wanted
        or len(spoken) > _MOST_WORDS
    ):
        return False
    spoken = spoken[1:] if spoken[:1] == ("the",) and wanted[0] != "the" else spoken
    rest = " ".join(spoken[len(wanted) :])
    if list(spoken[: len(wanted)]) != wanted or not re.match(
        r"(?:is|are|was|were)\s+(?:the|an?|what|who|where)\b", rest
    ):
        return False
    rest = _SUPERLATIVE.sub("the ", rest)
    if re.search(r"[;:?–—]", rest) or _OTHER_SUBJECT.search(rest) or UNSOUND.search(rest) or say.REPORTED.search(rest):
        return False
    return (
        len((_LINKS | _FOREIGN_LINKS) & set(re.split(r"\b(?:which|that|who|whose|where|by|as)\b", rest)[0].split()))
        == 1
    )


def says(given: str, gold: str) -> bool:
    """Whether the last statement of an answer says the gold of its subject, and nothing that unsettles it."""
    head = _BEFORE_A_DASH.match(given)
    if head is not None and tail_of(head["remark"]) == "" and says(head["said"], gold):
        return True
    given, gold = without_possessive(given, gold)
    wanted = stemmed(gold)
    if not wanted or len(wanted) > _SENTENCE or len(given) > 4_000 or named_before(given):
        return False
    spoken = [_STEMS.get(word, word) for word in _spoken(given)]
    denied = ["no", *wanted]  # `No friction` denies it, `No, friction` names it.
    denies = spoken[: len(denied)] == denied
    while len(spoken) > 1 and spoken[0] in _LEADING | {","} and spoken[1] not in _LINKS | _FOREIGN_LINKS:
        spoken = spoken[1:]
    if denies or len(spoken) > _MOST_WORDS:
        return False
    bare = [(place, word) for place, word in enumerate(spoken) if word not in _ARTICLES or word in wanted]
    for start in range(len(bare) - len(wanted) + 1):
        window = bare[start : start + len(wanted)]
        if not same_but_for_order([word for _, word in window], wanted):
            continue
        before, after = spoken[: window[0][0]], spoken[window[-1][0] + 1 :]
        if wanted == ["neither"] and re.fullmatch(r"\w+ nor \w+", " ".join(after)):
            after = []
        if {"because", "since", "whereas", "while"} & set(before[1:]) or (not before and _is_of_it(after)):
            continue
        if before in (["it", "is"], ["it", "was"], ["that", "was"]) and after[:1] == ["who"]:
            after = after if set(after) & {"not", "never"} else []
        if set(spoken[: window[0][0]][-1:]) & {"a", "an"} and set(after[:1]) & _MODIFIED:
            after = [] if _sound(before, after) else after
        if not _another_first(before) and _sound(before, after) and _links(before, window[0][1]) and _follows(after):
            return True
    return False


def _is_of_it(after: list[str]) -> bool:
    """Whether something is said of a text that begins a sentence: `red, by contrast, is the colour of`."""
    said = next((place for place, word in enumerate(after) if word in _LINKS - _PLACING | _FOREIGN_LINKS), None)
    return (
        said is not None and after[0] == "," and not _SETTING & set(after[:said]) and not _RELATIVE & set(after[:said])
    )


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
    if UNSOUND.search(rest) or say.DENIED.search(rest) or say.DOUBTED.search(rest) or say.REPORTED.search(rest):
        return False
    return not (_FOREIGN_LINKS & set(before) and (tongues.NO.search(rest) or before[-2:-1] == ["no"]))


def _links(before: list[str], first: str) -> bool:
    """Whether what stands before a complement joins it to a subject."""
    placed = before[:-1] if before[-1:] == ["the"] else before
    if len(placed) > 1 and placed[-1] == "in" and placed.count("in") == 1:
        return placed[-2] in _PLACED and "answer" not in placed
    before = [word for word in before if word not in _ARTICLES or word == "the"]
    while before and (before[-1] in _ADVERBS or before[-1] == "the"):
        before = before[:-1]
    if before[-2:-1] and before[-1] in ("of", "called", "named") and before[-2] in _SORTS - _MAKERS:
        before = before[:-2]
    elif before and before[-1] in _SORTS and len(before) > 1:
        before = before[:-1]
    while before and before[-1] == "the":
        before = before[:-1]
    if not before:
        return True
    last = before[-1]
    if last in ("on", "by", "via", "through", "as"):
        return len(before) > 1 and (
            before[-2] in _FALLS or (last == "by" and before[-2] in _MADE and before.count("by") == 1)
        )
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
    if after and after[0] in ("–", "—", " - "):
        return len(after) > _SENTENCE
    while after and after[0] in (",", ";", ":"):
        after = after[1:]
    after = after[1:] if after[:1] == ["overall"] else after
    again = [word for word in after if word != ","]
    return not after or after[0] in _TAILS or again in (["i", "e", "f"], ["that", "is", "f"])
