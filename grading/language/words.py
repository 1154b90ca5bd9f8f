"""Answers in words: what a phrase means, and how two texts are compared."""

import re
from fractions import Fraction
from functools import lru_cache

from grading.language import numerals
from grading.language.tree import Builder, Constant, NamedSet, Node, Number, Product, Relation, Sum, Symbol, Text
from grading.language.upright import UPRIGHT
from grading.language.worded import set_in_words
from grading.language.wordless import is_wordless

_K = Symbol("k")
_INTEGER = Relation((_K, NamedSet("Z")), ("in",))
_TWO_K = Product((Number(Fraction(2)), _K))
_SETS: tuple[tuple[re.Pattern[str], Node], ...] = tuple(
    (re.compile(f"(?:set )?(?:all )?(?:{words})"), meant)
    for words, meant in (
        ("reals?|real numbers|any real number", NamedSet("R")),
        ("integers|infinite cyclic group", NamedSet("Z")),
        ("natural numbers", NamedSet("N")),
        ("positive integers", Symbol("bb:Z_>0")),
        ("non-?negative integers", Symbol("bb:Z_>=0")),
        ("non-?zero integers", Symbol("bb:Z^*")),
        ("even (?:integers|numbers)", Builder(_TWO_K, (_INTEGER,))),
        ("odd (?:integers|numbers)", Builder(Sum((_TWO_K, Number(Fraction(1)))), (_INTEGER,))),
    )
)
_HEDGES = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|either(?!\s+(?:of\s+)?[a-z]{2,}\b(?!.*\bor\b))"
    r"|not sure|unsure|guess|unless|if (?:that|this|wrong|not)"
    r"|or not|if\b.*\belse|otherwise wrong|some number|any (?:number|value|answer|of)|depends|unknown)\b"
    r"|\b(?:might|could|may) be (?=[-+\d$\\(.]|[B-Zb-z](?![a-z]))"
    r"|[\w)}]\s*\?",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"(?:there )?(?:no (?:real |integer |such |positive |negative |rational )*"
    r"(?:solutions?|values?|roots?|integers?|numbers?)"
    r"(?: exists?)?|none(?: exists?)?|(?:set )?empty(?: set)?|(?:(?:linear )?system (?:equations )?is )?inconsistent)"
)
_DEGREE = r"(?:degree |on )(?P<degree>\w{1,6})(?: (?:letters|elements|symbols|points|objects))?"
_GROUPS = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"cyclic(?: group)? (?:order |with |having |on )+(?P<degree>\w{1,6})(?: elements)?", "bb:Z_"),
        (rf"(?:full )?symmetric group {_DEGREE}", "S_"),
        (rf"alternating group {_DEGREE}", "A_"),
        (r"klein(?:['’]?s)? (?:four|4)[ -]?group|klein(?:ian)? group|klein group order (?:four|4)|vierergruppe", "V_4"),
        (r"dihedral(?: group)? order (?P<order>\w{1,6})", "D_"),
        (r"free group (?:on |rank )(?P<degree>\w{1,6})(?: generators)?", "F_"),
        (r"quaternion group(?: order (?:eight|8))?", "Q_8"),
        (
            r"(?:finite |galois )?field (?:with |having |order )+(?P<degree>\w{1,6})(?: elements)?",
            "bb:F_",
        ),
    )
)
"""Groups by their names, without articles and "of"."""
_INFINITELY_MANY = re.compile(
    r"(?:(?:so|thus|hence|therefore|yes|we (?:see|conclude) that|it follows that)\W+)*"
    r"there (?:are |exist )?infinitely many"
    r"(?: (?!(?:not|no|never|but|if|unless|only|or|except|would|candidates?)\b)[^\s,;:.?]+){1,10}"
    r"|infinitely many(?: (?:real|integer|complex|rational|positive|distinct|different|such))*"
    r" (?:solutions?|roots?|zeros|values?|points?|primes?|integers?|numbers|pairs|triples|triangles|ways|elements)"
)
"""`There are infinitely many primes of this form`, without "are"."""
_NOWHERE = re.compile(
    r"(?:(?:donc|also|daher|por lo tanto|logo|quindi)\W+)?(?:(?:la limite|cette limite|elle|il|l['’]intégrale"
    r"|der grenzwert|dieser grenzwert|er"
    r"|el límite|este límite|o limite|este limite|il limite|questo limite|das integral|es|la integral) )?"
    r"(?:n['’]existe pas|existiert nicht|no existe|não existe|non esiste|bestaat niet)"
    r"|(?:(?:so|thus|hence|therefore)\W+)?no (?:such )?(?:limit|derivative|integral|maximum|minimum|inverse) exists"
)
"""That something does not exist, in other words and languages."""
_SAID_GROUP = re.compile(
    r"(?:(?:so|thus|hence|therefore|then|finally)\W+)*(?:it|(?:the|this|our|its)\s[^.,;:]{0,60}?)\s(?:is|must be)\s"
    r"(?:(?:therefore|thus|then|indeed|precisely|exactly|isomorphic to)\s)*"
    r"(?P<name>(?:the|an?|cyclic|dihedral|infinite|free)\s[^.,;:]{3,60})\.?",
    re.IGNORECASE,
)
_TRUTHS = {"yes": "yes", "no": "no", "true": "true", "false": "false"}
_TRUTH = re.compile(r"(yes|no|true|false)\s*(?:[,.;:!—–]|-\s|$|because\b|since\b|as\b|it\b|that\b)", re.IGNORECASE)
_END_OF_IT = r"(?=\s*[,.;:!—–]|\s*$|\s+(?:because|since|as|it|that|he|she|they)\b)"
_DECIDED = (
    (
        re.compile(
            r"^\W*(?:nope|nah|no\s+(?:way|chance|sir)|not\s+(?:at\s+all|a\s+chance|in\s+the\s+least|one\s+bit|really|so)|never|by\s+no\s+means"
            r"|(?:certainly|absolutely|definitely|of\s+course|surely|indeed|decidedly|most\s+certainly|clearly|obviously)\s+not)"
            + _END_OF_IT,
            re.IGNORECASE,
        ),
        "no",
    ),
    (
        re.compile(
            r"^\W*(?:yep|yeah|yup|yea|aye|sure(?:\s+(?:thing|does|is))?|indeed|certainly|absolutely|definitely|of\s+course|naturally|you\s+bet|very\s+much\s+so|without\s+(?:a\s+|any\s+)?doubt|most\s+certainly)"
            + _END_OF_IT,
            re.IGNORECASE,
        ),
        "yes",
    ),
)
"""Words that say yes or no."""
_BOUNDED = re.compile(
    r"\W*(?:but\s+)?(?:only|if|unless|except|provided|sometimes|in\s+some|for\s+some|when(?:ever)?)\b", re.IGNORECASE
)
"""What bounds a truth that was said: `True, but only if n is even`."""
_ONLY_ADDS = re.compile(
    r"[;.—–]\W*only\s+(?!(?:if|when(?:ever)?|for|in|on|at|under|where|while|with|within|between|after|before|by|as|because"
    r"|to|up|from|since|until|sometimes|half|part\w*)\b)[^.;:?]{3,160}\b(?:is|are|was|were|has|have|can|does|do|[a-z]{3,}(?:s|ed))\b",
    re.IGNORECASE,
)
"""A statement of its own behind a truth: `True; only kinetic energy is lost.`"""
_UNDRESSED = re.compile(rf"{UPRIGHT.pattern}|[{{}}]|^\s*the\b", re.IGNORECASE)
_HOURS = {"noon": "12:00", "midday": "12:00", "midnight": "0:00"}
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(am|pm)?")
_HALF_DAY = re.compile(
    r"(?<=\d)\s+(?:in\s+the\s+(?:(?P<morning>morning)|afternoon|evening)|at\s+night)\s*$", re.IGNORECASE
)
_WRITTEN = re.compile(r"\\[,;:! ]|\\quad|\\qquad|[{}$*`\"]|\\[()\[\]]")
_MARKS = re.compile(r"(?<![.,;:!])[.,;:!]+(?=\s|$)")
_KEPT = 400
_DIGIT = re.compile(r"\d")
_HOUR = re.compile("noon|mid", re.IGNORECASE)
_ARTICLES = re.compile(r"\b(?:the|a|an|is|are|of|its?)\b")


