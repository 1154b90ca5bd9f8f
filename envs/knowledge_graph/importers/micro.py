"""A graph of its own for a published question: its gold query has exactly its gold answers there, between distractors.

Freebase itself is not to be had by everybody, and the questions come without it. Backwards from the answers, each set
of the gold query gets the members that it needs, and others that the next step sorts out; then what is near gets
relations of its type, so that there is something to choose from. Whoever builds it asks the graph before it is used.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from envs.knowledge_graph.ontology import Ontology
from envs.knowledge_graph.query import Both, Entity, Extreme, Neighbors, Query, Size, Union, parts, walk

NUMBERS = frozenset({"type.int", "type.float"})
DATES = frozenset({"type.datetime"})
VALUES = NUMBERS | DATES | {"type.text", "type.rawstring", "type.uri", "type.boolean", "type.enumeration"}
FALLBACK = "common.topic"
MOST_NEAR = 12
Value = int | str
_LETTERS = "0123456789bcdfghjklmnpqrstvwxyz"


@dataclass
class Graph:
    """Edges and values by relation and subject, as the specification of an episode has them."""

    edges: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    values: dict[str, dict[str, list[Value]]] = field(default_factory=dict)

    def add(self, subject: str, relation: str, object_: str) -> None:
        """One more edge."""
        objects = self.edges.setdefault(relation, {}).setdefault(subject, [])
        if object_ not in objects:
            objects.append(object_)

    def value(self, subject: str, relation: str, value: Value) -> None:
        """One more value."""
        self.values.setdefault(relation, {}).setdefault(subject, []).append(value)

    @property
    def relations(self) -> set[str]:
        """Every relation and attribute with a subject."""
        return {*self.edges, *self.values}


@dataclass(frozen=True)
class Plan:
    """How much stands beside the gold: members that another step sorts out, and relations that lead elsewhere."""

    others: bool = True
    near: bool = True


class Builder:
    """Builds one graph. `values` are those of the answers that are no entities."""

    def __init__(self, ontology: Ontology, draw: random.Random, plan: Plan, values: frozenset[str]) -> None:
        self._ontology, self._draw, self._plan, self._answer_values = ontology, draw, plan, values
        self._needed: dict[Query, dict[str, None]] = {}
        self._type: dict[str, str] = {}
        self._graph = Graph()
        self._pool: dict[str, list[str]] = {}

    def build(self, query: Query, gold: Sequence[str]) -> Graph:
        """The graph. Raises ValueError for gold that a query of its form cannot have."""
        order = list(walk(query))
        self._used = {one.relation for one in order if isinstance(one, Neighbors)}
        self._used |= {one.attribute for one in order if isinstance(one, Extreme)}
        self._type.update({id_: self._range(query) for id_ in gold if id_ not in self._answer_values})
        self._needed[query] = dict.fromkeys(gold)
        for one in order:
            self._supply(one)
        for one in order:
            self._mislead(one)
        if self._plan.near:
            self._surround(order)
        return self._graph

    def inverses(self) -> dict[str, str]:
        """The other names of relations in the graph, where the gold query does not use them."""
        known = self._ontology.inverses
        there = self._graph.relations
        return {
            relation: known[relation]
            for relation in sorted(self._graph.edges)
            if relation in known
            and known[relation] not in self._used
            and known[relation] not in there
            and self._ontology.ranges.get(relation) not in VALUES
        }

    def _supply(self, query: Query) -> None:
        """Give the sets that a query is made from what they need for the query to have what it needs."""
        needed = list(self._needed.get(query, {}))
        match query:
            case Neighbors(of, relation):
                if isinstance(of, Entity):
                    self._type.setdefault(of.id, self._domain(relation))
                    sources = [of.id]
                else:
                    sources = [self._fresh(self._domain(relation)) for _ in range(self._sources(len(needed)))]
                    self._need(of, sources)
                self._join(sources, relation, needed)
            case Both(of):
                for one in of:
                    self._need(one, [*needed, *self._others(self._range(one), 1, 3)])
            case Union():
                raise ValueError("a union has no members, as published")
            case Extreme(of, attribute, greatest):
                losers = self._others(self._range(of), 2, 4) or [self._fresh(self._range(of))]
                self._need(of, [*needed, *losers])
                self._grade(attribute, needed, losers, greatest)
            case Size(of):
                if len(needed) != 1 or not needed[0].isdecimal():
                    raise ValueError(f"a count cannot be {', '.join(needed)[:100]}")
                missing = int(needed[0]) - len(self._needed.get(of, {}))
                self._need(of, [self._fresh(self._range(of)) for _ in range(missing)])

    def _mislead(self, query: Query) -> None:
        """Let what was sorted out before a step lead elsewhere by the same relation."""
        if not isinstance(query, Neighbors) or not isinstance(query.of, Both | Extreme) or not self._plan.others:
            return
        inside = self._needed[query.of]
        outside = {member: None for part in parts(query.of) for member in self._members(part) if member not in inside}
        for member in list(outside)[:MOST_NEAR]:
            self._graph.add(member, query.relation, self._fresh(self._range(query)))

    def _surround(self, order: Sequence[Query]) -> None:
        """Relations and attributes of their types for what the query meets."""
        begins = {part.id: None for query in order for part in parts(query) if isinstance(part, Entity)}
        met = [id_ for query in order for id_ in list(self._members(query))[:MOST_NEAR] if id_ in self._type]
        for id_ in dict.fromkeys([*begins, *met]):
            known = self._ontology.by_domain.get(self._type[id_], ())
            choice = [name for name in known if name not in self._used]
            for name in self._draw.sample(choice, min(len(choice), self._draw.randint(3, 7))):
                self._say(id_, name)

    def _say(self, id_: str, name: str) -> None:
        range_ = self._ontology.ranges.get(name, FALLBACK)
        if name in self._ontology.attributes:
            self._graph.value(id_, name, self._value(range_, self._draw.randint(1, 900)))
        elif range_ in VALUES:
            self._graph.value(id_, name, f"{self._draw.choice(_LETTERS)}{self._draw.randint(1, 99)}")
        else:
            pool = self._pool.setdefault(range_, [])
            if len(pool) < 3:
                pool.append(self._fresh(range_))
            self._graph.add(id_, name, self._draw.choice(pool))

    def _members(self, part: Entity | Query) -> Mapping[str, None]:
        return {part.id: None} if isinstance(part, Entity) else self._needed.get(part, {})

    def _need(self, query: Query, members: Sequence[str]) -> None:
        self._needed.setdefault(query, {}).update(dict.fromkeys(members))

    def _sources(self, count: int) -> int:
        return self._draw.randint(1, max(1, min(3, count)))

    def _others(self, type_: str, least: int, most: int) -> list[str]:
        count = self._draw.randint(least, most) if self._plan.others else 0
        return [self._fresh(type_) for _ in range(count)]

    def _join(self, sources: Sequence[str], relation: str, objects: Sequence[str]) -> None:
        for number, object_ in enumerate(objects):
            source = sources[number] if number < len(sources) else self._draw.choice(sources)
            if object_ in self._answer_values:
                self._graph.value(source, relation, object_)
            else:
                self._graph.add(source, relation, object_)

    def _grade(self, attribute: str, winners: Sequence[str], losers: Sequence[str], greatest: bool) -> None:
        range_ = self._ontology.ranges.get(attribute, "type.int")
        best = self._draw.randint(400, 500)
        value = self._value(range_, best)
        for winner in winners:
            self._graph.value(winner, attribute, value)
        for loser in losers:
            step = self._draw.randint(1, 300)
            self._graph.value(loser, attribute, self._value(range_, best - step if greatest else best + step))

    def _value(self, range_: str, number: int) -> Value:
        if range_ in DATES:
            return f"{1100 + number}-{self._draw.randint(1, 12):02}-{self._draw.randint(1, 28):02}"
        return number

    def _domain(self, relation: str) -> str:
        return self._ontology.domains.get(relation, FALLBACK)

    def _range(self, query: Query) -> str:
        """The type of what is in a set."""
        while not isinstance(query, Neighbors):
            first = parts(query)[0]
            assert not isinstance(first, Entity)
            query = first
        return self._ontology.ranges.get(query.relation, FALLBACK)

    def _fresh(self, type_: str) -> str:
        """An entity that nothing is said of yet."""
        while True:
            id_ = "m.0" + "".join(self._draw.choice(_LETTERS) for _ in range(7))
            if id_ not in self._type:
                self._type[id_] = type_
                return id_
