"""Our own geocoder: words, addresses, "latitude, longitude", and what is near something."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from .extract import metres

COORDINATES = re.compile(r"\s*(-?\d{1,3}(?:\.\d{1,12})?)\s*[, ]\s*(-?\d{1,3}(?:\.\d{1,12})?)\s*", re.ASCII)
WORD = re.compile(r"\w+")
LONGEST, MOST_WORDS, MOST_FOUND, MOST_LOOKED_AT = 200, 12, 25, 2000
COLUMNS = "p.id, p.osm, p.name, p.kind, p.lat, p.lon, p.housenumber, p.street, p.city, p.details"


@dataclass(frozen=True)
class Found:
    """A place that was found; `far` in metres from what it should be near."""

    id: int
    osm: str
    name: str
    kind: str
    lat: float
    lon: float
    housenumber: str
    street: str
    city: str
    details: str
    far: float | None = None

    @property
    def address(self) -> str:
        """Street, number and settlement."""
        return ", ".join(part for part in (f"{self.street} {self.housenumber}".strip(), self.city) if part)

    @property
    def title(self) -> str:
        """What it is called: its name, else its address."""
        return self.name or self.address

    @property
    def more(self) -> dict[str, str]:
        """Opening hours and the like."""
        return dict(json.loads(self.details))


@dataclass(frozen=True)
class Region:
    """What the map covers, as west, south, east and north, and whose data it is."""

    title: str
    attribution: str
    west: float
    south: float
    east: float
    north: float

    def holds(self, lat: float, lon: float) -> bool:
        """Whether a place lies in it, or close by."""
        return self.south - 0.2 <= lat <= self.north + 0.2 and self.west - 0.2 <= lon <= self.east + 0.2


@dataclass(frozen=True)
class Hits:
    """What was found, likeliest or nearest first; `without` names the numbers that nothing holds."""

    found: list[Found]
    without: str = ""


class Finder:
    """Finds places of one content: `places` is the session's database, `words` the index beside the template."""

    def __init__(self, places: Path, words: Path) -> None:
        self._places, self._words = places, words

    def region(self) -> Region:
        """What the map covers."""
        with self._open() as database:
            return Region(*database.execute("select * from region").fetchone())

    def place(self, osm: str) -> Found | None:
        """A place by its number, such as `node/12`."""
        with self._open() as database:
            row = database.execute(f"select {COLUMNS} from place p where p.osm = ?", (osm,)).fetchone()  # noqa: S608
        return Found(*row) if row else None

    def search(self, text: str, near: Found | None = None) -> Hits:
        """Places that all words fit. Where there are none, also for one of what is asked for in the plural, then
        without numbers: a street for a house that it does not have."""
        words = WORD.findall(text[:LONGEST])[:MOST_WORDS]
        numbers = [word for word in words if word.isdecimal()]
        found = self._holding([(word,) for word in words], text.strip(), near)
        if not found:
            found = self._holding([_forms(word) for word in words], text.strip(), near)
        rest = [word for word in words if not word.isdecimal()]
        if found or not (numbers and rest):
            return Hits(found)
        # A street's name stands before the number of the house.
        street = text.partition(numbers[0])[0].strip(" ,") or " ".join(rest)
        found = self._holding([_forms(word) for word in rest], street, near)
        return Hits(found, " ".join(numbers) if found else "")

    def _holding(self, words: list[tuple[str, ...]], name: str, near: Found | None) -> list[Found]:
        """Places with one form of each word, first what has just this name; nearest first where `near` is given."""
        if not words:
            return []
        # Each word is quoted, so that nothing of the index's own language is left in it.
        asked = " AND ".join("(" + " OR ".join(f'"{form}"*' for form in forms) + ")" for forms in words)
        sql = f"""select {COLUMNS} from words w join place p on p.id = w.rowid where words match ?
            order by lower(p.name) <> lower(?), p.rank, bm25(words, 4.0, 1.0), p.id limit ?"""  # noqa: S608
        with self._open() as database:
            rows = database.execute(sql, (asked, name, MOST_LOOKED_AT)).fetchall()
        found = [Found(*row) for row in rows]
        if near is None:
            return found[:MOST_FOUND]
        return _nearest([one for one in found if one.id != near.id], near.lat, near.lon)

    def called(self, one: Found) -> str:
        """Words for which a search lists this place first: its name, that with its address, else where it is."""
        for text in dict.fromkeys((one.title, f"{one.title}, {one.address}")):
            if len(text) <= LONGEST and (found := self.point(text)) and found[2] == one:
                return text
        return f"{one.lat:.6f}, {one.lon:.6f}"

    def around(self, lat: float, lon: float) -> list[Found]:
        """What is named closest to a place."""
        with self._open() as database:
            rows = database.execute(f"select {COLUMNS} from place p where p.name <> '' order by p.id").fetchall()  # noqa: S608
        return _nearest([Found(*row) for row in rows], lat, lon)

    def point(self, text: str) -> tuple[float, float, Found | None] | None:
        """What somebody means by an end of a way: latitude and longitude, and the place that was found."""
        if given := COORDINATES.fullmatch(text[:LONGEST]):
            lat, lon = float(given[1]), float(given[2])
            return (lat, lon, None) if abs(lat) <= 90 and abs(lon) <= 180 else None
        found = self.place(text) or next(iter(self.search(text).found), None)
        return (found.lat, found.lon, found) if found else None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(f"file:{quote(str(self._words))}?mode=ro&immutable=1", uri=True)) as database:
            database.execute("attach database ? as session", (f"file:{quote(str(self._places))}?mode=ro",))
            yield database


def _nearest(found: list[Found], lat: float, lon: float) -> list[Found]:
    away = [replace(one, far=metres(lat, lon, one.lat, one.lon)) for one in found]
    return sorted(away, key=lambda one: (one.far or 0.0, one.id))[:MOST_FOUND]


def _forms(word: str) -> tuple[str, ...]:
    """A word, and what it would be of one thing: kinds of places are named in the singular."""
    for end, single in (("ies", "y"), ("s", "")):
        if word.lower().endswith(end) and len(word) > len(end) + 2:
            return word, word[: -len(end)] + single
    return (word,)
