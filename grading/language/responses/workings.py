"""Where a value stands in a working: at the end of its chain of equations, or as a part of it."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

NAME: Final = re.compile(r"\s*\\?[A-Za-z]+(?:_\w|_\{\w+\})?'?(?:\s*\([^()]{0,12}\))?\s*")
"""A letter with its index and argument, which is no value."""
SHARE: Final = re.compile(r"\s?(?:\\?%|per\s?cent\b)")
_ARRIVES: Final = re.compile(r"(?:[=≈→⇒⟹]|\\approx)\s*(?:about\s+|approximately\s+|roughly\s+)?$")
_OPERATED: Final = re.compile(r"(?:[-−+×*·÷/^]\s*\(?|√\s*\(?|(?<=[\w)²³√])\()\s*$")
_OPERATES: Final = re.compile(
    r"\((?!\s*[A-Za-z]{2})|\s*(?:[A-Za-zµμΩ°%]{1,4}[²³]?(?:/[A-Za-z]{1,4}[²³]?)?(?![A-Za-z/²³])\s*)?[-−+×*·÷/=≈^](?!\s*[A-Za-z]{3}|\s*[.,;:!?)]|\s*$)"
)
_CONSTRAINT: Final = re.compile(r"(?:^|[\s$({])[A-Za-z](?:_\w)?(?:\s*[-+−]\s*[A-Za-z](?:_\w)?)+\s*=\s*$")
"""The side of an equation in letters that sets a condition: `x + y + z = 12` works nothing out."""


class InWorking(NamedTuple):
    """`arrives` at the end of a chain, `inner` where it is a part of one."""

    arrives: bool
    inner: bool


def in_working(value: str, members: Sequence[str], lead: str, behind: str) -> InWorking:
    """How a value stands whose own equation has these members, between the words before and behind it."""
    goes_on = _OPERATES.match(behind) is not None
    equation = len(members) > 1
    arrives = not goes_on and (equation or _ARRIVES.search(lead) is not None)
    sets = _CONSTRAINT.search(f"{lead}{members[0]}=" if equation else lead) is not None
    inner = goes_on or (_OPERATED.search(lead) is not None and value[0] not in "([{")
    return InWorking(arrives and not sets, inner)
