"""Archives larger than a request: sent in parts by the page's script and taken up again."""

import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, Request, Route, expect

from api.core.settings import Settings
from packs.write import write_pack
from tests.browser.test_owner_journey import archive, settled
from tests.browser.test_pages import PATIENCE, browsing
from tests.support.listening import listening
from tests.support.service import OPEN, Service, choice_pack
from tests.support.visitor import enter

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1200)]
BODY = 140_000


def packed(folder: Path) -> Path:
    """A tar of several requests' size."""
    pack = choice_pack("quiz", count=900, hidden=OPEN)
    write_pack(folder, pack.benchmark, pack.problems, pack.references)
    path = folder.with_suffix(".tar")
    with tarfile.open(path, "w") as archive:
        archive.add(folder, ".")
    assert path.stat().st_size > 1.3 * BODY
    return path


async def upload(page: Page, base: str, path: Path) -> None:
    await page.goto(f"{base}/packs")
    await page.set_input_files("input[type=file]", path)
    await page.get_by_role("button", name="Upload and check").click()


async def test_a_large_archive_is_sent_in_parts_and_taken_up_again(
    has_chromium: None, settings: Settings, tmp_path: Path
) -> None:
    path = packed(tmp_path / "quiz")
    async with Service.running(settings.model_copy(update={"max_body_bytes": BODY})) as service:
        owner = await enter(service, "olga@example.org", "owners")
        async with listening(service.app) as port, browsing() as browser:
            base = f"http://127.0.0.1:{port}"
            cookies: list[Any] = [{"name": "heldout_session", "value": owner.session(), "url": base}]
            context = await browser.new_context()
            await context.add_cookies(cookies)
            page = await context.new_page()
            page.set_default_timeout(PATIENCE)
            sent: list[str] = []

            def note(request: Request) -> None:
                if "/parts/" in request.url:
                    sent.append(request.url.rpartition("/")[2])

            async def lose(route: Route) -> None:
                await route.abort()

            page.on("request", note)
            await page.route("**/parts/1", lose)
            await upload(page, base, path)
            await expect(page.get_by_text("The connection was lost")).to_be_visible()
            assert sent[:2] == ["0", "1"]
            await page.unroute("**/parts/1")
            sent.clear()
            await upload(page, base, path)
            await page.wait_for_url("**/packs/pck_*")
            assert "0" not in sent, "what has come is not sent again"
            assert sent[0] == "1"
            await settled(service, page, "checked")


async def test_a_pack_is_brought_without_scripts(has_chromium: None, service: Service, tmp_path: Path) -> None:
    """The form alone: the archive is sent whole, the page of the pack loads itself again, a fault is read there."""
    owner = await enter(service, "olga@example.org", "owners")
    async with listening(service.app) as port, browsing() as browser:
        base = f"http://127.0.0.1:{port}"
        context = await browser.new_context(java_script_enabled=False)
        await context.add_cookies([{"name": "heldout_session", "value": owner.session() or "", "url": base}])
        page = await context.new_page()
        page.set_default_timeout(PATIENCE)
        pack = choice_pack("quiz", hidden=OPEN)
        await upload(page, base, archive(pack, tmp_path / "quiz"))
        await settled(service, page, "checked")
        await expect(page.get_by_text("Which option is right in test-0?")).to_be_visible()
        await page.get_by_role("button", name="Publish").click()
        await settled(service, page, "published")
        await page.goto(f"{base}/b/quiz")
        await expect(page.get_by_role("heading", name="Quiz").first).to_be_visible()
        references = tmp_path / "quiz" / "references.jsonl"
        references.write_text(references.read_text().replace('"value":', '"valeu":', 1))
        await upload(page, base, Path(shutil.make_archive(str(tmp_path / "broken"), "zip", tmp_path / "quiz")))
        await settled(service, page, "refused")
        await expect(page.get_by_text("references.jsonl:1").first).to_be_visible()
        await page.goto(f"{base}/packs")
        await page.get_by_role("button", name="Upload and check").click()
        assert page.url == f"{base}/packs", "a form without a file is not sent"
