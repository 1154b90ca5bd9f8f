"""Queries: how a set of entities came about, and how that is asked in SPARQL 1.1.

Nothing is asked before a tool or the end of an episode needs it; a variable of the published tools is such a query.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count

NAMESPACE = "http://rdf.freebase.com/ns/"


@dataclass(frozen=True)
class Entity:
    """One entity, by its id."""

    id: str


@dataclass(frozen=True)
class Neighbors:
    """What a relation leads to from an entity, or from any of a set."""

    of: "Entity | Query"
    relation: str


@dataclass(frozen=True)
class Both:
    """What is in all of some sets."""

    of: "tuple[Query, ...]"


@dataclass(frozen=True)
class Union:
    """The published union, which was never written as SPARQL: nothing is in it, and it narrows no intersection."""

    of: "tuple[Query, ...]"


@dataclass(frozen=True)
class Extreme:
    """Those of a set whose value of an attribute is the greatest, or the least."""

    of: "Query"
    attribute: str
    greatest: bool


@dataclass(frozen=True)
class Size:
    """How many there are in a set."""

    of: "Query"


Query = Neighbors | Both | Union | Extreme | Size


def both(one: "Query", other: "Query") -> "Query":
    """What is in two sets; an intersection of intersections names each set once, so that queries stay small."""
    found = tuple(
        dict.fromkeys(part for query in (one, other) for part in (query.of if isinstance(query, Both) else (query,)))
    )
    return found[0] if len(found) == 1 else Both(found)


def parts(query: Query) -> tuple[Entity | Query, ...]:
    """What a query is made from."""
    return query.of if isinstance(query, Both | Union) else (query.of,)


def walk(query: Query) -> Iterator[Query]:
    """A query and all it is made from, each after all that are made from it."""
    found: dict[Query, None] = {}

    def visit(one: Query) -> None:
        if one not in found:
            for part in parts(one):
                if not isinstance(part, Entity):
                    visit(part)
            found[one] = None

    visit(query)
    return reversed(found)


def named(query: Entity | Query) -> set[str]:
    """The ids of the entities that a query names."""
    if isinstance(query, Entity):
        return {query.id}
    return {id_ for part in parts(query) for id_ in named(part)}


def counts(query: Entity | Query) -> bool:
    """Whether a query is a number: the size of a set, or, as published, what holds one in it."""
    return isinstance(query, Size) or (not isinstance(query, Entity) and any(map(counts, parts(query))))


def members(query: Query, without: Collection[str]) -> str:
    """SPARQL for what is in a set (or for its size), `without` these entities and texts in other languages."""
    pattern = _Writer(without).top(query, "x")
    if counts(query):
        return f"SELECT (COUNT(DISTINCT ?x) AS ?size) WHERE {{ {pattern} }}"
    return f"SELECT DISTINCT ?x WHERE {{ {pattern} }}"


def relations(query: Entity | Query, without: Collection[str]) -> str:
    """SPARQL for the relations that leave an entity, or any of a set."""
    if isinstance(query, Entity):
        return f"SELECT DISTINCT ?relation WHERE {{ {_iri(query.id)} ?relation ?object }}"
    return f"SELECT DISTINCT ?relation WHERE {{ ?x ?relation ?object . {{ {members(query, without)} }} }}"


_NOTHING = "FILTER (false)"


class _Writer:
    """Writes each set as a subquery of its own with DISTINCT, so that work grows with sets and not with paths."""

    def __init__(self, without: Collection[str]) -> None:
        self._without = sorted(without)
        self._fresh: Iterator[int] = count()

    def top(self, query: Query, name: str) -> str:
        """A pattern that binds `name` to what is in the set, with the filters of a whole query."""
        if isinstance(query, Size):
            return self.top(query.of, name)
        if isinstance(query, Extreme):
            # As published: what is left out is left out before the extreme is looked for, and may come back by a tie.
            return self._extreme(query, name, filtered=True)
        return f"{self._set(query, name)} {self._filters(name)}"

    def _filters(self, name: str) -> str:
        own = f"FILTER (!isLiteral(?{name}) || lang(?{name}) = '' || langMatches(lang(?{name}), 'en'))"
        return " ".join([own, *(f"FILTER (?{name} != {_iri(id_)})" for id_ in self._without)])

    def _set(self, query: Query, name: str) -> str:
        match query:
            case Neighbors(Entity(id_), relation):
                return f"{_iri(id_)} {_iri(relation)} ?{name} ."
            case Neighbors(of, relation):
                assert not isinstance(of, Entity)
                source = self._name()
                return f"{self._sub(of, source)} ?{source} {_iri(relation)} ?{name} ."
            case Both(of):
                return " ".join(self._sub(one, name) for one in of if not isinstance(one, Union)) or _NOTHING
            case Union():
                return _NOTHING
            case Extreme():
                return self._extreme(query, name, filtered=False)
            case Size(of):  # as published, where sizes that are joined count what is in both sets
                return self._set(of, name)

    def _sub(self, query: Query, name: str) -> str:
        return f"{{ SELECT DISTINCT ?{name} WHERE {{ {self._set(query, name)} }} }}"

    def _extreme(self, query: Extreme, name: str, *, filtered: bool) -> str:
        key, other, attribute = self._name(), self._name(), _iri(query.attribute)
        among = f"{self._sub(query.of, other)} ?{other} {attribute} ?{key} ."
        if filtered:
            among += f" {self._filters(other)}"
        order = f"DESC(?{key})" if query.greatest else f"?{key}"
        best = f"{{ SELECT ?{key} WHERE {{ {among} }} ORDER BY {order} LIMIT 1 }}"
        return f"{self._sub(query.of, name)} ?{name} {attribute} ?{key} . {best}"

    def _name(self) -> str:
        return f"v{next(self._fresh)}"


def _iri(id_: str) -> str:
    return f"<{NAMESPACE}{id_}>"
