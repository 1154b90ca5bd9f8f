"""A sentence without what stands in brackets or as an apposition beside its values and takes nothing of them back.

`23 chromosomes (as opposed to 46 in somatic cells)`, `604,800 seconds (7 × 24 × 60 × 60)`,
`λ = 1 (with eigenvector v) and λ = 3 (with eigenvector w)`, `(0, 0), a saddle point, and (1, 1), a minimum`.
"""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Final

from grading.language.limits import LanguageError
from grading.language.numerals import number_of
from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.unitnames import unit_of
from grading.language.units import Unit

_MARK: Final = "[\ue000-\ue2ff]"
_NUMBER: Final = r"[-−]?\d(?:[\d.,/]*\d)?"
_OPPOSED: Final = re.compile(
    r"(?<=[\w%°)\ue000-\ue2ff])\s*\((?P<not>(?:and\s+)?(?:not|as\s+opposed\s+to|rather\s+than|instead\s+of"
    r"|unlike|in\s+contrast\s+(?:to|with)|compared\s+(?:to|with)|versus|vs\.?|nicht|et\s+non|y\s+no)\s[^()?]{1,120})\)"
)
_RULED_OUT: Final = re.compile(
    rf"(?<=[\w%°)\ue000-\ue2ff])\s*\((?:(?:and|since|while|as|but|whereas)\s+)?(?:the\s+(?:other\s+)?[a-z]+,?\s+)?(?P<not>(?:[A-Za-z]\s*=\s*)?(?:{_MARK}|{_NUMBER})"
    r"\s+(?:is|was)\s+(?:ruled\s+out|excluded|rejected|discarded|dropped|extraneous|spurious|not\s+(?:allowed|possible|admissible|a\s+solution))\b"
    r"[^()?]{0,80})\)",
    re.IGNORECASE,
)
"""`14 (and 15 is ruled out because …)`"""
_REALLY: Final = re.compile(
    r"^(?:and\s+)?not\s+(?:quite|exactly|really|yet|sure|entirely|necessarily|always|certain|the\s+answer"
    r"|verified|checked|final)\b|\b(?:if|unless|may|might|maybe|perhaps|but)\b",
    re.IGNORECASE,
)
_WORDED: Final = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty"
_WORKING: Final = re.compile(
    rf"(?P<counted>(?<![\w.]){_NUMBER}\s+[a-z]{{2,}}(?:\s+[a-z]+){{0,4}}|(?<=\s)(?:[a-z]+ty-)?(?:{_WORDED})(?:\s+[a-z]+s)?)\s+\((?=[^()]*[×*·÷/+−^-]\s*\d){_NUMBER}(?:\s*[×*·÷/+−^=-]\s*{_NUMBER})+\)(?=\s*(?:[.,;!]|$)|\s+[a-z]{{2}})"
)
_SECOND_UNIT: Final = re.compile(
    rf"(?P<first>{_NUMBER}(?:\s*[×·]\s*10[\^⁻⁰¹²³⁴-⁹−\d-]+)?)\s?(?P<unit>[A-Za-zµΩ°%][\w/²³⁻¹·^°-]{{0,12}})\s*\((?:(?:or|i\.\s?e\.,?|=|≈|about|roughly|approximately|more\s+precisely,?)\s*)*"
    rf"(?P<second>{_NUMBER}(?:\s*[×·]\s*10(?P<power>[\^⁻⁰¹²³⁴-⁹−\d-]+))?)\s?(?P<other>[A-Za-zµΩ°%][\w/²³⁻¹·^°-]{{0,12}})\)(?=\W*$)"
)
_OR_SECOND: Final = re.compile(
    rf"(?P<first>(?<![\w.]){_NUMBER})\s?(?P<unit>[A-Za-zµΩ°%][\w/²³⁻¹·^°-]{{0,12}}),?\s+or\s+(?:about\s+|roughly\s+|approximately\s+)?"
    rf"(?P<second>{_NUMBER})\s?(?P<other>[A-Za-zµΩ°%][\w/²³⁻¹·^°-]{{0,12}})(?=[.!]?\s*$)"
)
"""`0.0400 L, or 40.0 mL` at the end of a sentence."""
_BESIDE_AT_THE_END: Final = re.compile(
    r"(?<=\d)\s*\((?P<said>(?:and|so|hence|since|because)\s+[^()?]{1,100})\)(?=[.!]?\s*$)"
)
_DRAWN_BESIDE: Final = re.compile(
    r"(?<=[\ue000-\ue2ff])\s*\((?:and\s+)?(?:so|hence|thus)\s+(?:that\s+)?(?:the|its)\s+"
    r"(?!(?:\w+\s+)?(?:answers?|results?|total|values?|solutions?|numbers?)\b)[a-z ]{3,40}"
    rf"\s(?:is|are|equals)\s+(?:{_MARK}|{_NUMBER})(?:\s[\w²³/]{{1,12}})?\)(?=[.!]?\s*$)"
)
"""What follows from a formula for another thing: `σ² = 4 (so the standard deviation is 2)`."""
_TWICE_SAID: Final = re.compile(
    rf"\b(?P<words>(?:(?:{_WORDED}|hundred|thousand|million|and)[\s-])+)(?P<unit>[a-z]+(?:\s(?:per\s)?[a-z]+){{0,2}})\s*\((?P<digits>{_NUMBER})\s?(?P<other>[A-Za-zµΩ°%][\w/²³⁻¹·^°-]{{0,12}})\)",
    re.IGNORECASE,
)
"""`sixty coulombs (60 C)`"""
_OF_ANOTHER: Final = re.compile(
    rf"^(?P<value>\W*{_NUMBER}(?:\s?[A-Za-zµΩ°%][\w/²³⁻¹·^°-]*){{0,2}})\s*\((?P<said>(?:the\s+|its\s+)?(?!it\b|this\b|that\b|which\b|answer\b|result\b)[a-z][^\d()?=]*\b(?:is|are|was)\s+(?:about\s+)?{_NUMBER}[^()\d?]{{0,24}})\)(?=[.!]?\s*$)",
    re.IGNORECASE,
)
"""`26 protons (the mass number is 56)`: what the sentence says, and what a bracket says of another thing."""
_CORRECTS: Final = re.compile(
    r"\b(?:answers?|results?|correct\w*|right|true|real|actual\w*|exact|proper|better|final|total|sum|key|expected|should)\b",
    re.IGNORECASE,
)
_MEMBER: Final = rf"(?:(?:\\?[A-Za-zα-ω](?:_\w|[₀-₉])?\s*=\s*)?(?:{_MARK}|{_NUMBER}))"
_REMARKED: Final = re.compile(
    rf"(?P<first>{_MEMBER})\s*\((?P<one>[a-z][^()?]{{2,80}})\)(?P<join>\s*(?:,|,?\s*(?:and|und|et|y"
    rf"|e)\b)\s*)(?P<second>{_MEMBER})\s*\((?P<two>[a-z][^()?]{{2,80}})\)"
)
_APPOSED: Final = re.compile(
    rf"(?P<first>{_MEMBER}),\s+(?P<one>(?:an?|the|which\s+is\s+an?)\s+[a-z][a-z"
    rf" -]{{2,50}}),\s+and\s+(?P<second>{_MEMBER}),\s+(?P<two>(?:an?|the|which\s+is\s+an?)\s+[a-z][a-z"
    rf" -]{{2,50}})(?=[.!]?\s*$)"
)


