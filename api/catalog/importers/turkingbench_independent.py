"""The do-nothing score of TurkingBench worked out a second time, sharing nothing with the environment or the graders.

Templates are filled, loaded and read by plain Playwright calls in the way the published code reads them (attributes and
inner HTML, the first element of a name), and scored by a second writing of the published rules. Only the rule of
which rows belong together and the library copies are the same.
"""

import re
import string
from collections import Counter
from typing import Any

from playwright.async_api import Browser, ElementHandle, Page, Route, async_playwright
from rouge_score.rouge_scorer import RougeScorer

from api.catalog.importers.turkingbench_read import Instance, Task
from envs.browser.chromium import executable
from envs.web_forms.libraries import find, placeholder

ROUGE = RougeScorer(["rougeL"], use_stemmer=True)
EMPTY = ("nan", "{}", "'{}'", "")
TAGS = ("INPUT", "SELECT", "TEXTAREA")
# The published server's form: some pages' scripts look it up by this id, and stop where it is missing.
FORM = '<form name="mturk_form" id="mturk_form" method="post">'
BUTTONS = ("submit", "button", "image", "reset")


async def nothing_scores(pairs: list[tuple[Task, Instance]]) -> list[float]:
    """The published instance score of a participant who does nothing, in the order of `pairs`."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        try:
            return [await _instance(browser, task, instance) for task, instance in pairs]
        finally:
            await browser.close()


async def _instance(browser: Browser, task: Task, instance: Instance) -> float:
    page = await browser.new_page(viewport={"width": 1280, "height": 720})
    try:
        body = task.template
        for name, value in instance.inputs.items():
            body = body.replace("${" + name + "}", value)
        await page.route("**/*", lambda route: _serve(route, f"<!doctype html>{FORM}{body}</form>"))
        await page.goto("http://plain.test/", wait_until="load", timeout=120_000)
        return await _score(page, instance)
    finally:
        await page.close()


async def _serve(route: Route, html: str) -> None:
    address = route.request.url.split("://", 1)[1]
    copy = find(address)
    if address == "plain.test/":
        await route.fulfill(status=200, content_type="text/html; charset=utf-8", body=html)
    elif copy:
        kind = "text/css" if copy.suffix == ".css" else "text/javascript"
        await route.fulfill(status=200, content_type=kind, body=copy.read_bytes())
    elif route.request.resource_type == "image":
        await route.fulfill(status=200, content_type="image/png", body=placeholder())
    else:
        await route.fulfill(status=404, body="")


async def _score(page: Page, instance: Instance) -> float:
    scores = []
    for name, answers in instance.answers.items():
        element = await page.query_selector(f"[name={_quoted(name)}]")
        if element is None or await _attribute(element, "e => e.tagName") not in TAGS:
            continue
        kind = await _attribute(element, "e => e.tagName === 'INPUT' ? e.type : e.tagName.toLowerCase()")
        if kind in BUTTONS:
            continue
        seen = kind != "hidden" and await element.is_visible() and await _attribute(element, OPAQUE)
        golds = ["" if answer.strip() in EMPTY else _plain(answer) for answer in answers]
        if seen and not (kind in ("text", "textarea") and not any(golds)):
            scores.append(_field(kind, await _read(page, element, kind, name), golds))
    return sum(scores) / len(scores) if scores else 0.0


OPAQUE = """e => {
  for (let n = e; n; n = n.parentElement) if (getComputedStyle(n).opacity === "0") return false;
  return true;
}"""


async def _attribute(element: ElementHandle, script: str) -> Any:
    return await element.evaluate(script)


async def _read(page: Page, element: ElementHandle, kind: str, name: str) -> str:
    if kind == "textarea":
        return _plain(str(await element.evaluate("e => e.innerHTML")))
    if kind == "select":
        chosen = await element.evaluate("e => [...e.selectedOptions].map(o => o.value)")
        return _plain(chosen[0]) if chosen else ""
    if kind in ("radio", "checkbox"):
        ticked = await page.eval_on_selector_all(
            f"[name={_quoted(name)}]", "l => l.filter(e => e.checked).map(e => e.value)"
        )
        return "|".join(sorted(_plain(value) for value in ticked))
    return _plain(str(await element.evaluate("e => e.getAttribute('value') || ''")))


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _plain(value: str) -> str:
    if not re.fullmatch(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)\s*", value):
        return value
    number = float(value)
    return str(int(number)) if number == int(number) else str(number)


def _bare(value: str) -> str:
    kept = "".join(letter for letter in value.lower() if letter not in string.punctuation)
    return " ".join(kept.split())


def _field(kind: str, given: str, golds: list[str]) -> float:
    if golds in ([], [""]):
        return 1.0 if given == "" else 0.0
    if kind == "range":
        return 1.0
    if kind == "checkbox":
        return max(float(_bare("|".join(sorted(gold.split("|")))) == _bare(given)) for gold in golds)
    if kind in ("radio", "select"):
        winner = Counter(golds).most_common(1)[0][0]
        return float(_bare(winner) == _bare(given))
    filled = [gold.replace("&amp;", "&") for gold in golds if gold]
    given = given.replace("&amp;", "&")
    return max(1.0 if gold == given else ROUGE.score(gold, given)["rougeL"].fmeasure for gold in filled)
