"""A world drawn for a domain: entities with invented names, edges and numbers."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from envs.knowledge_graph.generator.schema import Domain, Measure
from packs.words import names

_LETTERS = "0123456789bcdfghjklmnpqrstvwxyz"


@dataclass(frozen=True)
class Direction:
    """A link said in one of its two directions; `back` is the relation of the other."""

    relation: str
    source: str
    target: str
    clauses: tuple[str, ...]
    back: str


@dataclass(frozen=True)
class World:
    """Entities by type with their names, what may be said of them, and the graph as a specification has it."""

    domain: Domain
    entities: Mapping[str, Sequence[str]]
    names: Mapping[str, str]
    directions: Sequence[Direction]
    attributes: Mapping[str, Measure]
    edges: Mapping[str, Mapping[str, Sequence[str]]]
    values: Mapping[str, Mapping[str, Sequence[int]]]

    def type_name(self, type_: str) -> str:
        """A type's id."""
        return f"{self.domain.name}.{type_}"

    @property
    def inverses(self) -> dict[str, str]:
        """The other name of each relation that has edges of its own."""
        return {one.relation: one.back for one in self.directions if one.relation in self.edges}

    @property
    def ranges(self) -> dict[str, str]:
        """The type of what each relation leads to."""
        return {one.relation: self.type_name(one.target) for one in self.directions}


def draw_world(draw: random.Random, domain: Domain) -> World:
    """A world with six to nine entities of each type."""
    entities = {type_: [_id(draw) for _ in range(draw.randint(6, 9))] for type_ in domain.nouns}
    listed = [(id_, type_) for type_, ids in entities.items() for id_ in ids]
    words = names(draw, len(listed))
    directions: list[Direction] = []
    edges: dict[str, dict[str, list[str]]] = {}
    for link in domain.links:
        there = f"{domain.name}.{link.source}.{draw.choice(link.names)}"
        back = f"{domain.name}.{link.target}.{draw.choice(link.inverse)}"
        directions.append(Direction(there, link.source, link.target, link.forward, back))
        directions.append(Direction(back, link.target, link.source, link.backward, there))
        edges[there] = {
            id_: draw.sample(entities[link.target], draw.randint(1, link.most)) for id_ in entities[link.source]
        }
    attributes = {f"{domain.name}.{one.of}.{draw.choice(one.names)}": one for one in domain.measures}
    return World(
        domain,
        entities,
        {
            id_: draw.choice(domain.nouns[type_].names).format(word.capitalize())
            for (id_, type_), word in zip(listed, words, strict=True)
        },
        directions,
        attributes,
        edges,
        {name: _numbers(draw, one, entities[one.of]) for name, one in attributes.items()},
    )


def _numbers(draw: random.Random, measure: Measure, ids: Sequence[str]) -> dict[str, list[int]]:
    """Each entity's own number, none twice, so that there is one with the greatest and one with the least."""
    return {id_: [n] for id_, n in zip(ids, draw.sample(range(measure.low, measure.high), len(ids)), strict=True)}


def _id(draw: random.Random) -> str:
    return "m.0" + "".join(draw.choice(_LETTERS) for _ in range(8))
