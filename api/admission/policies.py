"""Scripted participants of episodes: one that plays the reference's own oracle, and two that know nothing.

An oracle's action may hold places in any of its texts, resolved against the last observation: see `envs.places`.
"""

from collections.abc import Sequence
from typing import Any

from api.admission.player import Policy, parse_trajectory, scripted
from envs.base import Action, Observation
from envs.places import resolve
from packs.problem import ReferenceLine


def gold(line: ReferenceLine) -> Policy:
    """The participant who knows: the reference's own oracle."""
    return oracle_policy(line.oracle)


def oracle_policy(oracle: Sequence[Any]) -> Policy:
    """Plays an oracle, each action resolved against what was just observed."""
    script = scripted(parse_trajectory(oracle))

    def act(observation: Observation, number: int) -> Action | None:
        action = script(observation, number)
        return None if action is None else resolve(action, observation)

    return act


def null(observation: Observation, number: int) -> Action | None:
    """The participant who says nothing."""
    del observation, number
    return Action(text="")


def echo(observation: Observation, number: int) -> Action | None:
    """The participant who repeats what it is shown."""
    del number
    return Action(text=observation.text)
