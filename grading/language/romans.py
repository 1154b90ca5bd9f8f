"""Roman numerals, read by one rule wherever they stand: labels, oxidation numbers, years."""

import re
from typing import Final

_NUMERAL: Final = re.compile(r"(?=[IVXLCDM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_SIGNS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman_value(text: str) -> int | None:
    """`XIV` as 14, in capital letters only; None of what is no numeral (`IIII`, `VV`)."""
    if len(text) > len("MMMDCCCLXXXVIII") or _NUMERAL.fullmatch(text) is None:
        return None
    values = [_SIGNS[sign] for sign in text]
    return sum(-one if one < other else one for one, other in zip(values, [*values[1:], 0], strict=True))
