"""The trivial environment: it repeats what it is told and ends on `finish[...]`. For tests and benchmarks of sessions.

Specification: see `spec.EchoSpec`. Probe type "log" gives every action as `{"actions": [str], "seed": int}`.
"""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.echo.spec import PROBES, EchoSpec


def _create() -> Environment:
    from envs.echo.environment import Echo

    return Echo()


ENVIRONMENT = EnvironmentDefinition(name="echo", spec=EchoSpec, probes=PROBES, create=_create)
