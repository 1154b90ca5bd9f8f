"""The published tools over a store: they make variables, which are queries, and remember what was listed.

Facts: THUDM/AgentBench v0.2 (tools, what they refuse, observations word for word where they are part of the protocol).
"""

import random
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from envs.knowledge_graph.query import (
    Entity,
    Extreme,
    Neighbors,
    Query,
    Size,
    Union,
    both,
    counts,
    members,
    named,
    relations,
)
from envs.knowledge_graph.spec import KnowledgeGraphSpec
from envs.knowledge_graph.store import QueryError, Store, Vocabulary

NUMBER = "type.int"
_ID = {"published": re.compile(r"[mf]\.[A-Za-z0-9_]+"), "fixed": re.compile(r"[mgf]\.[A-Za-z0-9_]+")}


class ToolError(Exception):
    """A call that cannot be executed."""


@dataclass(frozen=True)
class Variable:
    """A set of entities, or a number, that a call made."""

    query: Query
    type: str


Argument = Variable | str
Tool = Callable[..., Awaitable[Variable | list[str]]]


class Toolbox:
    """The tools of one episode. `seed` orders relations where they are not sorted."""

    def __init__(self, spec: KnowledgeGraphSpec, store: Store, vocabulary: Vocabulary, seed: int) -> None:
        self._spec, self._store, self._vocabulary, self._seed = spec, store, vocabulary, seed
        self._relations: dict[Entity | Query, list[str]] = {}
        self._attributes: dict[Query, list[str]] = {}
        self.variables: list[Variable] = []
        tools: dict[str, tuple[int, Tool]] = {
            "get_relations": (1, self._get_relations),
            "get_neighbors": (2, self._get_neighbors),
            "intersection": (2, self._intersection),
            "get_attributes": (1, self._get_attributes),
            "argmax": (2, self._argmax),
            "argmin": (2, self._argmin),
            "count": (1, self._count),
        }
        # Published, this one is not described to participants and answered all the same.
        self._tools = tools | ({"union": (2, self._union)} if spec.rules == "published" else {})

    def knows(self, name: str) -> bool:
        """Whether there is such a tool."""
        return name in self._tools

    async def call(self, name: str, arguments: Sequence[str]) -> str:
        """The observation of a call that could be executed. Raises ToolError, and InfrastructureError."""
        count, tool = self._tools[name]
        if len(arguments) != count:
            raise ToolError(f"it takes {count} arguments")
        try:
            made = await tool(*map(self._argument, arguments))
        except QueryError as error:
            raise ToolError(str(error)) from None
        if isinstance(made, list):
            return f"Observation: [{', '.join(made)}]"
        self.variables.append(made)
        what = "which is a number" if name == "count" else f"which are instances of {made.type}"
        return f"Observation: variable #{len(self.variables) - 1}, {what}"

    async def values(self, number: int) -> list[str]:
        """What is in a variable, in order. Raises QueryError and InfrastructureError."""
        return sorted(await self._store.select(self._members(self.variables[number].query)))

    def _argument(self, text: str) -> Argument:
        """A variable by its number, an entity by its name, or the text itself."""
        if self._spec.rules == "fixed" and text in self._spec.entities:
            return self._spec.entities[text]
        name = text.replace("variable ", "").replace("Variable ", "")
        if name.startswith("#"):
            try:
                return self.variables[int(name[1:])]
            except (ValueError, IndexError):
                raise ToolError(f"there is no variable {name[:20]}") from None
        return self._spec.entities.get(name, text)

    def _without(self, query: Entity | Query) -> set[str]:
        return set() if self._spec.keeps_entities else named(query)

    def _members(self, query: Query) -> str:
        return members(query, self._without(query))

    async def _leaving(self, query: Entity | Query) -> list[str]:
        return await self._store.select(relations(query, self._without(query)))

    def _ordered(self, found: set[str], query: Entity | Query) -> list[str]:
        names = sorted(found)
        if self._spec.rules == "published":
            random.Random(f"{self._seed} {query}").shuffle(names)
        return names

    def _start(self, argument: Argument) -> Entity | Query:
        """Where relations leave from: a set, or an entity by its id."""
        if isinstance(argument, Variable):
            return _set(argument)
        if not _ID[self._spec.rules].fullmatch(argument):
            raise ToolError("no variable and no entity")
        return Entity(argument)

    async def _get_relations(self, of: Argument) -> list[str]:
        query = self._start(of)
        found = set(await self._leaving(query)) & self._vocabulary.ranges.keys()
        self._relations[query] = self._ordered(found, query)
        return self._relations[query]

    async def _get_neighbors(self, of: Argument, relation: Argument) -> Variable:
        query = self._start(of)
        if not isinstance(relation, str) or relation not in self._relations.get(query, ()):
            raise ToolError("the relation was not listed by get_relations")
        return Variable(Neighbors(query, relation), self._vocabulary.ranges[relation])

    async def _intersection(self, one: Argument, other: Argument) -> Variable:
        first, second = _variable(one), _variable(other)
        return Variable(both(first.query, second.query), self._common_type(first, second))

    async def _union(self, one: Argument, other: Argument) -> Variable:
        first, second = _variable(one), _variable(other)
        return Variable(Union((first.query, second.query)), self._common_type(first, second))

    def _common_type(self, one: Variable, other: Variable) -> str:
        """The type of what is in both: as "fixed" goes, the narrower one where one is above the other."""
        published = self._spec.rules == "published"
        if not published and (counts(one.query) or counts(other.query)):
            raise ToolError("a number is no set")
        if one.type == other.type:
            return one.type
        if published:
            raise ToolError("the two variables are not of the same type")
        return other.type if one.type in self._above(other.type) else one.type

    def _above(self, type_: str) -> set[str]:
        found: set[str] = set()
        left = [type_]
        while left:
            above = self._vocabulary.broader.get(left.pop(), frozenset()) - found
            found |= above
            left.extend(above)
        return found

    async def _count(self, of: Argument) -> Variable:
        return Variable(Size(_variable(of).query), NUMBER)

    async def _get_attributes(self, of: Argument) -> list[str]:
        query = _set(of)
        found = set(await self._leaving(query)) & self._vocabulary.attributes
        self._attributes[query] = self._ordered(found, query)
        return self._attributes[query]

    async def _argmax(self, of: Argument, attribute: Argument) -> Variable:
        return self._extreme(of, attribute, greatest=True)

    async def _argmin(self, of: Argument, attribute: Argument) -> Variable:
        return self._extreme(of, attribute, greatest=False)

    def _extreme(self, of: Argument, attribute: Argument, *, greatest: bool) -> Variable:
        variable = _variable(of)
        if not isinstance(attribute, str) or attribute not in self._attributes.get(variable.query, ()):
            raise ToolError("the attribute was not listed by get_attributes")
        return Variable(Extreme(variable.query, attribute, greatest), variable.type)


def _variable(argument: Argument) -> Variable:
    if isinstance(argument, str):
        raise ToolError("no variable")
    return argument


def _set(argument: Argument) -> Query:
    variable = _variable(argument)
    if counts(variable.query):
        raise ToolError("a number has no relations")
    return variable.query
