"""Rooms in text: find things, clean, heat or cool them, and put them where they belong.

Facts: ALFWorld (Shridhar et al., ICLR 2021, arXiv:2010.03768) as AgentBench plays it (Liu et al., ICLR 2024,
arXiv:2308.03688). See `spec.HouseholdSpec` for the specification of an episode and `environment.Household.probe` for
probes.
"""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.household.spec import PROBES, HouseholdSpec


def _create() -> Environment:
    from envs.household.environment import Household

    return Household()


ENVIRONMENT = EnvironmentDefinition(name="household", spec=HouseholdSpec, probes=PROBES, create=_create)
