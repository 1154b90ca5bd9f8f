"""The map in Chromium: search, places, ways by three means, and what somebody hostile asks of it."""

import json
import math
import os
import re
from pathlib import Path
from urllib.parse import quote_plus, urlencode

import pytest
import pytest_asyncio

from envs.browser import chromium
from envs.browser.http1 import Request, Response
from envs.web_sites import install, process
from envs.web_sites.environment import WebSites
from envs.web_sites.site import site
from tests.browser.conftest import EpisodeOpener
from tests.browser.site_play import SEED, act, begin, instance, probed, ready, rows

pytestmark = pytest.mark.browser
SITE = "map"
WILD = (
    *("NaN, NaN", "inf, inf", "1e308, 1e308", "-91, 0", "91, 181", "0, 0", "90, 180", "-90.0, -180.0", "0x10, 0x10"),
    *("39.0.0, 1", "999, 999", "٣٩, ٣٤", "1" * 200, "39, -34; drop table place", "'", '"', "%", "node/0", "way/99999"),
    *("node/1 or 1=1", "\x00", "☃", "AND OR NOT NEAR(", "name:*", "*", "(((((((", "{name rest}: a", "../../etc/passwd"),
)
NOT_THERE = (
    *("/tiles/5/0/0.json", "/tiles/19/0/0.json", "/tiles/8/256/0.json", "/tiles/8/0/9999999.json"),
    *("/tiles/99/1/1.json", "/tiles/8/-1/0.json", "/tiles/8/1.5/0.json", "/tiles/8/NaN/0.json", "/tiles/8/0/0.pbf"),
    *("/static/../site_app.py", "/static/%2e%2e/site_app.py", "/static/images/../../../../../../etc/passwd"),
    *("/place/node/0", "/place/node/1%20or%201=1", "/place/way/99999999999999999999", "/place/node/١"),
    *("/template/site.sqlite3", "/shapes.sqlite3", "/tiles", "//etc/passwd", "/place/node/99999999999999999999999"),
)


@pytest_asyncio.fixture
async def world(opened: EpisodeOpener) -> WebSites:
    return await opened(SITE)


async def asked(world: WebSites, path: str, query: str = "", method: str = "GET") -> Response:
    return await instance(world, SITE).forward(Request(method, instance(world, SITE).host, path, query))


WAYS = """select a.name, b.name, w.means, w.length, w.minutes, w.steps, a.lat, a.lon, b.lat, b.lon, w.metres, w.seconds
from way w join place a on a.id = w.origin join place b on b.id = w.goal order by w.id"""


async def test_a_place_is_found_and_a_way_led_from_it_by_clicking(world: WebSites) -> None:
    one = instance(world, SITE)
    start, goal, _, length, *_ = rows(one, WAYS)[0]
    await act(world, "goto [{{site map}}/]", f"fill [{{{{element textbox 'Search'}}}}] [{start}]")
    found = await act(world, "click [{{element button 'Go'}}]", f"click [{{{{element link '{start}'}}}}]")
    assert "cell '" in found.observation.text
    form = await act(world, "click [{{element link 'Directions from here'}}]")
    assert f"textbox 'From' value: '{start}'" in form.observation.text
    await act(world, f"fill [{{{{element textbox 'To'}}}}] [{goal}]")
    way = await act(world, "click [{{element button 'Find the way'}}]")
    assert f"cell '{length}'" in way.observation.text
    # The marker and the drawn way stand on the map; its squares are no part of the tree.
    assert f"button '{goal}'" in way.observation.text
    assert "Canvas" not in way.observation.text
    assert {exchange.host for exchange in world.session.gateway.log} == {one.host}
    assert [exchange.path for exchange in world.session.gateway.log if exchange.status >= 400] == []
    assert any(exchange.path.startswith("/tiles/") for exchange in world.session.gateway.log)
    assert world.session.gateway.refusals() == []
    assert world.session.script_errors == 0
    painted = await world.session.page.evaluate(
        "[...document.querySelectorAll('#map canvas')].some(square => "
        "new Set(square.getContext('2d').getImageData(0, 0, 256, 256).data).size > 6)"
    )
    assert painted
    values = {"start": quote_plus(start), "end": quote_plus(goal), "means": "foot"}
    state, seen = await probed(
        world,
        ("state", {"site": SITE}),
        ("page_content", {"page": {"site": SITE}, "locator": {"named": "way", "values": values}}),
    )
    assert state == {"tables": {}}
    assert length in seen["content"]