def without_brackets_beside(text: str) -> str:
    """The sentence as it is where it has no such bracket."""
    if "(" in text:
        text = _SECOND_UNIT.sub(_without_second, text)
        text = _OPPOSED.sub(_unless_it_is_said, text)
        text = _RULED_OUT.sub(_unless_it_is_said, text)
        text = _WORKING.sub(_unless_untrue, text)
        text = _DRAWN_BESIDE.sub("", text)
        text = _TWICE_SAID.sub(_in_digits, text)
        text = _OF_ANOTHER.sub(_without_another, text)
        text = _BESIDE_AT_THE_END.sub(_unless_unsettled, text)
        text = _REMARKED.sub(_members, text)
    text = _OR_SECOND.sub(_without_second, text) if " or " in text else text
    return _APPOSED.sub(_members, text) if ", and " in text else text


def _unless_it_is_said(found: re.Match[str]) -> str:
    other = re.search(rf"{_MARK}|{_NUMBER}", found["not"])
    before = found.string[: found.start()]
    again = other is not None and re.search(rf"(?<![\d.]){re.escape(other[0])}(?![\d])", before) is not None
    unsettled = found.re is _OPPOSED and say.UNSETTLED.search(found["not"])
    return found[0] if again or _REALLY.search(found["not"]) or unsettled else ""


