"""Values of several letters, each behind the noun or the letter of it: in lines, in rows of a table, in a sentence.

Beside `a = 2, T = 12`, `Acceleration: 2` and `Tension: 12` on two lines say which value is whose.
"""

import re
from functools import lru_cache
from typing import Final

_NAME: Final = r"\\?[A-Za-zα-ωΑ-Ω]+(?:_(?:\w|\{\w{1,6}\})|[₀-₉])?'?"
_GOLD: Final = re.compile(rf"\W*(?P<name>{_NAME})\s*=(?P<value>[^=<>]+)")
_APART: Final = re.compile(r"(?<!\\),(?!\d{3}\b)\s*|;\s*|\s+and\s+|\\q?quad")
_LINE: Final = re.compile(
    r"[\s>]*(?:[-*•+]\s+|\d{1,2}[.)]\s+)?(?:\*\*|__)?(?P<label>[A-Za-z$][^:=|\n\d]{0,60}?)(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(?P<value>[^:|\n]{1,160})"
)
_EQUATION: Final = re.compile(
    rf"[\s>]*(?:[-*•+]\s+|\d{{1,2}}[.)]\s+)?(?P<value>(?:\*\*)?\$?{_NAME}\s*(?:=|≈|\\approx)[^:|\n]{{1,160}})"
)
_ROW: Final = re.compile(r"\s*\|(?P<label>[^|\n]{1,60})\|(?P<value>[^|\n]{1,160})\|?\s*")
_RULE: Final = re.compile(r"[\s|:-]+")
_CLAUSES: Final = re.compile(r",?\s+(?:and|while|with)\s+(?=(?:the|its)\b)|[,;]\s+(?=(?:the|its)\b)")
_LEAD: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|finally|then|we\s+(?:get|find)\s+that),?\s+)*", re.IGNORECASE
)
_CLAUSE: Final = re.compile(
    r"(?:the|its)\s+(?P<label>[A-Za-z][A-Za-z ]{2,40}?(?:\s+of\s+(?:the\s+)?[a-z]+|\s+in\s+the\s+[a-z]+)?)"
    r"\s+(?:is|equals|=)\s+(?P<value>\S.{0,140})",
    re.IGNORECASE,
)
_STATED: Final = re.compile(rf"(?P<name>{_NAME})\s*(?:=|≈|\\approx)\s*(?P<value>[^=≈]{{1,140}})")
_REMARK: Final = re.compile(r"\s*\([a-z][A-Za-z_\d -]{2,50}\)\W*$")
_LISTED: Final = re.compile(rf"[,;]\s+(?=\$?{_NAME}\s*=)|\s+and\s+(?=\$?{_NAME}\s*=)")
_UNSOUND: Final = re.compile(
    r"\b(?:not|never|no|if|unless|or|either|guess\w*|suppose\w*|assum\w*|wrong\w*|given|initial\w*|test\w*|check\w*|at\s+(?:least|most)|more|less)\b|n['’]t\b|[<>≤≥?]",
    re.IGNORECASE,
)
_LETTERS: Final = {
    "current": "Ii", "voltage": "VU", "potential": "VU", "speed": "v", "period": "T", "distance": "dsx",
    "displacement": "dsx",
    "momentum": "p", "wavelength": "lambdaλ", "angle": "thetaθ", "density": "rhoρ", "charge": "qQ", "field": "EB",
    "torque": "tauτ", "concentration": "c", "slope": "m", "intercept": "bc", "height": "hy", "energy": "EKUW",
    "strength": "EB", "loss": "P", "reaction": "RN",
}  # fmt: skip
"""Letters of quantities whose nouns begin otherwise."""
_LONGEST: Final = 2_000


@lru_cache(maxsize=512)
def _asked(gold: str) -> dict[str, str]:
    """The letters whose values a gold lists, with these; empty for any other gold."""
    parts = [part for part in _APART.split(gold.replace("$", "")) if part.strip(" \\")]
    found = [_GOLD.fullmatch(part) for part in parts]
    values = {each["name"]: each["value"].strip() for each in found if each is not None}
    return values if len(values) == len(parts) > 1 else {}


def by_letters(gold: str, text: str) -> tuple[tuple[tuple[str, str], ...], bool] | None:
    """Of each of the gold's letters its value and what an answer says it is; None where it is not all told so.

    Also whether nouns tell the letters: then no other reading is left.
    """
    asked = _asked(gold) if "=" in gold else {}
    if not asked or len(text) > _LONGEST:
        return None
    for items in (_lines(text, len(asked)), _clauses(text)):
        told = [_told(label, value, tuple(asked)) for label, value in items] if len(items) == len(asked) else []
        found = dict(each for each in told if each is not None)
        if len(found) == len(asked):
            return tuple((asked[name], found[name]) for name in asked), all(label for label, _ in items)
    return None


def _lines(text: str, count: int) -> list[tuple[str, str]]:
    """Labels and values of the last lines, each of which has a label or a letter."""
    lines = [line for line in text.split("\n") if line.strip() and not _RULE.fullmatch(line)]
    last, before = lines[-count:], lines[-count - 1 : -count]
    if len(last) < count or (before and _UNSOUND.search(before[0])) or any(map(_UNSOUND.search, last)):
        return []
    found = [_ROW.fullmatch(line) or _LINE.fullmatch(line) or _EQUATION.fullmatch(line) for line in last]
    items = [(each.groupdict().get("label") or "", each["value"]) for each in found if each is not None]
    return items if len(items) == count else []


def _clauses(text: str) -> list[tuple[str, str]]:
    """Nouns and values of the only or last line, `the acceleration is 2 and the tension is 12`."""
    line = text.strip().rpartition("\n")[2].replace("**", "")
    if _UNSOUND.search(line):
        return []
    bare = _LEAD.sub("", line).rstrip(" .")
    listed = _LISTED.split(bare)
    if len(listed) > 1:
        return [("", part) for part in listed]
    found = [_CLAUSE.fullmatch(part) for part in _CLAUSES.split(bare)]
    return [(each["label"], each["value"]) for each in found if each is not None] if None not in found else []


def _told(label: str, value: str, names: tuple[str, ...]) -> tuple[str, str] | None:
    """The letter that a label or the value itself names, and the value; None where neither names one."""
    bare = _REMARK.sub("", value.replace("$", "").replace("**", "").strip(" .;,"))
    stated = _STATED.fullmatch(bare)
    if stated is not None:
        return (stated["name"], stated["value"].strip()) if stated["name"] in names else None
    if "=" in bare or not re.search(r"\d|\\|[a-z]", bare):
        return None
    meant = {name for name in names if _is_of(label, name)}
    return (meant.pop(), bare) if len(meant) == 1 else None


def _is_of(label: str, name: str) -> bool:
    """Whether a label is a letter, or a noun that it stands for."""
    bare = re.sub(r"[$*\\{}]", "", label).strip()
    letter = name.strip("\\")
    if letter in re.findall(r"[A-Za-zα-ωΑ-Ω](?:_\w+|[₀-₉])?(?![A-Za-z])", bare) or bare == letter:
        return True
    words = re.findall(r"[a-z]{3,}", bare.lower())
    noun = re.split(r"\s(?:of|in|on|at)\s", bare.lower())[0].split()[-1:] if words else []
    if not noun or "_" in letter:
        return False
    known = _LETTERS.get(noun[0])
    return letter in known if known else len(letter) == 1 and noun[0][0] == letter.lower()
