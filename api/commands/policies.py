"""Scripted participants: what they answer to each problem. Deterministic."""

from collections.abc import Callable
from typing import Any

from api.worker.knowing import Known

Item = dict[str, Any]
Policy = Callable[[list[Known]], dict[str, Item]]


def _gold(problems: list[Known]) -> dict[str, Item]:
    return {p.name: {"trajectory": p.oracle} if p.episode else {"answer": p.gold} for p in problems}


def _null(problems: list[Known]) -> dict[str, Item]:
    return {p.name: {"trajectory": []} if p.episode else {"answer": ""} for p in problems}


def _echo(problems: list[Known]) -> dict[str, Item]:
    return {p.name: {"trajectory": [{"text": p.statement}]} if p.episode else {"answer": p.statement} for p in problems}


def _shuffled(problems: list[Known]) -> dict[str, Item]:
    """Each problem gets the next gold of its type that reads differently; one without another's gold is left out."""
    golds = _gold(problems)
    items: dict[str, Item] = {}
    by_type: dict[str, list[str]] = {}
    for problem in problems:
        by_type.setdefault(problem.type, []).append(problem.name)
    for names in by_type.values():
        for place, name in enumerate(names):
            others = names[place + 1 :] + names[:place]
            other = next((o for o in others if golds[o] != golds[name]), None)
            if other:
                items[name] = golds[other]
    return items


POLICIES: dict[str, Policy] = {"gold": _gold, "null": _null, "echo": _echo, "shuffled-gold": _shuffled}