_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


def _without_second(found: re.Match[str]) -> str:
    """A quantity without its second form in brackets, where the two are the same within two per cent."""
    one, other = _size(found["first"], found["unit"]), _size(found["second"], found["other"])
    if one is None or other is None or one[1] != other[1] or abs(one[0] - other[0]) > abs(one[0]) / 50:
        return found[0]
    return f"{found['first']} {found['unit']}"


def _size(number: str, unit: str) -> tuple[Fraction, Unit] | None:
    """A plain number with a unit in the base of its dimension, and that base; None where the unit is not known."""
    digits, _, power = number.replace("−", "-").replace(",", "").replace(" ", "").replace("·", "×").partition("×10")
    try:
        known = unit_of(unit)
        value = Fraction(digits) * Fraction(10) ** int(power.translate(_RAISED).lstrip("^") or 0)
    except (LanguageError, ValueError, ZeroDivisionError):
        return None
    return value * known.scale + known.offset, replace(known, scale=Fraction(1), offset=Fraction(0))


def _unless_unsettled(found: re.Match[str]) -> str:
    changed = any(
        words.search(found["said"]) for words in (say.UNSETTLED, say.DENIED, changing.WORK_LEFT, changing.AROUND)
    )
    return found[0] if changed or re.search(rf"\b(?:is|was)\b|^\w+\s+{_NUMBER}", found["said"]) else ""


def _unless_untrue(found: re.Match[str]) -> str:
    """What is counted without its working, but for a sum in brackets that is another number than the words say."""
    number = number_of(found["counted"])
    work = found[0][found.end("counted") - found.start() :].strip(" ()").replace("−", "-").replace(" ", "")
    if number is None or not re.fullmatch(r"\d+(?:[+-]\d+)*", work):
        return found["counted"]
    return found["counted"] if sum(int(term) for term in re.findall(r"[+-]?\d+", work)) == number else found[0]


def _in_digits(found: re.Match[str]) -> str:
    """A quantity in words as its digits in brackets, where the two are one."""
    number = number_of(found["words"].strip(" -"))
    one, other = (_size("1", found[unit]) for unit in ("unit", "other"))
    same = number is not None and str(number) == found["digits"] and one is not None and one == other
    return f"{found['digits']} {found['other']}" if same else found[0]


def _without_another(found: re.Match[str]) -> str:
    said = found["said"]
    changes = (say.UNSETTLED, say.DENIED, changing.WORK_LEFT, changing.AROUND, _CORRECTS)
    return found[0] if any(words.search(said) for words in changes) else found["value"]


def _members(found: re.Match[str]) -> str:
    """Two members of a list without the remarks on each."""
    said = f"{found['one']} | {found['two']}"
    changed = any(words.search(said) for words in (say.UNSETTLED, say.DENIED, changing.AROUND, changing.WORK_LEFT))
    return found[0] if changed or say.CONDITION.match(found["one"]) else f"{found['first']} and {found['second']}"
