"""Rooms drawn from a seed: places, appliances, and things that lie in and on them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class RoomKind:
    """What a kind of room has: places by type with the fewest and the most of them, and the things found in it."""

    places: dict[str, tuple[int, int]]
    things: tuple[str, ...]


OPENABLE = frozenset({"cabinet", "cupboard", "drawer", "fridge", "microwave", "chest", "locker", "toolbox", "wardrobe"})
CLEANABLE = frozenset(
    {
        "bowl",
        "cup",
        "ladle",
        "mug",
        "pan",
        "pear",
        "plate",
        "plum",
        "pot",
        "spoon",
        "cloth",
        "soapbar",
        "sponge",
        "tomato",
        "trowel",
        "flask",
        "beaker",
        "potato",
    }
)
HEATABLE = frozenset(
    {"bowl", "cup", "mug", "pear", "plate", "plum", "bun", "potato", "tomato", "egg", "flask", "beaker"}
)
COOLABLE = frozenset(
    {
        "bowl",
        "cup",
        "mug",
        "pan",
        "pear",
        "plate",
        "plum",
        "bun",
        "potato",
        "tomato",
        "egg",
        "pot",
        "flask",
        "beaker",
        "bottle",
    }
)
LAMPS = frozenset({"desklamp", "floorlamp", "lantern"})
SMALL = frozenset(
    {"ring", "coin", "key", "spoon", "pen", "chalk", "whistle", "thimble", "watch", "plum", "egg", "ladle", "brush"}
)

ROOMS: dict[str, RoomKind] = {
    "kitchen": RoomKind(
        {
            "counter": (1, 3),
            "cabinet": (3, 8),
            "drawer": (2, 6),
            "fridge": (1, 1),
            "microwave": (1, 1),
            "sinkbasin": (1, 1),
            "table": (1, 2),
            "shelf": (0, 3),
            "bin": (1, 1),
        },
        (
            "bowl",
            "cup",
            "ladle",
            "mug",
            "pan",
            "pear",
            "plate",
            "plum",
            "pot",
            "spoon",
            "potato",
            "tomato",
            "egg",
            "bun",
            "bottle",
        ),
    ),
    "study": RoomKind(
        {
            "desk": (1, 3),
            "drawer": (3, 8),
            "shelf": (3, 7),
            "chest": (1, 2),
            "armchair": (0, 2),
            "table": (0, 2),
            "bin": (1, 1),
        },
        (
            "book",
            "pen",
            "watch",
            "key",
            "coin",
            "cup",
            "mug",
            "chalk",
            "ring",
            "notebook",
            "whistle",
            "box",
            "desklamp",
        ),
    ),
    "bathroom": RoomKind(
        {
            "counter": (1, 2),
            "cabinet": (2, 6),
            "drawer": (0, 4),
            "shelf": (1, 3),
            "sinkbasin": (1, 2),
            "basket": (1, 2),
            "bin": (1, 1),
        },
        (
            "cloth",
            "soapbar",
            "sponge",
            "cup",
            "candle",
            "brush",
            "ring",
            "bottle",
            "towel",
            "lantern",
        ),
    ),
    "workshop": RoomKind(
        {
            "workbench": (1, 3),
            "locker": (2, 5),
            "toolbox": (2, 4),
            "shelf": (2, 5),
            "sinkbasin": (1, 1),
            "fridge": (1, 1),
            "microwave": (1, 1),
            "bin": (1, 1),
        },
        (
            "trowel",
            "flask",
            "beaker",
            "thimble",
            "whistle",
            "chalk",
            "brush",
            "box",
            "cloth",
            "key",
            "floorlamp",
        ),
    ),
}


@dataclass
class Room:
    """A drawn room: facts by predicate, and what lies where by type (thing, its type, place, its type)."""

    kind: str
    facts: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    lying: list[tuple[str, str, str, str]] = field(default_factory=list)

    def add(self, predicate: str, *arguments: str) -> None:
        """One more fact."""
        self.facts.setdefault(predicate, []).append(arguments)

    def types(self, predicate: str) -> set[str]:
        """The types of things ("objecttype") or of places ("receptacletype") that are here."""
        return {row[1].removesuffix("type") for row in self.facts.get(predicate, ())}


def fits(thing: str, place: str) -> bool:
    """Whether things of a type go into places of a type: microwaves and drawers take no lamps, bins take everything."""
    if thing in LAMPS:
        return place in ("desk", "table", "shelf", "workbench", "counter")
    if place == "microwave":
        return thing in HEATABLE
    if place == "drawer":
        return thing in SMALL or thing in ("cloth", "notebook", "mug", "cup", "trowel", "candle")
    return not (place == "sinkbasin" and thing not in CLEANABLE)


def draw_room(draw: random.Random, kind: str) -> Room:
    """A room of a kind, with about three things for every two places."""
    room = Room(kind)
    room.add("atlocation", "agent1", "loc_bar_0000")
    places: list[tuple[str, str]] = []
    for type_, (least, most) in ROOMS[kind].places.items():
        places.extend((_id(draw, type_), type_) for _ in range(draw.randint(least, most)))
    for number, (place, type_) in enumerate(places, 1):
        where = f"loc_bar_{number:04d}"
        room.add("receptacleatlocation", place, where)
        room.add("receptacletype", place, f"{type_}type")
        if type_ in OPENABLE:
            room.add("openable", place)
            if draw.random() < 0.15:
                room.add("opened", place)
    located = {row[0]: row[1] for row in room.facts["receptacleatlocation"]}
    lamps = [thing for thing in ROOMS[kind].things if thing in LAMPS]
    others = [thing for thing in ROOMS[kind].things if thing not in LAMPS]
    wanted = lamps + others + [draw.choice(others) for _ in range(len(places) // 2)]
    for type_ in wanted:
        place, its = draw.choice([one for one in places if fits(type_, one[1])])
        _put(room, _id(draw, type_), type_, place, its, located[place])
    for type_ in sorted({type_ for _, type_ in places}):
        taken = [thing for thing in ROOMS[kind].things if fits(thing, type_)]
        room.facts.setdefault("cancontain", []).extend((f"{type_}type", f"{thing}type") for thing in taken)
    return room


def _put(room: Room, thing: str, type_: str, place: str, its: str, where: str) -> None:
    room.lying.append((thing, type_, place, its))
    room.add("objecttype", thing, f"{type_}type")
    room.add("inreceptacle", thing, place)
    room.add("objectatlocation", thing, where)
    if type_ in LAMPS:
        room.add("toggleable", thing)
    else:
        room.add("pickupable", thing)
    able: Sequence[tuple[str, frozenset[str]]]
    able = (("cleanable", CLEANABLE), ("heatable", HEATABLE), ("coolable", COOLABLE))
    for predicate, types in able:
        if type_ in types:
            room.add(predicate, thing)


def _id(draw: random.Random, type_: str) -> str:
    # A basin is told by the end of its id, as in the published games.
    mark = f"{draw.getrandbits(48):012x}"
    return f"sink_bar_{mark}_bar_sinkbasin" if type_ == "sinkbasin" else f"{type_}_bar_{mark}"
