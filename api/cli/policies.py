"""Scripted participants: what they answer to each problem. Deterministic.

An item has an `answer`, the `trajectory` of an episode, or a `policy` that plays it.
"""

import random
from collections.abc import Callable
from typing import Any

from api.cli import random_player
from api.worker.knowing import Known

Item = dict[str, Any]
Policy = Callable[[list[Known], int], dict[str, Item]]
"""Gives items by a problem's name for problems and a seed."""


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


def _random(problems: list[Known], seed: int) -> dict[str, Item]:
    return {p.name: _guess(p, f"{seed}:{p.name}") for p in problems}


def _guess(problem: Known, seed: str) -> Item:
    if problem.episode:
        return {"policy": random_player.player(seed)}
    choices = [choice["label"] for choice in problem.choices]
    return {"answer": random_player.answer(problem.statement, choices, random.Random(seed))}


def _seedless(policy: Callable[[list[Known]], dict[str, Item]]) -> Policy:
    return lambda problems, _seed: policy(problems)


POLICIES: dict[str, Policy] = {
    "gold": _seedless(_gold),
    "null": _seedless(_null),
    "echo": _seedless(_echo),
    "shuffled-gold": _seedless(_shuffled),
    "random": _random,
}
