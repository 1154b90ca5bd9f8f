"""Templates of tasks on the map."""

import re
from random import Random

from envs.web_sites.generator.map_parts import (
    KINDS,
    MEANS,
    MOST_FOUND,
    SITE,
    a_way,
    directions,
    listed_for,
    look,
    nearest,
    of_kinds,
    page,
    places,
    search,
    unique,
    ways,
)
from envs.web_sites.generator.parts import Contents, Row, Task, Template, looked_up, opened

HOURS = re.compile(r"\w\w-\w\w (\d\d:\d\d)-(\d\d:\d\d)")
ABSENT = ("Wandering Heron Planetarium", "Seven Lamps Aquarium", "Old Tin Foundry Theatre", "Saltmarsh Observatory")


def minutes_of_a_way(draw: Random, contents: Contents, index: int) -> Task:
    """How long one is under way by one means."""
    means = tuple(MEANS)[index]
    way = a_way(draw, contents[SITE], means)
    intent = (
        f"How many minutes does it take from {way['origin_name']} to {way['goal_name']} {MEANS[means]}, by the map's "
        "directions? Answer with the number of minutes."
    )
    others = [str(row["minutes"]) for row in ways(contents[SITE], means)]
    seen = look(directions(way["origin_name"], way["goal_name"], means))
    return looked_up(draw, SITE, intent, str(way["minutes"]), others, seen)


def kilometres_of_a_way(draw: Random, contents: Contents, index: int) -> Task:
    """How long a way is."""
    means = tuple(MEANS)[(index + 1) % 3]
    far = [row for row in ways(contents[SITE], means) if row["length"].endswith(" km")]
    way = draw.choice(far)
    intent = (
        f"How many kilometres is it from {way['origin_name']} to {way['goal_name']} {MEANS[means]}, by the map's "
        "directions? Answer with the number and one decimal, as the map gives it."
    )
    right = way["length"].removesuffix(" km")
    seen = look(directions(way["origin_name"], way["goal_name"], means))
    return looked_up(draw, SITE, intent, right, [row["length"].removesuffix(" km") for row in far], seen)


def minutes_saved(draw: Random, contents: Contents, index: int) -> Task:
    """How much sooner one is there by bicycle than on foot."""
    del index
    slow = {(row["origin"], row["goal"]): row for row in ways(contents[SITE], "foot")}
    both = [
        (slow[row["origin"], row["goal"]], row)
        for row in ways(contents[SITE], "bicycle")
        if (row["origin"], row["goal"]) in slow
    ]
    walk, ride = draw.choice([pair for pair in both if pair[0]["minutes"] - pair[1]["minutes"] >= 3])
    right = str(walk["minutes"] - ride["minutes"])
    intent = (
        f"By the map's directions, how many minutes sooner is one at {walk['goal_name']} by bicycle than on foot, "
        f"coming from {walk['origin_name']}? Answer with the number."
    )
    others = [str(one["minutes"] - other["minutes"]) for one, other in both]
    ends = (walk["origin_name"], walk["goal_name"])
    return looked_up(draw, SITE, intent, right, others, look(directions(*ends, "foot"), directions(*ends, "bicycle")))


def closer_of_two(draw: Random, contents: Contents, index: int) -> Task:
    """Which of two places is the shorter walk away."""
    del index
    known = ways(contents[SITE], "foot")
    pairs = [
        (one, other)
        for one in known
        for other in known
        if one["origin"] == other["origin"] and one["minutes"] - other["minutes"] >= 3
    ]
    pair = draw.sample(draw.choice(pairs), 2)
    closer = min(pair, key=lambda row: int(row["minutes"]))
    names = [row["goal_name"] for row in pair]
    intent = (
        f"By the map's directions, which is less far to walk from {closer['origin_name']}: {names[0]} or {names[1]}? "
        "Answer with its name."
    )
    seen = look(*(directions(row["origin_name"], row["goal_name"], "foot") for row in pair))
    return looked_up(draw, SITE, intent, closer["goal_name"], names, seen)


def steps_of_a_way(draw: Random, contents: Contents, index: int) -> Task:
    """How many steps the directions have."""
    means = tuple(MEANS)[index]
    way = draw.choice([row for row in ways(contents[SITE], means) if row["steps"] >= 5])
    intent = (
        f"How many steps do the map's directions from {way['origin_name']} to {way['goal_name']} {MEANS[means]} have, "
        "the arrival included? Answer with the number."
    )
    others = [str(number) for number in range(2, way["steps"] + 6)]
    return looked_up(
        draw, SITE, intent, str(way["steps"]), others, look(directions(way["origin_name"], way["goal_name"], means))
    )


def closing_time(draw: Random, contents: Contents, index: int) -> Task:
    """When a place closes; of the last task's place the map does not say it."""
    found, none = unique(places(contents[SITE])), index == 2
    open_ = [(row, match) for row in found if (match := HOURS.fullmatch(row["details"].get("opening_hours", "")))]
    row, match = draw.choice(open_)
    if none:
        row = draw.choice([one for one in found if "opening_hours" not in one["details"]])
    intent = f"At what time does {row['name']} close, by the map? Answer as HH:MM."
    seen = look(search(row["name"]), page(row))
    return looked_up(draw, SITE, intent, match[2], [one[2] for _, one in open_], seen, none=none)


