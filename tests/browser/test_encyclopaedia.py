"""The encyclopaedia in Chromium: articles and search through kiwix-serve, and what somebody hostile asks of it."""

from typing import Any

import psutil
import pytest
import pytest_asyncio

from envs.base import Action
from envs.browser.http1 import Request
from envs.web_sites.environment import WebSites
from tests.browser.conftest import EpisodeOpener
from tests.browser.site_play import act, instance, probed, rows

pytestmark = pytest.mark.browser
SITE = "encyclopaedia"
NOT_THERE = (
    "/catalog/v2/entries",
    "/catalog/search",
    "/raw/encyclopaedia/meta/Title",
    "/catch/external?source=http://example.org/",
    "/encyclopaedia/../../etc/passwd",
    "/encyclopaedia/%2e%2e/%2e%2e/etc/passwd",
    "/encyclopaedia/..%2f..%2fetc/passwd",
    "/skin/../../../etc/passwd",
    "/manuals/A/%00",
    "/encyclopaedia/A/Nothing_of_the_kind",
    "/template/site.sqlite3",
)
QUESTIONS = (
    "pattern=%22%3E%3Cscript%3Edocument.title%3D%27taken%27%3C%2Fscript%3E&content=encyclopaedia",
    "pattern=glass&content=../../../etc/passwd",
    "pattern=glass&content=encyclopaedia&start=-1&pageLength=999999999",
    "pattern=glass&start=9999999999999999999999&content=encyclopaedia",
    "pattern=NEAR+(+AND+OR+NOT+%22&content=encyclopaedia",
    "pattern=%F0%9F%92%A5%00%0D%0ASet-Cookie:%20a=b&content=manuals",
    "pattern=" + "a" * 3000 + "&content=encyclopaedia",
    "pattern=",
    "pattern=title:*&content=encyclopaedia",
)


@pytest_asyncio.fixture
async def world(opened: EpisodeOpener) -> WebSites:
    return await opened(SITE)


def got(path: str, query: str = "", method: str = "GET", **headers: str) -> Request:
    return Request(method, "x.test", path, query, headers)


async def test_articles_are_found_by_their_words_and_everything_comes_from_the_site(world: WebSites) -> None:
    name, town, path = rows(
        instance(world, SITE),
        "select a.title, f.value, f.target from article a join fact f on f.path = a.path "
        "where a.kind = 'person' and f.label = 'Place of birth' limit 1",
    )[0]
    found = await act(world, "goto [{{site encyclopaedia}}/]")
    tabs: Any = found.observation.data["tabs"]
    assert tabs[0]["title"] == "Main Page"
    # A person sees these signs, and no empty boxes.
    assert "StaticText '\u2315'" in found.observation.text
    assert "button '\u2684'" in found.observation.text
    box = next(line for line in found.observation.text.splitlines() if "textbox \"Search 'Enc" in line)
    number = box.split("[")[1].split("]")[0]
    # What the box offers is there when the page is read, not some time later.
    offered = await act(world, f"fill [{number}] [{name}]")
    assert name in offered.observation.text.replace(box, "").partition("article")[2]
    results = await act(world, f"click [{number}]", "press [Enter]")
    assert "Results" in results.observation.text
    assert await world.session.page.evaluate("() => document.querySelectorAll('meta[name=viewport]').length") == 1
    article = await act(world, f"click [{{{{element link '{name}'}}}}]")
    assert f"link '{town}'" in article.observation.text
    there = await act(world, f"click [{{{{element link '{town}'}}}}]")
    assert str(there.observation.data["url"]).endswith(f"/encyclopaedia/A/{path}")
    assert {one.host for one in world.session.gateway.log} == {instance(world, SITE).host}
    assert [one.path for one in world.session.gateway.log if one.status >= 400] == []
    assert world.session.gateway.refusals() == []
    assert world.session.script_errors == 0
    state, seen = await probed(
        world,
        ("state", {"site": SITE}),
        ("page_content", {"page": {"site": SITE}, "locator": {"named": "infobox", "values": {"path": path}}}),
    )
    assert state == {"tables": {}}
    assert "Population" in seen["content"]


async def test_a_random_article_is_the_same_for_a_replay_and_in_one_of_the_books(world: WebSites) -> None:
    one = instance(world, SITE)
    first, again, other, outside = [
        await one.forward(got("/random", "content=encyclopaedia", referer=page))
        for page in ("http://a.test/x", "http://b.test/x", "http://a.test/y", "not an address at all")
    ]
    assert first.headers["location"] == again.headers["location"] != other.headers["location"]
    assert outside.status == 302
    paths = {f"/{book}/A/{path}" for book, path in rows(instance(world, SITE), "select book, path from article")}
    assert {first.headers["location"], other.headers["location"]} <= paths
    assert (await one.forward(got("/random", "content=..%2f..%2f"))).headers["location"] in paths


async def test_nothing_but_the_books_can_be_reached_and_nothing_changed(world: WebSites) -> None:
    one = instance(world, SITE)
    for path in NOT_THERE:
        answer = await one.forward(got(*path.split("?")))
        assert answer.status in (400, 404), path
        assert b"root:" not in answer.body
        assert b"SQLite format" not in answer.body
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert (await one.forward(got("/encyclopaedia/A/Main_Page", method=method))).status == 405
    assert one.fault is None
    assert (await one.forward(got("/encyclopaedia/A/Main_Page"))).status == 200


async def test_hostile_searches_are_text_and_come_to_nothing(world: WebSites) -> None:
    one = instance(world, SITE)
    for question in QUESTIONS:
        answer = await one.forward(got("/search", question))
        assert answer.status < 500, question
        assert b"<script>document" not in answer.body
        assert "a=b" not in str(answer.cookies)
        assert len(answer.body) < 300_000
        assert one.fault is None
    result = await world.step(Action(text=f"goto [http://{one.host}/search?{QUESTIONS[0]}]"))
    tabs: Any = result.observation.data["tabs"]
    assert tabs[0]["title"].startswith("Search: ")


async def test_a_server_that_died_is_started_again(world: WebSites) -> None:
    one = instance(world, SITE)
    assert (await one.forward(got("/encyclopaedia/A/Main_Page"))).status == 200
    (child,) = _children(one.running.process.pid)
    child.kill()
    assert (await one.forward(got("/encyclopaedia/A/Main_Page"))).status == 200
    assert one.fault is None


def _children(pid: int) -> list[psutil.Process]:
    return [one for one in psutil.Process(pid).children(recursive=True) if "kiwix" in one.name()]
