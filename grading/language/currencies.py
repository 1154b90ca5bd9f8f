"""Sums of money by the codes and names of their currency, with the sign that the grammar reads."""

import re
from typing import Final

_SIGNS: Final = {"USD": "\\$", "EUR": "€", "GBP": "£", "INR": "₹", "JPY": "¥", "KRW": "₩"}
_CODE: Final = "|".join(_SIGNS)
_SUM: Final = r"[-−]?\d[\d.,]*(?<![.,])"
_GAP: Final = r"(?:\s|\\[,;: ]|~){0,2}"
_OF_A_STATE: Final = re.compile(r"(?<![A-Za-z])(?:US|U\.S\.)\s?\\?(?=\$\s?\d)|(?<![A-Za-z])UK(?=£\s?\d)")
_STATE_BEHIND: Final = re.compile(r"(?<=\d)(?<!\s)\s+US(?=[\s.!*]*$)")
_RUPEES: Final = re.compile(rf"(?<![A-Za-z\\])Rs(?:\.\s?|{_GAP})(?=\d)")
_SLASHED: Final = re.compile(r"(?<=\d)\s?/[-–−]")
"""`Rs. 2500/-`"""
_BEFORE: Final = re.compile(rf"(?<![A-Za-z\\])(?P<code>{_CODE}){_GAP}(?P<sum>{_SUM})")
_BEHIND: Final = re.compile(rf"(?P<sign>\\?[$€£₹¥₩]\s?)?(?P<sum>(?<![\w.,]){_SUM}){_GAP}(?P<code>{_CODE})(?![A-Za-z])")
_NAMED: Final = re.compile(
    r"(?P<sum>\d)\s+(?:(?:US|U\.S\.|American)\s+(?P<coin>dollars?)|(?P<pound>pounds?)\s+sterling)\b"
)
_DOLLAR_BEHIND: Final = re.compile(rf"(?P<sum>(?<![\w.,]){_SUM})\s?\$(?P<end>[\s.*]*)$")
"""`7.50 $`: a lone sign behind the sum opens no formula."""


_ARTICLE: Final = re.compile(
    r"(?<=[a-zà-ÿ:] )(?:el|un|il|um|del)\s+(?=\**\$?[-−]?\d[\d.,{}]{0,12}(?:\s|\\[, ])*\\?%)"
    r"|^(?:el|il)\s+(?=\d[\d.,]*\s?%)",
    re.IGNORECASE,
)
"""`el 12,5 %`"""


def without_article(text: str) -> str:
    """A share without the article that Romance languages put before it."""
    return _ARTICLE.sub("", text) if "%" in text else text


def with_money(text: str) -> str:
    """`USD 1,210`, `1,210 USD`, `US$1,210`, `Rs. 500` with the sign of the currency; other texts as they are."""
    if "$" not in text and not any(mark in text for mark in ("£", "Rs", "dollar", "sterling", *_SIGNS)):
        return text
    text = _DOLLAR_BEHIND.sub(r"\\$\g<sum>\g<end>", text) if text.count("$") == 1 else text
    text = _RUPEES.sub("₹", _OF_A_STATE.sub(_sign_of_state, _STATE_BEHIND.sub("", text) if "$" in text else text))
    text = _NAMED.sub(lambda found: f"{found['sum']} {found['coin'] or found['pound']}", text)
    text = _SLASHED.sub("", text) if "₹" in text else text
    return _BEFORE.sub(lambda found: f"{_SIGNS[found['code']]}{found['sum']}", _BEHIND.sub(_sign_behind, text))


def _sign_of_state(found: re.Match[str]) -> str:
    return "" if found[0] == "UK" else "\\"


def _sign_behind(found: re.Match[str]) -> str:
    """A sum with its code behind it; with another sign before it, it stays as it is."""
    sign = (found["sign"] or "").strip().lstrip("\\")
    wanted = _SIGNS[found["code"]]
    return f"{wanted}{found['sum']}" if sign in ("", wanted.lstrip("\\")) else found[0]
