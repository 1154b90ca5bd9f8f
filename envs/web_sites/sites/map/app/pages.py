"""The map's pages: a panel of forms and lists, and the map beside it."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import urlencode

from .finding import Found, Hits, Region
from .routing import MEANS, Route, duration, length

BY = {"foot": "On foot", "bicycle": "By bicycle", "car": "By car"}
DETAILS = {
    "opening_hours": "Opening hours",
    "phone": "Telephone",
    "wheelchair": "Wheelchair access",
    "ele": "Elevation",
}
Marker = tuple[float, float, str]


def page(region: Region, title: str, panel: str, markers: Sequence[Marker] = (), line: Iterable[object] = ()) -> bytes:
    """A whole page; `markers` are latitude, longitude and title, `line` a way's points."""
    data = {
        "bounds": [[region.south, region.west], [region.north, region.east]],
        "markers": markers,
        "line": list(line),
        "attribution": region.attribution,
    }
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>"
        '<link rel="stylesheet" href="/static/leaflet.css"><link rel="stylesheet" href="/static/style.css">'
        '<script src="/static/leaflet.js" defer></script><script src="/static/map.js" defer></script>'
    )
    return (
        f'<!doctype html><html lang="en"><head>{head}</head><body><main><nav aria-label="Map">'
        f'<a href="/">Map of {escape(region.title)}</a> <a href="/directions">Directions</a></nav>{panel}'
        f"<footer>{escape(region.attribution)}</footer></main>"
        f'<div id="map" role="region" aria-label="Map" data-map="{escape(json.dumps(data))}"></div></body></html>'
    ).encode()


def search_form(text: str = "", near: str = "") -> str:
    """The form for finding places; `near` by the number of a place."""
    hidden = f'<input type="hidden" name="near" value="{escape(near)}">' if near else ""
    return (
        '<form action="/search" role="search"><label for="query">Search</label>'
        f'<input id="query" name="query" value="{escape(text)}" maxlength="200" autocomplete="off">{hidden}'
        "<button>Go</button></form>"
    )


def home(region: Region) -> bytes:
    """The map, and the forms."""
    text = "<p>Find places, streets and addresses by their names, by what they are, or by latitude and longitude.</p>"
    return page(region, f"Map of {region.title}", f"<h1>Map of {escape(region.title)}</h1>{search_form()}{text}")


def results(region: Region, text: str, hits: Hits, near: Found | None) -> bytes:
    """What was found."""
    found, close = hits.found, f" near {near.title}" if near else ""
    items = "".join(_result(one) for one in found)
    without = f"<p>Nothing here has the number {escape(hits.without)}.</p>" if hits.without else ""
    listed = f"{without}<ol class='results'>{items}</ol>" if found else "<p>Nothing was found.</p>"
    panel = f"{search_form(text, near.osm if near else '')}<h1>Results for “{escape(text)}”{escape(close)}</h1>{listed}"
    return page(region, f"{text} – search", panel, [(one.lat, one.lon, one.title) for one in found])


def _result(one: Found) -> str:
    far = f" · {length(one.far)} away in a straight line" if one.far is not None else ""
    where = f" · {escape(one.address)}" if one.name and one.address else ""
    return f'<li><a href="/place/{one.osm}">{escape(one.title)}</a> <span>{escape(one.kind)}{where}{far}</span></li>'


def place(region: Region, one: Found, called: str) -> bytes:
    """One place: what is known of it, and where one can go from here; `called` as an end of a way."""
    rows = [("Kind", one.kind), ("Address", one.address), ("Coordinates", f"{one.lat:.6f}, {one.lon:.6f}")]
    rows += [(DETAILS.get(key, key.capitalize()), value) for key, value in one.more.items()]
    rows += [("Number", one.osm)]
    table = "".join(
        f"<tr><th scope='row'>{escape(head)}</th><td>{escape(text)}</td></tr>" for head, text in rows if text
    )
    links = f'<p><a href="/directions?{escape(urlencode({"from": called}))}">Directions from here</a> '
    links += f'<a href="/directions?{escape(urlencode({"to": called}))}">Directions to here</a></p>'
    near = f"<h2>Near here</h2>{search_form(near=one.osm)}"
    panel = f"<h1>{escape(one.title)}</h1><table>{table}</table>{links}{near}"
    return page(region, one.title, panel, [(one.lat, one.lon, one.title)])


def directions(
    region: Region,
    given: tuple[str, str, str],
    ends: Sequence[tuple[float, float, Found | None]] = (),
    route: Route | None = None,
    error: str = "",
) -> bytes:
    """The form (`given`: from, to and by), and the way if there is one."""
    start, end, by = given
    options = "".join(
        f'<option value="{key}"{" selected" if key == by else ""}>{escape(BY[key])}</option>' for key in MEANS
    )
    form = (
        '<form action="/directions"><label for="from">From</label>'
        f'<input id="from" name="from" value="{escape(start)}" maxlength="200" autocomplete="off">'
        '<label for="to">To</label>'
        f'<input id="to" name="to" value="{escape(end)}" maxlength="200" autocomplete="off">'
        f'<label for="by">Means</label><select id="by" name="by">{options}</select><button>Find the way</button></form>'
    )
    wrong = f'<p class="error" role="alert">{escape(error)}</p>' if error else ""
    shown = _route(route, by, ends) if route else ""
    markers = [(lat, lon, found.title if found else f"{lat}, {lon}") for lat, lon, found in ends]
    return page(region, "Directions", f"<h1>Directions</h1>{form}{wrong}{shown}", markers, route.line if route else ())


def _route(route: Route, by: str, ends: Sequence[tuple[float, float, Found | None]]) -> str:
    named = [_end(*one) for one in ends]
    steps = "".join(
        f"<li>{escape(step.text)}{f' <span>{length(step.metres)}</span>' if step.metres else ''}</li>"
        for step in route.steps
    )
    return (
        f"<h2>{BY[by]}</h2><p>From {named[0]}<br>to {named[1]}</p><table>"
        f"<tr><th scope='row'>Distance</th><td>{length(route.metres)}</td></tr>"
        f"<tr><th scope='row'>Time</th><td>{duration(route.seconds)}</td></tr></table><ol class='steps'>{steps}</ol>"
    )


def _end(lat: float, lon: float, found: Found | None) -> str:
    if found is None:
        return f"{lat}, {lon}"
    about = ", ".join(part for part in (found.kind, found.address) if part)
    return f'<a href="/place/{found.osm}">{escape(found.title)}</a> ({escape(about)})'


def notice(region: Region, title: str, text: str) -> bytes:
    """A page with one sentence."""
    return page(region, title, f"<h1>{escape(title)}</h1><p>{escape(text)}</p>{search_form()}")
