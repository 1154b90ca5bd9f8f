"""The map: places, shapes and ways of an extract, invented from a seed or an owner's own of OpenStreetMap."""

import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import tenancy

from . import pages, region, routing
from .extract import keep, read
from .finding import Finder, Found, Hits, Region
from .planning import plan
from .routing import MEANS, Engines, NoRouteError
from .tiles import tile

EXTRACT, SHAPES = "extract.osm.pbf", "shapes.sqlite3"
INVENTED = "Map data invented for this site"
OPENSTREETMAP = "© OpenStreetMap contributors, Open Database Licence"
HERE = Path(__file__).parent / "static"
LEAFLET = Path(sys.prefix) / "node_modules" / "leaflet" / "dist"
KINDS = {".js": "text/javascript", ".css": "text/css", ".png": "image/png"}
STATIC = {
    **{name: HERE / name for name in ("map.js", "style.css")},
    **{name: LEAFLET / name for name in ("leaflet.js", "leaflet.css")},
    **{
        f"images/marker-{name}.png": LEAFLET / "images" / f"marker-{name}.png" for name in ("icon", "icon-2x", "shadow")
    },
}
SQUARE = re.compile(r"/tiles/(\d{1,2})/(\d{1,7})/(\d{1,7})\.json", re.ASCII)
PLACE = re.compile(r"/place/((?:node|way)/\d{1,19})", re.ASCII)
NEAR = re.compile(r"(.+?)\s+near\s+(.+)", re.IGNORECASE)
HTML = "text/html; charset=utf-8"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = [
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
]
_engines = Engines()


@dataclass
class Answer:
    """What a request is answered with. `lasting`: the same for every session and seed."""

    body: bytes
    status: str = "200 OK"
    kind: str = HTML
    lasting: bool = False


def make(seed: int, size: str, extract: Path | None = None) -> None:
    """Places and shapes of an extract (without one, of an invented region), the engine's tiles, and planned ways."""
    folder = tenancy.folder()
    used = folder / EXTRACT
    if extract:
        shutil.copyfile(extract, used)
    else:
        region.write(seed, size, used)
    held = read(used)
    settled = [place for place in held.places if place.rank <= 3]
    title = min(settled or held.places, key=lambda place: (place.rank, place.osm)).name
    keep(held, tenancy.database(), folder / SHAPES, title, OPENSTREETMAP if extract else INVENTED)
    routing.build(used, folder)
    used.unlink()
    with closing(sqlite3.connect(tenancy.database())) as database, database:
        plan(database, seed, size, lambda start, end, by: _engines.route(folder, start, end, by))


def sign_in(role: str) -> dict[str, str]:
    """Nobody needs cookies here."""
    del role
    return {}


def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Answer one request."""
    answer = _answer(environ)
    headers = [("Content-Type", answer.kind), ("Content-Length", str(len(answer.body)))]
    start(answer.status, [*headers, ("Cache-Control", "public" if answer.lasting else "no-store"), *HEADERS])
    return [answer.body if environ["REQUEST_METHOD"] != "HEAD" else b""]


def _answer(environ: dict[str, Any]) -> Answer:
    path, template = environ["PATH_INFO"], (tenancy.folder() / tenancy.TEMPLATE).resolve()
    finder = Finder(tenancy.database(), template / SHAPES)
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        return Answer(b"Nothing can be changed here.", "405 Method Not Allowed", "text/plain")
    if static := STATIC.get(path.removeprefix("/static/")) if path.startswith("/static/") else None:
        return Answer(static.read_bytes(), kind=KINDS[static.suffix], lasting=True)
    if square := SQUARE.fullmatch(path):
        drawn = tile(template / SHAPES, *(int(number) for number in square.groups()))
        return Answer(drawn or b"[]", "200 OK" if drawn else "404 Not Found", "application/json")
    area = finder.region()
    given = _given(environ)
    if path == "/":
        return Answer(pages.home(area))
    if path == "/search":
        text, near = given.get("query", ""), finder.place(given.get("near", ""))
        return Answer(pages.results(area, text, *_searched(finder, area, text, near)))
    if path == "/directions":
        return Answer(_directions(finder, area, template, given))
    found = PLACE.fullmatch(path)
    one = finder.place(found[1]) if found else None
    if one is None:
        return Answer(pages.notice(area, "Not found", "There is no such page."), "404 Not Found")
    return Answer(pages.place(area, one, finder.called(one)))


def _given(environ: dict[str, Any]) -> dict[str, str]:
    query = environ.get("QUERY_STRING", "")[:4000].replace("\x00", "")
    values = parse_qs(query, max_num_fields=None, errors="replace")
    return {name: " ".join(several[0].replace("\x00", " ").split())[:200] for name, several in values.items()}


def _searched(finder: Finder, area: Region, text: str, near: Found | None) -> tuple[Hits, Found | None]:
    """Places by words, and what they should be near; for a latitude and a longitude, what is named closest to them."""
    point = finder.point(text) if near is None else None
    if point and point[2] is None and area.holds(*point[:2]):
        return Hits(finder.around(*point[:2])), None
    found = finder.search(text, near)
    if near is None and not found.found and (both := NEAR.fullmatch(text)) and (other := finder.point(both[2])):
        return finder.search(both[1], other[2]), other[2]
    return found, near


def _directions(finder: Finder, area: Region, template: Path, given: dict[str, str]) -> bytes:
    by = given.get("by", "")
    asked = (given.get("from", ""), given.get("to", ""), by if by in MEANS else "foot")
    if not asked[0] or not asked[1]:
        return pages.directions(area, asked)
    ends = []
    for text in asked[:2]:
        point = finder.point(text)
        if point is None or not area.holds(*point[:2]):
            return pages.directions(area, asked, error=f"“{text}” was not found on this map.")
        ends.append(point)
    try:
        route = _engines.route(template, ends[0][:2], ends[1][:2], asked[2])
    except NoRouteError:
        return pages.directions(area, asked, ends, error="There is no way between these places by these means.")
    return pages.directions(area, asked, ends, route)
