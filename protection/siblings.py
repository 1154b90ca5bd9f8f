"""Randomised exposure over the rows of a split: who is shown which siblings, and the test on a submission."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from protection.exposure import Group, draw, permutation_test


def exposed(key: bytes, organisation: UUID, rows: Iterable[Any]) -> set[UUID]:
    """Of rows with `id` and `sibling_group`, those an organisation is shown at first: half of each group, drawn.

    A row without a group, or alone in its group, is always shown.
    """
    groups: dict[str, list[UUID]] = defaultdict(list)
    shown: set[UUID] = set()
    for row in rows:
        if row.sibling_group is None:
            shown.add(row.id)
        else:
            groups[row.sibling_group].append(row.id)
    for name, ids in groups.items():
        count = max(1, len(ids) // 2)
        shown |= {UUID(drawn) for drawn in draw(key, str(organisation), name, [str(i) for i in ids], count)}
    return shown


def contamination(key: bytes, organisation: UUID, rows: Iterable[Any]) -> dict[str, Any] | None:
    """The test on a submission's rows (`id`, `sibling_group`, `score`; None where not answered), coarse enough to show.

    Only groups that were answered whole count. None where there is no such group.
    """
    listed = list(rows)
    shown = exposed(key, organisation, listed)
    groups: dict[str, list[Any]] = defaultdict(list)
    for row in listed:
        if row.sibling_group is not None:
            groups[row.sibling_group].append(row)
    whole = [group for group in groups.values() if all(row.score is not None for row in group)]
    result = permutation_test(
        [
            Group(
                tuple(row.score for row in group if row.id in shown),
                tuple(row.score for row in group if row.id not in shown),
            )
            for group in whole
        ]
    )
    if result is None:
        return None
    return {
        "gap": round(result.gap, 2),
        "low": round(result.low, 2),
        "high": round(result.high, 2),
        "p": float(f"{result.p:.2g}"),
        "groups": result.groups,
    }
