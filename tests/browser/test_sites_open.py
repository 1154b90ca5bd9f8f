"""`heldout-server sites`: tasks of WebArena open, take a step and are judged; what cannot be opened is told."""

import asyncio
import functools
import json
import signal
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from api.cli.main import built
from envs.web_sites.importers import webarena, webarena_verified
from packs.draft import DraftPack
from tests.browser.site_play import SEED, ready

pytestmark = pytest.mark.browser
FOLDER = Path("web")


def cli(*arguments: str) -> tuple[int, dict[str, Any], str]:
    """The exit status, the last line as JSON, and everything printed."""
    result = CliRunner().invoke(built(("sites",)), ["sites", *arguments, "--json"])
    lines = result.stdout.strip().splitlines()
    return result.exit_code, json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}, result.output


def task(number: int, **changes: Any) -> dict[str, Any]:
    """A task in WebArena's format."""
    judged = {
        "eval_types": ["program_html", "url_match"],
        "reference_answers": None,
        "reference_url": "__REDDIT__/f/x",
        "program_html": [
            {"url": "last", "locator": "document.title", "required_contents": {"must_include": ["__GITLAB__/a"]}},
            {
                "url": "func:shopping_get_latest_order_url()",
                "locator": "document.title",
                "required_contents": {"exact_match": "Order"},
            },
            {
                "url": "__SHOPPING__/x",
                "locator": "func:shopping_get_sku_latest_review_author('B1')",
                "required_contents": {"exact_match": "nobody wrote it"},
            },
            {
                "url": "func:reddit_get_post_url('__last_url__')",
                "locator": "func:gitlab_get_project_memeber_role(__page__, 'me')",
                "required_contents": {"must_include": ["Guest"]},
            },
        ],
    }
    return {
        "task_id": number,
        "sites": ["shopping", "reddit", "gitlab"],
        "require_login": True,
        "storage_state": "./.auth/gitlab.reddit_state.json",
        "start_url": "__GITLAB__/a |AND| __REDDIT__/f/x",
        "geolocation": None,
        "intent_template": "Do {{it}}",
        "instantiation_dict": {"it": "this"},
        "intent": "Do this",
        "require_reset": False,
        "eval": judged,
        "intent_template_id": number,
    } | changes


def written(draft: DraftPack, folder: Path) -> str:
    """A pack's folder."""
    draft.write(folder)
    return str(folder)


def test_a_task_with_every_kind_of_helper_opens_and_fails_unfinished(has_chromium: None, tmp_path: Path) -> None:
    admin = {"sites": ["shopping_admin"], "start_url": "__SHOPPING_ADMIN__", "storage_state": None}
    asked = {"eval_types": ["string_match"], "reference_answers": {"fuzzy_match": ["x"]}, "program_html": []}
    plain = {"eval": asked | {"reference_url": ""}}
    source = tmp_path / "tasks.json"
    source.write_text(json.dumps([task(1), task(2, **admin, **plain)]))
    pack = written(webarena.read(source, mode="published"), tmp_path / "pack")
    out = tmp_path / "rows.jsonl"
    status, last, printed = cli("open", "--pack", pack, "--out", str(out))
    assert status == 0, printed
    assert {key: last[key] for key in ("tasks", "opened", "stepped", "judged", "waits_for_a_judge")} == {
        "tasks": 2,
        "opened": 2,
        "stepped": 2,
        "judged": 2,
        "waits_for_a_judge": 1,
    }
    assert set(last["by_site"]) == {"shopping", "reddit", "gitlab", "shopping_admin"}
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["score"] for row in rows if "id" in row] == [0.0, None]
    asked_of = {(row["site"], row["path"]) for row in rows if "site" in row}
    opened = {("gitlab", "/a"), ("reddit", "/f/x"), ("shopping_admin", "/admin")}
    assert opened | {("reddit", "/stand-in/login")} <= asked_of
    asked_shop = {path.partition("?")[0] for site, path in asked_of if site == "shopping"}
    assert {"/rest/V1/orders", "/rest/V1/products/B1/reviews", "/sales/order/view/order_id/1/"} <= asked_shop


def test_a_task_on_a_site_that_the_file_leaves_out_is_told(has_chromium: None, tmp_path: Path) -> None:
    source, sites = tmp_path / "tasks.json", tmp_path / "sites.toml"
    source.write_text(json.dumps([task(1)]))
    sites.write_text('[sites.shopping]\naddress = "http://127.0.0.1:1"\nhealth = {seconds = 0.1}\n')
    pack = written(webarena.read(source), tmp_path / "pack")
    status, last, printed = cli("open", "--pack", pack, "--sites", str(sites))
    assert (status, last["tasks"], last["opened"], last["judged"]) == (1, 1, 0, 0)
    assert "the site 'reddit' is not served here" in printed or "'gitlab' is not served here" in printed
    status, last, printed = cli("check", "--sites", str(sites))
    assert (status, last["works"]) == (1, False)
    assert "does not answer" in last["sites"]["shopping"]["address"]


@pytest.mark.parametrize("name", ["webarena", "webarena-verified"])
def test_a_sample_of_the_published_tasks_opens(has_chromium: None, data: Path, tmp_path: Path, name: str) -> None:
    files = {"webarena": "test.raw.json", "webarena-verified": "webarena-verified.json"}
    source = data / FOLDER / name / files[name]
    if not source.is_file():
        pytest.skip(f"there is no {source}")
    reader = webarena if name == "webarena" else webarena_verified
    pack = written(reader.read(source), tmp_path / "pack")
    status, last, printed = cli("open", "--pack", pack, "--limit", "20")
    assert status == 0, printed
    assert (last["opened"], last["stepped"], last["judged"]) == (20, 20, 20)


async def test_a_site_is_served_for_a_persons_browser() -> None:
    await ready("forge")
    line = [str(Path(sys.executable).with_name("heldout-server")), "sites", "serve", "forge", "--port", "0"]
    line += ["--size", "small", "--seed", str(SEED), "--role", "developer"]
    # Where the suite runs in the background, its children ignore what Ctrl-C sends.
    hears = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = await asyncio.create_subprocess_exec(*line, stdout=asyncio.subprocess.PIPE, preexec_fn=hears)
    assert process.stdout
    try:
        said = (await asyncio.wait_for(process.stdout.readline(), 300)).decode()
        address = said.partition(" is at ")[2].partition(" ")[0]
        async with httpx2.AsyncClient(base_url=address, timeout=120) as client:
            first = await client.get("/")
            assert "Profile settings" in first.text
            # The cookie that came with the first page is the one that is used from then on.
            (cookie,) = first.headers.get_list("set-cookie")
            assert "HttpOnly; SameSite=Lax" in cookie
            assert not (await client.get("/explore/")).headers.get_list("set-cookie")
            # Pages of other names that lead here act for nobody.
            assert (await client.get("/", headers={"Host": "evil.test"})).status_code == 421
            forged = {"Cookie": f"{cookie.partition('=')[0]}=x"}
            assert "Profile settings" not in (await client.get("/", headers=forged)).text
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 120) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("nowhere",), "the site 'nowhere' is not served here"),
        (("tools", "--size", "huge"), "write full or small"),
        (("tools", "--size", "small", "--port", "0", "--role", "king"), "has no role 'king'; it has: person"),
    ],
)
async def test_a_site_that_cannot_be_served_is_told(arguments: tuple[str, ...], complaint: str) -> None:
    await ready("tools")
    result = await asyncio.to_thread(CliRunner().invoke, built(("sites",)), ["sites", "serve", *arguments])
    assert result.exit_code == 1
    assert complaint in " ".join(result.output.split())