def telephone_number(draw: Random, contents: Contents, index: int) -> Task:
    """A place's telephone; the last task asks for a place that the map does not have."""
    none = index == 2
    found = [row for row in unique(places(contents[SITE])) if row["details"].get("phone")]
    row = draw.choice(found)
    name = draw.choice(ABSENT) if none else row["name"]
    intent = f"Which telephone number does the map give for {name}?"
    numbers = [one["details"]["phone"] for one in found]
    seen = look(search(name)) if none else look(search(name), page(row))
    return looked_up(draw, SITE, intent, row["details"]["phone"], numbers, seen, none=none)


def street_of_a_place(draw: Random, contents: Contents, index: int) -> Task:
    """In which street a place is; the last task asks for one that is not there."""
    none = index == 2
    found = [row for row in unique(places(contents[SITE])) if row["street"]]
    row = draw.choice(found)
    name = draw.choice(ABSENT) if none else row["name"]
    intent = f"In which street is {name}, by the map? Answer with the street's name, without the number."
    streets = [one["street"] for one in found]
    seen = look(search(name)) if none else look(search(name), page(row))
    return looked_up(draw, SITE, intent, row["street"], streets, seen, none=none)


def nearest_of_a_kind(draw: Random, contents: Contents, index: int) -> Task:
    """Which place of a kind is closest to another place."""
    del index
    row, kind, near = _near(draw, places(contents[SITE]))
    intent = f"Which {kind} is closest to {row['name']} in a straight line? Answer with its name."
    seen = look(page(row), f"{search(kind)}&near={row['osm']}")
    return looked_up(draw, SITE, intent, near[0]["name"], [one["name"] for one in near], seen)


def _near(draw: Random, found: list[Row]) -> tuple[Row, str, list[Row]]:
    """A place, a kind, and what of that kind is near it."""
    for row in draw.sample(known := of_kinds(unique(found)), len(known)):
        kind = draw.choice(sorted(KINDS))
        near = nearest(found, row, kind)
        if near and near[0]["name"] != near[1]["name"]:
            return row, kind, near
    raise ValueError("no place here has one of a kind clearly closest to it")


def count_in_a_town(draw: Random, contents: Contents, index: int) -> Task:
    """How many places of a kind a town has."""
    del index
    found = places(contents[SITE])
    towns = [row for row in unique(found) if row["kind"] in ("city", "town", "village") and " " not in row["name"]]
    clear = []
    for town in towns:
        for kind in KINDS:
            held = listed_for(found, kind, town["name"])
            same = [row for row in held if row["kind"] == kind and row["city"] == town["name"]]
            if 2 <= len(held) == len(same) < MOST_FOUND:
                clear.append((town, kind, len(same)))
    town, kind, count = draw.choice(clear)
    intent = f"How many {KINDS[kind]} does the map show in {town['name']}? Answer with the number."
    others = [str(number) for number in range(count + 6)]
    return looked_up(draw, SITE, intent, str(count), others, look(search(f"{kind} {town['name']}")))


def what_is_there(draw: Random, contents: Contents, index: int) -> Task:
    """What is at a latitude and a longitude."""
    del index
    found = places(contents[SITE])
    row = draw.choice(of_kinds(unique(found)))
    at = f"{row['lat']:.6f}, {row['lon']:.6f}"
    others = [one["name"] for one in draw.sample(found, 12)]
    intent = f"What is the name of the {row['kind']} at latitude {row['lat']:.6f} and longitude {row['lon']:.6f}?"
    return looked_up(draw, SITE, intent, row["name"], others, look(search(at)))


def open_a_place(draw: Random, contents: Contents, index: int) -> Task:
    """Get to the page of a place, known by what and where it is."""
    del index
    found = of_kinds(places(contents[SITE]))
    where = [(row["kind"], row["street"], row["city"]) for row in found]
    alone = [
        row for row, one in zip(found, where, strict=True) if where.count(one) == 1 and row["street"] and row["city"]
    ]
    row = draw.choice(alone)
    intent = f"Open the map's page of the {row['kind']} in {row['street']}, {row['city']}."
    return opened(SITE, intent, page(row), look(search(f"{row['kind']} {row['street']} {row['city']}")))


def open_directions(draw: Random, contents: Contents, index: int) -> Task:
    """Show a way."""
    means = tuple(MEANS)[index]
    way = draw.choice(ways(contents[SITE], means))
    address = directions(way["origin_name"], way["goal_name"], means)
    intent = (
        f"Show the directions from '{way['origin_name']}' to '{way['goal_name']}' {MEANS[means]}; write the two names "
        "as they stand here."
    )
    return opened(SITE, intent, address, look("/directions"))


def open_the_nearest(draw: Random, contents: Contents, index: int) -> Task:
    """Get to the page of what is closest to a place."""
    del index
    row, kind, near = _near(draw, places(contents[SITE]))
    intent = f"Open the map's page of the {kind} that is closest to {row['name']} in a straight line."
    return opened(SITE, intent, page(near[0]), look(page(row), f"{search(kind)}&near={row['osm']}"))


TEMPLATES: tuple[Template, ...] = (
    minutes_of_a_way,
    kilometres_of_a_way,
    minutes_saved,
    closer_of_two,
    steps_of_a_way,
    closing_time,
    telephone_number,
    street_of_a_place,
    nearest_of_a_kind,
    count_in_a_town,
    what_is_there,
    open_a_place,
    open_directions,
    open_the_nearest,
)
