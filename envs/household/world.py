"""The household itself: what may be done where, what it changes, and what is told of it.

A pure simulator of the published domain and grammar (ALFWorld's files for TextWorld): commands and texts are equal to
TextWorld's, which `make check-household` shows on every published game. A state is a value; nothing here is changed.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Pair = tuple[str, str]
Grammar = Literal["move", "put"]
AGENT = "agent1"
NOTHING_HAPPENS = "Nothing happens."
KNIVES = frozenset({"knifetype", "butterknifetype"})
SINKS: Mapping[Grammar, frozenset[str]] = {
    "move": frozenset({"sinktype", "sinkbasintype"}),
    "put": frozenset({"sinkbasintype"}),
}
_ATTRIBUTES = (
    (("isclean", "ishot", "issliced"), "hot and clean sliced"),
    (("isclean", "iscool", "issliced"), "cool and clean sliced"),
    (("isclean", "issliced"), "clean sliced"),
    (("ishot", "issliced"), "hot sliced"),
    (("iscool", "issliced"), "cool sliced"),
    (("isclean", "ishot"), "hot and clean"),
    (("isclean", "iscool"), "cool and clean"),
    (("ishot",), "hot"),
    (("isclean",), "clean"),
    (("iscool",), "cold"),
)
# To the letter, with its uneven columns.
HELP = """\
Available commands:
  look:                             look around your current location
  inventory:                        check your current inventory
  go to (receptacle):               move to a receptacle
  open (receptacle):                open a receptacle
  close (receptacle):               close a receptacle
  take (object) from (receptacle):  take an object from a receptacle
  move (object) to (receptacle):  place an object in or on a receptacle
  examine (something):              examine a receptacle or an object
  use (object):                     use an object
  heat (object) with (receptacle):  heat an object using a receptacle
  clean (object) with (receptacle): clean an object using a receptacle
  cool (object) with (receptacle):  cool an object using a receptacle
  slice (object) with (object):     slice an object using a sharp object
"""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing to do, by the ids of an object, a receptacle, the other object or the place it is about."""

    verb: str
    object: str = ""
    receptacle: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """What may change. `inside` and `lying` are pairs (object, receptacle) and (object, place); `marks` are pairs
    (attribute, object). `taken` are pairs (object, receptacle) of which it was said that they are no more."""

    place: str
    opened: frozenset[str]
    inside: frozenset[Pair]
    lying: frozenset[Pair]
    marks: frozenset[Pair]
    held: str | None = None
    taken: frozenset[Pair] = field(default=frozenset(), compare=False)


