"""Who starts what: a maximum flow from free agent slots to free environment slots, as in AgentBench."""

from collections.abc import Mapping
from typing import TypeVar

A = TypeVar("A", bound=str)
_SOURCE, _SINK = ("source", ""), ("sink", "")


def assign(
    agents: Mapping[str, int], environments: Mapping[str, int], pending: Mapping[tuple[str, str], int]
) -> dict[tuple[str, str], int]:
    """How many tasks of each (agent, environment) pair to start now, as many in all as the slots allow.

    `agents` and `environments` are free slots, `pending` the tasks left of each pair. Raises ModuleNotFoundError where
    networkx is missing (`pip install 'heldout[evaluate]'`); one pair needs none.
    """
    pairs = {pair: count for pair, count in pending.items() if count > 0}
    if len(pairs) == 1:
        (agent, environment), count = next(iter(pairs.items()))
        number = min(count, agents[agent], environments[environment])
        return {(agent, environment): number} if number > 0 else {}
    return _flow(agents, environments, pairs) if pairs else {}


def _flow(
    agents: Mapping[str, int], environments: Mapping[str, int], pairs: Mapping[tuple[str, str], int]
) -> dict[tuple[str, str], int]:
    import networkx

    graph = networkx.DiGraph()
    for name, slots in agents.items():
        graph.add_edge(_SOURCE, ("agent", name), capacity=slots)
    for name, slots in environments.items():
        graph.add_edge(("environment", name), _SINK, capacity=slots)
    for (agent, environment), count in pairs.items():
        graph.add_edge(("agent", agent), ("environment", environment), capacity=count)
    _, flow = networkx.maximum_flow(graph, _SOURCE, _SINK)
    found = {(agent, env): flow[("agent", agent)][("environment", env)] for agent, env in pairs}
    return {pair: number for pair, number in found.items() if number > 0}
