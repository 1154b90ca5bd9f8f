"""Scripted participants: what they answer, told from the pack alone. Deterministic."""

from collections.abc import Callable
from typing import Any

from api.catalog.packs.format import Problem, ReferenceLine
from api.catalog.packs.pack import Pack

Item = dict[str, Any]
Policy = Callable[[Pack, list[Problem]], dict[str, Item]]


def gold_text(line: ReferenceLine) -> str:
    """The gold as a participant would write it: the stated one, else the reference's own value, else the solution."""
    if line.gold is not None:
        return line.gold
    value = line.reference.get("value")
    return value if isinstance(value, str) else line.solution


def _gold(pack: Pack, problems: list[Problem]) -> dict[str, Item]:
    items: dict[str, Item] = {}
    for problem in problems:
        line = pack.reference_by_id[problem.id]
        if problem.episode:
            items[problem.id] = {"trajectory": list(line.oracle)}
        else:
            items[problem.id] = {"answer": gold_text(line)}
    return items


def _null(_pack: Pack, problems: list[Problem]) -> dict[str, Item]:
    return {p.id: {"trajectory": []} if p.episode else {"answer": ""} for p in problems}


def _echo(_pack: Pack, problems: list[Problem]) -> dict[str, Item]:
    said = {p.id: [{"text": p.statement}] for p in problems}
    return {p.id: {"trajectory": said[p.id]} if p.episode else {"answer": p.statement} for p in problems}


def _shuffled(pack: Pack, problems: list[Problem]) -> dict[str, Item]:
    """Each problem gets the next gold of its type that reads differently."""
    golds = _gold(pack, problems)
    items: dict[str, Item] = {}
    by_type: dict[str, list[str]] = {}
    for problem in problems:
        by_type.setdefault(problem.type, []).append(problem.id)
    for ids in by_type.values():
        for place, name in enumerate(ids):
            others = ids[place + 1 :] + ids[:place]
            other = next((o for o in others if golds[o] != golds[name]), None)
            if other:
                items[name] = golds[other]
    return items


POLICIES: dict[str, Policy] = {"gold": _gold, "null": _null, "echo": _echo, "shuffled-gold": _shuffled}
