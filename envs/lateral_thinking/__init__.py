"""Situation puzzles: find out what lies behind a strange story by questions that are answered yes, no or irrelevant.

Facts: AgentBench's lateral thinking track (Liu et al., ICLR 2024, arXiv:2308.03688). See `spec.LateralThinkingSpec` for
the specification of an episode and `environment.LateralThinking.probe` for probes.
"""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.lateral_thinking.spec import PROBES, LateralThinkingSpec


def _create() -> Environment:
    from envs.lateral_thinking.environment import LateralThinking

    return LateralThinking()


ENVIRONMENT = EnvironmentDefinition(name="lateral_thinking", spec=LateralThinkingSpec, probes=PROBES, create=_create)
