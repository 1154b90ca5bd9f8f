"""What the map shows and finds, read from an OpenStreetMap extract: places in tables, shapes by area."""

import json
import math
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import osmium

PLACES = """
create table place (id integer primary key, osm text not null unique, name text not null, kind text not null,
    lat real not null, lon real not null, housenumber text not null, street text not null, city text not null,
    details text not null, rank integer not null);
create table region (title text not null, attribution text not null, west real, south real, east real, north real);
"""
SHAPES = """
create table shape (id integer primary key, kind text not null, area integer not null, least integer not null,
    name text not null, points text not null);
create virtual table shape_at using rtree (id, west, east, south, north);
create virtual table words using fts5 (name, rest, tokenize = "unicode61 remove_diacritics 2");
"""
KEYS = ("place", "amenity", "shop", "tourism", "railway", "leisure", "historic", "office", "natural", "waterway")
DETAILS = ("opening_hours", "phone", "wheelchair", "stars", "population", "cuisine", "ele", "website")
RANKS = {"city": 0, "town": 1, "village": 2, "suburb": 3, "hamlet": 3, "street": 6}
SETTLED = ("city", "town", "village", "hamlet")
# How a way is drawn, and from which zoom on.
LINES = {
    **dict.fromkeys(("motorway", "trunk", "primary", "motorway_link", "trunk_link", "primary_link"), ("main", 8)),
    **dict.fromkeys(("secondary", "tertiary", "secondary_link", "tertiary_link"), ("road", 11)),
    **dict.fromkeys(("residential", "unclassified", "living_street", "service", "pedestrian"), ("street", 14)),
    **dict.fromkeys(("footway", "path", "cycleway", "track", "steps", "bridleway"), ("path", 15)),
}
AREAS = {
    ("leisure", "park"): ("green", 12),
    ("natural", "wood"): ("wood", 10),
    ("landuse", "forest"): ("wood", 10),
    ("natural", "water"): ("water", 9),
    ("landuse", "residential"): ("settled", 10),
}
WATERS = {"river": ("river", 9), "stream": ("river", 13), "canal": ("river", 11)}
NEAR_METRES = 6000.0
Tags = Mapping[str, str]


@dataclass
class Place:
    """Something that can be found. `city`: of its address, else the nearest settlement's."""

    osm: str
    name: str
    kind: str
    lat: float
    lon: float
    tags: dict[str, str]
    city: str = ""

    @property
    def rank(self) -> int:
        """Settlements first, then what has a name, streets, bare addresses."""
        return RANKS.get(self.kind, 5 if self.name else 8)


@dataclass
class Shape:
    """A line or an area that is drawn from the zoom `least` on; `points` are longitudes and latitudes."""

    kind: str
    area: bool
    least: int
    name: str
    points: list[tuple[float, float]]


@dataclass
class Extract:
    """All that is taken from an extract."""

    places: list[Place] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)


def metres(a_lat: float, a_lon: float, b_lat: float, b_lon: float) -> float:
    """The distance of two places as the crow flies."""
    middle = math.cos(math.radians((a_lat + b_lat) / 2))
    return 111_320.0 * math.hypot(a_lat - b_lat, (a_lon - b_lon) * middle)


def read(file: Path) -> Extract:
    """The places and shapes of an extract; of streets one for each name and settlement."""
    found = Extract()
    streets: list[Place] = []
    for one in osmium.FileProcessor(str(file)).with_locations():
        tags = {tag.k: tag.v for tag in one.tags}
        if one.is_node() and tags:
            found.shapes += _labels(tags, (one.location.lon, one.location.lat))
            found.places += _places(f"node/{one.id}", tags, [(one.location.lon, one.location.lat)])
        elif one.is_way() and tags:
            points = [(node.lon, node.lat) for node in one.nodes if node.location.valid()]
            if len(points) > 1:
                found.shapes += _shapes(tags, points)
                street = "highway" in tags and "name" in tags
                (streets if street else found.places).extend(_places(f"way/{one.id}", tags, points))
    settled = [place for place in found.places if place.kind in SETTLED]
    for place in [*found.places, *streets]:
        place.city = place.tags.get("addr:city") or _nearest(place, settled)
    seen = {(street.name, street.city): street for street in reversed(streets)}
    found.places += [street for street in streets if seen[street.name, street.city] is street]
    return found


