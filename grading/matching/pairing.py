"""Pairing the members of two collections one to one."""

from collections.abc import Callable, Sequence
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def pair(left: Sequence[A], right: Sequence[B], fits: Callable[[A, B], bool]) -> dict[int, int]:
    """The largest one-to-one pairing of places in `left` with places in `right` whose members fit (augmenting paths).

    `fits` is asked once for each pair. O(len(left)² · len(right)) steps at worst.
    """
    edges = [[place for place, other in enumerate(right) if fits(one, other)] for one in left]
    holder: dict[int, int] = {}

    def settle(one: int, tried: set[int]) -> bool:
        for place in edges[one]:
            if place in tried:
                continue
            tried.add(place)
            if place not in holder or settle(holder[place], tried):
                holder[place] = one
                return True
        return False

    for one in range(len(left)):
        settle(one, set())
    return {one: place for place, one in holder.items()}
