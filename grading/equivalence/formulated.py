"""A count that is said with the formula that gives it: `3N - 6 = 3` beside 3, where the question asks how many."""

import re
from typing import Final

_COUNTS: Final = re.compile(
    r"\bhow\s+(?:many|much)\b|\b(?:number|count|total)\s+of\b|\b(?:bond\s+order|degeneracy|multiplicity|degrees\s+of\s+freedom)\b",
    re.IGNORECASE,
)
_SOLVES: Final = re.compile(
    r"\b(?:solve|equation|unknown|satisf\w+|for\s+which|value\s+of\s+\$?[A-Za-z]\$?(?![A-Za-z]))", re.IGNORECASE
)
_FORMULA: Final = re.compile(r"^[\s$*]*(?P<head>[^=≈<>]{2,50}?)\s*=\s*(?P<value>[-−]?\d[\d.,]*)(?P<end>[\s$*.]*)$")
_LETTER: Final = re.compile(r"(?<![\\A-Za-z_])[A-Za-zα-ω](?:_\{?\w\}?|[₀-₉])?(?![A-Za-z])")
_OPERATED: Final = re.compile(r"[-+−*/·^!²³]|\\(?:[dt]?frac|[dt]?binom|cdot|times)|\d\s*[A-Za-z(]|\)\s*\(")
_WORD: Final = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2}")
_NUMBER: Final = re.compile(r"[\s$]*[-−]?\d[\d.,]*[\s$.]*")


def without_formula(text: str, gold: str, question: str) -> str:
    """The number behind a formula of letters that the question does not speak of, or gives; any other text as it is.

    With the numbers that the question gives put in, so that a formula that does not give the number contradicts itself.
    """
    found = _FORMULA.match(text) if "=" in text and _NUMBER.fullmatch(gold) and _COUNTS.search(question) else None
    if found is None or _WORD.search(found["head"]) or not _OPERATED.search(found["head"]) or _SOLVES.search(question):
        return text
    head = found["head"]
    for letter in sorted(set(_LETTER.findall(head)), key=len, reverse=True):
        alone = rf"(?<![\\A-Za-z_]){re.escape(letter)}(?![A-Za-z_])"
        if re.search(alone, question) is None:
            continue
        given = re.search(rf"{alone}\s*\$?\s*=\s*\$?\s*(\d[\d.]*)", question)
        if given is None:
            return text
        head = re.sub(alone, f"({given[1].rstrip('.')})", head)
    return found["value"] if _LETTER.search(head) else f"{head} = {found['value']}"
