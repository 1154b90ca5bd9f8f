"""Environments that speak OpenEnv's protocol, as a world: they run where the operator has them, one session each.

Probe "reward" is `{"total": float, "last": float | null, "done": bool}`, "state" what the environment says of itself.
"""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.openenv.spec import PROBES, OpenEnvSpec


def _create() -> Environment:
    from envs.openenv.environment import OpenEnv

    return OpenEnv()


ENVIRONMENT = EnvironmentDefinition(name="openenv", spec=OpenEnvSpec, probes=PROBES, create=_create)
