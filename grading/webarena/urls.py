"""url_match: where the agent ended."""

from collections import Counter
from urllib.parse import parse_qs, urlparse

from grading.matching import places
from grading.webarena.defects import Defect
from grading.webarena.matching import ALTERNATIVES

Query = dict[str, list[str]]


def classic(given: str, reference: str, fixed: frozenset[Defect]) -> bool:
    """As published ("GOLD in PRED"): base address by substring, and at least one value of every query key.

    With D4 fixed: the base address is equal, and each alternative is judged by its own query keys.
    Malformed addresses match nothing.
    """
    try:
        trimmed = "D4" in fixed
        base, query = _split(given, trimmed)
        expected = [_split(option, trimmed) for option in reference.split(ALTERNATIVES)]
    except ValueError:
        return False
    if trimmed:
        return any(base.rstrip("/") == other.rstrip("/") and _has(query, [keys]) for other, keys in expected)
    return any(other in base for other, _ in expected) and _has(query, [keys for _, keys in expected])


def _split(address: str, trimmed: bool) -> tuple[str, Query]:
    # As published a blank at the end stays, and is part of the path.
    parts = urlparse((address.strip() if trimmed else address).rstrip("/"))
    return parts.netloc + parts.path, parse_qs(parts.query)


def _has(query: Query, expected: list[Query]) -> bool:
    union: dict[str, set[str]] = {}
    for keys in expected:
        for key, values in keys.items():
            union.setdefault(key, set()).update(values)
    return all(set(query.get(key, [])) & values for key, values in union.items())


def strict(given: str, reference: str, *, exact_query: bool = False) -> bool | None:
    """Parsed addresses: same host and path, every query pair of one alternative present as often as asked.

    With `exact_query` no other pair may be there. None where no alternative is an address.
    """
    left = places.url(given)
    options = [places.url(option) for option in reference.split(ALTERNATIVES)]
    expected = [option for option in options if option is not None]
    if not expected:
        return None
    return left is not None and any(_same(left, option, exact_query) for option in expected)


def _same(left: places.Url, right: places.Url, exact_query: bool) -> bool:
    if (left.host, left.path) != (right.host, right.path):
        return False
    have, want = Counter(left.query), Counter(right.query)
    return have == want if exact_query else not want - have


def resolve(text: str, sites: dict[str, str]) -> str:
    """Replace site placeholders such as `__GITLAB__` by the addresses of this session's sites."""
    for name, address in sites.items():
        text = text.replace(name, address.rstrip("/"))
    return text
