"""A MariaDB server of one's own: problems about a database, judged from outside of it.

Facts: AgentBench's database track (Liu et al., ICLR 2024, arXiv:2308.03688), THUDM/AgentBench v0.2 and main. See
`spec.DatabaseSpec` for the specification of an episode and `environment.Database.probe` for probes.
"""

from envs.database.environment import Database, create, recipe_of

__all__ = ["Database", "create", "recipe_of"]
