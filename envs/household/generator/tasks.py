"""The types of tasks: the six of the published games and three of ours, each drawn for a room that fits it."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from envs.household.generator.rooms import CLEANABLE, COOLABLE, HEATABLE, LAMPS, Room, fits

Pattern = tuple[str, ...]


@dataclass(frozen=True)
class Task:
    """A goal, as `spec.HouseholdSpec` has it, and how it is told."""

    kind: str
    text: str
    goal: tuple[Pattern, ...]
    distinct: tuple[tuple[str, str], ...] = ()


def _in(thing: str, type_: str, place: str = "?r") -> tuple[Pattern, ...]:
    return ("objecttype", thing, f"{type_}type"), ("inreceptacle", thing, place)


def _place(type_: str, place: str = "?r") -> Pattern:
    return ("receptacletype", place, f"{type_}type")


def _pairs(room: Room, least: int = 1) -> list[tuple[str, str]]:
    """Types of things of which there are at least so many, with a type of place that takes them and has none yet."""
    counts: dict[str, int] = {}
    for _, type_, _, _ in room.lying:
        counts[type_] = counts.get(type_, 0) + (type_ not in LAMPS)
    there = {(type_, its) for _, type_, _, its in room.lying}
    return sorted(
        (thing, place)
        for thing, count in counts.items()
        for place in room.types("receptacletype")
        if count >= least and fits(thing, place) and (thing, place) not in there
    )


def pick_and_place(draw: random.Random, room: Room) -> Task | None:
    """A thing has to lie somewhere else."""
    if not (pairs := _pairs(room)):
        return None
    thing, place = draw.choice(pairs)
    text = draw.choice((f"put some {thing} on {place}.", f"find a {thing} and leave it at a {place}."))
    return Task("pick_and_place", text, (*_in("?o", thing), _place(place)))


def _treated(kind: str, mark: str, types: frozenset[str], words: tuple[str, str]) -> "Template":
    def template(draw: random.Random, room: Room) -> Task | None:
        appliance = {"isclean": "sinkbasin", "ishot": "microwave", "iscool": "fridge"}[mark]
        pairs = [pair for pair in _pairs(room) if pair[0] in types]
        if not pairs or appliance not in room.types("receptacletype"):
            return None
        thing, place = draw.choice(pairs)
        adjective, verb = words
        text = draw.choice((f"put a {adjective} {thing} in {place}.", f"{verb} some {thing} and put it in {place}."))
        return Task(kind, text, ((mark, "?o"), *_in("?o", thing), _place(place)))

    return template


def look_at_obj(draw: random.Random, room: Room) -> Task | None:
    """Hold a thing where a lamp is on."""
    lamps = sorted(room.types("objecttype") & LAMPS)
    things = sorted(room.types("objecttype") - LAMPS)
    if not lamps or not things:
        return None
    lamp, thing = draw.choice(lamps), draw.choice(things)
    text = draw.choice((f"look at {thing} under the {lamp}.", f"examine the {thing} with the {lamp}."))
    return Task("look_at_obj", text, (*_lit(lamp), ("holds", "?a", "?o"), ("objecttype", "?o", f"{thing}type")))


def _lit(lamp: str) -> tuple[Pattern, ...]:
    """The participant stands where a lamp of the type is on."""
    at = (("atlocation", "?a", "?l"), ("receptacleatlocation", "?s", "?l"), ("inreceptacle", "?lamp", "?s"))
    return (("istoggled", "?lamp"), ("objecttype", "?lamp", f"{lamp}type"), *at)


def pick_two_obj(draw: random.Random, room: Room) -> Task | None:
    """Two things of a type have to lie at one place."""
    if not (pairs := _pairs(room, least=2)):
        return None
    thing, place = draw.choice(pairs)
    text = draw.choice((f"put two {thing} in {place}.", f"find two {thing} and put them in {place}."))
    return Task("pick_two_obj", text, (*_in("?o", thing), _place(place), *_in("?p", thing)), (("?o", "?p"),))


def gather(draw: random.Random, room: Room) -> Task | None:
    """Things of two types have to lie together at one place. Ours."""
    by_place: dict[str, list[str]] = {}
    for thing, place in _pairs(room):
        by_place.setdefault(place, []).append(thing)
    places = sorted(place for place, things in by_place.items() if len(things) > 1)
    if not places:
        return None
    place = draw.choice(places)
    one, other = draw.sample(by_place[place], 2)
    text = f"put a {one} and a {other} together in one {place}."
    return Task("gather", text, (*_in("?o", one), _place(place), *_in("?p", other)))


def clean_under_light(draw: random.Random, room: Room) -> Task | None:
    """Hold a clean thing where a lamp is on. Ours."""
    lamps = sorted(room.types("objecttype") & LAMPS)
    things = sorted(room.types("objecttype") & CLEANABLE)
    if not lamps or not things or "sinkbasin" not in room.types("receptacletype"):
        return None
    lamp, thing = draw.choice(lamps), draw.choice(things)
    text = f"clean some {thing} and look at it under the {lamp}."
    goal = (*_lit(lamp), ("holds", "?a", "?o"), ("isclean", "?o"), ("objecttype", "?o", f"{thing}type"))
    return Task("clean_under_light", text, goal)


def clean_and_treat(draw: random.Random, room: Room) -> Task | None:
    """A thing has to be clean and hot, or clean and cool, and lie somewhere else. Ours."""
    here = room.types("receptacletype")
    choices = [
        (mark, word, pair)
        for mark, word, types, appliance in (
            ("ishot", "hot", HEATABLE, "microwave"),
            ("iscool", "cool", COOLABLE, "fridge"),
        )
        for pair in _pairs(room)
        if {"sinkbasin", appliance} <= here and pair[0] in types & CLEANABLE
    ]
    if not choices:
        return None
    mark, word, (thing, place) = draw.choice(choices)
    goal = ((mark, "?o"), ("isclean", "?o"), *_in("?o", thing), _place(place))
    return Task("clean_and_treat", f"put a clean and {word} {thing} in {place}.", goal)


Template = Callable[[random.Random, Room], Task | None]
TEMPLATES: dict[str, Template] = {
    "pick_and_place": pick_and_place,
    "pick_clean_then_place": _treated("pick_clean_then_place", "isclean", CLEANABLE, ("clean", "clean")),
    "pick_heat_then_place": _treated("pick_heat_then_place", "ishot", HEATABLE, ("hot", "heat")),
    "pick_cool_then_place": _treated("pick_cool_then_place", "iscool", COOLABLE, ("cool", "cool")),
    "look_at_obj": look_at_obj,
    "pick_two_obj": pick_two_obj,
    "gather": gather,
    "clean_under_light": clean_under_light,
    "clean_and_treat": clean_and_treat,
}
