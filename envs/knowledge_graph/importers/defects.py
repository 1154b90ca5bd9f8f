"""Why the published tools refuse a published gold, or cannot have its answer."""

import re
from collections.abc import Collection

from envs.knowledge_graph.ontology import Ontology
from envs.knowledge_graph.query import Both, Entity, Extreme, Neighbors, Query, Size, named, walk

_ENTITY = re.compile(r"[mf]\.\w+")


def defects(query: Query, gold: Collection[str], known: Ontology) -> list[str]:
    """What is wrong with a gold query as published; nothing where it can be executed and has its answer."""
    found: list[str] = []
    for one in walk(query):
        match one:
            case Neighbors(of, relation):
                if isinstance(of, Entity) and not _ENTITY.fullmatch(of.id):
                    found.append(f"it begins from {of.id}, which get_relations does not take")
                if relation not in known.relations or relation not in known.ranges:
                    found.append(f"the vocabulary has no relation {relation}")
            case Extreme(_, attribute, _) if attribute not in known.attributes:
                found.append(f"the vocabulary has no attribute {attribute}")
            case Both(of):
                types = {_type(part, known) for part in of}
                if len(types) > 1:
                    found.append(f"it intersects sets of different types: {', '.join(sorted(types))}")
    if shared := sorted(set(gold) & named(query)):
        found.append(f"the question names its answer, {', '.join(shared)}, which no result contains")
    return found


def _type(query: Query, known: Ontology) -> str:
    """The type of a set as published, which takes a first set's for an intersection's."""
    while not isinstance(query, Neighbors):
        if isinstance(query, Size):
            return "type.int"
        query = query.of if isinstance(query, Extreme) else query.of[0]
    return known.ranges.get(query.relation, "unknown")
