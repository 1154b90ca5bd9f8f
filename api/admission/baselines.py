"""Baselines: what scripted participants who see a whole benchmark answer to each of its problems. Deterministic."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from api.admission import random_player
from api.admission.player import Policy, parse_trajectory
from api.admission.policies import oracle_policy
from envs.base import FinishReason
from envs.places import has_places


@dataclass(frozen=True)
class SolvedProblem:
    """A problem as one organisation is served it, with the gold of its variant.

    `alias` is its public id, `people` whether people grade its answers, `oracle` the actions that solve an episode.
    """

    name: str
    alias: str
    split: str
    type: str
    statement: str
    choices: list[dict[str, str]]
    gold: str
    people: bool
    episode: bool
    oracle: list[dict[str, Any]]


@dataclass(frozen=True)
class Item:
    """What a participant does with one problem: it answers, posts a trajectory, or acts on what it sees."""

    answer: str | None = None
    trajectory: tuple[dict[str, Any], ...] | None = None
    policy: Policy | None = None

    @property
    def live(self) -> Policy | None:
        """How the episode is played where its actions depend on what is observed; None for what can be posted."""
        if self.policy is not None or self.trajectory is None or not has_places(self.trajectory):
            return self.policy
        # What is no action cannot be sent in a session: posted, the episode ends where it stands.
        malformed = parse_trajectory(self.trajectory).reason is FinishReason.INVALID_FORMAT
        return None if malformed else oracle_policy(self.trajectory)

    def posted(self) -> dict[str, Any]:
        """The item in a submission's JSON, without the problem."""
        if self.trajectory is not None:
            return {"trajectory": list(self.trajectory)}
        return {"answer": self.answer}


Baseline = Callable[[Sequence[SolvedProblem], int], dict[str, Item]]
"""Gives items by a problem's name for problems and a seed."""


def _gold_item(problem: SolvedProblem) -> Item:
    return Item(trajectory=tuple(problem.oracle)) if problem.episode else Item(answer=problem.gold)


def _gold(problems: Sequence[SolvedProblem], _seed: int) -> dict[str, Item]:
    return {problem.name: _gold_item(problem) for problem in problems}


def _null(problems: Sequence[SolvedProblem], _seed: int) -> dict[str, Item]:
    return {problem.name: Item(trajectory=()) if problem.episode else Item(answer="") for problem in problems}


def _echo_item(problem: SolvedProblem) -> Item:
    return Item(trajectory=({"text": problem.statement},)) if problem.episode else Item(answer=problem.statement)


def _echo(problems: Sequence[SolvedProblem], _seed: int) -> dict[str, Item]:
    return {problem.name: _echo_item(problem) for problem in problems}


def _shuffled(problems: Sequence[SolvedProblem], seed: int) -> dict[str, Item]:
    """Each problem gets the next gold of its type that reads differently; one without another's gold is left out."""
    golds = _gold(problems, seed)
    items: dict[str, Item] = {}
    by_type: dict[str, list[str]] = {}
    for problem in problems:
        by_type.setdefault(problem.type, []).append(problem.name)
    for names in by_type.values():
        for index, name in enumerate(names):
            others = names[index + 1 :] + names[:index]
            other = next((o for o in others if golds[o] != golds[name]), None)
            if other:
                items[name] = golds[other]
    return items


def _random(problems: Sequence[SolvedProblem], seed: int) -> dict[str, Item]:
    return {problem.name: _guess(problem, f"{seed}:{problem.name}") for problem in problems}


def _guess(problem: SolvedProblem, seed: str) -> Item:
    if problem.episode:
        return Item(policy=random_player.player(seed))
    choices = [choice["label"] for choice in problem.choices]
    return Item(answer=random_player.answer(problem.statement, choices, random.Random(seed)))


BASELINES: dict[str, Baseline] = {
    "gold": _gold,
    "null": _null,
    "echo": _echo,
    "shuffled-gold": _shuffled,
    "random": _random,
}
