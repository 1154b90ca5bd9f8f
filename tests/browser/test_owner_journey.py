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


expect.set_options(timeout=PATIENCE)
RANKED = {"feedback": "sealed", "chance_level": 0.25, "rankings_per_year": 2}


async def test_what_an_owner_does_between_releases_and_at_the_end(
    has_chromium: None, service: Service, tmp_path: Path
) -> None:
    """Applicants, entries, reviewers, exposure, presets, a ranking called for, retirement, a pack that is dropped."""
    pack = choice_pack("quiz", count=8, agreement=True, approval=True, hidden=RANKED)
    owner = await enter(service, "olga@example.org", "owners")
    async with listening(service.app) as port, browsing() as browser:
        base = f"http://127.0.0.1:{port}"
        context = await browser.new_context(accept_downloads=True)
        await context.add_cookies([{"name": "heldout_session", "value": owner.session() or "", "url": base}])
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        await uploaded(service, page, base, archive(pack, tmp_path / "first"))
        reader = await service.reader("ada@example.org", "lab")
        await reader.post("/v1/benchmarks/quiz/agreement", json={"name": "Ada Lovelace"})
        await page.goto(f"{base}/b/quiz/owner")
        await page.get_by_role("link", name="Access", exact=True).click()
        await page.get_by_role("button", name="Approve").click()
        await expect(page.get_by_text("No applicants are waiting")).to_be_visible()
        answers = {problem["id"]: "A" for problem in await reader.problems("quiz", "dev")}
        (await reader.submit("quiz", "dev", answers, model="a-model")).raise_for_status()
        await service.work()
        await _entries_and_reviewers(page, base)
        await page.get_by_role("link", name="Exposure").click()
        await page.get_by_label("Organisation").fill("lab")
        await page.get_by_role("button", name="Show").click()
        await expect(page.locator("tbody tr")).to_have_count(2)
        async with page.expect_download() as download:
            await page.get_by_role("link", name="Export as CSV").click()
        assert (await (await download.value).path()).read_text().count("dev-") == 2
        await page.get_by_role("link", name="Feedback").click()
        await page.get_by_role("button", name="Simulate what each preset would cost").click()
        await settled(service, page, "done")
        await expect(page.locator("tbody tr").filter(has_text="sealed").first).to_be_visible()
        await page.get_by_role("link", name="Feedback").click()
        await page.get_by_role("button", name="Release the ranking now").click()
        await expect(page.get_by_text("1 of 2 calls are left this year")).to_be_visible()
        await _retired(service, page)
        await page.goto(f"{base}/packs")
        await page.set_input_files("input[type=file]", archive(choice_pack("never"), tmp_path / "never"))
        await page.get_by_role("button", name="Upload and check").click()
        await settled(service, page, "checked")
        await page.get_by_role("button", name="Delete").click()
        await page.wait_for_url(f"{base}/packs")
        await expect(page.get_by_text("never")).to_have_count(0)


async def _entries_and_reviewers(page: Page, base: str) -> None:
    await page.goto(f"{base}/b/quiz/owner?split=dev")
    await page.get_by_role("button", name="Hide").click()
    await page.get_by_role("link", name="taken off the board").click()
    await expect(page.locator("tr").filter(has_text="a-model")).to_contain_text("hidden")
    await page.get_by_role("button", name="Restore").click()
    await expect(page.get_by_text("Nothing was taken off the board.")).to_be_visible()
    await page.get_by_role("link", name="on the board", exact=True).click()
    await page.get_by_role("button", name="Verify", exact=True).click()
    await expect(page.get_by_role("button", name="Unverify")).to_be_visible()
    await page.get_by_label("E-mail address").fill("rita@example.org")
    await page.get_by_role("button", name="Name a reviewer").click()
    await page.locator("li").filter(has_text="rita@example.org").get_by_role("button", name="Remove").click()
    await expect(page.get_by_text("nobody else was named")).to_be_visible()


async def _retired(service: Service, page: Page) -> None:
    """The hidden split becomes open problems of a new release, after a tick and in one go."""
    await page.get_by_role("link", name="Problems and releases").click()
    await page.get_by_text("Retire", exact=True).click()
    await page.get_by_label("Version of the new release").fill("2.0.0")
    await page.get_by_label("all of it").check()
    await page.get_by_label("also where").check()
    await page.get_by_label("public for good").check()
    await page.get_by_role("button", name="Publish the golds").click()
    await settled(service, page, "done")
    await page.goto(page.url.partition("/owner/")[0])
    await expect(page.get_by_text("quiz 2.0.0")).to_be_visible()
    await expect(page.get_by_role("navigation", name="Splits")).to_contain_text("dev 10")


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
