"""What leads to a formula without changing it: methods, named results, chains that are worked out."""

import math
import re

from grading.language.responses import vocabulary as say
from grading.language.responses.equalities import says_untruly

END_OF_CHAIN = re.compile(r"(?:=|\\approx)\s*([-−]?[\d.,{}\\!]*\d)\s*$")
"""`$96/8 = 12$ centimeters`: the unit belongs to the last side."""
_NAMED_METHOD = re.compile(
    r"\b(?:half|double|triple)-?\s?angle\b|\b(?:[\w’'-]+\s+){1,3}(?:rule|formulas?|formulae|identity|identities|law|theorem|method|test|criterion|substitution"
    r"|expansion|series|inequality|relation|principle)\b",
    re.IGNORECASE,
)
"""A method by its name (`the half-angle identity`, `the product rule`), whose words work on no value."""
_NAMED_OPERATION = re.compile(
    r"\b(?:the|our|its|their|this)\s+(?:[\w\ue000-\ue2ff-]+\s+){0,6}?(?:quotient|remainder|sum|product|difference|derivative|integral|inverse|factors?|roots?|line"
    r"|square\s+root|antiderivative|power|reciprocal|conjugate|complement|gradient|logarithm|minimum|maximum)\b(?:\s+of\s+[^,;:]{1,60})?\s+(?:is|are|equals?|=)\s*$",
    re.IGNORECASE,
)
"""A result that is named by the operation it comes from: `the quotient is`."""
_TOGETHER = re.compile(
    r"\b(?:putting|taking|taken)\s+(?:(?:it|this|these|all|everything|of)\s+){0,3}together\b", re.IGNORECASE
)
_SPEAKS_FOR_ITSELF = re.compile(
    r"\s*[^=<>≤≥]*[\w)}]\s*(?:[-+−/^*∪∩∖(]|\\(?:cup|cap|setminus|cdot|times|triangle|left|to)(?![A-Za-z]))[^=<>≤≥]*=(?!.*[<>≤≥])"
)
_OPERATION = re.compile(
    r"\b(?:an?\s+|the\s+)?(?:differences?|sums?|products?|quotients?|squares?|cubes?|factors?|roots?|powers?|derivatives?|integrals?|logarithms?|either)\b"
    r"(?:\s+of\s+(?:an?\s+|the\s+|two\s+)?(?:squares?|cubes?|roots?|powers?|functions?|sets?)\b)?",
    re.IGNORECASE,
)
"""Nouns of operations, with which a sentence says what an equation is about."""
_WORK = r"(?:[\d\s+\-−*/().^·×÷{}²³⁰¹⁴⁵⁶⁷⁸⁹⁻√]|\\(?:[dt]?frac|cdot|times|left|right|sqrt|div|[,;! ]))++"
_WORKED = re.compile(
    rf"(?P<work>{_WORK})(?:=|\\approx|≈)\s*(?P<number>[-−+]?\d[\d.,]*(?:\\times\s*10\^\{{?-?\d+\}}?)?)"
    r"(?P<unit>(?:\s|\\[,;! ])*(?:\\(?:text|mathrm|Omega|circ|%)|[A-Za-zµΩ°%])[^=]{0,40})"
)
"""`40 + 8 = 48 km/h`: a working without units, and its value with one."""


def changed_by(lead: str, formula: str = "") -> bool:
    """Whether words before a formula change it; a quotient, a sum or a root that "is" the formula does not.

    An equation about more than a letter says itself of what it speaks: `a difference of squares: $x^2 - 9 = …$`.
    """
    named = _NAMED_METHOD.sub("", _NAMED_OPERATION.sub("", _TOGETHER.sub("", lead)))
    if lead.rstrip().endswith(":") and _SPEAKS_FOR_ITSELF.match(formula):
        named = _OPERATION.sub("", named)
    return say.CHANGED.search(named) is not None


def exact_side(formula: str) -> str | None:
    """The side in numbers before the decimals that end a chain (`V = \\frac43\\pi \\approx 4.19`), or None."""
    sides = re.split(r"=|\\approx(?![A-Za-z])|≈", formula)
    last = re.search(r"(?:\\approx(?![A-Za-z])|≈)[^=≈]*$", formula)
    if last is None or len(sides) < 2 or re.search(r"\\approx|≈", formula[: last.start()]):
        return None
    bare = re.sub(r"\\(?:pi|sqrt|[dt]?frac|cdot|times|left|right|ln|log)(?![A-Za-z])", " ", sides[-2])
    return None if re.search(r"[A-Za-z\\]", bare) else sides[-2].strip()


def is_object(formula: str) -> bool:
    """Whether a formula is a set, a point, a matrix or an expression in letters, and no number."""
    formula = re.sub(r"^\s*\\?[A-Za-z]+(?:_\w|_\{[^{}]*\})?\s*(?:=|\\approx(?![A-Za-z]))", "", formula)
    bare = re.sub(r"\\(?:text|mathrm|mathbf|operatorname)\s*\{[^{}]*\}", "", formula)
    bare = re.sub(r"\\(?!begin)[A-Za-z]+", " ", bare)
    return re.search(r"[A-Za-z]|[(\[{][^()]*,[^()]*[)\]}]", bare) is not None


def worked_value(text: str) -> str | None:
    """The end of a chain that works in plain numbers and ends in a unit; None of other texts."""
    worked = _WORKED.fullmatch(text.replace("$", "").replace("*", "")) if "=" in text or "\\approx" in text else None
    if worked is None or not re.search(r"\d", worked["work"]) or says_untruly(f"{worked['work']} = {worked['number']}"):
        return None
    return f"{worked['number']}{worked['unit']}"


_CHOICE = re.compile(r"(?P<how>[CP])\((?P<of>\d{1,4}),\s*(?P<few>\d{1,4})\)")


def is_choice(work: str, value: str) -> bool | None:
    """Whether `C(6,3)` or `P(6,3)` is the number said of it; None of other workings."""
    found = _CHOICE.fullmatch(work.strip())
    if found is None:
        return None
    count = math.comb if found["how"] == "C" else math.perm
    return str(count(int(found["of"]), int(found["few"]))) == value.replace(",", "").rstrip(".")
