"""What answering is said to cost: bounded where it is received, summed, and read back with care."""

import math
from collections.abc import Iterable, Mapping

MOST_TOKENS = 10**12
MOST_DOLLARS = 1e9
MOST_SECONDS = 1e9
_LARGEST = {"tokens": MOST_TOKENS, "cost": MOST_DOLLARS, "seconds": MOST_SECONDS}
# As many items as a submission may have, each at the bound.
_ITEMS = 20_000


def total_usage(reported: Iterable[Mapping[str, object] | None]) -> dict[str, float]:
    """Sums of tokens, cost (US dollars) and seconds over the items that report them within bounds."""
    totals: dict[str, float] = {}
    for usage in reported:
        for name, value in _numbers(usage or {}, 1).items():
            totals[name] = totals.get(name, 0) + value
    return {name: round(totals[name], 6) for name in _LARGEST if name in totals}


def readable_usage(stored: Mapping[str, object]) -> dict[str, float]:
    """The sums of a stored entry that are numbers within bounds: older entries may hold anything."""
    return _numbers(stored, _ITEMS)


def _numbers(usage: Mapping[str, object], items: int) -> dict[str, float]:
    return {
        name: value
        for name, most in _LARGEST.items()
        if isinstance(value := usage.get(name), int | float)
        and not isinstance(value, bool)
        and 0 <= value <= most * items
        and math.isfinite(value)
    }
