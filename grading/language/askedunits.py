"""The unit that a question asks for: `…, in km/h?`, `How many minutes …?`."""

import re
from functools import lru_cache
from typing import Final

from grading.language.unitnames import is_unit

_UNIT: Final = (
    r"(?P<unit>[A-Za-zµμΩÅ°][A-Za-zµμΩÅ°²³⁻¹/·^*{}\\-]*\d?(?:\s(?:per|squared|cubed|[A-Za-z][A-Za-z/^²³-]*\d?)){0,3})"
)
_IN: Final = re.compile(
    rf"\b(?:in|as)\s+(?:units\s+of\s+|whole\s+)?{_UNIT}(?:\s*\([^()]{{1,12}}\))?\s*(?:\?|[.)]*\s*$)"
)
_COUNTED: Final = re.compile(
    r"\bhow\s+many\s+(?:more\s+|full\s+|whole\s+)?(?P<unit>(?:square\s+|cubic\s+)?[a-z]{3,}(?:\sper\s[a-z]+)?)\b",
    re.IGNORECASE,
)
_NO_UNIT: Final = re.compile(
    r"(?:bit|hand|stone|yard|pound|point|cup|degree|grain|barrel|rod|chain|link|drop|part|turn|cycle)s|feet|moles?"
)
"""Words that are as often things that are counted, or no unit of an answer alone."""
_LONGEST: Final = 2_000


@lru_cache(maxsize=256)
def unit_asked_for(question: str) -> str:
    """The unit in which a question wants its answer; empty where it names none, or more than one."""
    question = re.sub(r"\$|\\(?:text|mathrm)\s*(?=\{)|\\[,;~ ]|~", " ", question[-_LONGEST:])
    question = re.sub(r"[{}]", "", question)
    asked = {found["unit"].strip() for found in _IN.finditer(question)}
    asked |= {found["unit"] for found in _COUNTED.finditer(question) if not _NO_UNIT.fullmatch(found["unit"].lower())}
    # What is asked for in per cent may be given as a share, which is no matter of units.
    units = {each for each in asked if is_unit(each) and "cent" not in each}
    return units.pop() if len(units) == 1 else ""
