"""A MariaDB server of one's own: problems about a database, judged from outside of it.

Facts: AgentBench's database track (Liu et al., ICLR 2024, arXiv:2308.03688), THUDM/AgentBench v0.2 and main. See
`spec.DatabaseSpec` for the specification of an episode and `environment.Database.probe` for probes.
"""

from envs.base import Environment
from envs.database.spec import DEFAULT_IMAGES, PROBES, DatabaseSpec
from envs.definition import EnvironmentDefinition
from envs.sandbox.base import Backend
from envs.sandbox.pool import PoolSpec


def _create() -> Environment:
    from envs.database.environment import Database

    return Database()


async def _pool_spec(backend: Backend, spec: DatabaseSpec) -> PoolSpec:
    from envs.database import server, template

    return await server.pool_spec(backend, template.image_name(backend, spec.image))


ENVIRONMENT = EnvironmentDefinition(
    name="database",
    spec=DatabaseSpec,
    probes=PROBES,
    create=_create,
    pool_spec=_pool_spec,
    image=lambda spec: None if spec.image in {*DEFAULT_IMAGES, "host"} else spec.image,
)