def plain(text: str) -> str:
    """Letters, digits and signs of a text: LaTeX dress, case, punctuation and articles dropped."""
    return _plain_once(text) if len(text) <= _KEPT else _plain(text)


def _plain(text: str) -> str:
    text = UPRIGHT.sub(" ", text) if "\\" in text else text
    text = _MARKS.sub(" ", _WRITTEN.sub(" ", text)).casefold()
    return " ".join(_ARTICLES.sub(" ", text).split())


_plain_once = lru_cache(maxsize=1024)(_plain)


def parts(text: str) -> list[str]:
    """The members of a list in words, sorted."""
    pieces = re.split(r",|\band\b|;", re.sub(rf"{UPRIGHT.pattern}|[{{}}$]", " ", text))
    return sorted(plain(piece) for piece in pieces if piece.strip())


def negated(first: str, second: str) -> bool:
    """Whether only one of two texts denies."""
    denials = [
        bool(re.search(r"\b(?:not|no|never|neither|nor|cannot|without)\b|n't", text)) for text in (first, second)
    ]
    return denials[0] != denials[1]


def clock(text: str) -> int | None:
    """Minutes after midnight of a time of day (`8:34 P.M.`, `20:34`), or None."""
    if ":" not in text and _HOUR.search(text) is None:
        return None
    text = _HOURS.get(plain(text), text)
    text = _HALF_DAY.sub(lambda found: "am" if found["morning"] else "pm", text) if "n" in text else text
    found = _CLOCK.fullmatch(re.sub(rf"{UPRIGHT.pattern}|[.\s{{}}$~]", "", text).lower())
    if found is None:
        return None
    hour, minute, half = int(found[1]), int(found[2]), found[3]
    if hour > 23 or minute > 59 or (half and not 1 <= hour <= 12):
        return None
    return (hour % 12 + (12 if half == "pm" else 0) if half else hour) * 60 + minute


