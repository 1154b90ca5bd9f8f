"""The pack of tasks on sites: made from its seed, and a few of its tasks put through the admission checks."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from envs import registry
from envs.base import Action, Probe
from envs.browser import chromium
from envs.web_sites import generator, install, process
from envs.web_sites.environment import WebSites
from packs.read import read_pack
from tools import check_web, web_starts

PACK = Path(__file__).parents[2] / "benchmarks" / "demo-web"
CHOSEN = ("into-the-cart-1", "colour-of-a-product-3")
PAGES = {
    "customer": ("/catalogue/", "/catalogue/category/kitchen/kettles_2/", "/accounts/orders/", "/basket/"),
    "manager": ("/dashboard/", "/dashboard/orders/", "/dashboard/reports/", "/dashboard/catalogue/products/1/"),
}


SCRIPT = "<script>document.title = 'taken'</script><img src=x onerror=document.title='taken'>"
POSTS = {
    "shop": (
        {"shop": "customer"},
        "/catalogue/norlumic-slim-music-stand-k250_119/reviews/add/",
        ('modify_text("title", "{}")', 'modify_select("score", "5")', 'modify_text("body", "{}")', "submit"),
        ("reviews_productreview", "body"),
    ),
    "forum": (
        {"forum": "member"},
        "/topic/6439/before-and-after-mulch/",
        ('modify_text("comment", "{}")', "submit"),
        ("spirit_comment_comment", "comment"),
    ),
}


@pytest_asyncio.fixture(scope="session")
async def sites(shared_browser: chromium.Chromium) -> AsyncIterator[None]:
    """The sites with the pack's content. Skips where they cannot be installed."""
    try:
        await asyncio.gather(*(generator.contents(generator.SEED),))
    except install.SiteUnavailableError as error:
        pytest.skip(f"the sites cannot be installed here: {error}")
    yield
    await process.shared().close()


def test_the_pack_covers_what_it_says() -> None:
    pack = read_pack(PACK, registry)
    found = check_web.counts(pack)
    assert found["tasks"] >= 240
    assert found["templates"] >= 80
    assert set(found["categories"]) == {"information", "navigation", "content"}
    assert found["unachievable"] >= 24
    assert found["several_sites"] >= 30
    assert set(found["sites"]) == {"shop", "shop_admin", "forum", "forge", "encyclopaedia", "map", "tools"}
    assert all(line.oracle for line in pack.references)
    assert all(web_starts.siblings(pack, line) for line in pack.references)


@pytest.mark.browser
async def test_the_pack_is_what_its_seed_makes(sites: None, tmp_path: Path) -> None:
    held = await generator.contents(generator.SEED)
    generator.demo(held).write(tmp_path / "same")
    for name in ("problems.jsonl", "references.jsonl", "benchmark.toml"):
        assert (tmp_path / "same" / name).read_text() == (PACK / name).read_text(), "run `make demo-web`"


@pytest.mark.browser
@pytest.mark.parametrize("name", CHOSEN)
async def test_a_task_is_admitted(sites: None, name: str) -> None:
    pack = read_pack(PACK, registry)
    checked = await check_web.check(pack, pack.reference_by_id[name])
    assert checked.scores == checked.expected


@pytest.mark.browser
@pytest.mark.parametrize("role", PAGES)
async def test_the_shops_pages_ask_for_nothing_from_outside(sites: None, role: str) -> None:
    world = WebSites()
    try:
        await world.reset({"sites": ["shop"], "seed": generator.SEED, "signed_in": {"shop": role}, "timeout": 300.0}, 1)
        address = world.session.page.url.removesuffix("/catalogue/")
        for page in PAGES[role]:
            result = await world.step(Action(text=f"goto [{address}{page}]"))
            assert result.error is None
            assert result.observation.data["url"] == address + page
        assert world.session.gateway.refusals() == []
        assert [one.path for one in world.session.gateway.log if one.status >= 400] == []
        assert world.session.script_errors == 0
        # Styles are public and last: one request a session, though the site's clock stands in the past.
        assert [one.path for one in world.session.gateway.log].count("/static/oscar/css/styles.css") == 1
    finally:
        await world.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", POSTS)
async def test_a_script_in_a_post_is_text_to_everybody(sites: None, name: str) -> None:
    who, path, acts, (table, column) = POSTS[name]
    world = WebSites()
    try:
        await world.reset(
            {"sites": [name], "seed": generator.SEED, "signed_in": who, "start": [{"site": name, "path": path}]}
            | {"timeout": 300.0},
            1,
        )
        for text in acts:
            result = await world.step(Action(text=text.format(SCRIPT)))
            assert result.error is None, (text, result.observation.text)
        tabs: Any = result.observation.data["tabs"]
        assert "taken" not in tabs[0]["title"]
        last = {"page": {"last": True}, "locator": {"expression": "document.title + document.body.innerText"}}
        kinds: tuple[tuple[str, dict[str, Any]], ...] = (
            ("state", {"site": name}),
            ("page_content", last | {"scripts": True}),
        )
        state, page = await world.probe([Probe(name=kind, type=kind, arguments=given) for kind, given in kinds])
        changed: Any = state.value
        assert [row[column] for row in changed["tables"][table]["inserted"]] == [SCRIPT]
        # Even with the page's own scripts a grader is shown what was written, and it does nothing.
        content: Any = page.value
        assert "onerror" in content["content"]
        assert not content["content"].startswith("taken")
    finally:
        await world.close()
