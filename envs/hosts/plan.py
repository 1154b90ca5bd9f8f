"""How many host processes a cluster has room for, and which to start or to stop. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from envs.hosts import SLOTS

PREFIX = "host-"


def room(nodes: Iterable[Mapping[str, Any]], slots: int) -> int:
    """How many hosts of `slots` sandboxes each fit on the living nodes (as `ray.nodes()` gives them)."""
    alive = [node for node in nodes if node.get("Alive")]
    return sum(int(node.get("Resources", {}).get(SLOTS, 0) // slots) for node in alive)


def hosts_for(sessions: int, slots: int, most: int) -> int:
    """How many hosts `sessions` episodes need with room for the next one; at least one, at most `most`."""
    return max(1, min(most, sessions // slots + 1))


def changes(expected: int, placed: Mapping[str, bool]) -> tuple[Sequence[str], Sequence[str]]:
    """Names to start and to stop, so that `expected` hosts run. `placed` says of each known name whether it runs.

    A host that waits for a place goes before one that runs: nothing lives in it.
    """
    surplus = max(0, len(placed) - expected)
    stop = sorted(placed, key=lambda name: (placed[name], -_number(name)))[:surplus]
    taken = {_number(name) for name in placed}
    free = (number for number in range(expected + len(taken)) if number not in taken)
    start = [f"{PREFIX}{next(free)}" for _ in range(max(0, expected - len(placed)))]
    return start, stop


def _number(name: str) -> int:
    return int(name.removeprefix(PREFIX))
