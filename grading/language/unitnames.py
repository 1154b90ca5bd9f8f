"""Units as people write them: `km/h`, `$10^{11} \\mathrm{~J}$`, and quantities of a substance."""

import re
from collections.abc import Sequence
from functools import lru_cache

from grading.language.limits import LanguageError
from grading.language.prepare import prepare
from grading.language.tokens import tokenize
from grading.language.units import ONE, Unit
from grading.language.unittext import read_unit

_FORMULA = r"(?:\$\s*)?\\(?:mathrm|text|ce|rm)\s*\{[A-Za-z\d_{}^+-]{1,30}\}\s*\$?"
_SUBSTANCE = re.compile(
    r"(?P<quantity>(?:[A-Za-z]\w{0,3}\s*=)?(?:[^A-Za-z]*[\d\ue000-\ue2ff])\s*(?P<unit>[A-Za-z][A-Za-z./ ^\d]{0,20}?))"
    r"\s+of\s+(?:the\s+)?"
    rf"(?:{_FORMULA}\W*$|(?:[A-Za-z][\w()-]*)(?:\s+[A-Za-z][\w()-]*){{0,6}}\W*$)"
)
_AMOUNT = (
    r"(?P<quantity>\d\s*(?P<unit>k?J/mol|[mk]?mol|[mkµ]?g|m?L|M|kJ"
    r"|(?:milli|kilo)?grams?|(?:milli)?moles?|(?:milli)?lit(?:er|re)s?))"
)
_BY_FORMULA = re.compile(
    rf"{_AMOUNT}\s+(?:{_FORMULA}|(?=[^\s.]*[A-Z₀-₉\d])(?:[A-Z][a-z]?(?:_?\d{{1,2}}|[₀-₉]{{1,2}})?){{1,6}}"
    r"|(?:(?!(?:less|more|fewer|extra|excess|without|than|per|half|not)\b)[a-z]{3,14}\s){0,2}"
    r"(?:[a-z]{2,12}(?:ide|ate|ite|gen|ium|ane|ene|ose|anol)|acid|water|iron|copper|carbon|zinc))\W*$"
)
"""`2.00 mol H₂O`, `5 g sodium chloride`: what it is a quantity of, by its formula or by a name that ends as theirs."""
_UNIT_BEFORE_FORMULA = re.compile(
    r"(?:\s|\\[,;: ]|~)*\\(?:text|mathrm)\s*\{\s*(?P<unit>k?g|mg|m?L|[mk]?mol)\s*\}(?:\s|\\[,;: ]|~|\$)*"
    r"(?=\$?\\?(?:mathrm|text|ce)?\s*\{?[A-Z]\S*\W*$)"
)
"""`36.0\\ \\text{g}` before `H₂O`."""
_LONGEST_NAME = 120

_DROPS = re.compile(r"(?<=\d)\s?drops?(?=\s*(?:/|per\b|an?\s+min))")

_CYCLES = re.compile(r"(?<=\d)(\$?\s?)cycles?\s?(?:per\s+sec(?:ond)?|/\s?s(?:ec)?)\b")


def is_unit(text: str) -> bool:
    """Whether a text spells a unit."""
    return _is_unit_once(text) if len(text) <= _LONGEST_NAME else _is_unit(text)


def _is_unit(text: str) -> bool:
    try:
        return unit_of(text) is not ONE
    except LanguageError:
        return False


_is_unit_once = lru_cache(maxsize=512)(_is_unit)


def ends_in_word(tokens: Sequence[str], count: int) -> bool:
    """Whether the last of so many tokens is a word and no unit: `hours in`, `5 min of 3`, but not `3 min 45 s`."""
    last, more = tokens[count - 1], tokens[count:]
    if last == "min":
        return bool(more) and not more[0].isdigit()
    return last in ("in", "at", "a", "as") and (bool(more) or count > 1)


def without_substance(text: str) -> str:
    """A quantity without what it is a quantity of: `0.5 mol of NaCl` is `0.5 mol`; any other text as it stands."""
    text = _UNIT_BEFORE_FORMULA.sub(r" \g<unit> ", text) if "\\" in text and len(text) <= _LONGEST_NAME else text
    found = (_SUBSTANCE.match(text) or _BY_FORMULA.search(text)) if len(text) <= _LONGEST_NAME else None
    if found is None or not is_unit(found["unit"]):
        return text
    return text[: found.end("quantity")]


def unit_of(text: str) -> Unit:
    """The unit of a text such as `km/h` or `$10^{11} \\mathrm{~J}$`. Raises LanguageError for what is no unit."""
    tokens = tokenize(prepare(text))
    unit = read_unit(tokens, 0, len(tokens) - 1)
    if unit is None:
        raise LanguageError(f"'{text[:80]}' is no unit; write it like 'km/h' or 'kJ mol^-1'")
    return unit


def with_drops(text: str) -> str:
    """A rate of drops or cycles in the symbol that is used for it: `42 drops per minute`, `50 cycles per second`."""
    text = _CYCLES.sub(r"\1Hz", text) if "cycle" in text else text
    return _DROPS.sub(" gtt", text) if "drop" in text else text
