"""A person with a browser: sign in, accept the agreement, make a key, submit with it, be on the leaderboard.

Scripts are off: every page works without them. HELDOUT_TEST_SCREENSHOTS names a folder for pictures of the pages.
"""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright, expect

import heldout
from api.accounts.service import AccountService
from api.cli.baselines.throwaway import Throwaway, throwaway
from api.core.providers import LoginProvider
from api.login.service import LoginService
from envs.browser import chromium
from heldout.models import DeviceCode
from tests.support.oidc.real import SECRET, real_provider
from tests.support.scratch import scratch
from tests.support.service import choice_pack

PATIENCE = 120_000
EMAIL = "ada@example.org"
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1200)]


@contextmanager
def _providers(folder: Path) -> Iterator[tuple[LoginProvider, ...]]:
    """The certified provider where there is node; none elsewhere, and the sign-in is by link."""
    secret = folder / "client-secret"
    secret.write_text(SECRET)
    try:
        running = real_provider("http://127.0.0.1/login/callback/real")
        with running as provider:
            yield (
                LoginProvider(
                    name="real",
                    title="Example ID",
                    issuer=provider.issuer,
                    client_id="heldout",
                    client_secret_file=secret,
                    domains=("example.org",),
                    timeout_seconds=60,
                ),
            )
    except pytest.skip.Exception:
        yield ()


@asynccontextmanager
async def _browser() -> AsyncIterator[Page]:
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    async with async_playwright() as driver:
        path = chromium.executable()
        browser = await driver.chromium.launch(executable_path=path, args=arguments, timeout=PATIENCE)
        context = await browser.new_context(java_script_enabled=False, viewport={"width": 1200, "height": 900})
        context.set_default_timeout(PATIENCE)
        try:
            yield await context.new_page()
        finally:
            await browser.close()


async def _picture(page: Page, name: str) -> None:
    folder = os.environ.get("HELDOUT_TEST_SCREENSHOTS")
    if folder:
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


async def _sign_in(page: Page, place: Throwaway, *, by_provider: bool) -> None:
    await page.goto(place.instance.address)
    await page.get_by_role("navigation", name="Account").get_by_role("link", name="Sign in").click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=PATIENCE)
    await _picture(page, "1-sign-in")
    if by_provider:
        await page.get_by_role("link", name="Continue with Example ID").click()
        await page.locator("input[name=login]").fill(EMAIL.split("@")[0])
        await page.locator("input[name=password]").fill("any")
        await page.locator("button[type=submit]").click()
        await page.locator("input[value=consent]").wait_for(state="attached")
        await page.locator("button[type=submit]").click()
    else:
        async with place.database.session() as session:
            accounts = AccountService(session, place.settings.secrets.raw("pepper"))
            user = await accounts.ensure_user(EMAIL, "ada")
            token = await LoginService(session, place.settings).make_link(user)
        await page.goto(f"{place.instance.address}/login/link?token={token}")
        await page.get_by_role("main").get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/account")


async def _make_organisation(page: Page) -> None:
    await page.get_by_label(re.compile("^Name")).fill("Lovelace Laboratory")
    await page.get_by_label(re.compile("^Short name")).fill("lovelace")
    await page.get_by_role("button", name="Create", exact=True).click()
    await page.wait_for_url("**/o/lovelace")
    await _picture(page, "2-organisation")


async def _accept(page: Page, address: str) -> None:
    await page.goto(f"{address}/b/quiz")
    await page.get_by_role("link", name="Accept the agreement").click()
    await page.get_by_label("Your full name").fill("Ada Lovelace")
    await page.get_by_role("checkbox").check()
    await _picture(page, "3-agreement")
    await page.get_by_role("button", name="Accept", exact=True).click()
    await expect(page.get_by_text("by Ada Lovelace on")).to_be_visible(timeout=PATIENCE)


async def _make_key(page: Page) -> str:
    await page.get_by_role("link", name="Keys").click()
    await page.get_by_label("Purpose").fill("the journey")
    await page.get_by_role("button", name="Create key").click()
    key = await page.locator("code.key").inner_text()
    await _picture(page, "4-key")
    return key


def _submit(address: str, key: str) -> float | None:
    with heldout.Client(base_url=address, api_key=key, benchmark="quiz") as client:
        answers = {problem.id: "ANSWER: A" for problem in client.get_problems(split="dev")}
        return client.submit(answers, model="journey-model", split="dev").wait(timeout=600).score


async def _connect(page: Page, address: str) -> str:
    """`heldout login` in another thread, and its approval in the browser."""
    shown: asyncio.Queue[DeviceCode] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def show(code: DeviceCode) -> None:
        loop.call_soon_threadsafe(shown.put_nowait, code)

    def log_in() -> str:
        with heldout.Client(base_url=address, api_key=None) as client:
            return client.login(show).organisation

    waiting = asyncio.create_task(asyncio.to_thread(log_in))
    code = await asyncio.wait_for(shown.get(), 120)
    await page.goto(code.verification_uri_complete)
    await _picture(page, "6-device")
    await page.get_by_role("button", name="Yes, it does").click()
    await expect(page.get_by_text(code.user_code)).to_be_visible(timeout=PATIENCE)
    await _picture(page, "7-device-decide")
    await page.get_by_role("button", name="Connect", exact=True).click()
    await expect(page.get_by_role("heading", name="Connected")).to_be_visible(timeout=PATIENCE)
    return await asyncio.wait_for(waiting, 500)


async def test_from_the_sign_in_to_the_leaderboard(
    has_chromium: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELDOUT_CONFIG_DIR", str(tmp_path / "config"))
    pack = choice_pack(count=12, agreement=True)
    with _providers(tmp_path) as providers:
        async with throwaway(pack, login_providers=providers, place=scratch()) as place, _browser() as page:
            address = place.instance.address
            await _sign_in(page, place, by_provider=bool(providers))
            await _make_organisation(page)
            if providers:
                await page.get_by_role("button", name="Verify with your address at example.org").click()
                await expect(page.get_by_text("verified by example.org")).to_be_visible(timeout=PATIENCE)
            await _accept(page, address)
            key = await _make_key(page)
            assert await asyncio.to_thread(_submit, address, key) == 0.5
            await page.goto(f"{address}/b/quiz?split=dev")
            row = page.get_by_role("row").filter(has_text="journey-model")
            await expect(row).to_contain_text("Lovelace Laboratory", timeout=PATIENCE)
            await _picture(page, "5-leaderboard")
            assert await _connect(page, address) == "lovelace"
            await page.goto(f"{address}/account")
            await _picture(page, "8-account")
            await page.get_by_role("button", name="Sign out", exact=True).click()
            await page.goto(f"{address}/account")
            assert page.url == f"{address}/login?next=%2Faccount"
