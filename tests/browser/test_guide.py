"""The documentation in a real browser, under the policy that it is served with: read, searched, on a small screen."""

import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from fastapi import FastAPI
from playwright.async_api import Page, expect

from tests.browser.test_pages import PATIENCE, browsing, findings
from tests.support.guide import guide, guide_app
from tests.support.listening import listening

__all__ = ["guide", "guide_app"]
PAGES = ("index", "tutorials/owner", "configuration")
WIDTHS = (390, 1280)
# As the theme calls them.
SCHEMES = {"light": "default", "dark": "slate"}
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1200)]


@asynccontextmanager
async def reading(
    app: FastAPI, scheme: str = "light", *, axe: bool = False
) -> AsyncIterator[tuple[Page, str, list[str]]]:
    """A page, the site's address, and what goes wrong: errors, refusals, requests to another host."""
    async with listening(app) as port, browsing() as browser:
        base = f"http://127.0.0.1:{port}/guide/"
        # axe is a script of ours that stands in the page.
        context = await browser.new_context(color_scheme="dark" if scheme == "dark" else "light", bypass_csp=axe)
        context.set_default_timeout(PATIENCE)
        page, wrong = await context.new_page(), list[str]()
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith((base, "data:")) else wrong.append(asked.url))
        yield page, base, wrong


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_pages_have_no_serious_fault(has_chromium: None, guide_app: FastAPI, scheme: str) -> None:
    faults: list[str] = []
    pictures = os.environ.get("HELDOUT_TEST_SCREENSHOTS")
    async with reading(guide_app, scheme, axe=True) as (page, base, wrong):
        for name in PAGES:
            for width in WIDTHS:
                await page.set_viewport_size({"width": width, "height": 900})
                await page.goto(f"{base}{name}.html")
                await expect(
                    page.locator(f'body[data-md-color-scheme="{"slate" if scheme == "dark" else "default"}"]')
                ).to_be_attached()
                wide = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
                faults += [f"{name} {width}: {wide} pixels wider than the window"] if wide > 0 else []
                faults += [f"{name} {width}: {text}" for text in await findings(page)]
                if pictures:
                    await page.screenshot(path=Path(pictures) / f"guide-{name.replace('/', '-')}-{width}-{scheme}.png")
    assert (faults, wrong) == ([], [])


async def test_the_search_finds_a_setting_and_nothing_is_refused(has_chromium: None, guide_app: FastAPI) -> None:
    """Also where a new release of the theme shows that the policy does not know its search's style."""
    async with reading(guide_app) as (page, base, wrong):
        await page.set_viewport_size({"width": 1280, "height": 900})
        await page.goto(base)
        await page.locator(".md-search__button").click()
        await page.get_by_placeholder("Search").fill("HELDOUT_PACK_BYTES")
        found = page.get_by_role("option").filter(has_text="What happens to an upload")
        await expect(found).to_be_visible()
        await found.click()
        await expect(page).to_have_url(re.compile(r"/guide/owners\.html"))
        await expect(page.locator("h1")).to_contain_text("Bringing a benchmark")
    assert wrong == []
