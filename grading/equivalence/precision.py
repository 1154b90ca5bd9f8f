"""When two values that were calculated are the same."""

from grading.equivalence.point import Value, ten_to

SAME = -30
"""The power of ten, relative to the larger value, below which a difference is none."""


def same_value(expected: Value, found: Value, power_of_ten: int = SAME) -> bool:
    """Whether two values agree to the stated relative precision; zero equals only zero."""
    scale = max(abs(expected), abs(found))
    return bool(abs(expected - found) <= scale * ten_to(power_of_ten))
