"""An invented region, drawn from a seed and written as an OpenStreetMap extract: towns, roads, paths, places.

It lies in the open sea, so that nothing of it is anywhere else.
"""

import math
import random
from dataclasses import dataclass, field
from pathlib import Path

import osmium
from osmium.osm.mutable import Node, Way

from .words import NAMES_OF, POINTS, STREET_ENDS, STREET_STEMS, TOWN_ENDS, TOWN_STEMS, Point

METRES = 111_320.0
BLOCK = 125.0
Spot = tuple[float, float]
Tags = dict[str, str]


@dataclass
class Town:
    """A town around `at` (metres east and north of the region's middle); `grid`: its crossings by column and row."""

    name: str
    kind: str
    at: Spot
    columns: int
    rows: int
    grid: dict[tuple[int, int], int] = field(default_factory=dict)
    streets: list[tuple[str, list[int]]] = field(default_factory=list)

    @property
    def middle(self) -> int:
        """The crossing in the middle."""
        return self.grid[self.columns // 2, self.rows // 2]


@dataclass(frozen=True)
class Size:
    """How much there is."""

    towns: int
    columns: int
    points: int
    addresses: int


SIZES = {"full": Size(8, 12, 46, 60), "small": Size(3, 6, 14, 8)}


def write(seed: int, size: str, file: Path) -> None:
    """The region of a seed as an extract in `file`, whose ending names its format."""
    drawn = _Region(random.Random(f"map:{seed}"), SIZES[size])
    drawn.draw()
    drawn.write(file)


class _Region:
    def __init__(self, draw: random.Random, size: Size) -> None:
        self.random = draw
        self.size = size
        self.middle = (draw.uniform(38.0, 44.0), draw.uniform(-40.0, -32.0))
        self.nodes: list[tuple[Spot, Tags]] = []
        self.ways: list[tuple[list[int], Tags]] = []
        self.towns: list[Town] = []
        self.names: set[str] = set()

    def draw(self) -> None:
        for number in range(self.size.towns):
            self._town(number)
        self._roads()
        self._river()
        for _ in range(self.size.towns):
            self._woods()

    def write(self, file: Path) -> None:
        file.unlink(missing_ok=True)
        with osmium.SimpleWriter(str(file)) as out:
            for number, (spot, tags) in enumerate(self.nodes, 1):
                out.add_node(Node(id=number, version=1, location=self._location(spot), tags=tags))
            for number, (held, tags) in enumerate(self.ways, 1):
                out.add_way(Way(id=number, version=1, nodes=held, tags=tags))

    def _location(self, spot: Spot) -> tuple[float, float]:
        lat = self.middle[0] + spot[1] / METRES
        lon = self.middle[1] + spot[0] / (METRES * math.cos(math.radians(self.middle[0])))
        return round(lon, 7), round(lat, 7)

    def _node(self, spot: Spot, **tags: str) -> int:
        self.nodes.append((spot, {name.replace("__", ":"): value for name, value in tags.items()}))
        return len(self.nodes)

    def _way(self, nodes: list[int], **tags: str) -> None:
        self.ways.append((nodes, tags))

    def _fresh(
        self, stems: tuple[str, ...], ends: tuple[str, ...], join: str = "", taken: set[str] | None = None
    ) -> str:
        held = self.names if taken is None else taken
        while True:
            name = self.random.choice(stems) + join + self.random.choice(ends)
            if name not in held:
                held.add(name)
                return name

    def _town(self, number: int) -> None:
        draw, size = self.random, self.size
        kind, part = ("city", 1.0) if number == 0 else draw.choice((("town", 0.7), ("village", 0.45)))
        columns, rows = (max(4, round(size.columns * part) + draw.randint(-1, 1)) for _ in range(2))
        angle = number * 2 * math.pi / max(1, size.towns - 1) + draw.uniform(-0.25, 0.25)
        far = 0.0 if number == 0 else draw.uniform(4200, 9500)
        at = (far * math.cos(angle), far * math.sin(angle))
        town = Town(self._fresh(TOWN_STEMS, TOWN_ENDS), kind, at, columns, rows)
        self.towns.append(town)
        people = {"city": (48_000, 96_000), "town": (6_000, 29_000), "village": (400, 3_900)}[kind]
        self._node(at, place=kind, name=town.name, population=str(draw.randint(*people)))
        self._streets(town)
        self._park(town)
        self._addresses(town)
        self._points(town)

    def _streets(self, town: Town) -> None:
        draw = self.random
        turn = draw.uniform(-0.6, 0.6)
        for column in range(town.columns):
            for row in range(town.rows):
                x = (column - town.columns // 2) * BLOCK + draw.uniform(-14, 14)
                y = (row - town.rows // 2) * BLOCK + draw.uniform(-14, 14)
                turned = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
                town.grid[column, row] = self._node((town.at[0] + turned[0], town.at[1] + turned[1]))
        lines = [[town.grid[column, row] for row in range(town.rows)] for column in range(town.columns)]
        lines += [[town.grid[column, row] for column in range(town.columns)] for row in range(town.rows)]
        main = {town.columns // 2, town.columns + town.rows // 2}
        taken: set[str] = set()
        for number, line in enumerate(lines):
            name = self._fresh(STREET_STEMS, STREET_ENDS, " ", taken)
            town.streets.append((name, line))
            tags = {"highway": "secondary" if number in main else "residential", "name": name}
            if number not in main and draw.random() < 0.15:
                tags["oneway"] = "yes"
            elif number not in main and draw.random() < 0.12:
                tags["highway"] = "pedestrian"
            self._way(line, **tags)

    def _park(self, town: Town) -> None:
        column, row = self.random.randrange(town.columns - 2), self.random.randrange(town.rows - 2)
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        ring = [town.grid[corner] for corner in corners]
        name = f"{self.random.choice(STREET_STEMS)} Park, {town.name}"
        self._way([*ring, ring[0]], leisure="park", name=name)
        self._way([ring[0], ring[2]], highway="footway", name=f"{name.partition(',')[0]} Path")
        self._way([ring[1], ring[3]], highway="footway")

    def _addresses(self, town: Town) -> None:
        for name, line in self.random.sample(town.streets, min(len(town.streets), 10)):
            for number in range(1, self.size.addresses // 10 + 2):
                tags = {"addr__street": name, "addr__housenumber": str(number), "addr__city": town.name}
                self._node(self._beside(line, number), **tags)

    def _beside(self, line: list[int], number: int) -> Spot:
        """A spot a little off a street; odd numbers on one side."""
        first = (number * 3) % (len(line) - 1)
        (ax, ay), (bx, by) = (self.nodes[node - 1][0] for node in line[first : first + 2])
        along, off = 0.2 + 0.6 * self.random.random(), 17.0 if number % 2 else -17.0
        length = math.hypot(bx - ax, by - ay)
        return ax + (bx - ax) * along - (by - ay) / length * off, ay + (by - ay) * along + (bx - ax) / length * off

    def _points(self, town: Town) -> None:
        part = {"city": 1.0, "town": 0.6, "village": 0.3}[town.kind]
        # Some of everything in the city; elsewhere chance leaves kinds out.
        kinds = list(POINTS) if town.kind == "city" else []
        count = round(self.size.points * part)
        kinds += [self.random.choice(POINTS) for _ in range(count - len(kinds))]
        for number, kind in enumerate(kinds, 1):
            self._point(town, kind, number)

    def _point(self, town: Town, kind: Point, number: int) -> None:
        draw = self.random
        street, line = draw.choice(town.streets)
        spot = self._beside(line, draw.randint(1, 90))
        stems, ends = NAMES_OF[kind.naming]
        name = self._fresh(stems or (town.name,), ends, " ") if stems or self._free(town, ends) else ""
        if not name:
            return
        opening, closing = draw.randint(6, 10), draw.randint(16, 23)
        tags = {kind.key: kind.value, "name": name, "addr__street": street, "addr__city": town.name}
        tags |= {"addr__housenumber": str(100 + number), "opening_hours": f"{kind.days} {opening:02}:00-{closing}:00"}
        tags["phone"] = f"+999 {draw.randint(100, 999)} {draw.randint(1000, 9999)}"
        if kind.value == "hotel":
            tags["stars"] = str(draw.randint(1, 5))
        if draw.random() < 0.5:
            tags["wheelchair"] = draw.choice(("yes", "no", "limited"))
        self._node(spot, **tags)

    def _free(self, town: Town, ends: tuple[str, ...]) -> bool:
        return any(f"{town.name} {end}" not in self.names for end in ends)

    def _roads(self) -> None:
        """A road from each town to the nearest of those before it, and a few more; beside some a way for bicycles."""
        joined: set[tuple[int, int]] = set()
        for number in range(1, len(self.towns)):
            near = min(range(number), key=lambda other: math.dist(self.towns[other].at, self.towns[number].at))
            joined.add((near, number))
        for number in range(1, len(self.towns) - 1):
            joined.add((number, number + 1))
        for one, other in sorted(joined):
            self._road(self.towns[one], self.towns[other])

    def _road(self, one: Town, other: Town) -> None:
        draw = self.random
        start, end = (
            min(town.grid.values(), key=lambda node: self._far(node, goal))
            for town, goal in ((one, other), (other, one))
        )
        name = f"{one.name} Road" if draw.random() < 0.5 else f"{other.name} Road"
        line = [start, *self._bends(start, end, 260), end]
        self._way(line, highway="primary", name=name, maxspeed="80", sidewalk="no", foot="yes")
        if draw.random() < 0.5:
            track = [start, *self._bends(start, end, 60), end]
            self._way(track, highway="cycleway", name=f"{one.name} and {other.name} Cycleway", foot="yes")

    def _far(self, node: int, goal: Town) -> float:
        return math.dist(self.nodes[node - 1][0], goal.at)

    def _bends(self, start: int, end: int, wide: float) -> list[int]:
        (ax, ay), (bx, by) = self.nodes[start - 1][0], self.nodes[end - 1][0]
        spots = []
        for step in range(1, 6):
            part = step / 6
            spots.append((ax + (bx - ax) * part, ay + (by - ay) * part))
        off = self.random.uniform
        return [self._node((x + off(-wide, wide), y + off(-wide, wide))) for x, y in spots]

    def _river(self) -> None:
        draw = self.random
        y = draw.uniform(900, 2500)
        line = [self._node((x * 1500.0, y + draw.uniform(-500, 500))) for x in range(-8, 9)]
        self._way(line, waterway="river", name=f"River {draw.choice(TOWN_STEMS)}")

    def _woods(self) -> None:
        draw = self.random
        x, y, wide = draw.uniform(-9000, 9000), draw.uniform(-9000, 9000), draw.uniform(250, 800)
        if any(math.dist((x, y), town.at) < 2200 for town in self.towns):
            return
        ring = []
        for step in range(9):
            angle, far = step * 2 * math.pi / 9, wide * draw.uniform(0.7, 1.2)
            ring.append(self._node((x + far * math.cos(angle), y + far * math.sin(angle))))
        lake = draw.random() < 0.4
        tags = {"natural": "water"} if lake else {"natural": "wood"}
        stem = self._fresh(TOWN_STEMS, ("Lake", "Mere") if lake else ("Wood", "Forest"), " ")
        self._way([*ring, ring[0]], name=stem, **tags)
