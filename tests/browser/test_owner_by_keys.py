"""An owner's pages without a script and without a pointer: each control is reached, a dispute answered, the end."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.test_pages import PATIENCE, browsing
from tests.support.by_keys import pressed, reached, typed, unreachable
from tests.support.gallery import furnished
from tests.support.listening import listening
from tests.support.service import Service
from tests.support.visitor import enter

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1200)]
OWNED = ("owner?split=dev", "owner/jobs", "owner/feedback", "owner/judges", "owner/disputes", "owner/rubrics")
BESIDE = ("access", "exposure")
expect.set_options(timeout=PATIENCE)


async def test_an_owner_needs_neither_scripts_nor_a_pointer(has_chromium: None, service: Service) -> None:
    gallery = await furnished(service)
    lab = gallery.callers["lab"]
    problem = (await lab.problems("rivers", "dev"))[0]["id"]
    reason = {"reason": "A river of two kilometres falls by one metre, so the answer is B."}
    (await lab.post(f"/v1/problems/{problem}/disputes", json=reason)).raise_for_status()
    owner = await enter(service, "olga@example.org", "owners")
    async with listening(service.app) as port, browsing() as browser:
        base = f"http://127.0.0.1:{port}"
        cookies: list[Any] = [{"name": "heldout_session", "value": owner.session(), "url": base}]
        context = await browser.new_context(java_script_enabled=False)
        context.set_default_timeout(PATIENCE)
        await context.add_cookies(cookies)
        page = await context.new_page()
        left = {}
        for path in (*(f"/b/rivers/{name}" for name in OWNED + BESIDE), "/packs", "/review/rivers", "/account/keys"):
            await page.goto(base + path)
            left[path] = await unreachable(page)
        assert {path: names for path, names in left.items() if names} == {}
        await page.goto(f"{base}/b/rivers/owner/disputes")
        await expect(page.locator("main")).to_contain_text("so the answer is B")
        await typed(page, page.get_by_label("Your answer"), "You are right, 1.0.1 will say so.")
        await pressed(page, page.get_by_role("button", name="Accept"))
        await expect(page.locator("main")).to_contain_text("accepted")
        raised = (await lab.get("/v1/disputes")).raise_for_status().json()["items"][0]
        assert (raised["state"], raised["answer"]) == ("accepted", "You are right, 1.0.1 will say so.")
        await page.goto(f"{base}/b/rivers/owner/jobs")
        await reached(page, page.locator("#delete summary"))
        await page.keyboard.press("Enter")
        await typed(page, page.get_by_label("Reason; everybody reads it"), "Another benchmark took its place.")
        await typed(page, page.get_by_label("to confirm"), "rivers")
        await pressed(page, page.get_by_role("button", name="Delete for good"))
        await service.work()
        await page.goto(f"{base}/b/rivers")
        await expect(page.locator("main")).to_contain_text("Another benchmark took its place.")
