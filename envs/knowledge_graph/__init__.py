"""Questions over a knowledge graph, answered with seven tools that make and narrow sets of entities.

Facts: AgentBench's knowledge graph track (Liu et al., ICLR 2024, arXiv:2308.03688), THUDM/AgentBench v0.2 and main. See
`spec.KnowledgeGraphSpec` for the specification of an episode and `environment.KnowledgeGraph.probe` for probes.
"""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.knowledge_graph.spec import PROBES, KnowledgeGraphSpec


def _create() -> Environment:
    from envs.knowledge_graph.environment import KnowledgeGraph

    return KnowledgeGraph()


ENVIRONMENT = EnvironmentDefinition(name="knowledge_graph", spec=KnowledgeGraphSpec, probes=PROBES, create=_create)
