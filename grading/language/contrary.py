"""Two things of one sort that a word tells apart (the larger and the smaller root, `f(1)` and `f(2)`): which is asked.

A short answer that states the value of the other one, and does not speak of the one that was asked for, is none.
"""

import re
from functools import lru_cache
from typing import Final

from grading.language.asked import asking

_ROWS: Final = (
    ("first", "second", "third", "fourth", "fifth", "sixth", "last"),
    (
        "larger|largest|greater|greatest|bigger|biggest|longer|longest|higher|highest|taller|tallest|maximum|maximal",
        "smaller|smallest|lesser|least|shorter|shortest|lower|lowest|minimum|minimal",
    ),
    ("initial|starting", "final|ending|terminal"),
    ("interior|inner|internal|inside", "exterior|outer|external|outside"),
    ("older|oldest|elder|eldest", "younger|youngest"),
    ("faster|fastest", "slower|slowest"),
    ("earlier|earliest", "later|latest"),
    ("heavier|heaviest", "lighter|lightest"),
    ("warmer|warmest|hotter|hottest|hot|warm", "colder|coldest|cooler|coolest|cold|cool"),
    ("positive", "negative"),
    ("even", "odd"),
    ("kinetic", "potential"),
    ("horizontal", "vertical"),
    ("input", "output"),
    ("arithmetic", "geometric", "harmonic"),
    ("gross", "net"),
    ("left|left-hand|leftmost", "right|right-hand|rightmost"),
    ("top|upper|topmost", "bottom|lower|bottommost"),
    ("front", "back|rear"),
    ("northern", "southern", "eastern", "western"),
    ("male", "female"),
    ("red", "blue", "green", "yellow", "black", "white", "orange", "purple", "brown", "pink", "gr[ae]y"),
    ("x", "y", "z"),
)
"""Words of which only one can be said of a thing, in rows."""
_LINK: Final = r"(?:is|are|was|were|equals?|has|have|had|measures?|weighs?|costs?|comes\s+to|=|:)"
_ASKS: Final = re.compile(
    r"\b(?:find|determine|compute|calculate|evaluate|estimate|give|state|what(?:\s+(?:is|are|was|were)|['’]s))\s+(?:the\s+value\s+of\s+)?\W*$",
    re.IGNORECASE,
)
_FORM: Final = re.compile(
    r"(?<![A-Za-z\\])(?P<name>[A-Za-z])(?P<primes>['′]*)(?:_\{?(?P<index>\d{1,3})\}?|\(\s*(?P<at>[A-Z]|[-−]?\d{1,4}|[a-z])\s*\))"
)
"""`f'(x)`, `P(A)`, `a_3`"""
_STATES: Final = re.compile(r"\W*(?:=|is\b|equals\b)")
_TOTAL: Final = re.compile(r"\b(?:in\s+total|total|altogether|in\s+all|combined|all\s+together)\b", re.IGNORECASE)
_FOR_EACH: Final = re.compile(
    r"\W*[-−]?[$€£]?\d[\d.,/]*(?:\s+[a-z]+){0,2}\s+(?:each|apiece|per\s+(?!cent|second|minute|hour|day|week|month|year)[a-z]+)\W*",
    re.IGNORECASE,
)
_EACH: Final = re.compile(r"\b(?:each|every|per|apiece|average|mean)\b", re.IGNORECASE)
_LONGEST: Final = 200


@lru_cache(maxsize=4)
def _rows() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """What finds the words of a row, and a clause that states a value of what one of them is said of."""
    found = []
    for row in _ROWS:
        any_of = "|".join(f"(?P<w{place}>{word})" for place, word in enumerate(row))
        word = rf"(?<![A-Za-z-])(?:{any_of})(?:[\s-]+(?P<noun>[a-z]{{3,}}))"
        states = (
            rf"^\W*(?:(?:so|thus|hence|therefore|then)\W+)?(?:(?:the|its|their|an?)\s+)?(?:[\w'’]+\s+){{0,2}}?{word}"
            rf"(?:\s+(?:of|for|in)\s+[^,;:.=?]{{1,40}}?)?\s*{_LINK}(?!\w)[^;?]*$"
        )
        found.append((re.compile(word, re.IGNORECASE), re.compile(states, re.IGNORECASE)))
    return tuple(found)


def says_the_other(question: str, response: str) -> str | None:
    """The word of a short answer by which it speaks of another thing than the one of that sort asked for; or None."""
    if not question or len(response) > _LONGEST:
        return None
    asked = asking(question)
    said = response.replace("*", "").replace("$", "").strip()
    if _TOTAL.search(asked) and not _EACH.search(question) and _FOR_EACH.fullmatch(said):
        return "each"
    if re.search(r"[.!?;]\s+\S|,\s+(?:so|and|but|while|hence|thus|therefore)\s", said):
        return None
    return _other_form(asked, said) or _other_word(asked, said)


def _other_word(asked: str, said: str) -> str | None:
    for word, states in _rows():
        stated = states.match(said)
        found = list(word.finditer(asked)) if stated is not None else []
        kinds = {_kind(each) for each in found}
        if stated is None or len(kinds) != 1 or _kind(stated) in kinds:
            continue
        same = {each["noun"].lower().removesuffix("s") for each in found} & {stated["noun"].lower().removesuffix("s")}
        if same and not any(_kind(each) in kinds for each in word.finditer(said)):
            return stated.group(_kind(stated))
    return None


def _kind(found: re.Match[str]) -> str:
    return next(name for name, value in found.groupdict().items() if value is not None and name != "noun")


def _other_form(asked: str, said: str) -> str | None:
    """`f(1) =` where f(2) is asked for, `f'(x) =` where f(x) is."""
    stated = _FORM.match(said.lstrip("\\( "))
    if stated is None or _STATES.match(said.lstrip("\\( "), stated.end()) is None:
        return None
    for each in _FORM.finditer(asked.replace("$", "")):
        if each["name"] != stated["name"] or _ASKS.search(asked.replace("$", "")[: each.start()]) is None:
            continue
        wanted = _sort(each)
        if wanted != _sort(stated) and wanted not in {_sort(one) for one in _FORM.finditer(said)}:
            return stated[0]
    return None


def _sort(found: re.Match[str]) -> tuple[str, str]:
    """What tells two forms of one name apart; which small letter stands for the argument does not."""
    place = found["index"] or found["at"] or ""
    return found["primes"], "" if place.islower() else place
