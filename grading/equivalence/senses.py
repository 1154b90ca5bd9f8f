"""Words of sense beside a value (rise and fall, left and right, earlier and later): where a gold carries one, an answer
must carry it too, and not its opposite."""

import re
from functools import lru_cache

from grading.equivalence.finding import Finding, different, equal, unknown

_MORE = (
    r"ris(?:e|es|en|ing)|rose|increas(?:e|es|ed|ing)|gain(?:s|ed)?|grew|grow(?:s|n|th)?|climb(?:s|ed)?|raised"
    r"|(?:go|goes|went|gone|is|are|was)\s+up|up"
)
_LESS = (
    r"fall(?:s|en|ing)?|fell|decreas(?:e|es|ed|ing)|drop(?:s|ped|ping)?(?!\s*/|\s+per\b)|declin(?:e|es|ed)|reduc(?:e|es|ed|tion)"
    r"|shr[aiu]nk|lowered|discount|(?:go|goes|went|gone|is|are|was)\s+down|down|loss|lost|loses?"
)
_AXES: tuple[tuple[str, str], ...] = (
    (_MORE, _LESS),
    (r"profits?|gain(?:s|ed)?|earn(?:s|ed)?|surplus|won", r"loss(?:es)?|lost|loses?|deficit"),
    (r"up|upwards?|above|higher", r"down|downwards?|below|under(?:neath)?|beneath|lower"),
    (
        r"left(?!\s+(?:over|to|side|hand|-))|leftwards?",
        r"(?<!all )right(?!\s+(?:answer|angle|angled|triangle|side|hand|value|one))(?!-)|rightwards?",
    ),
    (r"early|earlier|sooner|ago", r"late|later|from\s+now"),
    (r"north(?:wards?)?|northern", r"south(?:wards?)?|southern"),
    (r"east(?:wards?)?|eastern", r"west(?:wards?)?|western"),
    (r"(?<!counter)(?<!anti)(?<!counter-)(?<!anti-)clockwise", r"(?:counter|anti)-?clockwise"),
    (r"in|inwards?|into", r"out|outwards?|out\s+of"),
    (r"released?|releases|given\s+off|liberated|exothermic", r"absorb(?:s|ed)?|taken\s+up|endothermic"),
    (r"attractive|attracts?|attracted|attraction", r"repulsive|repels?|repelled|repulsion"),
    (r"forwards?|ahead", r"backwards?|behind"),
    (r"older|elder", r"younger"),
    (r"faster|quicker", r"slower"),
    (r"taller|longer|wider", r"shorter|narrower"),
    (r"heavier", r"lighter"),
    (r"warmer|hotter", r"colder|cooler"),
)
_SIDES = tuple(
    tuple(re.compile(rf"(?<![\w\\-])(?:{words})(?![\w-])", re.IGNORECASE) for words in axis) for axis in _AXES
)
_ANY = re.compile(rf"(?<![\w\\-])(?:{'|'.join(words for axis in _AXES for words in axis)})(?![\w-])", re.IGNORECASE)
_NOT_IN_A_GOLD = re.compile(r"\b(?:in|into|out|is|are|was)\b", re.IGNORECASE)
"""Words of sense that are others besides: alone in a gold they say nothing."""
_JOINED = (
    r"(?:\s*,)?(?:\s+(?:to|towards)\s+(?:the|its)|\s+due|\s+directed|\s+vertically|\s+horizontally)?\s+{0}\**"
    r"(?:\s+of\s+(?:the|its|their|his|her)\s+\w+(?:\s+(?:point|line|axis))?|\s+the\s+\w+|\s+than\s+\w+)?"
)
_BEHIND = tuple(re.compile(_JOINED.format(words.pattern), re.IGNORECASE) for axis in _SIDES for words in axis)
_OPENING = re.compile(
    r"^\s*(?:(?:an?|the)\s+)?(?P<word>\w+)\s+(?:of|by)\s+(?=[\d$\\.+-])|^\s*(?:an?\s+)(?=[\d$\\*.])", re.IGNORECASE
)
_STATEMENT = re.compile(r"(?<=[.!?])\s+|\n+")
_THINKING = "</think>"
_LONGEST_GOLD = 80
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=512)
def sense_of(gold: str) -> tuple[tuple[int, int], ...]:
    """The axes of which a gold names one side, as `(axis, side)`; empty where it is no value beside such a word."""
    if len(gold) > _LONGEST_GOLD or _DIGIT.search(gold) is None or _ANY.search(gold) is None:
        return ()
    found = tuple(
        (place, side)
        for place, axis in enumerate(_SIDES)
        for side, words in enumerate(axis)
        if any(not _NOT_IN_A_GOLD.fullmatch(match[0]) for match in words.finditer(gold))
    )
    return found if found and re.search(r"\d", without_sense(gold)) and _is_value(without_sense(gold)) else ()


def _is_value(core: str) -> bool:
    """Whether at most a unit of two words is left beside the number."""
    return len(re.findall(r"(?<![\\A-Za-z])[A-Za-z]{3,}", core)) <= 2


def without_sense(text: str) -> str:
    """A text without the words of sense behind its first number and what joins them to it."""
    text = _OPENING.sub(lambda match: "" if match["word"] is None or _is_sense(match["word"]) else match[0], text)
    first = re.search(r"\d", text)
    start = first.start() if first is not None else 0
    behind = text[start:]
    for pattern in _BEHIND:
        behind = pattern.sub(" ", behind)
    return text if behind == text[start:] else " ".join(f"{text[:start]}{behind}".split())


def _is_sense(word: str) -> bool:
    return any(words.fullmatch(word) for axis in _SIDES for words in axis)


def with_sense(gold: str, response: str) -> Finding:
    """Whether the last statement of a response that has a number goes the way the gold does."""
    text = response.rpartition(_THINKING)[2]
    told = [each for each in _STATEMENT.split(text) if re.search(r"\d", each)]
    last = told[-1] if told else text
    seen = {(place, side) for place, axis in enumerate(_SIDES) for side, words in enumerate(axis) if words.search(last)}
    wanted = sense_of(gold)
    axes = {place for place, _ in wanted}
    if any((place, 1 - side) in seen for place, side in wanted):
        return different("the opposite sense, or both")
    if any((place, side) in seen for place, side in wanted if place in axes):
        return equal("the same value in the same sense")
    return unknown("the reference says in which sense, and the answer does not")
