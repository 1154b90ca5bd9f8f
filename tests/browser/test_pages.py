"""Every page in a real browser: axe-core finds nothing serious, nothing is wider than its window, scripts are spare.

HELDOUT_TEST_SCREENSHOTS names a folder for pictures in four widths and both schemes.
"""

import os
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute, iter_route_contexts
from playwright.async_api import Browser, Page, async_playwright, expect
from starlette.routing import compile_path

from api.core.settings import Settings
from api.hosting.server import Host
from envs.browser import chromium
from tests.integration.test_rubrics import done, judged, listed, owner_of, physics
from tests.support.by_keys import pressed, typed
from tests.support.containers import AGENT, begun, bundle, ended, uploaded
from tests.support.crowd import crowded
from tests.support.gallery import Gallery, furnished
from tests.support.listening import listening
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.visitor import enter

PATIENCE = 120_000
AXE = Path(__file__).parent / "axe" / "axe.min.js"
WIDTHS = (390, 768, 1200, 1600)
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1200)]
expect.set_options(timeout=PATIENCE)


@asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium.executable(), args=arguments, timeout=PATIENCE)
        try:
            yield browser
        finally:
            await browser.close()


def addresses(gallery: Gallery) -> dict[str, str]:
    """Every page that can be read without an account, by a name for its pictures."""
    runs = gallery.runs
    compared = "&".join(f"entry={runs[name]}" for name in ("alba-large", "alba-small", "cirrus"))
    return {
        "front": "/",
        "front-search": "/?search=river",
        "board": "/b/rivers?split=test",
        "board-open": "/b/rivers?split=dev",
        "board-earlier": "/b/rivers?split=test&version=1.0.0",
        "board-filtered": "/b/rivers?split=dev&search=cirrus&columns=score&columns=cost&sort=cost&order=asc",
        "compare": f"/b/rivers/compare?split=dev&{compared}",
        "regrades": "/b/rivers/regrades",
        "ratings": "/b/rivers/ratings",
        "problems": "/b/rivers/problems?split=dev",
        "problem": "/b/rivers/problems/dev/1",
        "submission": f"/s/{runs['cirrus']}",
        "model": "/m/lab/alba-large",
        "organisation": "/o/team",
        "agreement-board": "/b/quiz",
        "overall": "/overall/agentbench",
        "login": "/login",
        "login-link": "/login/link?token=none",
        "interface": "/docs",
        "missing": "/no/such/page",
    }


REFUSED = {"missing": 404, "judges-refused": 409, "rubrics-refused": 409}
"""Pages that say that something is not there, or is nothing for an owner who takes part."""


async def findings(page: Page) -> list[str]:
    """What axe-core calls serious or critical on the page that is shown."""
    await page.add_script_tag(path=AXE)
    found: dict[str, Any] = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{item['id']}: {node['target']} {node.get('failureSummary', '')}"
        for item in found["violations"]
        if item["impact"] in ("serious", "critical")
        for node in item["nodes"][:4]
    ]


# They are examined where they are made, in test_owner_journey.py.
AFTER_A_JOURNEY = {"/packs/{pack}", "/b/{slug}/owner/jobs/{job}"}
# It needs a judge, and is examined below.
WITH_A_JUDGE = {"/b/{slug}/owner/rubrics/{rubric}"}


def unseen(service: Service, paths: Iterable[str]) -> set[str]:
    """Routes of pages that none of the addresses leads to: a new page is to be examined, too."""
    pages = {
        context.path or "": compile_path(context.path or "")[0]
        for context in iter_route_contexts(service.app.routes)
        if isinstance(route := context.original_route, APIRoute)
        and "GET" in (route.methods or ())
        and route.response_class is HTMLResponse
    }
    assert len(pages) > 25
    asked = [path.partition("?")[0] for path in paths]
    reached = {next((name for name, pattern in pages.items() if pattern.match(path)), "") for path in asked}
    return set(pages) - reached


async def examined(browser: Browser, base: str, pages: dict[str, str], cookies: list[Any]) -> dict[str, list[str]]:
    """Faults of each page by its name: axe's, sideways scrolling, another page than the one that was asked for.

    axe looks at the widest page in the light scheme, and at a telephone's in the dark one.
    """
    faults: dict[str, list[str]] = {}
    folder = os.environ.get("HELDOUT_TEST_SCREENSHOTS")
    for scheme in ("light", "dark"):
        context = await browser.new_context(color_scheme=scheme, bypass_csp=True)
        context.set_default_timeout(PATIENCE)
        await context.add_cookies(cookies)
        page = await context.new_page()
        for name, path in pages.items():
            found = faults.setdefault(name, [])
            response = await page.goto(base + path)
            status = response.status if response else 0
            found += [f"{scheme}: it is a {status}"] if status != REFUSED.get(name, 200) else []
            for width in sorted(WIDTHS, reverse=scheme == "dark"):
                await page.set_viewport_size({"width": width, "height": 900})
                wide = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
                found += [f"{scheme} {width}: {wide} pixels wider than the window"] if wide > 0 else []
                if folder:
                    await page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png", full_page=True)
            found += [f"{scheme}: {text}" for text in await findings(page)]
        await context.close()
    return {name: found for name, found in faults.items() if found}


async def test_public_pages_have_no_serious_fault(has_chromium: None, service: Service) -> None:
    gallery = await furnished(service)
    await crowded(gallery)
    async with listening(service.app) as port, browsing() as browser:
        assert await examined(browser, f"http://127.0.0.1:{port}", addresses(gallery), []) == {}


