"""Chains whose sides are all the same value: `3 × 2.80 + 7 = 15.40 €`, `{1, 2} ∪ {5} = {1, 2, 5}` say their end."""

import re
from typing import Final

from grading.equivalence.finding import Rules
from grading.equivalence.texts import compare_texts
from grading.language.extract import Extraction
from grading.language.unitnames import is_unit

_REMARK: Final = re.compile(r"\s*\((?=[^()\d]*[a-z]{3})[^()\d=]{3,80}\)(?=[\s.]*$)")
_DRESS: Final = re.compile(r"\*\*|(?<!\\)\$(?!\s*\d+(?:\.\d+)?\s*$)|\\[()\[\]]|(?<=\d)\\[,;: ](?=\\)")
_MEASURED: Final = re.compile(
    r"\s*(?P<before>[€£¥₹]|\\?\$)?\s*(?P<number>[-−]?\d[\d.,]*)\s*(?P<unit>[€£¥₹]|\\?%|[^\d\s=].{0,30})?\s*"
)
_UPRIGHT: Final = re.compile(r"\\(?:mathrm|text|rm)\s*\{([^{}]*)\}|\\[,; ]")
_SPOKEN: Final = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{3}")
_NUMBERS_ONLY: Final = re.compile(r"(?:[^A-Za-z\\]|\\(?:[dt]?frac|times|cdot|log|ln|sqrt|left|right)(?![A-Za-z]))*\d.*")
_MOST_SIDES, _LONGEST = 5, 300


def end_of_chain(text: str) -> str:
    """The last side of a chain of constants that are all equal to it, with its unit; any other text as it is."""
    if "=" not in text or len(text) > _LONGEST or "\n" in text.strip():
        return text
    sides = [side.strip(" .") for side in _DRESS.sub("", _REMARK.sub("", text.strip())).split("=")]
    if not 1 < len(sides) <= _MOST_SIDES or any(not side or _SPOKEN.search(side) for side in sides):
        return text
    *before, last = sides
    if len(set(sides)) == 1 or not all(re.search(r"\d", side) for side in sides):
        return text
    number = _without_unit(last)
    if number is not None:
        share = number[1].strip("\\ ") == "%"
        return last if all(_is(side, number[0], last, share=share) for side in before) else text
    constant = re.search(r"[\[{(]", last) and not re.search(r"(?<![\\A-Za-z{])[A-Za-z](?![A-Za-z])", "".join(sides))
    return last if constant and all(_same(side, last) for side in before) else text


def _without_unit(text: str) -> tuple[str, str] | None:
    """A number and the unit that stands at it; None of other texts."""
    found = _MEASURED.fullmatch(_UPRIGHT.sub(r" \1 ", text))
    if found is None or not (found["before"] or found["unit"]):
        return None
    unit = (found["before"] or found["unit"] or "").strip()
    known = unit.strip("\\") in ("€", "£", "¥", "₹", "$", "%", "dB") or is_unit(unit)
    return (found["number"].replace(",", ""), unit) if known else None


def _is(side: str, number: str, last: str, *, share: bool) -> bool:
    """Whether a side is the number at the end, or the same quantity in another unit."""
    if _without_unit(side) is not None:
        return _same(last, side)
    values = [f"{number}/100"] if share else [number]
    values += [number] if share and "100" in side else []  # `35/250 × 100 = 14 %`
    return _NUMBERS_ONLY.fullmatch(side) is not None and any(_same(each, _in_ten(side)) for each in values)


def _in_ten(text: str) -> str:
    return re.sub(r"\\log(?!_)", r"\\log_{10}", text)


def _same(one: str, other: str) -> bool:
    return compare_texts(one, Extraction(other, "side"), Rules()).finding.equal
