"""The replies that make a query: what a participant who knows it says, one call a turn."""

from collections.abc import Mapping

from envs.knowledge_graph import protocol
from envs.knowledge_graph.protocol import Call
from envs.knowledge_graph.query import Both, Entity, Extreme, Neighbors, Query, Size, Union


class _Script:
    """Calls in order, and the variables that they have made."""

    def __init__(self, entities: Mapping[str, str], published: bool) -> None:
        self._names = {id_: name for name, id_ in entities.items()}
        self._entities, self._published = entities, published
        self._numbers: dict[Query, int] = {}
        self._made = 0
        self.calls: list[str] = []

    def number(self, query: Query) -> int:
        """The number of the variable for a query, made where it is not yet."""
        if query not in self._numbers:
            self._make(query)
        return self._numbers[query]

    def _make(self, query: Query) -> None:
        match query:
            case Neighbors(of, relation):
                source = self._text(of)
                self._call(None, "get_relations", source)
                self._call(query, "get_neighbors", source, relation)
            case Extreme(of, attribute, greatest):
                source = self._text(of)
                self._call(None, "get_attributes", source)
                self._call(query, "argmax" if greatest else "argmin", source, attribute)
            case Size(of):
                self._call(query, "count", self._text(of))
            case Both(of):
                first, *others = [self._text(one) for one in of]
                for text in others:
                    self._call(query, "intersection", first, text)
                    first = f"#{self._numbers[query]}"
            case Union():
                raise ValueError("a union makes no answer, as published")

    def _call(self, makes: Query | None, name: str, *arguments: str) -> None:
        text = f"{name}({', '.join(arguments)})"
        if makes is None and text in self.calls:
            return
        self.calls.append(text)
        if makes is not None:
            self._numbers[makes] = self._made
            self._made += 1

    def _text(self, of: Entity | Query) -> str:
        if not isinstance(of, Entity):
            return f"#{self.number(of)}"
        name = self._names.get(of.id, of.id)
        call = Call("count", (name,))
        line = f"Action: count({name})"
        if self._published:  # which also reads "variable stars" as "stars"
            readable = protocol.calls_of(line)[:1] == [call] and "variable " not in name.lower()
            return name if readable else of.id
        return name if protocol.call_of(line, protocol.PARAMETERS, self._entities) == call else of.id


def replies(query: Query, entities: Mapping[str, str], *, published: bool) -> list[str]:
    """The replies, with the answer as the last; entities by their names where the rules can read them, else by ids."""
    script = _Script(entities, published)
    number = script.number(query)
    return [*(f"Action: {call}" for call in script.calls), f"Final Answer: #{number}"]
