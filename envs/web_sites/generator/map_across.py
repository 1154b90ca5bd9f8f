"""Templates of tasks that need the map and the tools."""

from collections import Counter
from random import Random

from envs.web_sites.generator import forum_state as state
from envs.web_sites.generator.across import NOTE_TITLES, noted, number_noted
from envs.web_sites.generator.map_parts import MEANS, SITE, a_way, directions, look, page, places, search, unique, ways
from envs.web_sites.generator.parts import Contents, Task, Template


def minutes_onto_the_scratchpad(draw: Random, contents: Contents, index: int) -> Task:
    """Look up how long a way takes and write it down."""
    means = tuple(MEANS)[index]
    way = a_way(draw, contents[SITE], means)
    title = NOTE_TITLES[index]
    intent = (
        f"How many minutes does it take from {way['origin_name']} to {way['goal_name']} {MEANS[means]}, by the map? "
        f"Save the number on the scratchpad as a note titled '{title}', the number alone as its text."
    )
    seen = look(directions(way["origin_name"], way["goal_name"], means))
    return number_noted(SITE, intent, title, way["minutes"], seen)


def round_trip_onto_the_scratchpad(draw: Random, contents: Contents, index: int) -> Task:
    """Add up two ways from one place and write the sum down."""
    known = ways(contents[SITE], "car")
    first = Counter(row["origin"] for row in known)
    one = draw.choice([row for row in known if first[row["origin"]] > 1])
    other = draw.choice([row for row in known if row["origin"] == one["origin"] and row["goal"] != one["goal"]])
    total, title = one["minutes"] + other["minutes"], NOTE_TITLES[index]
    intent = (
        f"By the map's directions, how many minutes do the ways by car from {one['origin_name']} to {one['goal_name']} "
        f"and from {one['origin_name']} to {other['goal_name']} take together? Save the number on the scratchpad as a "
        f"note titled '{title}', the number alone as its text."
    )
    seen = look(*(directions(row["origin_name"], row["goal_name"], "car") for row in (one, other)))
    return number_noted(SITE, intent, title, total, seen)


def telephone_onto_the_scratchpad(draw: Random, contents: Contents, index: int) -> Task:
    """Look a telephone number up and write it down."""
    row = draw.choice([row for row in unique(places(contents[SITE])) if row["details"].get("phone")])
    title, text = NOTE_TITLES[index], row["details"]["phone"]
    intent = (
        f"Which telephone number does the map give for {row['name']}? Save it on the scratchpad as a note titled "
        f"'{title}', the number as the map writes it as its text."
    )
    return noted(SITE, intent, title, text, look(search(row["name"]), page(row)), state.as_typed(text))


TEMPLATES: tuple[Template, ...] = (
    minutes_onto_the_scratchpad,
    round_trip_onto_the_scratchpad,
    telephone_onto_the_scratchpad,
)
