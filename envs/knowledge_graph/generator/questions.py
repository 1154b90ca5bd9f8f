"""Questions over a drawn world: a query of one to five steps and the words for it."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from envs.knowledge_graph.generator.world import Direction, World
from envs.knowledge_graph.query import Entity, Extreme, Neighbors, Query, Size, both, members, named, walk

Shape = str
"""How a query is built, from the outside in: `h` a relation of what follows, or of an entity at the end; `x` an extreme
and `c` a count of what follows; `b(...|...)` an intersection."""
SHAPES: dict[int, tuple[Shape, ...]] = {
    1: ("h",),
    2: ("hh", "xh", "ch"),
    3: ("hhh", "b(h|h)", "xhh", "chh", "hxh"),
    4: ("hb(h|h)", "xb(h|h)", "cb(h|h)", "b(h|hh)", "hxhh", "hhxh"),
    5: ("b(hh|hh)", "hxb(h|h)", "cb(h|hh)", "hhb(h|h)", "xb(h|hh)", "hxhhh"),
}
MOST_ANSWERS = 6
Ask = Callable[[str], list[str]]


@dataclass(frozen=True)
class Phrase:
    """A query with the words for what is in it and the type of that."""

    query: Query
    text: str
    type: str
    depth: int


@dataclass(frozen=True)
class Question:
    """What is asked, by which query, and what is right."""

    text: str
    query: Query
    gold: tuple[str, ...]


def draw_question(draw: random.Random, world: World, shape: Shape, ask: Ask) -> Question | None:
    """A question of a shape with one right answer (a set, or a number); None where this draw gave none.

    Every step of it matters: an intersection has less than each of its parts, an extreme is taken of several, no part
    of the query and no chain of two relations from one of its entities has the same answer.
    """
    phrase = _Composer(draw, world).compose(shape, draw.choice(sorted(world.domain.nouns)))
    if phrase is None or not _matters(phrase.query, world, ask):
        return None
    gold = ask(members(phrase.query, named(phrase.query)))
    return Question(_asked(draw, phrase), phrase.query, tuple(sorted(gold)))


def _asked(draw: random.Random, phrase: Phrase) -> str:
    forms: tuple[str, ...] = ("Which are the {}?", "Name the {}.", "What are the {}?", "Find all {}.", "List the {}.")
    if isinstance(phrase.query, Size):
        forms = ("How many {} are there?", "Count the {}.", "What is the number of {}?", "How many {} can be found?")
    elif isinstance(phrase.query, Extreme):
        forms = ("Which is {}?", "Name {}.", "I am looking for {}. Which one is it?", "Find {}.")
    return draw.choice(forms).format(phrase.text)


class _Composer:
    """Draws phrases from the outside in, so that the types on both sides of an intersection are one."""

    def __init__(self, draw: random.Random, world: World) -> None:
        self._draw, self._world = draw, world

    def compose(self, shape: Shape, type_: str, back: str = "") -> Phrase | None:
        """A phrase whose entities are of a type, and which is not made by the relation `back`."""
        head, rest = shape[0], shape[1:]
        if head == "h":
            return self._hop(rest, type_, back)
        if head == "x":
            return self._extreme(rest, type_)
        if head == "c":
            inner = self.compose(rest, type_)
            return inner and Phrase(Size(inner.query), inner.text, type_, inner.depth)
        first, second = rest[1:-1].split("|")
        one, other = self.compose(first, type_, back), self.compose(second, type_, back)
        return self._both(one, other) if one is not None and other is not None else None

    def _hop(self, rest: Shape, type_: str, back: str) -> Phrase | None:
        ways = [one for one in self._world.directions if one.target == type_ and one.relation != back]
        if not ways:
            return None
        way = self._draw.choice(ways)
        noun = self._world.domain.nouns[type_].many
        if not rest:
            id_ = self._draw.choice(self._world.entities[way.source])
            text = self._clause(way, self._world.names[id_])
            return Phrase(Neighbors(Entity(id_), way.relation), f"{noun} {text}", type_, 1)
        inner = self.compose(rest, way.source, way.back)
        if inner is None:
            return None
        text = self._clause(way, inner.text)
        return Phrase(Neighbors(inner.query, way.relation), f"{noun} {text}", type_, inner.depth + 1)

    def _clause(self, way: Direction, other: str) -> str:
        return self._draw.choice(way.clauses).format(other)

    def _extreme(self, rest: Shape, type_: str) -> Phrase | None:
        measures = [(name, one) for name, one in self._world.attributes.items() if one.of == type_]
        inner = self.compose(rest, type_) if measures else None
        if inner is None:
            return None
        attribute, measure = self._draw.choice(measures)
        greatest = self._draw.random() < 0.5
        noun = self._world.domain.nouns[type_].one
        said = self._draw.choice(measure.most if greatest else measure.least).format(noun)
        text = f"the {said} {self._draw.choice(('among the', 'of all', 'out of the'))} {inner.text}"
        return Phrase(Extreme(inner.query, attribute, greatest), text, type_, inner.depth)

    def _both(self, one: Phrase, other: Phrase) -> Phrase | None:
        first, second = sorted((one, other), key=lambda phrase: phrase.depth)
        noun = self._world.domain.nouns[one.type].many
        joined = " and also " if first.depth == 1 else ", and also "
        if first.query == second.query:
            return None
        text = f"{first.text}{joined}{second.text.removeprefix(noun).strip()}"
        return Phrase(both(first.query, second.query), text, one.type, second.depth)


def _matters(query: Query, world: World, ask: Ask) -> bool:
    """Whether the query has an answer, leaves nothing out that it names, and could not be shorter."""
    found = {part: frozenset(ask(members(part, ()))) for part in walk(query)}
    answer, entities = found[query], named(query)
    if not answer or len(answer) > MOST_ANSWERS or answer == {"0"} or any(found[part] & entities for part in found):
        return False
    for part in found:
        if isinstance(part, Neighbors):
            continue
        inner = [found[one] for one in (part.of if isinstance(part.of, tuple) else (part.of,))]
        if isinstance(part, Extreme | Size) and len(inner[0]) < 2:
            return False
        if isinstance(part, Extreme) and len(found[part]) != 1:
            return False
        if len(inner) > 1 and any(found[part] == one for one in inner):
            return False
    shorter = (found[part] for part in found if part != query)
    return answer not in shorter and (len(found) < 3 or not any(answer == one for one in _chains(entities, world, ask)))


def _chains(entities: set[str], world: World, ask: Ask) -> Iterator[frozenset[str]]:
    """What every chain of one or two relations from an entity leads to."""
    types = {id_: type_ for type_, ids in world.entities.items() for id_ in ids}
    for id_ in sorted(entities):
        for way in world.directions:
            if way.source != types[id_]:
                continue
            one = Neighbors(Entity(id_), way.relation)
            yield frozenset(ask(members(one, {id_})))
            for further in world.directions:
                if further.source == way.target:
                    yield frozenset(ask(members(Neighbors(one, further.relation), {id_})))