async def test_pages_of_an_account_and_an_episode_have_no_serious_fault(
    has_chromium: None, settings: Settings, service: Service
) -> None:
    gallery = await furnished(service)
    await crowded(gallery)
    await service.publish(echo_pack())
    await enter(service, "lab@example.org", "owners")
    member = await enter(service, "lab@example.org", operator=True)
    await member.fill("/o/owners", "/o/owners/invitations", {"role": "member"})
    container = await uploaded(gallery.callers["lab"], bundle({"agent.py": AGENT.read_text()}))
    stopped = await begun(gallery.callers["lab"], container, "echo words; exit 3", "dev", benchmark="rivers")
    assert (await ended(service, gallery.callers["lab"], stopped))["state"] == "stopped"
    waiting = await begun(gallery.callers["lab"], container, "python3 agent.py", "test", benchmark="rivers")
    invited = re.search(r"/invite\?token=[\w-]+", member.page)
    async with Host.running(settings), listening(service.app) as port, browsing() as browser:
        player = Player(gallery.callers["lab"])
        episode = (await player.opened((await player.episodes())[0]))["id"]
        for number, words in enumerate(("hello", "how are you?"), start=1):
            await player.said(episode, number, words)
        base = f"http://127.0.0.1:{port}"
        cookies = [{"name": "heldout_session", "value": member.session(), "url": base}]
        pages = {
            "account": "/account",
            "keys": "/account/keys",
            "invite": invited[0] if invited else "",
            "owner": "/b/rivers/owner?split=dev",
            "owner-hidden": "/b/rivers/owner?split=dev&hidden=true",
            "owner-jobs": "/b/rivers/owner/jobs",
            "feedback": "/b/rivers/owner/feedback",
            "judges-refused": "/b/rivers/owner/judges",
            "disputes-none": "/b/rivers/owner/disputes",
            "rubrics-refused": "/b/rivers/owner/rubrics",
            "access": "/b/quiz/access",
            "exposure": "/b/rivers/exposure",
            "packs-none": "/packs",
            "usage": "/account/usage",
            "runs": "/account/runs",
            "run-stopped": f"/account/runs/{stopped['id']}",
            "run-waiting": f"/account/runs/{waiting['id']}",
            "delete": "/account/delete",
            "organisation-member": "/o/lab",
            "operator": "/operator",
            "service": "/operator/service",
            "device": "/device",
            "review": "/review/rivers",
            "agreement": "/b/quiz/agreement",
            "board-signed-in": "/b/rivers?split=test",
            "submission-own": f"/s/{gallery.runs['alba-small']}",
            "episode": f"/t/{episode}",
        }
        assert unseen(service, [*addresses(gallery).values(), *pages.values()]) == AFTER_A_JOURNEY | WITH_A_JUDGE
        assert await examined(browser, base, pages, cookies) == {}


async def test_pages_of_rubrics_have_no_serious_fault_and_keys_are_enough(
    has_chromium: None, settings: Settings
) -> None:
    """Drafted, edited, approved, by the keyboard alone and without a script."""
    async with judged(settings) as (service, _server):
        await service.publish(physics())
        owner = await owner_of(service)
        for ask in ({}, {"problems": ["speed", "energy"]}):
            await done(service, owner, job="draft_rubrics", **ask)
        rows = await listed(owner)
        member = await enter(service, "olga@example.org", "owners")
        async with listening(service.app) as port, browsing() as browser:
            base = f"http://127.0.0.1:{port}"
            cookies: list[Any] = [{"name": "heldout_session", "value": member.session(), "url": base}]
            place = "/b/physics/owner/rubrics"
            pages = {"judges": "/b/physics/owner/judges", "rubrics": place} | {
                f"rubric-{name}": f"{place}/{row['id']}" for name, row in rows.items()
            }
            assert await examined(browser, base, pages, cookies) == {}
            context = await browser.new_context(java_script_enabled=False)
            context.set_default_timeout(PATIENCE)
            await context.add_cookies(cookies)
            page = await context.new_page()
            await page.goto(base + pages["rubric-speed"])
            await typed(page, page.get_by_label("Total"), "9")
            await typed(page, page.get_by_label("Points").first, "5")
            await pressed(page, page.get_by_role("button", name="Keep these criteria"))
            await expect(page.get_by_label("Total")).to_have_value("9")
            await pressed(page, page.get_by_role("button", name="I have read it: approve"))
            await expect(page.locator("main")).to_contain_text("approved")
            assert (await listed(owner))["speed"]["state"] == "approved"


async def test_an_episode_is_watched_and_played_back(has_chromium: None, settings: Settings, service: Service) -> None:
    """Steps appear as they are taken, without a reload; keys and buttons go through them."""
    player = Player(await service.reader())
    await service.publish(echo_pack())
    member = await enter(service, "ada@example.org")
    async with Host.running(settings), listening(service.app) as port, browsing() as browser:
        episode = (await player.opened((await player.episodes())[0]))["id"]
        base = f"http://127.0.0.1:{port}"
        context = await browser.new_context()
        context.set_default_timeout(PATIENCE)
        await context.add_cookies([{"name": "heldout_session", "value": member.session() or "", "url": base}])
        page = await context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: faults.append(request.url) if not request.url.startswith(base) else None)
        await page.goto(f"{base}/t/{episode}")
        await expect(page.locator("#step-0")).to_be_visible()
        await player.said(episode, 1, "<i>first</i>")
        await expect(page.locator("#step-1 .action")).to_contain_text("<i>first</i>")
        await player.finish(episode)
        await expect(page.locator("#state")).to_have_text("over")
        await page.keyboard.press("j")
        await page.keyboard.press("j")
        await expect(page.locator("#step-1")).to_have_class("step current")
        await page.get_by_role("button", name="Back").click()
        await expect(page.locator("#step-0")).to_have_class("step current")
        assert faults == []
