"""The picture market in Chromium, and the pack demo-vision, whose participants see pictures of pages."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from envs import registry
from envs.browser import chromium
from envs.web_sites import generator
from packs.read import read_pack
from tests.browser.conftest import EpisodeOpener
from tests.browser.site_play import Visitor, act, instance, look_at, probed, rows
from tools import check_web

pytestmark = pytest.mark.browser
PACK = Path(__file__).parents[2] / "benchmarks" / "demo-vision"
CHOSEN = ("list-the-lot-that-shows-1", "open-the-lot-that-shows-2", "blocks-between-3")


def test_the_pack_covers_what_it_says() -> None:
    pack = read_pack(PACK, registry)
    found = check_web.counts(pack)
    assert found["tasks"] >= 24
    assert set(found["categories"]) == {"information", "navigation", "content"}
    specs = [line.episode.spec for line in pack.references if line.episode]
    assert {spec["mode"] for spec in specs} == {"screenshot"}
    assert all(line.oracle for line in pack.references)


async def test_the_pack_is_what_its_seed_makes(shared_browser: chromium.Chromium, tmp_path: Path) -> None:
    held = await generator.contents(generator.SEED, only=generator.pictures.SITES)
    generator.demo_vision(held).write(tmp_path / "same")
    for name in ("problems.jsonl", "references.jsonl", "benchmark.toml"):
        assert (tmp_path / "same" / name).read_text() == (PACK / name).read_text(), "run `make demo-web`"


@pytest.mark.parametrize("name", CHOSEN)
async def test_a_task_is_admitted(shared_browser: chromium.Chromium, name: str) -> None:
    pack = read_pack(PACK, registry)
    checked = await check_web.check(pack, pack.reference_by_id[name])
    assert checked.scores == checked.expected


async def test_every_page_opens_and_a_step_shows_a_picture(opened: EpisodeOpener) -> None:
    world = await opened("market", signed_in={"market": "visitor"})
    ((number,),) = rows(instance(world, "market"), "select number from lot where id = 3")
    for path in ("/", "/sellers/1/", f"/lots/{number}/", "/charts/1/", "/charts/2/", "/plans/1/", "/list/"):
        await look_at(world, "market", path)
    world = await opened("market", signed_in={"market": "visitor"}, mode="screenshot", marks=True)
    seen = (await act(world, f"goto [{{{{site market}}}}/lots/{number}/]")).observation
    picture = Image.open(io.BytesIO(base64.b64decode(seen.images["screenshot"]))).convert("RGB")
    assert picture.width == 1280
    # The photo itself is in the participant's picture, at twice its size.
    photo = Image.open(instance(world, "market").template / "media/lots/3.png").convert("RGB")
    large = {colour for count, colour in photo.getcolors(1 << 16) or () if isinstance(count, int) and count > 1500}
    assert large
    assert large <= {colour for _, colour in picture.getcolors(1 << 24) or ()}
    assert "Put on my list" not in seen.text


async def test_forms_from_elsewhere_and_other_sessions_change_nothing(opened: EpisodeOpener) -> None:
    world = await opened("market", signed_in={"market": "visitor"})
    other = await opened("market", signed_in={"market": "visitor"}, session=1)
    one = instance(world, "market")
    ((number,),) = rows(one, "select number from lot where id = 1")
    here = await Visitor.signed_in(one, f"/lots/{number}/", "visitor")
    there = await Visitor.signed_in(instance(other, "market"), f"/lots/{number}/", "visitor")
    want = f"/lots/{number}/want/"
    foreign = Visitor(one, f"/lots/{number}/", there.cookie)
    assert (await foreign.post(want, {"token": await there.token()})).status == 401
    assert (await here.post(want, {"token": await there.token()})).status == 403
    assert (await here.post(want, {}, **{"sec-fetch-site": "cross-site"})).status == 403
    for path in ("/media/lots/../../site.sqlite3", "/media/../site.sqlite3", "/media/lots/1.png/..", "/lots/0 or 1/"):
        assert (await here.get(path)).status == 404
    assert rows(one, "select count(*) from wish") == [(0,)]
    assert (await here.post(want, {})).status == 303
    assert (await here.post(want, {})).status == 422
    assert rows(one, "select lot_id from wish") == [(1,)]
    (state,) = await probed(other, ("state", {"site": "market"}))
    assert state == {"tables": {}}
