"""Reviewers with a browser: signed in, pictures and formulas, by mouse, keys and without scripts; a third decides.

HELDOUT_TEST_SCREENSHOTS names a folder for pictures of the page.
"""

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, expect

import heldout
from api.accounts.models import MemberRole
from api.accounts.service import AccountService
from api.cli.baselines.throwaway import Throwaway, throwaway
from api.login.service import LoginService
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Image, Problem, ReferenceLine
from tests.browser.test_pages import AXE, PATIENCE, browsing
from tests.support.gallery import drawing
from tests.support.scratch import scratch

SERIOUS = """axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
  .filter(one => ['serious', 'critical'].includes(one.impact)).map(one => one.id + one.nodes[0].target))"""
MODEL = "a-model-nobody-may-know"
ANSWER = r"By $\int_0^1 x\,dx = \tfrac12$ we are <b>done</b>."
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1200)]


def proofs(picture: Path) -> Pack:
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
    images = (Image(path="area.png", alt="the area under a line"),)
    problem = Problem(id="p", split="test", type="proof", subject="m", statement=statement, images=images)
    lines = (ReferenceLine(id="p", reference=reference),)
    return Pack(Path(), Benchmark.model_validate(head), (problem,), lines, {"area.png": picture})


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


async def _link(place: Throwaway, name: str) -> str:
    """What signs a member of the owner's organisation in."""
    async with place.database.session() as session:
        accounts = AccountService(session, place.settings.secrets.raw("pepper"))
        user = await accounts.ensure_user(f"{name}@example.org", name)
        owners = await accounts.ensure_organisation("owners")
        await accounts.ensure_member(user, owners, MemberRole.MEMBER)
        token = await LoginService(session, place.settings).make_link(user)
    return f"{place.instance.address}/login/link?token={token}"


async def _begin(browser: Browser, place: Throwaway, name: str, seen: Seen, *, scripts: bool = True) -> Page:
    """A browser of a reviewer's own, signed in, with the answer that waits."""
    context = await browser.new_context(viewport={"width": 1200, "height": 1000}, java_script_enabled=scripts)
    context.set_default_timeout(PATIENCE)
    page = await context.new_page()
    seen.watch(page)
    await page.goto(await _link(place, name))
    await page.get_by_role("main").get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/account")
    await page.goto(f"{place.instance.address}/review/proofs")
    await _take(page, seen)
    return page


async def _take(page: Page, seen: Seen) -> None:
    await page.get_by_role("button", name="Take the next answer").click()
    await expect(page.get_by_role("heading", name="Problem")).to_be_visible(timeout=PATIENCE)
    seen.bodies.append(await page.content())


async def _until_sent(page: Page) -> None:
    await expect(page.get_by_role("status")).to_contain_text("Nothing waits for you here", timeout=PATIENCE)
    await expect(page.locator("#sheet")).to_have_count(0, timeout=PATIENCE)


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


async def _by_mouse(browser: Browser, place: Throwaway, seen: Seen) -> None:
    page = await _begin(browser, place, "one", seen)
    for name in ("statement", "answer", "solution", "criteria"):
        await expect(page.locator(f"#{name} .katex").first).to_be_visible(timeout=PATIENCE)
    assert await page.locator(".katex-error").count() == 0
    await expect(page.locator("#answer")).to_contain_text("<b>done</b>", timeout=PATIENCE)
    drawn = page.get_by_role("img", name="the area under a line")
    await expect(drawn).to_be_visible(timeout=PATIENCE)
    assert await drawn.evaluate("picture => picture.naturalWidth") == 480
    send = page.get_by_role("button", name="Send")
    rows = page.locator(".criterion")
    await expect(rows.nth(1).get_by_label("half")).to_have_count(0, timeout=PATIENCE)
    await rows.nth(0).get_by_label("full").check()
    await expect(page.locator("#points")).to_contain_text("6 of 10 points", timeout=PATIENCE)
    await expect(send).to_be_disabled(timeout=PATIENCE)
    await rows.nth(1).get_by_label("none").check()
    await _picture(page, "review-sheet")
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    assert await page.evaluate(SERIOUS) == []
    await send.click()
    await _until_sent(page)


async def _without_scripts(browser: Browser, place: Throwaway, seen: Seen) -> None:
    page = await _begin(browser, place, "two", seen, scripts=False)
    await expect(page.locator("#statement")).to_contain_text(r"\int_0^1", timeout=PATIENCE)
    await page.get_by_role("button", name="Return to the queue").click()
    await _take(page, seen)
    await page.get_by_role("group").nth(0).get_by_label("none").check()
    await page.get_by_role("group").nth(1).get_by_label("full").check()
    await page.get_by_role("button", name="Send").click()
    await _until_sent(page)


async def _by_keys(browser: Browser, place: Throwaway, seen: Seen, name: str, keys: list[str]) -> None:
    """Give the answer back once, take it again, then type the credits."""
    page = await _begin(browser, place, name, seen)
    await expect(page.locator(".criterion").first).to_have_class("criterion current", timeout=PATIENCE)
    await expect(page.get_by_text("third opinion")).to_be_visible()
    await page.keyboard.press("Escape")
    await _take(page, seen)
    await expect(page.locator(".criterion").first).to_have_class("criterion current", timeout=PATIENCE)
    for key in keys:
        await page.keyboard.press(key)
    await expect(page.locator(".criterion input:checked")).to_have_count(2, timeout=PATIENCE)
    await page.keyboard.press("Enter")
    await _until_sent(page)
    await expect(page.locator("#progress")).to_contain_text("graded by you")


async def test_three_reviewers_settle_an_answer_on_the_page(has_chromium: None, tmp_path: Path) -> None:
    seen = Seen()
    (tmp_path / "area.png").write_bytes(drawing())
    async with throwaway(proofs(tmp_path / "area.png"), place=scratch()) as place, browsing() as browser:
        submission = await asyncio.to_thread(_submit, place)
        assert await place.until_graded(submission, 300) == "awaiting_review"
        await _by_mouse(browser, place, seen)
        await _without_scripts(browser, place, seen)
        assert (await place.verdicts(submission))["p"].score is None, "two differ: a third is asked"
        # A criterion without half credit takes no 5; the arrow goes back up to change the first.
        await _by_keys(browser, place, seen, "three", ["0", "5", "1", "ArrowUp", "5", "0"])
        assert (await _verdict(place, submission)).score == 0.3
    assert seen.errors == []
    assert len(seen.bodies) == 5
    assert not any(MODEL in body or "participant" in body.lower() for body in seen.bodies)
