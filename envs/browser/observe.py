"""What a participant sees of a browser session, in the paper's modes."""

import asyncio
import base64
from typing import Any

from playwright.async_api import Dialog
from pydantic import JsonValue

from envs.base import Observation
from envs.browser import marks, snapshot, tree
from envs.browser.session import BrowserSession
from envs.browser.spec import LONGEST_TEXT

LONGEST_TITLE = 200
HIGHEST_PICTURE = 10_000


async def observe(
    session: BrowserSession,
    mode: str = "accessibility",
    whole: bool = False,
    marked: bool = False,
    limit: int = LONGEST_TEXT,
    aside: bool = False,
) -> Observation:
    """The tab line, notes, and the page as text (`accessibility`, `html`) or as a PNG (`screenshot`).

    `limit` counts the characters of the page's text; what is cut is said. While a dialog is open the page stands still
    and only the dialog is shown. A look `aside` leaves no trace in the session, so that a replay needs not know of it:
    notes stay for the next observation, and nodes that have no number yet get none. Raises InfrastructureError and
    ActionFailed (a page that hangs).
    """
    await session.ensure_tab()
    notes = session.notes_now()
    if session.dialog:
        if not aside:
            session.forget_notes(notes)
        return _dialog(session.dialog, mode, notes)
    before = session.tab.observed
    known = before.snapshot if before else None
    looked = await session.run(snapshot.take(session.tab.cdp, accessibility=mode != "html", before=known))
    titles = await _titles(session, looked) if looked else []
    if looked is None or session.dialog:
        return await observe(session, mode, whole, marked, limit, aside)
    window = session.window(whole)
    number = session.tab.numbers.get if aside else session.numbering()
    if mode == "html":
        lines = tree.html_lines(looked, window, number)
    else:
        session.tab.observed = tree.Accessible(looked, before)
        lines = _accessible_lines(session, session.tab.observed, window, number, aside)
    if looked.left_out:
        lines.add(f"[the page has {looked.left_out} nodes, more than {snapshot.MOST_NODES}: see its screenshot]", 0)
    body, left = tree.cut(lines.lines, limit)
    url, scroll = session.tab.url, looked.scroll
    data: dict[str, JsonValue] = {
        "mode": mode,
        "notes": [*notes],
        "dialog": None,
        "url": url,
        "tabs": [{"title": title, "url": tab.url} for title, tab in zip(titles, session.tabs, strict=False)],
        "current_tab": session.tabs.index(session.tab),
        "scroll": {"x": scroll.x, "y": scroll.y, "width": scroll.width, "height": scroll.height},
        "elements": len(lines.lines),
        "cut": left,
    }
    place = f"Scrolled to {scroll.y:g} of {scroll.height:g} pixels" if scroll.height > window.height else ""
    head = [_tab_line(session, titles), f"Address: {url}", *filter(None, [place]), *notes]
    if mode != "screenshot":
        if not aside:
            session.forget_notes(notes)
        return Observation(text="\n".join([*head, "", body]), data=data)
    picture = await _picture(session, whole, looked, lines.usable if marked else [])
    if not aside:
        session.forget_notes(notes)
    return Observation(text="\n".join(head), data=data, images={"screenshot": picture})


def _accessible_lines(
    session: BrowserSession, accessible: tree.Accessible, window: tree.Window, number: tree.Numbering, aside: bool
) -> tree.Lines:
    if aside or accessible.numbered:
        return accessible.lines(window, number)
    # What is out of sight is numbered, too: a look aside may show it.
    everything = accessible.lines(session.window(whole=True), number)
    accessible.numbered = True
    return everything if window.whole else accessible.lines(window, number)


async def _picture(session: BrowserSession, whole: bool, looked: snapshot.Snapshot, marked: list[int]) -> str:
    picture = await screenshot(session, whole)
    numbered = {session.number_shown(node): looked.boxes[node] for node in marked if node in looked.boxes}
    boxes = {number: box for number, box in numbered.items() if number is not None}
    if boxes and picture:
        picture = await asyncio.to_thread(marks.draw, picture, _offset(boxes, looked.scroll, whole))
    return base64.b64encode(picture).decode()


def _dialog(asked: Dialog, mode: str, notes: list[str]) -> Observation:
    told = {"kind": asked.type, "message": asked.message[:2000], "default": asked.default_value[:2000]}
    head = [
        f"A dialog is open ({asked.type}): {asked.message[:2000]!r}",
        "Answer it: dialog [accept] or dialog [dismiss]",
    ]
    return Observation(
        text="\n".join([*notes, *head]), data={"mode": mode, "notes": [*notes], "dialog": {**told}, "cut": 0}
    )


async def screenshot(session: BrowserSession, whole: bool = False) -> bytes:
    """A PNG of the viewport, or of the page's first 10,000 pixels."""
    timeout = session.options.timeout * 1000
    options: dict[str, Any] = {"animations": "disabled", "caret": "hide", "timeout": timeout}
    if whole:
        height = await session.page.evaluate("() => document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": session.options.width, "height": max(1, min(HIGHEST_PICTURE, int(height)))}
        options |= {"full_page": True, "clip": clip}
    return bytes(await session.run(session.page.screenshot(**options)) or b"")


def _offset(boxes: dict[int, snapshot.Box], scroll: snapshot.Scroll, whole: bool) -> dict[int, snapshot.Box]:
    if not whole:
        return boxes
    return {
        node: snapshot.Box(box.x + scroll.x, box.y + scroll.y, box.width, box.height) for node, box in boxes.items()
    }


async def _titles(session: BrowserSession, looked: snapshot.Snapshot) -> list[str]:
    """The titles of the tabs; the one in front was just looked at."""
    titles = []
    for tab in session.tabs:
        seen = tab is session.tab and not looked.left_out
        title = looked.title if seen else await session.run(tab.page.title())
        titles.append(" ".join(str(title or "").split())[:LONGEST_TITLE])
    return titles


def _tab_line(session: BrowserSession, titles: list[str]) -> str:
    front = session.tabs.index(session.tab)
    parts = [f"Tab {index}{' (current)' if index == front else ''}: {title}" for index, title in enumerate(titles)]
    return " | ".join(parts)
