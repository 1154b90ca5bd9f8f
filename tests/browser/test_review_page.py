"""Reviewers with a browser: formulas rendered, points clicked and typed, blind to the model, a third where two differ.

HELDOUT_TEST_SCREENSHOTS names a folder for pictures of the page.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import BrowserContext, ConsoleMessage, Page, Response, async_playwright, expect

import heldout
from api.accounts.models import MemberRole, Scope
from api.accounts.service import AccountService
from api.cli.baselines.throwaway import Throwaway, throwaway
from envs.browser import chromium
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine

PATIENCE = 120_000
MODEL = "a-model-nobody-may-know"
ANSWER = r"By $\int_0^1 x\,dx = \tfrac12$ we are <b>done</b>."
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1200)]


def proofs() -> Pack:
    """One proof with a rubric of two criteria, the second of which needs the first."""
    criteria = [
        {"id": "idea", "points": 6, "text": r"Uses $\int$.", "full": "used", "half": "hinted", "none": "absent"},
        {"id": "end", "points": 4, "text": "Draws the conclusion.", "requires": ["idea"]},
    ]
    solution = r"We have \[\int_0^1 x\,dx = \frac12.\]"
    reference = {"kind": "rubric", "rubric": {"criteria": criteria}, "solution": solution}
    head = {
        "slug": "proofs",
        "title": "Proofs",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "c",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"test": {"visibility": "test", "feedback": "aggregate"}},
    }
    statement = r"Prove that $\int_0^1 x\,dx = \frac12$."
    problem = Problem(id="p", split="test", type="proof", subject="m", statement=statement)
    lines = (ReferenceLine(id="p", reference=reference),)
    return Pack(Path(), Benchmark.model_validate(head), (problem,), lines, {})


@dataclass
class Seen:
    """What the browser was told, and what went wrong in it."""

    bodies: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    async def keep(self, response: Response) -> None:
        self.bodies.append(await response.text())


@asynccontextmanager
async def _browser() -> AsyncIterator[BrowserContext]:
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    async with async_playwright() as driver:
        path = chromium.executable()
        browser = await driver.chromium.launch(executable_path=path, args=arguments, timeout=PATIENCE)
        context = await browser.new_context(viewport={"width": 1200, "height": 1000})
        context.set_default_timeout(PATIENCE)
        try:
            yield context
        finally:
            await browser.close()


async def _reviewer_key(place: Throwaway, name: str) -> str:
    async with place.database.session() as session:
        accounts = AccountService(session, place.settings.secrets.raw("pepper"))
        user = await accounts.ensure_user(f"{name}@example.org", name)
        owners = await accounts.ensure_organisation("owners")
        await accounts.ensure_member(user, owners, MemberRole.MEMBER)
        return (await accounts.create_key(user.id, owners.id, "reviewing", [Scope.REVIEWS_WRITE]))[1]


async def _begin(context: BrowserContext, place: Throwaway, name: str, seen: Seen) -> Page:
    """A tab of a reviewer's own, with the answer that waits."""
    page = await context.new_page()
    seen.watch(page)
    await page.goto(f"{place.instance.address}/review/proofs")
    await page.get_by_label("Your API key").fill(await _reviewer_key(place, name))
    async with page.expect_response("**/v1/reviews/claim") as claimed:
        await page.get_by_role("button", name="Begin").click()
    await seen.keep(await claimed.value)
    await expect(page.get_by_role("heading", name="Problem")).to_be_visible(timeout=PATIENCE)
    seen.bodies.append(await page.content())
    return page


async def _until_sent(page: Page) -> None:
    await expect(page.get_by_role("alert")).to_contain_text("Nothing waits for you here", timeout=PATIENCE)
    await expect(page.locator("#sheet")).to_be_hidden(timeout=PATIENCE)


async def _picture(page: Page, name: str) -> None:
    folder = os.environ.get("HELDOUT_TEST_SCREENSHOTS")
    if folder:
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def _submit(place: Throwaway) -> str:
    with heldout.Client(base_url=place.instance.address, api_key=place.key, benchmark="proofs") as client:
        answers = {problem.id: ANSWER for problem in client.get_problems(split="test")}
        return str(client.submit(answers, model=MODEL, split="test").id)


async def _verdict(place: Throwaway, submission: str) -> Any:
    deadline = asyncio.get_running_loop().time() + 300
    while True:
        row = (await place.verdicts(submission))["p"]
        if row.score is not None or asyncio.get_running_loop().time() > deadline:
            return row
        await asyncio.sleep(0.2)


async def _by_mouse(context: BrowserContext, place: Throwaway, seen: Seen) -> None:
    page = await _begin(context, place, "one", seen)
    for name in ("statement", "answer", "solution", "criteria"):
        await expect(page.locator(f"#{name} .katex").first).to_be_visible(timeout=PATIENCE)
    assert await page.locator(".katex-error").count() == 0
    await expect(page.locator("#answer")).to_contain_text("<b>done</b>", timeout=PATIENCE)
    send = page.get_by_role("button", name="Send")
    rows = page.locator("#criteria tr")
    await expect(rows.nth(1).get_by_role("button", name="half")).to_have_count(0, timeout=PATIENCE)
    await rows.nth(0).get_by_role("button", name="full").click()
    await expect(page.locator("#points")).to_contain_text("6 of 10 points", timeout=PATIENCE)
    await expect(send).to_be_disabled(timeout=PATIENCE)
    await rows.nth(1).get_by_role("button", name="none").click()
    await _picture(page, "review")
    await send.click()
    await _until_sent(page)


async def _by_keys(context: BrowserContext, place: Throwaway, seen: Seen, name: str, keys: list[str]) -> None:
    """Give the answer back once, take it again, then type the credits."""
    page = await _begin(context, place, name, seen)
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("alert")).to_contain_text("Given back", timeout=PATIENCE)
    await page.get_by_role("button", name="Begin").click()
    await expect(page.locator("#criteria tr").first).to_have_class("current", timeout=PATIENCE)
    await page.get_by_role("button", name="Begin").wait_for(state="hidden")
    for key in keys:
        await page.keyboard.press(key)
    await expect(page.locator("#criteria button[aria-pressed=true]")).to_have_count(2, timeout=PATIENCE)
    await page.keyboard.press("Enter")
    await _until_sent(page)


async def test_three_reviewers_settle_an_answer_on_the_page(has_chromium: None) -> None:
    seen = Seen()
    async with throwaway(proofs()) as place, _browser() as context:
        submission = await asyncio.to_thread(_submit, place)
        assert await place.until_graded(submission, 300) == "awaiting_review"
        await _by_mouse(context, place, seen)
        # A criterion without half credit takes no 5; the arrow goes back up to change the first.
        await _by_keys(context, place, seen, "two", ["0", "5", "1", "ArrowUp", "0"])
        assert (await place.verdicts(submission))["p"].score is None, "two differ: a third is asked"
        await _by_keys(context, place, seen, "three", ["5", "0"])
        assert (await _verdict(place, submission)).score == 0.3
    assert seen.errors == []
    assert len(seen.bodies) == 6
    assert not any(MODEL in body or "participant" in body.lower() for body in seen.bodies)
