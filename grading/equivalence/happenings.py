"""What becomes of a quantity: `it doubles`, `the pressure becomes twice as large`, `it rises by a factor of two`.

A short statement is read whole: whose it is, the way it goes, and how far. Two statements are one where both are read,
go the same way as far, and speak of the same thing: of a pronoun, or of what the question or the other one names.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from grading.equivalence.finding import Finding, different, equal
from grading.language.numerals import number_of
from grading.matching.stem import stem


class Happening(NamedTuple):
    """`way` is 1 up, -1 down, 0 for what stays; `factor` how many times as much; `sort` a dimension that is named."""

    subject: tuple[str, ...]
    way: int
    factor: Fraction | None
    sort: str


_UP: Final = r"(?:increases?|rises?|grows?|(?:goes|go)\s+up|climbs?|(?:is|are)\s+(?:raised|increased))"
_DOWN: Final = (
    r"(?:decreases?|falls?|drops?|(?:goes|go)\s+down|declines?|shrinks?|diminish(?:es)?|lessens?"
    r"|(?:is|are)\s+(?:lowered|reduced|decreased|diminished))"
)
_STAYS: Final = (
    r"(?:(?:stays?|remains?|is|are)\s+(?:exactly\s+)?(?:the\s+same|unchanged|constant|unaffected|as\s+(?:it\s+was|before))|(?:does|do)(?:\s+not|n['’]t)\s+change"
    r"|(?:is|are)(?:\s+not|n['’]t)\s+(?:changed|affected)|keeps?\s+(?:its|the\s+same)\s+value)"
)
_SORTS: Final = {
    "wide": "wider widens broadens broader -narrower -narrows",
    "long": "longer lengthens -shorter -shortens",
    "strong": "stronger strengthens -weaker -weakens",
    "fast": "faster quicker accelerates -slower -slows",
    "hot": "warmer hotter warms heats -colder -cooler -cools",
    "heavy": "heavier -lighter",
    "steep": "steeper steepens -flatter -flattens",
    "thick": "thicker thickens -thinner -thins",
    "bright": "brighter brightens -dimmer -dims -darker",
    "dense": "denser -sparser",
    "deep": "deeper deepens -shallower",
    "acid": "acidic",
    "": "larger bigger greater higher more -smaller -lower -less",
}
"""Comparatives and verbs of one dimension each; what goes down has a sign."""
_WAYS: Final = {
    word.lstrip("-"): (sort, -1 if word.startswith("-") else 1)
    for sort, row in _SORTS.items()
    for word in row.split()
    if sort != "acid"
}
_NOUNS: Final = {
    "wide": "width breadth", "long": "length period duration time half-life",
    "strong": "strength force field attraction repulsion", "fast": "speed rate", "hot": "temperature",
    "heavy": "weight mass", "steep": "slope gradient", "thick": "thickness", "bright": "brightness intensity",
    "dense": "density", "deep": "depth",
}  # fmt: skip
_COMPARATIVE: Final = "|".join(word for word in _WAYS if word.endswith(("er", "more", "less")))
_CHANGES: Final = "|".join(word for word in _WAYS if not word.endswith(("er", "more", "less")))
_BECOMES: Final = r"(?:becomes?|gets?|grows?|is|are|turns?)\s+(?:then\s+|now\s+)?"
_TIMES: Final = r"(?P<{0}>\d+(?:\.\d+)?|\d+/\d+|[a-z]+(?:-[a-z]+)?)"
_SUBJECT: Final = r"(?P<subject>it|they|this|that|(?:(?:the|its|their|both|a|an)\s+)?[A-Za-z][^,;:.?!]{0,60}?)"
_HOW: Final = (
    (
        rf"(?P<up>{_UP})(?:\s+(?:{_TIMES.format('times')}[- ]?fold"
        rf"|by\s+a\s+factor\s+of\s+(?:about\s+)?\$?{_TIMES.format('by')}\$?))?"
    ),
    (
        rf"(?P<down>{_DOWN})(?:\s+by\s+a\s+factor\s+of\s+\$?{_TIMES.format('down_by')}\$?|\s+to\s+(?:a\s+|one\s+)?(?P<to>half|third|quarter|fourth|\$?1/\d+\$?)(?:\s+(?:of\s+)?(?:(?:its|the)\s+(?:original\s+|initial\s+|former\s+|previous\s+)?(?:value|size|amount)?))?)?"
    ),
    rf"(?P<stays>{_STAYS})",
    r"(?P<multiple>doubles?|triples?|trebles?|quadruples?)",
    r"(?:(?:is|are|gets?|becomes?)\s+(?P<made>doubled|tripled|trebled|quadrupled|halved|quartered|cut\s+in\s+half)|(?P<halves>halves))",
    rf"(?:{_BECOMES}|(?:rises?|increases?|grows?)\s+to\s+)(?:exactly\s+)?(?:{_TIMES.format('as')}\s+times|(?P<twice>twice|thrice))\s+(?:as\s+(?P<aslarge>large|big|great|high|much|long|wide|strong|fast|heavy)(?:\s+as\s+(?:before|it\s+was))?|(?:(?:the|its)\s+(?:original|initial|former|previous)(?:\s+(?:value|size|amount|strength|[a-z]+))?|what\s+it\s+was(?:\s+before)?))",
    rf"(?:{_BECOMES}|(?:falls?|drops?|decreases?)\s+to\s+)(?:(?:one\s+|a\s+)?(?P<part>half|third|quarter|fourth))\s+(?:as\s+(?P<assmall>large|big|great|high|much|long|wide|strong|fast|heavy)(?:\s+as\s+(?:before|it\s+was))?|(?:of\s+)?(?:the|its)\s+(?:original|initial|former|previous)?\s*(?:value|size|amount))",
    rf"{_BECOMES}(?:exactly\s+)?{_TIMES.format('more')}\s+times\s+(?P<than>{_COMPARATIVE})(?:\s+than\s+(?:before|it\s+was))?",
    rf"(?:is|are|gets?)\s+(?:then\s+|therefore\s+)?(?P<by_how>multiplied|divided)\s+by\s+(?:a\s+factor\s+of\s+)?{_TIMES.format('product')}",
    rf"{_BECOMES}(?P<comparative>{_COMPARATIVE})",
    rf"(?P<changes>{_CHANGES})",
)
_END: Final = (
    r"(?:,?\s+(?:because|since|as|when|if)\s[^;:?!]{3,120}"
    r"|,?\s+(?:as\s+well|too|then|also|accordingly|in\s+turn|in\s+(?:the|this)\s+process)|\s*\([^()?]{2,80}\))?[\s.!*]*"
)
_OPENS: Final = r"\W*(?:(?:so|thus|hence|therefore|then|consequently|as\s+a\s+result|because\s+of\s+this)\W+)?"
_STATED: Final = tuple(
    re.compile(
        rf"{_OPENS}(?:{_SUBJECT}\s+)?(?:therefore\s+|thus\s+|also\s+|simply\s+|just\s+|then\s+)?{how}{_END}",
        re.IGNORECASE,
    )
    for how in _HOW
)
_NONE: Final = re.compile(
    r"\W*(?:there\s+is\s+)?no\s+change(?:\s+at\s+all)?[\s.!*]*|\W*(?:the\s+same|unchanged|nothing(?:\s+changes)?)[\s.!*]*",
    re.IGNORECASE,
)
_UNSAID: Final = re.compile(
    r"\b(?:not|no|never|neither|nor|or|but|if|unless|except|only|maybe|perhaps|possibly|probably|might|may|could|would|should|almost|nearly|first|until|half|twice|other|opposite|inverse|reciprocal|rate\s+of\s+change"
    r"|and|while|whereas|which|that|who)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_PRONOUNS: Final = frozenset({"it", "they", "this", "that"})
_PASSED: Final = frozenset(
    {"the", "a", "an", "its", "their", "of", "in", "at", "both", "this", "that", "will", "then", "value"}
)
_FACTORS: Final = {
    "doub": Fraction(2), "trip": Fraction(3), "treb": Fraction(3), "quad": Fraction(4), "halv": Fraction(1, 2),
    "quar": Fraction(1, 4), "cut ": Fraction(1, 2),
}  # fmt: skip
_PART_OF: Final = {"third": Fraction(1, 3), "quarter": Fraction(1, 4), "fourth": Fraction(1, 4), "half": Fraction(1, 2)}
_UNTIL: Final = r"(?=\s+(?:when|if|as|after|upon|once|while|by|under|with|during|compared)\b|[?,.])"
_ASKED: Final = re.compile(
    rf"\b(?:happens?|becomes?|occurs?)\s+(?:to|of|with)\s+(?P<thing>[^?,.]{{2,80}}?){_UNTIL}"
    r"|\bhow\s+(?:does|do|is|are|will|would)?\s*(?P<other>[^?,.]{2,80}?)\s+(?:changes?|var(?:y|ies)|affected|influenced|respond|altered|behaves?)\b"
    rf"|\b(?:effect|influence)\b[^?.]{{0,80}}?\bon\s+(?P<third>[^?,.]{{2,80}}?){_UNTIL}",
    re.IGNORECASE,
)
"""What a question asks about: `What happens to the pressure of a gas when`, `How does the period change if`."""
_LONGEST: Final = 200


def same_happening(gold: str, text: str, question: str) -> Finding | None:
    """The finding where both texts say what becomes of one thing; None of other texts."""
    if max(len(gold), len(text)) > _LONGEST:
        return None
    expected = _happening(gold)
    found = _happening(text) if expected is not None else None
    if expected is None or found is None or not _of_one(expected, found, question):
        return None
    if expected.way != found.way:
        return different("it goes another way")
    if expected.factor != found.factor or not _same_sort(expected, found, f"{question} {gold} {text}"):
        return None
    return equal("the same happens")


def way_of(comparative: str) -> tuple[int, str] | None:
    """1 or -1 and the dimension of a comparative such as `wider`; None of other words."""
    found = _WAYS.get(comparative)
    return (found[1], found[0]) if found is not None else None


@lru_cache(maxsize=256)
def _happening(text: str) -> Happening | None:
    text = " ".join(text.replace("*", "").replace("$", "").split())
    if _NONE.fullmatch(text):
        return Happening((), 0, None, "")
    for form in _STATED:
        found = form.fullmatch(text)
        if found is None:
            continue
        subject = found["subject"] or ""
        if _UNSAID.search(subject):
            return None
        told = _told({name: value for name, value in found.groupdict().items() if value is not None})
        return None if told is None else Happening(_named(subject), *told)
    return None


def _told(said: dict[str, str]) -> tuple[int, Fraction | None, str] | None:
    """The way, the factor and the sort of what a form found."""
    said = {name: value.lower() for name, value in said.items()}
    if "stays" in said:
        return 0, None, ""
    if "multiple" in said or "halves" in said or "made" in said:
        word = said.get("multiple") or said.get("halves") or said["made"]
        factor = _FACTORS[word[:4]]
        return (1 if factor > 1 else -1), factor, ""
    if "twice" in said or "as" in said:
        number = {"twice": Fraction(2), "thrice": Fraction(3)}.get(said.get("twice", "")) or _number(said.get("as", ""))
        return None if number is None else _scaled(number, said.get("aslarge", ""))
    if "product" in said or "more" in said:
        return _by_factor(said)
    if "part" in said:
        return _scaled(_PART_OF[said["part"]], said.get("assmall", ""))
    if "comparative" in said or "changes" in said:
        sort, way = _WAYS[said.get("comparative") or said["changes"]]
        return way, None, sort
    if "up" in said:
        by = said.get("times") or said.get("by")
        number = _number(by) if by else None
        return None if by and (number is None or number <= 1) else (1, number, "")
    by = said.get("down_by")
    number = _number(by) if by else None
    if by and (number is None or number <= 1):
        return None
    to = said.get("to", "").strip("$")
    part = Fraction(to) if "/" in to and not to.endswith("/0") else _PART_OF.get(to)
    return -1, 1 / number if number is not None else part, ""


def _by_factor(said: dict[str, str]) -> tuple[int, Fraction, str] | None:
    """`is multiplied by four`, `becomes four times smaller`."""
    number = _number(said.get("product") or said["more"])
    if number is None or number <= 1:
        return None
    sort, way = _WAYS[said["than"]] if "than" in said else ("", -1 if said["by_how"] == "divided" else 1)
    return way, number if way > 0 else 1 / number, sort


def _scaled(factor: Fraction, how: str) -> tuple[int, Fraction, str] | None:
    if factor in (0, 1):
        return None
    return (1 if factor > 1 else -1), factor, how if how in _NOUNS else ""


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        number = number_of(text) if text else None
        return None if number is None else Fraction(number)


def _of_one(expected: Happening, found: Happening, question: str) -> bool:
    """Whether two are of one thing: the answer's is a pronoun, or what the other or the question names."""
    if not found.subject or set(found.subject) == set(expected.subject):
        return True
    asked = _asked(question)
    named = expected.subject or asked
    if expected.subject and expected.subject[0] == found.subject[0] and set(expected.subject) <= set(found.subject):
        return set(found.subject) <= {*named, *(stem(word) for word in re.findall(r"\w\w+", question.lower()))}
    if not named or not set(found.subject) <= {*named, *asked}:
        return False
    # Where the verb names the dimension that was asked for, its bearer may be the subject: `the interval widens`.
    return named[0] in found.subject or any(
        stem(noun) == asked[0] for noun in _NOUNS.get(found.sort, "").split() if asked
    )


