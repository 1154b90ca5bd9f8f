"""Numbers with their base in words: `100 base five`, `100 in base 5`, as `100_{5}`."""

import re
from typing import Final

_NAMES: Final = """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
"""
_WORDS: Final = {word: place for place, word in enumerate(_NAMES.split(), 2)}
# Only at the end of a clause: what else stands behind the base may change the number.
_SYSTEMS: Final = {"binary": 2, "ternary": 3, "octal": 8, "hexadecimal": 16}
_BASED: Final = re.compile(
    r"(?<![\w.,])(?P<digits>\d{1,40})\**,?\s+(?:(?:\(?in\s+)?(?:the\s+)?base[\s-]"
    rf"(?P<base>\d{{1,2}}(?!\d)|{'|'.join(_WORDS)})\b|\(?in\s+(?P<system>binary|ternary|octal|hexadecimal)\b(?:\s+notation)?)\)?(?=\W*(?:[.,;:!]\s|[*\s.!]*$|\n))",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"base|binary|ternary|octal|hexadecimal", re.IGNORECASE)


def with_bases(text: str, written: str = "{}") -> str:
    """A text in which such a number is written with its base as an index; `written` is what stands about it."""
    if _NAMED.search(text) is None:
        return text
    return _BASED.sub(lambda found: written.format(f"{found['digits']}_{{{_base(found)}}}"), text)


def _base(found: re.Match[str]) -> str | int:
    if found["system"]:
        return _SYSTEMS[found["system"].lower()]
    return _WORDS.get(found["base"].lower(), found["base"])