async def test_a_house_that_is_not_there_and_several_of_a_kind_are_found_too(world: WebSites) -> None:
    one = instance(world, SITE)
    street, city = rows(one, "select name, city from place where kind = 'street' and city <> '' order by id")[0]
    page = (await asked(world, "/search", urlencode({"query": f"{street} 98765, {city}"}))).body.decode()
    assert "Nothing here has the number 98765." in page
    assert re.findall(r'<li><a href="/place/[^"]+">([^<]+)</a>', page)[0] == street
    town, kind = rows(one, "select city, kind from place where kind in ('hotel', 'school') and city <> '' order by id")[
        0
    ]
    (first,) = rows(one, "select osm from place where kind in ('city', 'town', 'village') and name = ?", town)
    near = (await asked(world, "/search", urlencode({"query": f"{kind}s near {town}"}))).body.decode()
    same = (await asked(world, "/search", urlencode({"query": kind, "near": first[0]}))).body.decode()
    listed = re.findall(r'href="/place/([^"]+)"', near)
    assert listed == re.findall(r'href="/place/([^"]+)"', same) != []
    assert "away in a straight line" in near
    # What words find as they stand is found as before.
    assert "Nothing here has" not in (await asked(world, "/search", urlencode({"query": street}))).body.decode()
    for nothing in ("98765", "Nosuchplace near Nosuchtown", f"Nosuchplace near {town}"):
        assert "Nothing was found." in (await asked(world, "/search", urlencode({"query": nothing}))).body.decode()