def is_bounded_truth(text: str) -> bool:
    """Whether a text says a truth first and then under which condition (`True — if n is even`)."""
    said = " ".join(re.sub(rf"{UPRIGHT.pattern}|[{{}}$*`]", " ", text).split())
    found = _TRUTH.match(said)
    return found is not None and _BOUNDED.match(said[found.end(1) :]) is not None and truth(text) is None


def truth(text: str) -> str | None:
    """`yes`, `no`, `true` or `false` that a text says first, perhaps with what follows from it; None where neither."""
    said = " ".join(re.sub(rf"{UPRIGHT.pattern}|[{{}}$*`]", " ", text).split())
    for said_so, decision in _DECIDED:
        said = said_so.sub(decision, said)
    found = _TRUTH.match(said)
    if found is None:
        return None
    word = found[1].lower()
    rest = said[found.end(1) :]
    bounded = _BOUNDED.match(rest)
    only_denied = bounded is not None and word in ("no", "false") and "only" in bounded[0] and "but" not in bounded[0]
    if bounded is not None and not only_denied and not _ONLY_ADDS.match(rest):
        return None
    others = set(re.findall(r"[a-z]+", said[found.end() :].lower())) & set(_TRUTHS)
    return word if not others - {word} else None


_JUDGED = re.compile(
    r"(?:(?:yes|no|so|thus|hence|therefore|indeed|and|finally|we (?:conclude|see) that|it follows that|i\.?\s?e\.?"
    r"|that is),? )*"
    r"(?:(?:the|this|that|our|given) )*(?:claim|statement|proposition|assertion|conjecture|hypothesis|it|this|that)"
    r"(?: (?:always|indeed|therefore|clearly|thus|in fact))?"
    r"(?: (?P<holds>holds|does hold|is true|is correct|is valid|is indeed true|is not false|is always true"
    r"|is therefore true)"
    r"|(?P<fails> ?(?:fails|does not hold|doesn't hold|is false|is incorrect|is wrong|is not (?:true|correct|valid"
    r"|always true)"
    r"|isn't true|is therefore false|cannot be true|does not hold in general|is not true in general)))(?: in general)?",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(
    r"\b(?:if|when|unless|only|except|but|however|although|though|sometimes|usually|provided|whether|for|maybe"
    r"|perhaps|probably|not sure|almost)\b",
    re.IGNORECASE,
)


_CONTRACTED = re.compile(r"\b(that|it|this)['’]s\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"[;.]\s+(?:it|they|its|their|the|he|she|both|each|all)\b(?!.*\b(?:true|false|correct|incorrect|right|wrong|statement|claim|hold|holds|fails?|not|never|no|actually|wait|sorry|otherwise|else)\b)(?!.*n['’]t\b)[^?]*$",
    re.IGNORECASE,
)
"""What only goes on about the thing behind a judgement: `That is true; it has two leaflets.`"""


def judged(text: str) -> str | None:
    """`true` or `false` that every clause of a sentence says of a claim, reasons aside; None where none does."""
    said = _CONTRACTED.sub(r"\1 is", " ".join(re.sub(r"[*`]|\$[^$]*\$", " ", text).split()))
    said = re.split(r",? (?:because|since|as|by)\b|:", said, maxsplit=1)[0]
    if _QUALIFIED.search(said):
        return None
    said = _GOES_ON.sub("", said)
    found = {
        _truth_of(clause)
        for clause in re.split(r"[;.!]|, (?=i\.?e|that is|so|hence|thus|it|and)", said.replace("i.e.", "ie"))
        if clause.strip(" ,")
    }
    return found.pop() if len(found) == 1 else None


def _truth_of(clause: str) -> str | None:
    found = _JUDGED.fullmatch(clause.strip(" ,").replace("’", "'"))
    return None if found is None else "true" if found["holds"] else "false"


def hedged(text: str) -> bool:
    """Whether a text does not commit to one answer."""
    return bool(_HEDGES.search(text))


def _group(words: str) -> Symbol | None:
    """`cyclic group order 6`, `alternating group degree five` as a symbol."""
    for pattern, name in _GROUPS:
        found = pattern.fullmatch(words)
        if found is None:
            continue
        said = found.groupdict()
        degree = said.get("degree") or said.get("order")
        if degree is None:
            return Symbol(name)
        number = int(degree) if degree.isdigit() else numerals.number_of(degree)
        if said.get("order"):
            number = number // 2 if number and number % 2 == 0 else None
        return Symbol(f"{name}{number}") if number else None
    return None


def group_in_words(text: str) -> Symbol | None:
    """The group that a sentence calls a group by its name (`It is isomorphic to the cyclic group of order 6.`)."""
    named = "group" in text or "field" in text
    found = _SAID_GROUP.fullmatch(" ".join(text.split())) if named and len(text) <= _KEPT else None
    return _group(plain(found["name"])) if found is not None else None


@lru_cache(maxsize=256)
def phrase(text: str) -> Node | None:
    """The tree of a phrase with a mathematical meaning, or None."""
    if is_wordless(text) and "," not in text:
        return None
    words = plain(text)
    if _NONE.fullmatch(words):
        return NamedSet("empty")
    for pattern, meant in _SETS:
        if pattern.fullmatch(words):
            return meant
    group = _group(words) if any(noun in words for noun in ("group", "cyclic", "field")) else None
    if group is not None:
        return group
    named = set_in_words(text)
    if named is not None:
        return named
    if words in ("infinitely many", "infinity", "infinite") or _INFINITELY_MANY.fullmatch(words):
        return Constant("inf")
    if _NOWHERE.fullmatch(words) is not None:
        return Text("does not exist")
    if words in ("does not exist", "dne", "undefined", "not defined", "doesn't exist"):
        return Text("does not exist")
    if words in _TRUTHS:
        return Text(_TRUTHS[words])
    if _DIGIT.search(text) is not None:
        return None
    value = numerals.number_of(_UNDRESSED.sub(" ", text).strip(" .$*"))
    return Number(value) if value is not None else None