class World:
    """A household with its fixed facts (as `spec.HouseholdSpec.facts`) and its names."""

    def __init__(self, facts: Mapping[str, Iterable[tuple[str, ...]]], grammar: Grammar = "move") -> None:
        self._grammar: Grammar = grammar
        self._facts = {name: frozenset(rows) for name, rows in facts.items()}
        self.names = names(term for rows in self._facts.values() for row in rows for term in row)
        self._places: dict[str, list[str]] = defaultdict(list)
        self._here: dict[str, list[str]] = defaultdict(list)
        for receptacle, place in sorted(self._of("receptacleatlocation")):
            self._places[receptacle].append(place)
            self._here[place].append(receptacle)
        self._kinds: dict[str, set[str]] = defaultdict(set)
        for thing, kind in (*self._of("objecttype"), *self._of("receptacletype")):
            self._kinds[thing].add(kind)
        self._contents: dict[str, list[str]] = defaultdict(list)
        for inner, outer in sorted(self._of("inreceptacleobject")):
            self._contents[outer].append(inner)

    def start(self) -> State:
        """The state at the beginning."""
        marks = {(name, one) for name in _CHANGING for (one,) in self._of(name)}
        ((_, place),) = self._of("atlocation")
        return State(
            place=str(place),
            opened=frozenset(one for (one,) in self._of("opened")),
            inside=frozenset((a, b) for a, b in self._of("inreceptacle")),
            lying=frozenset((a, b) for a, b in self._of("objectatlocation")),
            marks=frozenset(marks),
        )

    def facts(self, state: State) -> dict[str, Collection[tuple[str, ...]]]:
        """Everything that holds, by predicate."""
        found: dict[str, Collection[tuple[str, ...]]] = dict(self._facts)
        found |= {
            "atlocation": {(AGENT, state.place)},
            "opened": {(one,) for one in state.opened},
            "inreceptacle": state.inside,
            "objectatlocation": state.lying,
            "holds": {(AGENT, state.held)} if state.held else set(),
        }
        return found | {name: {(one,) for mark, one in state.marks if mark == name} for name in _CHANGING}

    def commands(self, state: State) -> dict[str, Act]:
        """What may be done, by its command, in the order in which it is listed."""
        found: dict[str, Act] = {}
        for act in self.acts(state):
            found.setdefault(self.command(act), act)
        return dict(sorted(found.items()))

    def acts(self, state: State) -> Iterator[Act]:
        """What may be done, in no particular order; two may have one command."""
        yield from (Act("look"), Act("inventory"))
        if self._grammar == "move":
            yield Act("help")
        for receptacle, places in self._places.items():
            yield from (Act("go", receptacle=receptacle, place=place) for place in places if place != state.place)
        for receptacle in self._here.get(state.place, ()):
            yield Act("examine", receptacle=receptacle)
            if self._is("openable", receptacle):
                yield Act("close" if receptacle in state.opened else "open", receptacle=receptacle)
        yield from self._with_things(state)
        if state.held:
            yield from self._with_held(state, state.held)

    def _with_things(self, state: State) -> Iterator[Act]:
        here = set(self._here.get(state.place, ()))
        for thing, receptacle in state.inside:
            if receptacle not in here:
                continue
            if self._is("toggleable", thing):
                yield Act("use", thing)
            if state.held is None and self._is("pickupable", thing) and self._reachable(receptacle, state):
                yield Act("take", thing, receptacle)

    def _with_held(self, state: State, held: str) -> Iterator[Act]:
        yield Act("examine", held)
        kinds = self._kinds[held]
        for receptacle in self._here.get(state.place, ()):
            its = self._kinds[receptacle]
            fits = any((one, kind) in self._of("cancontain") for one in its for kind in kinds)
            if fits and self._reachable(receptacle, state):
                yield Act("put", held, receptacle)
            if its & SINKS[self._grammar] and self._is("cleanable", held):
                yield Act("clean", held, receptacle)
            if "microwavetype" in its and self._is("heatable", held):
                yield Act("heat", held, receptacle)
            if "fridgetype" in its and self._is("coolable", held):
                yield Act("cool", held, receptacle)
        if kinds & KNIVES:
            lying = (thing for thing, place in state.lying if place == state.place)
            yield from (Act("slice", thing, place=held) for thing in lying if self._is("sliceable", thing))

    def command(self, act: Act) -> str:
        """An act in words."""
        thing, receptacle = self.names.get(act.object, ""), self.names.get(act.receptacle, "")
        match act.verb:
            case "go":
                return f"go to {receptacle}"
            case "take":
                return f"take {thing} from {receptacle}"
            case "put":
                return f"move {thing} to {receptacle}" if self._grammar == "move" else f"put {thing} in/on {receptacle}"
            case "clean" | "heat" | "cool":
                return f"{act.verb} {thing} with {receptacle}"
            case "slice":
                return f"slice {thing} with {self.names[act.place]}"
            case _:
                return f"{act.verb} {thing or receptacle}".strip()

    def after(self, state: State, act: Act) -> State:
        """The state that an act of `acts(state)` leads to."""
        thing, pair = act.object, (act.object, act.receptacle)
        match act.verb:
            case "go":
                return replace(state, place=act.place)
            case "open":
                return replace(state, opened=state.opened | {act.receptacle})
            case "close":
                return replace(state, opened=state.opened - {act.receptacle})
            case "take":
                lying = state.lying - {(thing, state.place)}
                return replace(state, held=thing, inside=state.inside - {pair}, lying=lying, taken=state.taken | {pair})
            case "put":
                lying = state.lying | {(thing, state.place)}
                return replace(state, held=None, inside=state.inside | {pair}, lying=lying, taken=state.taken - {pair})
            case "heat":
                return replace(state, marks=state.marks - {("iscool", thing)} | {("ishot", thing)})
            case "cool":
                return replace(state, marks=state.marks - {("ishot", thing)} | {("iscool", thing)})
            case "clean" | "use" | "slice":
                mark = {"clean": "isclean", "use": "istoggled", "slice": "issliced"}[act.verb]
                return replace(state, marks=state.marks | {(mark, thing)})
            case _:
                return state

    def intro(self, state: State) -> str:
        """What is seen at the beginning, without the greeting and the task."""
        if state.place in self._here:
            return self._look(state)
        seen = self._listed(receptacle for receptacle in self._places for _ in self._places[receptacle])
        return f"You are in the middle of a room. Looking quickly around you, you see {seen}."

    def feedback(self, state: State, act: Act) -> str:
        """What is told of an act, in the state it led to."""
        thing, receptacle = self.names.get(act.object, ""), self.names.get(act.receptacle, "")
        match act.verb:
            case "look":
                return self._look(state)
            case "inventory":
                return (
                    f"You are carrying: a {self.names[state.held]}." if state.held else "You are not carrying anything."
                )
            case "help":
                return HELP
            case "go":
                where = receptacle if self._grammar == "move" else self.names[act.place]
                return f"You arrive at {where}. {self._seen_in(act.receptacle, state)}"
            case "open":
                return f"You open the {receptacle}. {self._seen_in(act.receptacle, state)}"
            case "examine":
                return self._seen_in(act.receptacle, state) if act.receptacle else self._examined(act.object, state)
            case _:
                return self._done(act, thing, receptacle)

    def _done(self, act: Act, thing: str, receptacle: str) -> str:
        match act.verb:
            case "close":
                return f"You close the {receptacle}."
            case "take":
                return f"You pick up the {thing} from the {receptacle}."
            case "put" if self._grammar == "move":
                return f"You move the {thing} to the {receptacle}."
            case "put":
                return f"You put the {thing} in/on the {receptacle}."
            case "use":
                return f"You turn on the {thing}."
            case "slice":
                return f"You sliced the {thing} with the {self.names[act.place]}."
            case _:
                return f"You {act.verb} the {thing} using the {receptacle}."

    def _look(self, state: State) -> str:
        here = self._here.get(state.place)
        if not here:
            return "You are in the middle of a room. Looking quickly around you, you see nothing."
        facing = _joined([self.names[receptacle] for receptacle in here])
        lying = sorted(thing for thing, place in state.lying if place == state.place)
        beside = [thing for thing in lying for receptacle in here if (thing, receptacle) in state.taken]
        return f"You are facing the {facing}. Next to it, you see {self._listed(beside)}."

    def _seen_in(self, receptacle: str, state: State) -> str:
        name = self.names[receptacle]
        if not self._reachable(receptacle, state):
            return f"The {name} is closed."
        seen = self._listed(sorted(thing for thing, where in state.inside if where == receptacle))
        if self._is("openable", receptacle):
            return f"The {name} is open. In it, you see {seen}."
        return f"On the {name}, you see {seen}."

    def _examined(self, thing: str, state: State) -> str:
        name = self.names[thing]
        if self._is("isreceptacleobject", thing):
            return f"This is a normal {name}. In it, you see {self._listed(self._contents.get(thing, ()))}."
        for attributes, words in _ATTRIBUTES:
            if all((attribute, thing) in state.marks for attribute in attributes):
                return f"This is a {words} {name}."
        if self._is("toggleable", thing) and ("istoggled", thing) in state.marks:
            return f"This {name} is on."
        if self._is("sliceable", thing) and ("issliced", thing) in state.marks:
            return f"This is a sliced {name}."
        return f"There's nothing special about {name}."

    def _listed(self, things: Iterable[str]) -> str:
        return _joined([f"a {self.names[thing]}" for thing in things])

    def _reachable(self, receptacle: str, state: State) -> bool:
        return receptacle in state.opened or not self._is("openable", receptacle)

    def _of(self, predicate: str) -> frozenset[tuple[str, ...]]:
        return self._facts.get(predicate, frozenset())

    def _is(self, predicate: str, thing: str) -> bool:
        return (thing,) in self._of(predicate)


_CHANGING = ("isclean", "ishot", "iscool", "istoggled", "issliced")


def names(terms: Iterable[str]) -> dict[str, str]:
    """The name of each thing, such as "drawer 3": its type and a number; of one type, the last id has number 1."""
    ids = sorted({term for term in terms if "_bar_" in term}, reverse=True)
    seen: Counter[str] = Counter()
    found = {}
    for id_ in ids:
        kind = id_.split("_bar_", 1)[0] + ("basin" if "basin" in id_ else "")
        seen[kind] += 1
        found[id_] = f"{kind} {seen[kind]}"
    return found


def _joined(items: Sequence[str]) -> str:
    if len(items) < 2:
        return items[0] if items else "nothing"
    return ", ".join(items[:-1]) + f", and {items[-1]}"
