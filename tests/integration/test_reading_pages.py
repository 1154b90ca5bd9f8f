"""Pages for readers: what is listed, filtered, compared and linked, and what a hidden split keeps to itself."""

import re
from html import unescape

import pytest

from tests.support.gallery import MODELS, Gallery, furnished
from tests.support.service import Service
from tests.support.sql import sql
from tests.support.visitor import Visitor, enter

HTML = {"accept": "text/html"}


async def page(service: Service, path: str, status: int = 200) -> str:
    response = await service.client.get(path, headers=HTML)
    assert response.status_code == status, response.text
    return response.text


def listed(html: str) -> list[str]:
    """The models of the first table, in order."""
    table = html.partition('<table class="board">')[2].partition("</table>")[0]
    return re.findall(r'<a href="/s/sub_\w+">([^<]+)</a>', table)


@pytest.fixture
async def gallery(service: Service) -> Gallery:
    return await furnished(service)


async def test_a_board_is_searched_filtered_sorted_and_its_columns_chosen(gallery: Gallery) -> None:
    async def rows(query: str) -> list[str]:
        return listed(await page(gallery.service, f"/b/rivers?split=dev{query}"))

    best_first = ["alba-large", "cirrus", "alba-small", "cirrus-mini", "guess"]
    assert await rows("") == best_first
    assert await rows("&search=CIRR") == ["cirrus", "cirrus-mini"]
    assert await rows("&search=%25") == []
    assert await rows("&organisation=team&access=open") == ["cirrus-mini"]
    assert await rows("&verified=true") == []
    assert await rows("&until=2020-01-01") == []
    assert await rows("&since=2020-01-01") == best_first
    assert await rows("&sort=cost&order=asc") == ["guess", "cirrus-mini", "alba-small", "alba-large", "cirrus"]
    assert await rows("&sort=model") == sorted(best_first)
    assert await rows("&sort=model&order=desc") == sorted(best_first, reverse=True)
    # What a form sends where nothing was filled in.
    empty = "&search=&organisation=&verified=&access=&since=&until=&columns=cost"
    html = await page(gallery.service, f"/b/rivers?split=dev{empty}")
    assert re.findall(r'<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]*)', html.partition("</thead>")[0]) == [
        "Rank",
        "Model",
        "Cost",
        "falls",
        "lengths",
    ]
    wrong = await page(gallery.service, "/b/rivers?since=yesterday", 422)
    assert "2026-03-01" in wrong


async def test_an_incomplete_run_has_no_rank_and_stands_apart(gallery: Gallery) -> None:
    board = await gallery.service.client.get("/v1/benchmarks/rivers/leaderboard?split=dev")
    ranks = {item["model"]["name"]: item["rank"] for item in board.json()["items"]}
    assert ranks == {"alba-large": 1, "cirrus": 2, "alba-small": 3, "cirrus-mini": 4, "guess": 5, "partial": None}
    html = await page(gallery.service, "/b/rivers?split=dev")
    ranked, _, apart = html.partition("Incomplete runs, not ranked")
    assert ">partial<" in apart
    assert ">partial<" not in ranked
    only = await gallery.service.client.get("/v1/benchmarks/rivers/leaderboard?split=dev&coverage=partial")
    assert [item["model"]["name"] for item in only.json()["items"]] == ["partial"]


async def test_a_complete_run_is_the_model_s_best_before_a_better_incomplete_one(gallery: Gallery) -> None:
    """One right answer of one would beat nothing: but of a model that answered all, the complete run is shown."""
    caller = gallery.callers["team"]
    problems = await caller.problems("rivers", "dev")
    # All of "guess" is 2 of 8 right; five right answers alone are 5 of 8.
    await caller.submit("rivers", "dev", {p["id"]: "ABCD"[n % 4] for n, p in enumerate(problems[:5])}, model="guess")
    await gallery.service.work()
    board = (await gallery.service.client.get("/v1/benchmarks/rivers/leaderboard?split=dev&model=guess")).json()
    assert [(item["coverage"], item["score"]) for item in board["items"]] == [(1.0, 0.25)]


async def test_two_runs_are_compared_in_pairs_where_the_split_is_open(gallery: Gallery) -> None:
    runs = gallery.runs
    html = await page(gallery.service, f"/b/rivers/compare?split=dev&entry={runs['alba-large']}&entry={runs['cirrus']}")
    assert "+0.125" in html, "one of eight problems"
    assert "1 of 8" in html
    hidden = (await gallery.service.client.get("/v1/benchmarks/rivers/leaderboard?split=test")).json()["items"]
    chosen = "&".join(f"entry={item['submission']}" for item in hidden[:2])
    apart = await page(gallery.service, f"/b/rivers/compare?split=test&{chosen}")
    assert "This split is hidden" in apart
    assert "Problems that differ" not in apart
    await page(gallery.service, f"/b/rivers/compare?split=dev&entry={runs['cirrus']}", 422)


async def test_an_open_problem_shows_how_each_model_answered(gallery: Gallery) -> None:
    html = await page(gallery.service, "/b/rivers/problems/dev/3")
    assert "It is $c^2$." in html
    answered = dict(re.findall(r'<a href="/s/sub_\w+">([^<]+)</a>.*?<span class="tag \w*">(\w+)</span>', html))
    assert answered == {name: "incorrect" if 2 in wrong else "correct" for name, _, _, _, wrong in MODELS}
    assert "I think so." in unescape(html)
    picture = re.search(r'src="(/b/rivers/files/[^"]+)"', await page(gallery.service, "/b/rivers/problems/dev/1"))
    assert picture
    assert (await gallery.service.client.get(picture[1])).content.startswith(b"\x89PNG")


