"""A Linux machine with a shell: problems about an operating system, judged from outside of it.

Facts: AgentBench's operating-system track (Liu et al., ICLR 2024, arXiv:2308.03688), THUDM/AgentBench v0.2 and main.
See `spec.OperatingSystemSpec` for the specification of an episode and `environment.OperatingSystem.probe` for probes.
"""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.operating_system.spec import OWN_IMAGES, PROBES, OperatingSystemSpec, check, needs_accounts
from envs.sandbox.base import Backend
from envs.sandbox.pool import PoolSpec


def _create() -> Environment:
    from envs.operating_system.environment import OperatingSystem

    return OperatingSystem()


async def _pool_spec(backend: Backend, spec: OperatingSystemSpec) -> PoolSpec:
    from envs.operating_system.world import pool_spec

    del backend
    return pool_spec(spec.image, spec.workdir)


ENVIRONMENT = EnvironmentDefinition(
    name="operating_system",
    spec=OperatingSystemSpec,
    probes=PROBES,
    check=check,
    create=_create,
    pool_spec=_pool_spec,
    accounts=needs_accounts,
    image=lambda spec: None if spec.image in OWN_IMAGES else spec.image,
)