async def test_a_place_as_an_end_of_a_way_is_called_so_that_it_is_found(world: WebSites) -> None:
    one = instance(world, SITE)
    places = rows(one, "select osm, lat, lon from place order by id")
    for osm, lat, lon in places[:: max(1, len(places) // 40)]:
        page = (await asked(world, f"/place/{osm}")).body.decode()
        (query,) = re.findall(r'href="/directions\?(from=[^"]+)"', page)
        way = (await asked(world, "/directions", f"{query}&to={lat + 0.001},{lon}&by=foot")).body.decode()
        (end,) = re.findall(r"<p>From (.*?)<br>", way) or ["no way"]
        assert f"/place/{osm}" in end or f"{lat:.6f}"[:8] in end or end == "no way", (osm, query, end)


async def test_the_planned_ways_are_those_that_are_shown_and_make_sense(world: WebSites) -> None:
    one = instance(world, SITE)
    planned = rows(one, WAYS)
    assert {row[2] for row in planned} == {"foot", "bicycle", "car"}
    for start, goal, means, length, minutes, steps, *at, metres, seconds in planned:
        answer = await asked(world, "/directions", urlencode({"from": start, "to": goal, "by": means}))
        text = answer.body.decode()
        shown = re.search(r"Distance</th><td>([^<]*)</td>.*?Time</th><td>([^<]*)</td>", text)
        assert shown
        hours, rest = divmod(minutes, 60)
        assert shown.groups() == (length, f"{hours} h {rest} min" if hours else f"{rest} min")
        assert text.partition("class='steps'")[2].count("<li>") == steps
        straight = 111_320 * math.hypot(at[0] - at[2], (at[1] - at[3]) * math.cos(math.radians(at[0])))
        assert metres > 0.9 * straight - 100
        assert {"foot": 2, "bicycle": 4, "car": 8}[means] < metres / max(seconds, 1) * 3.6 < 110


async def test_wild_words_and_coordinates_come_to_nothing(world: WebSites) -> None:
    one = instance(world, SITE)
    known = rows(one, WAYS)[0][0]
    for text in WILD:
        for path, query in (
            ("/search", {"query": text}),
            ("/search", {"query": "a", "near": text}),
            ("/directions", {"from": text, "to": known, "by": "car"}),
            ("/directions", {"from": known, "to": text, "by": text}),
        ):
            answer = await asked(world, path, urlencode(query))
            assert answer.status == 200, (path, text)
            assert b"Traceback" not in answer.body
            assert len(answer.body) < 200_000
            assert one.fault is None
    script = "<script>document.title='taken'</script>\"'><img src=x onerror=alert(1)>"
    for path, name in (("/search", "query"), ("/directions", "from")):
        body = (await asked(world, path, urlencode({name: script, "to": script}))).body
        assert b"<script>document" not in body
        assert b"<img src=x" not in body
    assert (await asked(world, "/search", "&".join(["query=a"] * 5000))).status == 200


async def test_only_the_maps_own_pages_are_there_and_only_looking_is_done(world: WebSites) -> None:
    for path in NOT_THERE:
        answer = await asked(world, path)
        assert answer.status in (400, 404), path
        assert b"root:" not in answer.body
        assert b"SQLite format" not in answer.body
        assert b"def make" not in answer.body
    for method in ("POST", "PUT", "DELETE"):
        assert (await asked(world, "/search", "query=a", method)).status == 405
    assert instance(world, SITE).fault is None


async def test_squares_hold_the_roads_of_their_area(world: WebSites) -> None:
    west, south, east, north = rows(instance(world, SITE), "select west, south, east, north from region")[0]
    count = 1 << 14
    column = int(((west + east) / 2 + 180) / 360 * count)
    row = int((1 - math.asinh(math.tan(math.radians((south + north) / 2))) / math.pi) / 2 * count)
    kinds: set[str] = set()
    for x in range(column - 6, column + 7):
        for y in range(row - 6, row + 7):
            kinds |= {shape[0] for shape in json.loads((await asked(world, f"/tiles/14/{x}/{y}.json")).body)}
    assert {"main", "road", "street", "river", "label"} <= kinds
    # Small streets are not asked for from far away.
    wide = json.loads((await asked(world, f"/tiles/9/{column >> 5}/{row >> 5}.json")).body)
    assert "main" in {shape[0] for shape in wide}
    assert "street" not in {shape[0] for shape in wide}


async def test_the_same_seed_makes_the_same_map(world: WebSites, tmp_path: Path) -> None:
    first = instance(world, SITE).template
    second = tmp_path / "again"
    second.mkdir()
    program = [str(await install.python(site(SITE))), str(install.common() / "make.py"), str(site(SITE).folder)]
    told = await install._run([*program, str(second), str(SEED), "small"], 300, clean=True)
    assert told is None
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(second) for path in second.rglob("*") if path.is_file())
    assert [name for name in files if (first / name).read_bytes() != (second / name).read_bytes()] == []


async def test_an_owners_extract_is_the_tasks_own_or_none(
    shared_browser: chromium.Chromium, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    file = data / "web" / "osm" / "liechtenstein-latest.osm.pbf"
    await ready(SITE)
    digest = install.file_digest(file)
    spec = {SITE: digest}
    with pytest.raises(install.SiteUnavailableError, match="HELDOUT_MAP_EXTRACT must name it"):
        await begin(SITE, extracts=spec)
    monkeypatch.setenv("HELDOUT_MAP_EXTRACT", os.devnull)
    with pytest.raises(install.SiteUnavailableError, match="not the one of the task"):
        await begin(SITE, extracts=spec)
    monkeypatch.setenv("HELDOUT_MAP_EXTRACT", str(file))
    assert install.extracts([SITE, "tools"]) == spec
    begun = await begin(SITE, extracts=spec)
    try:
        found = await act(begun, "goto [{{site map}}/directions?from=Vaduz&to=Schaan&by=bicycle]")
        assert "OpenStreetMap contributors" in found.observation.text
        assert "heading 'By bicycle'" in found.observation.text
        assert rows(instance(begun, SITE), "select count(*) from way")[0][0] > 10
    finally:
        await begun.close()
        await process.shared().close()
