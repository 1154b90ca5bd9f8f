"""TurkingBench's do-nothing score worked out a second time: pandas and lxml, straight from the published files.

Shares no code with the importer, the environment and the graders; only the files that stand for libraries are the same.
A template is filled and loaded by plain Playwright calls, the loaded page's state is written into its source, and
the source is read as the published code reads the page: the first element of a name, attributes and inner text.
"""

import re
import string
from collections import Counter
from pathlib import Path
from typing import Any

import lxml.html
import pandas as pd
from playwright.async_api import Browser, Route, async_playwright
from rouge_score.rouge_scorer import RougeScorer

from envs.browser.chromium import executable
from envs.web_forms.libraries import find, placeholder

ROUGE = RougeScorer(["rougeL"], use_stemmer=True)
NOTHING = ("nan", "{}", "'{}'", "")
BUTTONS = ("submit", "button", "image", "reset")
HOUSEKEEPING = ("csrfmiddlewaretoken", "worker_ip", "ee", "submit")
# The published server's form: some pages' scripts look it up by this id, and stop where it is missing.
FORM = '<!doctype html><form name="mturk_form" id="mturk_form" method="post">{}</form>'
# What the source does not say of a loaded page: what is displayed, ticked and chosen.
INK = """() => {
  const shown = (field) => {
    const { width, height } = field.getBoundingClientRect();
    if (!width || !height || getComputedStyle(field).visibility !== "visible") return false;
    for (let node = field; node; node = node.parentElement) {
      const style = getComputedStyle(node);
      if (style.display === "none" || style.opacity === "0") return false;
    }
    return true;
  };
  for (const field of document.querySelectorAll("input, select, textarea")) {
    field.dataset.shown = shown(field);
    if (field.checked) field.dataset.ticked = "yes";
    for (const option of field.selectedOptions || []) option.dataset.ticked = "yes";
  }
}"""


async def nothing_scores(source: Path, chosen: dict[str, list[int]]) -> dict[str, list[float]]:
    """The published instance scores of a participant who does nothing: of each task's `chosen` distinct inputs.

    `source` holds `tasks/<name>/{template.html,batch.csv}`; an input's number is its place among the distinct ones.
    """
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        try:
            return {name: await _task(browser, source / "tasks" / name, chosen[name]) for name in chosen}
        finally:
            await browser.close()


async def _task(browser: Browser, folder: Path, places: list[int]) -> list[float]:
    if not places:
        return []
    template = (folder / "template.html").read_text(encoding="utf-8-sig", errors="replace")
    batch = pd.read_csv(folder / "batch.csv", dtype=str, keep_default_na=False, encoding="utf-8-sig")
    inputs = [name for name in batch.columns if not name.startswith("Answer.")]
    number = batch.groupby(inputs, sort=False, dropna=False).ngroup()
    return [await _instance(browser, template, batch[number == place], inputs) for place in places]


async def _instance(browser: Browser, template: str, rows: pd.DataFrame, inputs: list[str]) -> float:
    body = template
    for name in inputs:
        body = body.replace("${" + name + "}", rows[name].iloc[0])
    # The library copies are of other versions than the digests on the pages are for.
    body = re.sub(r"integrity=[\"']sha\d+-[^\"']*[\"']", "", body)
    loaded = lxml.html.document_fromstring(await _loaded(browser, FORM.format(body)))
    answers = {name.removeprefix("Answer."): rows[name].tolist() for name in rows.columns if name not in inputs}
    scores = [score for name, golds in answers.items() if (score := _field(loaded, name, golds)) is not None]
    return sum(scores) / len(scores) if scores else 0.0


async def _loaded(browser: Browser, html: str) -> str:
    page = await browser.new_page(viewport={"width": 1280, "height": 720})
    try:
        await page.route("**/*", lambda route: _serve(route, html))
        await page.goto("http://plain.test/", wait_until="load", timeout=600_000)
        await page.evaluate(INK)
        return await page.content()
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


def _field(loaded: Any, name: str, answers: list[str]) -> float | None:
    """Score of one answer column; None where the published code does not count it."""
    named = loaded.xpath("//*[@name=$name]", name=name)
    if not named or named[0].tag not in ("input", "select", "textarea") or name in HOUSEKEEPING:
        return None
    first = named[0]
    kind = first.get("type", "text").lower() if first.tag == "input" else first.tag
    if kind in BUTTONS or kind == "hidden" or first.get("data-shown") != "true":
        return None
    golds = ["" if answer.strip() in NOTHING else _plain(answer) for answer in answers]
    if kind in ("text", "textarea") and not any(golds):
        return None
    return _score(kind, _given(kind, named), golds)


def _given(kind: str, named: list[Any]) -> str:
    first = named[0]
    if kind == "textarea":
        return _plain(first.text_content())
    if kind == "select":
        chosen = first.xpath(".//option[@data-ticked]")
        return _plain(chosen[0].get("value", chosen[0].text_content())) if chosen else ""
    if kind in ("radio", "checkbox"):
        return "|".join(sorted(_plain(one.get("value", "on")) for one in named if one.get("data-ticked")))
    return _plain(first.get("value", ""))


def _plain(value: str) -> str:
    """A number as Python prints it, an integral one without its fraction."""
    try:
        number = float(value)
        return str(int(number)) if number == int(number) else str(number)
    except (ValueError, OverflowError):
        return value


def _bare(value: str) -> str:
    kept = "".join(letter for letter in value.lower() if letter not in string.punctuation)
    return " ".join(kept.split())


def _score(kind: str, given: str, golds: list[str]) -> float:
    if golds == [""]:
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
