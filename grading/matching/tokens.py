"""Text as tokens: words and numbers, so that "170" is in "170 km" and not in "1170"."""

import re
import unicodedata
from decimal import Decimal

_QUOTES = str.maketrans(dict.fromkeys("‘’‛′`´", "'") | dict.fromkeys("“”„″«»", '"') | dict.fromkeys("‐‑‒–—−", "-"))
_TOKEN = re.compile(
    r"""(?P<number>(?<![\w.])(?:(?<![\w)%])[-+])?(?:\d{1,3}(?:,\d{3}){1,12}|\d+)(?:\.\d+)?(?!\w|[.,]\d))
      | (?P<word>\w+(?:'\w+)*(?:\+\+|\#)?)
      | (?P<symbol>[%$€£¥@&=<>+*/^°~|])""",
    re.VERBOSE,
)
_ACCENT = re.compile(r"(?<=[A-Za-z])[\u0300-\u036f]+")
MAX_TEXT = 2_000_000


def fold(text: str) -> str:
    """NFKC, plain quotes and dashes, lower case, single spaces; longer than MAX_TEXT is cut."""
    plain = unicodedata.normalize("NFKC", text[:MAX_TEXT].translate(_QUOTES)).translate(_QUOTES)
    return " ".join(plain.casefold().split())


def unaccented(text: str) -> str:
    """The text with the accents of Latin letters dropped ("León" is "Leon"); other scripts stay as they are."""
    return unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", text)))


def number_token(text: str) -> str:
    """Canonical form of a plain decimal number: no thousands separators, no trailing zeros, no plus, no minus zero."""
    value = Decimal(text.replace(",", ""))
    return format(value.normalize() if value else Decimal(0), "f")


def tokens(text: str) -> list[str]:
    """Tokens of folded text: numbers by value ("1,170.0" is "1170"), whole words, meaningful symbols."""
    found = _TOKEN.finditer(fold(text))
    return [number_token(match[0]) if match.lastgroup == "number" else match[0] for match in found]


def holds(text: list[str], expected: list[str]) -> bool:
    """Whether `expected` occurs in `text` as a run of whole tokens. No tokens never occur."""
    if not expected:
        return False
    width = len(expected)
    return any(text[start : start + width] == expected for start in range(len(text) - width + 1))
