"""When two values that were calculated are the same."""

from grading.equivalence.point import Value, bits, ten_to

SAME = -30
"""The power of ten, relative to the larger value, below which a difference is none."""

_BITS = 3.3219280948873626
"""Of a power of ten."""
_MARGIN = 3
"""Bits within which sizes alone do not tell which one is larger."""


def same_value(expected: Value, found: Value, power_of_ten: int = SAME) -> bool:
    """Whether two values agree to the stated relative precision; zero equals only zero."""
    apart = expected - found
    if not apart:
        return True
    first, second, between = bits(expected), bits(found), bits(apart)
    if first is not None and second is not None and between is not None:
        over = between - max(first, second) - power_of_ten * _BITS
        if abs(over) > _MARGIN:
            return over < 0
    scale = max(abs(expected), abs(found))
    return bool(abs(apart) <= scale * ten_to(power_of_ten))