async def test_of_a_hidden_split_there_is_no_problem_and_no_item(gallery: Gallery) -> None:
    for path in ("/b/rivers/problems?split=test", "/b/rivers/problems/test/1", "/b/rivers/problems/dev/99"):
        await page(gallery.service, path, 404)
    hidden = (await gallery.service.client.get("/v1/benchmarks/rivers/leaderboard?split=test")).json()["items"]
    assert hidden
    html = await page(gallery.service, f"/s/{hidden[0]['submission']}")
    assert "nothing is said of single problems" in html
    assert "correct" not in html
    # Nor for its own organisation.
    member = await enter(gallery.service, "lab@example.org")
    await member.get(f"/s/{hidden[0]['submission']}")
    assert "For your organisation" in member.page
    assert ">correct<" not in member.page


async def test_a_picture_of_a_hidden_problem_needs_a_key(service: Service) -> None:
    await furnished(service)
    copied = "select gen_random_uuid(), release_id, 'secret.png', media_type, content from asset"
    async with service.admin.session() as session:
        await sql(session, f"insert into asset (id, release_id, path, media_type, content) {copied}")
    assert (await service.client.get("/b/rivers/files/1.0.0/secret.png")).status_code == 404


async def test_models_organisations_and_runs_are_linked(gallery: Gallery) -> None:
    board = await page(gallery.service, "/b/rivers?split=dev")
    links = set(re.findall(r'href="(/(?:s|o|m)/[^"]+)"', board))
    assert len(links) > 6
    for link in links:
        found = await page(gallery.service, link)
        assert "</html>" in found
    model = await page(gallery.service, "/m/lab/alba-large")
    assert model.count("Rivers of Europe") == 2, "on both splits"
    assert "alba-small" in await page(gallery.service, "/o/lab")
    assert "Rivers of Europe" in await page(gallery.service, "/o/owners")
    await page(gallery.service, "/m/lab/none", 404)
    assert (await gallery.service.client.get("/o/no-such", headers=HTML)).status_code == 303
    await page(gallery.service, f"/s/sub_{'0' * 32}", 404)


async def test_who_is_signed_in_gets_a_key_into_the_three_commands(gallery: Gallery) -> None:
    member = await enter(gallery.service, "lab@example.org")
    done = await member.fill("/b/rivers?split=dev", "/b/rivers/take-part", {"split": "dev", "organisation": "lab"})
    assert done.status_code == 200
    key = re.search(r"HELDOUT_API_KEY=(\S+)", unescape(member.page))
    assert key
    assert "heldout run -b rivers -s dev" in member.page
    me = await gallery.service.client.get("/v1/me", headers={"Authorization": f"Bearer {key[1]}"})
    assert me.status_code == 200, me.text
    stranger = await Visitor.of(gallery.service).post("/b/rivers/take-part", {"organisation": "lab"})
    assert stranger.status_code in (303, 403)


async def test_badges_and_citation(gallery: Gallery) -> None:
    svg = await gallery.service.client.get("/b/rivers/badge.svg?split=dev")
    assert (svg.headers["content-type"], "best 1.000" in svg.text) == ("image/svg+xml", True)
    assert "0.875 · rank 2" in (await gallery.service.client.get(f"/s/{gallery.runs['cirrus']}/badge.svg")).text
    assert "@misc{heldout-rivers-1.0.0," in await page(gallery.service, "/b/rivers")


async def test_the_front_is_searched_and_shows_the_best(gallery: Gallery) -> None:
    html = await page(gallery.service, "/")
    assert "/overall/" not in html  # no benchmark of a combination is here
    assert re.findall(r'<h2><a href="/b/(\w+)">', html) == ["quiz", "rivers"]
    assert "best on test" in html
    for query, found in (("search=hydro", ["rivers"]), ("tag=multiple_choice", ["quiz", "rivers"]), ("tag=no", [])):
        assert re.findall(r'<h2><a href="/b/(\w+)">', await page(gallery.service, f"/?{query}")) == found


async def test_errors_are_pages_for_people_and_problems_for_programs(service: Service) -> None:
    missing = await page(service, "/no/such/page", 404)
    assert "There is no such page" in missing
    assert (await service.client.get("/no/such/page")).json()["code"] == "not_found"
    assert "<html" in await page(service, "/b/quiz?all=perhaps", 422)

    @service.app.get("/broken")
    async def broken() -> None:
        raise RuntimeError("the gold is 7")

    # Routes are matched in order, and the static files stand last.
    fault = await page(service, "/broken", 500)
    assert "Something went wrong on our side" in fault
    assert "gold" not in fault


async def test_a_board_of_ten_thousand_is_one_small_page(gallery: Gallery) -> None:
    await gallery.fill(10_000)
    response = await gallery.service.client.get("/b/rivers?split=test", headers=HTML)
    assert response.status_code == 200
    assert len(response.content) <= 100_000
    assert len(listed(response.text)) == 50
    seen: list[str] = []
    path = "/b/rivers?split=test&sort=cost&order=asc"
    for _ in range(3):
        html = await page(gallery.service, path)
        seen += listed(html)
        following = re.search(r'<a href="(\?[^"]*cursor=[^"]+)">Next', html)
        assert following
        path = "/b/rivers" + unescape(following[1])
    assert len(set(seen)) == 150
