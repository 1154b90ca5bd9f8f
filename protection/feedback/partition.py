"""The secret cut of a hidden split into its feedback part and its ranking part.

Items move one way only: from the ranking part to the feedback part to the dev split. The cut is kept secret, but
nothing relies on its secrecy: all simulations let the attacker know it.
"""

import hashlib
import hmac
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PartitionItem:
    """One item of a split: siblings (`group`) are never cut apart, both parts look alike in `subject` and `type`."""

    item: str
    subject: str
    type: str
    group: str | None = None


@dataclass(frozen=True)
class Partition:
    """The items of the two parts, in the order of the split."""

    feedback: tuple[str, ...]
    ranking: tuple[str, ...]


def cut(
    items: Sequence[PartitionItem], share: float, key: bytes, lineage: str, carried: Collection[str] = ()
) -> Partition:
    """Cut a split: `share` of the units of each stratum, drawn by a keyed hash, are the feedback part.

    A unit is a sibling group, or an item alone; its stratum is its (subject, type). `carried` are items that were in
    the feedback part or in a dev split of an older release: with their siblings they stay out of the ranking part for
    ever, and count towards the share. `lineage` names the split over all its releases, so that a unit keeps its rank.
    Strata are rounded one after another and carry their remainders on, so that many small ones add up to the share.

    Raises ValueError unless 0 <= share <= 1.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"the feedback part's share is between 0 and 1, not {share}")
    units: dict[str, list[PartitionItem]] = defaultdict(list)
    for item in items:
        units[f"item\n{item.item}" if item.group is None else f"group\n{item.group}"].append(item)
    strata: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, members in units.items():
        strata[min((member.subject, member.type) for member in members)].append(name)
    spent = set(carried)
    chosen: set[str] = set()
    before = 0
    taken = 0
    for stratum in sorted(strata, key=lambda s: _rank(key, lineage, f"stratum\n{s[0]}\n{s[1]}")):
        names = sorted(strata[stratum], key=lambda name: _rank(key, lineage, name))
        before += len(names)
        want = int(share * before + 0.5) - taken
        taken += want
        forced = [name for name in names if any(member.item in spent for member in units[name])]
        free = [name for name in names if name not in set(forced)]
        chosen |= {*forced, *free[: max(0, want - len(forced))]}
    first = {member.item for name in chosen for member in units[name]}
    return Partition(
        tuple(item.item for item in items if item.item in first),
        tuple(item.item for item in items if item.item not in first),
    )


def flip_seed(key: bytes, lineage: str, digest: str) -> int:
    """The seed of the sign-flip test for a set of answers (`exit.answers_digest`): known to the service alone."""
    return int.from_bytes(_rank(key, lineage, f"flips\n{digest}")[:8])


def _rank(key: bytes, lineage: str, name: str) -> bytes:
    return hmac.digest(key, f"partition\n{lineage}\n{name}".encode(), hashlib.sha256)
