"""Published gold actions as a query."""

import re
from collections.abc import Callable, Sequence

from envs.knowledge_graph.query import Entity, Extreme, Neighbors, Query, Size, both

_CALL = re.compile(r"(\w+)\((.*)\)")
_ENTITY = re.compile(r"[mgf]\.[A-Za-z0-9_]+")


def query_of(actions: Sequence[str], *, entities_only: bool) -> Query:
    """The query that the last of the published actions makes. Raises ValueError for a call that there is not.

    With `entities_only` a set that begins from something else, such as the type `common.topic`, narrows nothing.
    """
    made: list[Query | None] = []

    def argument(text: str) -> Entity | Query | None:
        if text.startswith("#"):
            return made[int(text[1:])]
        return Entity(text) if _ENTITY.fullmatch(text) or not entities_only else None

    for action in actions:
        found = _CALL.fullmatch(action.strip())
        if found is None:
            raise ValueError(f"no call: {action}")
        name, arguments = found.group(1), [part.strip() for part in found.group(2).split(",")]
        try:
            if name not in ("get_relations", "get_attributes"):
                made.append(_made(name, argument(arguments[0]), arguments[1:], argument))
        except (IndexError, ValueError, TypeError) as error:
            raise ValueError(f"no call that can be executed: {action} ({error})") from None
    if not made or made[-1] is None:
        raise ValueError("the gold actions make nothing")
    return made[-1]


def _made(
    name: str, of: Entity | Query | None, rest: Sequence[str], argument: Callable[[str], Entity | Query | None]
) -> Query | None:
    if name == "get_neighbors":
        return None if of is None else Neighbors(of, rest[0])
    if name not in ("intersection", "argmax", "argmin", "count"):
        raise ValueError(f"there is no tool {name}")
    if isinstance(of, Entity):
        raise ValueError(f"{of.id} is no variable")
    if name == "intersection":
        other = argument(rest[0])
        if isinstance(other, Entity):
            raise ValueError(f"{other.id} is no variable")
        return both(of, other) if of is not None and other is not None else of or other
    if name in ("argmax", "argmin"):
        return None if of is None else Extreme(of, rest[0], name == "argmax")
    return None if of is None else Size(of)
