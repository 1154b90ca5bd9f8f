"""An owner with nothing but a browser: from an uploaded pack to a wrong gold that is found, mended and regraded."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from packs.pack import Pack
from packs.write import write_pack
from tests.browser.test_pages import PATIENCE, browsing, examined
from tests.integration.test_corrections import answered, mended
from tests.support.listening import listening
from tests.support.service import OPEN, Service, choice_pack
from tests.support.visitor import enter

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1200)]


def archive(pack: Pack, folder: Path) -> Path:
    """A zip of the pack."""
    write_pack(folder, pack.benchmark, pack.problems, pack.references)
    return Path(shutil.make_archive(str(folder), "zip", folder))


async def settled(service: Service, page: Page, state: str) -> None:
    """Have the jobs done that the page waits for; it loads itself again."""
    shown = asyncio.ensure_future(expect(page.locator("p.lead .tag")).to_have_text(state, timeout=PATIENCE))
    while not shown.done():
        await service.work()
        await asyncio.wait([shown], timeout=0.2)
    await shown


async def uploaded(service: Service, page: Page, base: str, path: Path) -> str:
    """Upload a pack, wait for its check, and publish it. Returns its page."""
    await page.goto(f"{base}/packs")
    await page.set_input_files("input[type=file]", path)
    await page.get_by_role("button", name="Upload and check").click()
    await settled(service, page, "checked")
    await page.get_by_role("button", name="Publish").click()
    await settled(service, page, "published")
    return page.url


async def asked(service: Service, page: Page, base: str, button: str) -> str:
    """Ask for a job and wait for what it finds. Returns its page."""
    await page.goto(f"{base}/b/quiz/owner/jobs")
    await page.get_by_label("Split").select_option("test")
    await page.get_by_role("button", name=button).click()
    await settled(service, page, "done")
    return page.url


async def test_the_life_of_a_benchmark_in_a_browser(has_chromium: None, service: Service, tmp_path: Path) -> None:
    broken = choice_pack("quiz", count=8, hidden=OPEN)
    owner = await enter(service, "olga@example.org", "owners")
    async with listening(service.app) as port, browsing() as browser:
        base = f"http://127.0.0.1:{port}"
        cookies: list[Any] = [{"name": "heldout_session", "value": owner.session(), "url": base}]
        context = await browser.new_context()
        await context.add_cookies(cookies)
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        pages = {"pack": await uploaded(service, page, base, archive(broken, tmp_path / "first"))}
        await expect(page.get_by_text("Which option is right in test-0?")).to_be_visible()
        for number in range(3):
            await answered(await service.reader(f"r{number}@example.org", f"team{number}"), f"m{number}", test_0="D")
        await service.work()
        pages["items"] = await asked(service, page, base, "Measure the problems")
        await expect(page.locator("tbody tr").first).to_contain_text("test-0 gold suspected")
        better = mended(choice_pack("quiz", count=8, version="1.0.1", hidden=OPEN))
        await uploaded(service, page, base, archive(better, tmp_path / "second"))
        pages["diff"] = await asked(service, page, base, "Show what changed")
        await expect(page.get_by_text("Only golds were corrected")).to_be_visible()
        pages["preview"] = await asked(service, page, base, "Preview a regrading")
        await expect(page.locator("tbody tr")).to_have_count(3)
        await page.get_by_label("Reason").fill("The gold of test-0 was wrong.")
        await page.get_by_role("button", name="Regrade every submission").click()
        for _ in range(2):  # what is begun queues the submissions
            await service.work()
        await page.goto(f"{base}/b/quiz?split=test")
        await expect(page.locator("table.board").first).to_contain_text("1.00")
        pages["export"] = await asked(service, page, base, "Export as a pack")
        problem = (await (await service.reader("ada@example.org", "lab")).problems("quiz", "test"))[0]["id"]
        body = {"reason": "I do not think that this is what the text says."}
        await (await service.reader("ada@example.org", "lab")).post(f"/v1/problems/{problem}/disputes", json=body)
        await page.goto(f"{base}/b/quiz/owner/disputes")
        pages |= {"disputes": page.url, "jobs": f"{base}/b/quiz/owner/jobs", "packs": f"{base}/packs"}
        faults = await examined(browser, "", pages, cookies)
        await page.get_by_label("Your answer").fill("It is what the text says, see its second line.")
        await page.get_by_role("button", name="Reject").click()
        await expect(page.get_by_text("rejected")).to_be_visible()
        assert faults == {}


async def test_faults_are_read_on_the_page_and_nobody_else_sees_the_pack(service: Service, tmp_path: Path) -> None:
    pack = choice_pack("quiz", count=8, hidden=OPEN)
    folder = tmp_path / "quiz"
    archive(pack, folder)
    lines = (folder / "references.jsonl").read_text(encoding="utf-8").replace('"value": "B"', '"value": "Z"', 1)
    (folder / "references.jsonl").write_text(lines, encoding="utf-8")
    path = Path(shutil.make_archive(str(folder), "zip", folder))
    owner = await enter(service, "olga@example.org", "owners")
    files = {"pack": ("quiz.zip", path.read_bytes(), "application/zip")}
    await owner.get("/packs")
    sent = await owner.post("/packs", {"organisation": "owners"}, files=files)
    assert sent.status_code == 303
    await service.work()
    await owner.get(sent.headers["location"])
    assert "refused" in owner.text()
    assert "references.jsonl:2" in owner.text()
    stranger = await enter(service, "eve@example.org", "others")
    assert (await stranger.get(sent.headers["location"])).status_code == 404
    await stranger.get("/packs")
    assert (await stranger.post("/packs", {"organisation": "owners"}, files=files)).status_code == 422
    assert (await stranger.post(f"{sent.headers['location']}/delete")).status_code == 404
    await owner.get(sent.headers["location"])
    assert (await owner.post(f"{sent.headers['location']}/delete")).status_code == 303
    assert (await owner.get(sent.headers["location"])).status_code == 404


async def test_jobs_of_a_benchmark_are_its_owners_alone(service: Service) -> None:
    await service.publish(choice_pack())
    owner = await enter(service, "olga@example.org", "owners")
    stranger = await enter(service, "eve@example.org", "others")
    for path in ("jobs", "disputes"):
        assert (await owner.get(f"/b/quiz/owner/{path}")).status_code == 200
        assert (await stranger.get(f"/b/quiz/owner/{path}")).status_code == 404
    assert (await stranger.fill("/packs", "/b/quiz/owner/jobs", {"job": "export"})).status_code == 404
    await owner.get("/b/quiz/owner/jobs")
    assert (await owner.post("/b/quiz/owner/jobs", {"job": "nonsense"})).status_code == 422
    begun = await owner.post("/b/quiz/owner/jobs", {"job": "export"})
    assert (await owner.get(begun.headers["location"])).headers["refresh"] == "2"
    await service.work()
    assert "refresh" not in (await owner.get(begun.headers["location"])).headers
    file = await owner.client.get(f"{begun.headers['location']}/file")
    assert file.content[:2] == b"\x1f\x8b"
    assert (await stranger.get(begun.headers["location"])).status_code == 404
