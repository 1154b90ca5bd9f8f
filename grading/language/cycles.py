"""Permutations in cycle notation: `(1\\,2\\,3)(4\\,5)`, `(1 2 3)(4 5)`, `(123)(45)`."""

import re

_GAP = r"(?:\s|\\[,;:! ]|~|\\quad(?![A-Za-z]))+"
_CYCLE = re.compile(rf"\(\s*(\d{{1,2}}(?:{_GAP}\d{{1,2}})+|\d{{2,9}})\s*\)(?:{_GAP})?")
_MAX = 200


def permutation(text: str) -> tuple[dict[int, int], bool] | None:
    """Where each moved number goes, and whether gaps stand between the numbers; None of what is no product of
    disjoint cycles."""
    if "(" not in text:
        return None
    bare = re.sub(r"\\(?:left|right|circ|cdot)(?![A-Za-z])", "", text[:_MAX]).strip(" $.")
    moved: dict[int, int] = {}
    place, apart = 0, False
    while place < len(bare):
        cycle = _CYCLE.match(bare, place)
        if cycle is None:
            return None
        spaced = re.search(_GAP, cycle[1]) is not None
        apart = apart or spaced
        members = [int(member) for member in (re.split(_GAP, cycle[1]) if spaced else cycle[1])]
        if len(set(members)) != len(members) or moved.keys() & set(members):
            return None
        moved.update(zip(members, [*members[1:], members[0]], strict=True))
        place = cycle.end()
    return (moved, apart) if moved else None