def of_another(gold: str, text: str, question: str) -> bool:
    """Whether a text says of another thing of the question what the gold says of the one that was asked about."""
    if max(len(gold), len(text)) > _LONGEST or not _asked(question):
        return False
    expected, found = _happening(gold), _happening(text)
    if expected is None or found is None or not found.subject or _of_one(expected, found, question):
        return False
    return set(found.subject) <= {stem(word) for word in re.findall(r"\w\w+", question.lower())}


@lru_cache(maxsize=64)
def _asked(question: str) -> tuple[str, ...]:
    """The words of what a question asks about, its head first; empty where it does not ask what becomes of a thing."""
    found = _ASKED.search(question)
    return _named(found["thing"] or found["other"] or found["third"]) if found is not None else ()


def _named(subject: str) -> tuple[str, ...]:
    """The stems of a noun phrase, the one of its head first."""
    front = re.split(r"\s(?:of|in|for|between|on|at)\s", subject.lower(), maxsplit=1)[0]
    words = [stem(word) for word in re.findall(r"\w\w+", subject.lower()) if word not in _PASSED | _PRONOUNS]
    head = stem(re.findall(r"\w+", front)[-1]) if re.search(r"\w", front) else ""
    return (head, *(word for word in words if word != head)) if head in words else tuple(words)


def _same_sort(expected: Happening, found: Happening, context: str) -> bool:
    """Whether both are of one dimension; one of them may leave it to a noun (`the width increases`)."""
    if expected.sort == found.sort:
        return True
    if expected.sort and found.sort:
        return False
    nouns = _NOUNS[expected.sort or found.sort].split()
    return any(re.search(rf"\b{noun}\b", context, re.IGNORECASE) for noun in nouns)
