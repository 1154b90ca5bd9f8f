"""Addresses of the Web and of the post."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from grading.matching.tokens import fold, holds, tokens, unaccented

_PORTS = {"http": 80, "https": 443}
MAX_URL = 8192


@dataclass(frozen=True)
class Url:
    """A parsed address: host in lower case with its port unless standard, decoded path without its last slash."""

    host: str
    path: str
    query: tuple[tuple[str, str], ...]
    fragment: str = ""


def url(text: str) -> Url | None:
    """A parsed http(s) address, or None. Scheme is dropped; the query keeps blank values and repeated keys."""
    stripped = text.strip().strip("<>")
    if len(stripped) > MAX_URL or any(character.isspace() for character in stripped):
        return None
    try:
        parts = urlsplit(stripped if "://" in stripped else f"http://{stripped}")
        port = parts.port
        query = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=200)
    except ValueError:
        return None
    if parts.scheme.lower() not in _PORTS or not parts.hostname:
        return None
    standard = port is None or port == _PORTS[parts.scheme.lower()]
    host = parts.hostname.lower().rstrip(".") + ("" if standard else f":{port}")
    return Url(host, unquote(re.sub(r"/+", "/", parts.path)).rstrip("/"), tuple(query), parts.fragment)


def same_url(given: str, expected: str) -> bool | None:
    """Same host, path and query (order of keys aside); fragments do not count. None when `expected` is no address."""
    right, left = url(expected), url(given)
    if right is None:
        return None
    return (
        left is not None
        and (left.host, left.path) == (right.host, right.path)
        and (Counter(left.query) == Counter(right.query))
    )


_STREET = {
    "st": "street",
    "ave": "avenue",
    "av": "avenue",
    "blvd": "boulevard",
    "rd": "road",
    "dr": "drive",
    "ln": "lane",
    "hwy": "highway",
    "pkwy": "parkway",
    "sq": "square",
    "ct": "court",
    "pl": "place",
    "ter": "terrace",
    "n": "north",
    "s": "south",
    "e": "east",
    "w": "west",
    "ne": "northeast",
    "nw": "northwest",
    "se": "southeast",
    "sw": "southwest",
    "apt": "apartment",
    "fl": "floor",
    "ste": "suite",
}
_STATE_TEXT = """AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware;
FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;LA Louisiana;ME Maine;
MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;NE Nebraska;NV Nevada;
NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;OH Ohio;OK Oklahoma;
OR Oregon;PA Pennsylvania;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;UT Utah;VT Vermont;
VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming;DC District of Columbia"""
_STATES = {
    code.lower(): name.lower()
    for code, name in (entry.split(" ", 1) for entry in _STATE_TEXT.replace("\n", "").split(";"))
}


def _street_tokens(text: str) -> list[str]:
    return [_STREET.get(word, word) for word in tokens(unaccented(text))]


def _state(text: str) -> str:
    folded = fold(text).strip(" .")
    return _STATES.get(folded, folded)


def same_part(name: str, given: str, expected: str) -> bool:
    """One component of an address: streets with abbreviations spelt out, states by name or code, else whole tokens."""
    if name == "state":
        return _state(given) == _state(expected)
    return _street_tokens(given) == _street_tokens(expected)


def same_address(given: Mapping[str, str] | str, expected: Mapping[str, str]) -> bool:
    """Whether every component asked for that is not empty agrees, or occurs in an address written as text."""
    asked = {name: value for name, value in expected.items() if value.strip()}
    if not isinstance(given, str):
        return all(same_part(name, given.get(name, ""), value) for name, value in asked.items())
    words = _street_tokens(given)
    for name, value in asked.items():
        forms = [value, *(code for code, full in _STATES.items() if name == "state" and full == _state(value))]
        forms += [_state(value)] if name == "state" else []
        if not any(holds(words, _street_tokens(form)) for form in forms):
            return False
    return True