def _nearest(place: Place, settled: list[Place]) -> str:
    if place.kind in SETTLED or not settled:
        return ""
    near = min(settled, key=lambda other: metres(place.lat, place.lon, other.lat, other.lon))
    return near.name if metres(place.lat, place.lon, near.lat, near.lon) < NEAR_METRES else ""


def _places(osm: str, tags: dict[str, str], points: list[tuple[float, float]]) -> Iterator[Place]:
    key = next((key for key in KEYS if key in tags), None)
    name = tags.get("name", "")
    lon, lat = (
        points[len(points) // 2]
        if "highway" in tags
        else (sum(axis) / len(points) for axis in zip(*points, strict=True))
    )
    if name and "highway" in tags:
        yield Place(osm, name, "street", lat, lon, tags)
    elif name and key:
        yield Place(osm, name, tags[key].replace("_", " "), lat, lon, tags)
    elif "addr:housenumber" in tags and "addr:street" in tags:
        yield Place(osm, "", "address", lat, lon, tags)


def _labels(tags: Tags, point: tuple[float, float]) -> Iterator[Shape]:
    kind = tags.get("place", "")
    if kind in SETTLED and "name" in tags:
        yield Shape("label", False, 8 if RANKS[kind] < RANKS["village"] else 11, tags["name"], [point])


def _shapes(tags: Tags, points: list[tuple[float, float]]) -> Iterator[Shape]:
    name, closed = tags.get("name", ""), points[0] == points[-1]
    if (found := LINES.get(tags.get("highway", ""))) or (found := WATERS.get(tags.get("waterway", ""))):
        yield Shape(found[0], False, found[1], name, points)
    elif tags.get("railway") == "rail":
        yield Shape("rail", False, 11, name, points)
    elif closed and "building" in tags:
        yield Shape("building", True, 16, name, points)
    elif closed:
        for (key, value), (kind, least) in AREAS.items():
            if tags.get(key) == value:
                yield Shape(kind, True, least, name, points)
                return


def keep(extract: Extract, places: Path, shapes: Path, title: str, attribution: str) -> None:
    """Write the tables that sessions have, and those of shapes and words that are the same for all."""
    with closing(sqlite3.connect(places)) as database, database:
        database.executescript(PLACES)
        database.executemany("insert into place values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", _rows(extract))
        points = [point for shape in extract.shapes for point in shape.points]
        lons, lats = zip(*points, strict=True)
        bounds = (min(lons), min(lats), max(lons), max(lats))
        database.execute("insert into region values (?, ?, ?, ?, ?, ?)", (title, attribution, *bounds))
    with closing(sqlite3.connect(shapes)) as database, database:
        database.executescript(SHAPES)
        for number, shape in enumerate(extract.shapes, 1):
            points_ = json.dumps([[round(lon, 6), round(lat, 6)] for lon, lat in shape.points])
            row = (number, shape.kind, shape.area, shape.least, shape.name, points_)
            database.execute("insert into shape values (?, ?, ?, ?, ?, ?)", row)
            xs, ys = zip(*shape.points, strict=True)
            database.execute(
                "insert into shape_at values (?, ?, ?, ?, ?)", (number, min(xs), max(xs), min(ys), max(ys))
            )
        for number, place in enumerate(extract.places, 1):
            tags = place.tags
            rest = (place.kind, tags.get("addr:street", ""), tags.get("addr:housenumber", ""), place.city)
            database.execute(
                "insert into words (rowid, name, rest) values (?, ?, ?)", (number, place.name, " ".join(rest))
            )


def _rows(extract: Extract) -> Iterator[tuple[object, ...]]:
    for number, place in enumerate(extract.places, 1):
        details = json.dumps({key: place.tags[key] for key in DETAILS if key in place.tags}, ensure_ascii=False)
        street, house = place.tags.get("addr:street", ""), place.tags.get("addr:housenumber", "")
        at = (round(place.lat, 6), round(place.lon, 6))
        yield (number, place.osm, place.name, place.kind, *at, house, street, place.city, details, place.rank)
