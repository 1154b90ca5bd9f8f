"""The map's places and ways as templates draw from them."""

import functools
import json
import math
import re
from collections import Counter
from random import Random
from urllib.parse import urlencode

from envs.web_sites.generator.forum_parts import visit
from envs.web_sites.generator.parts import Content, Row

SITE = "map"
MEANS = {"foot": "on foot", "bicycle": "by bicycle", "car": "by car"}
# Kinds that templates ask for, and how several of them are called.
KINDS = {
    "cafe": "cafes",
    "hotel": "hotels",
    "pharmacy": "pharmacies",
    "supermarket": "supermarkets",
    "restaurant": "restaurants",
    "museum": "museums",
    "school": "schools",
}
WORDS = re.compile(r"\w+")
MOST_FOUND = 25
PLACES = """select id, osm, name, kind, lat, lon, housenumber, street, city, details from place
where name <> '' order by id"""


def places(content: Content) -> list[Row]:
    """Everything with a name. `details`: opening hours and the like."""
    return [row | {"details": json.loads(row["details"])} for row in content.rows(PLACES)]


def unique(found: list[Row]) -> list[Row]:
    """Places that a search for their names lists first: no other name holds all their words."""
    names = Counter(row["name"].lower() for row in found)
    return [row for row in found if names[row["name"].lower()] == 1 and WORDS.search(row["name"])]


def of_kinds(found: list[Row]) -> list[Row]:
    """Places of the kinds that templates ask for."""
    return [row for row in found if row["kind"] in KINDS]


def listed_for(found: list[Row], *words: str) -> list[Row]:
    """What a search for these words finds among the named places: every word begins one of theirs."""
    return [row for row in found if all(_has(row, word) for word in words)]


def _has(row: Row, word: str) -> bool:
    text = f"{row['name']} {row['kind']} {row['street']} {row['housenumber']} {row['city']}"
    return any(one.startswith(word.lower()) for one in _words(text))


@functools.lru_cache(maxsize=10_000)
def _words(text: str) -> tuple[str, ...]:
    return tuple(WORDS.findall(text.lower()))


def metres(one: Row, other: Row) -> float:
    """The distance in a straight line, as the map works it out."""
    middle = math.cos(math.radians((one["lat"] + other["lat"]) / 2))
    return 111_320.0 * math.hypot(one["lat"] - other["lat"], (one["lon"] - other["lon"]) * middle)


def nearest(found: list[Row], one: Row, kind: str) -> list[Row]:
    """What a search for a kind near a place lists, nearest first; empty where that is not clear.

    Clear is what is of the kind itself, and at least a tenth closer than the next.
    """
    near = sorted((row for row in listed_for(found, kind) if row["id"] != one["id"]), key=lambda row: metres(one, row))
    if len(near) < 2 or near[0]["kind"] != kind or metres(one, near[0]) > 0.9 * metres(one, near[1]):
        return []
    return near


def ways(content: Content, means: str) -> list[Row]:
    """Ways by these means between places with names of their own."""
    return content.named("ways", means=means)


def a_way(draw: Random, content: Content, means: str) -> Row:
    """A way that is worth asking for."""
    return draw.choice([row for row in ways(content, means) if row["minutes"] >= 4])


def directions(origin: str, goal: str, means: str) -> str:
    """The address of the directions between two places."""
    return f"/directions?{urlencode({'from': origin, 'to': goal, 'by': means})}"


def look(*addresses: str) -> tuple[str, ...]:
    """Open pages of the map."""
    return tuple(visit(address, SITE) for address in addresses)


def search(text: str) -> str:
    """The address of a search."""
    return f"/search?{urlencode({'query': text})}"


def page(row: Row) -> str:
    """The address of a place."""
    return f"/place/{row['osm']}"
