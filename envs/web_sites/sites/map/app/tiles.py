"""Squares of the map as shapes in pixels, cut out of the index by area."""

import json
import math
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

LEAST_ZOOM, MOST_ZOOM, PIXELS, MARGIN, MOST_SHAPES = 6, 18, 256, 0.15, 4000
SQL = """select s.kind, s.area, s.name, s.points from shape_at a join shape s on s.id = a.id
where a.east >= ? and a.west <= ? and a.north >= ? and a.south <= ? and s.least <= ? order by s.id limit ?"""


def tile(shapes: Path, zoom: int, column: int, row: int) -> bytes | None:
    """The shapes of a square as JSON, `[kind, area, name, [x, y, x, y, ...]]` each; None for one that cannot be."""
    count = 1 << zoom
    if not (LEAST_ZOOM <= zoom <= MOST_ZOOM and column < count and row < count):
        return None
    west, east = (_longitude(column + side, count) for side in (-MARGIN, 1 + MARGIN))
    north, south = (_latitude(row + side, count) for side in (-MARGIN, 1 + MARGIN))
    with closing(sqlite3.connect(f"file:{quote(str(shapes))}?mode=ro&immutable=1", uri=True)) as database:
        rows = database.execute(SQL, (west, east, south, north, zoom, MOST_SHAPES)).fetchall()
    drawn = []
    for kind, area, name, points in rows:
        line: list[int] = []
        for lon, lat in json.loads(points):
            line += _pixel(lon, lat, count, column, row)
        drawn.append([kind, area, name, line])
    return json.dumps(drawn, ensure_ascii=False, separators=(",", ":")).encode()


def _longitude(column: float, count: int) -> float:
    return column / count * 360 - 180


def _latitude(row: float, count: int) -> float:
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * row / count))))


def _pixel(lon: float, lat: float, count: int, column: int, row: int) -> tuple[int, int]:
    y = (1 - math.asinh(math.tan(math.radians(lat))) / math.pi) / 2 * count
    return round(((lon + 180) / 360 * count - column) * PIXELS), round((y - row) * PIXELS)
