"""Commands done in a browser session, as a person would do them: with pointer and keys."""

import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import FilePayload
from playwright.async_api import TimeoutError as PlaywrightTimeout

from envs.browser import perform_locator
from envs.browser.errors import ActionFailed
from envs.browser.page_functions import page_function
from envs.browser.session import BLANK, BrowserSession
from envs.browser.verbs import Command

TYPED_KEY_BY_KEY = 400
LONGEST_WAIT = 5.0
KEYS = {"ctrl": "Control", "cmd": "Control", "meta": "Control", "esc": "Escape", "return": "Enter", "del": "Delete"}

NAMED_KEYS = (
    "Alt",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "Backspace",
    "Control",
    "Delete",
    "End",
    "Enter",
    "Escape",
    "Home",
    "Insert",
    "PageDown",
    "PageUp",
    "Shift",
    "Space",
    "Tab",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
)


Doing = Callable[[BrowserSession, Command], Awaitable[None]]
Point = tuple[float, float]


async def perform(session: BrowserSession, command: Command) -> None:
    """Do it and wait for the page. Raises ActionFailed with a reason for the participant, and InfrastructureError."""
    if session.dialog and command.verb not in ("dialog", "noop", "observe", "stop"):
        raise ActionFailed(
            f"a dialog is open ({session.dialog.type}); answer it with `dialog [accept]` or `dialog [dismiss]`"
        )
    try:
        await _DOINGS[command.verb](session, command)
    finally:
        await session.wait_until_loaded()


async def _nothing(_session: BrowserSession, _command: Command) -> None:
    return None


async def _quad(session: BrowserSession, node: int) -> Point:
    """The middle of an element in the viewport, scrolled there if need be."""
    cdp = session.tab.cdp
    backend = session.tab.element(node)
    try:
        await cdp.send("DOM.scrollIntoViewIfNeeded", {"backendNodeId": backend})
        quads = (await cdp.send("DOM.getContentQuads", {"backendNodeId": backend}))["quads"]
    except PlaywrightError as error:
        session.check_alive(error)
        raise ActionFailed(
            f"element [{node}] is not on the page or not visible; look at the observation again"
        ) from error
    if not quads:
        raise ActionFailed(f"element [{node}] has no area to point at")
    quad = quads[0]
    return (quad[0] + quad[4]) / 2, (quad[1] + quad[5]) / 2


async def _middle(session: BrowserSession, node: int) -> Point:
    point: Point | None = await session.run(_quad(session, node))
    if point is None:
        raise ActionFailed("a dialog opened before the action; answer it first")
    return point


async def _click(session: BrowserSession, command: Command) -> None:
    node = command.whole("element")
    if await _tag(session, node) == "OPTION":
        raise ActionFailed(f"element [{node}] is an option; use select_option on its list")
    await session.run(session.tab.click(await _middle(session, node)))


async def _hover(session: BrowserSession, command: Command) -> None:
    await session.run(session.page.mouse.move(*await _middle(session, command.whole("element"))))


async def _write(session: BrowserSession, text: str) -> None:
    keyboard = session.page.keyboard
    if len(text) > TYPED_KEY_BY_KEY:
        await session.run(keyboard.insert_text(text[:-1]))
        text = text[-1]
    await session.run(keyboard.type(text))


async def _type(session: BrowserSession, command: Command) -> None:
    await session.run(session.tab.click(await _middle(session, command.whole("element"))))
    await _write(session, command.text("text"))
    if command.flag("enter"):
        await session.run(session.page.keyboard.press("Enter"))


async def _fill(session: BrowserSession, command: Command) -> None:
    await _clear(session, command)
    await _write(session, command.text("text"))


async def _clear(session: BrowserSession, command: Command) -> None:
    node = command.whole("element")
    await _middle(session, node)
    told = await _call(session, node, "select_content")
    if told:
        raise ActionFailed(f"element [{node}] {told}")
    await session.run(session.page.keyboard.press("Backspace"))


async def _select(session: BrowserSession, command: Command) -> None:
    told = await _call(session, command.whole("element"), "select_option", command.text("option"))
    if told:
        raise ActionFailed(f"element [{command.whole('element')}] {told}")


async def _upload(session: BrowserSession, command: Command) -> None:
    name, node = command.text("file"), command.whole("element")
    if name not in session.options.files:
        known = ", ".join(sorted(session.options.files)) or "none"
        raise ActionFailed(f"there is no file {name!r}; the session's files are: {known}")
    told = await _call(session, node, "mark_upload")
    if told:
        raise ActionFailed(f"element [{node}] {told}")
    payload = FilePayload(name=name, mimeType="application/octet-stream", buffer=session.options.files[name])
    await session.run(session.page.locator("[data-heldout-upload]").first.set_input_files([payload]))
    await _call(session, node, "unmark_upload")


async def _drag_between(session: BrowserSession, start: Point, end: Point) -> None:
    mouse = session.page.mouse
    await session.run(mouse.move(*start))
    await session.run(mouse.down())
    await session.run(mouse.move(*end, steps=8))
    await session.run(mouse.up())


async def _drag(session: BrowserSession, command: Command) -> None:
    await _middle(session, command.whole("target"))
    start = await _middle(session, command.whole("element"))
    # Scrolling to the one may have moved the other.
    end = await session.run(_place(session, command.whole("target")))
    await _drag_between(session, start, end)


async def _place(session: BrowserSession, node: int) -> Point:
    known = {"backendNodeId": session.tab.element(node)}
    quads = (await session.tab.cdp.send("DOM.getContentQuads", known))["quads"]
    return ((quads[0][0] + quads[0][4]) / 2, (quads[0][1] + quads[0][5]) / 2) if quads else (0.0, 0.0)


def _point(session: BrowserSession, command: Command, names: tuple[str, str] = ("x", "y")) -> Point:
    x, y = (command.number(name) for name in names)
    width, height = session.options.width, session.options.height
    x, y = (x * width if 0 < x < 1 else x), (y * height if 0 < y < 1 else y)
    if not (0 <= x < width and 0 <= y < height):
        raise ActionFailed(f"the point ({x:g}, {y:g}) is outside the viewport of {width} by {height} pixels")
    return x, y


async def _mouse_click(session: BrowserSession, command: Command) -> None:
    await session.run(session.page.mouse.click(*_point(session, command)))


async def _mouse_hover(session: BrowserSession, command: Command) -> None:
    await session.run(session.page.mouse.move(*_point(session, command)))


async def _mouse_drag(session: BrowserSession, command: Command) -> None:
    await _drag_between(session, _point(session, command), _point(session, command, ("to_x", "to_y")))


async def _keyboard_type(session: BrowserSession, command: Command) -> None:
    await _write(session, command.text("text"))


async def _press(session: BrowserSession, command: Command) -> None:
    keys = [_key(part) for part in command.text("keys").split("+") if part.strip()]
    if not keys:
        raise ActionFailed("`press` needs a key, such as `press [Enter]`")
    await session.run(session.page.keyboard.press("+".join(keys)))


def _key(part: str) -> str:
    lowered = part.strip().lower()
    named = {name.lower(): name for name in NAMED_KEYS} | KEYS
    if lowered not in named and len(part.strip()) != 1:
        raise ActionFailed(f"there is no key {part.strip()[:20]!r}; named keys are: {', '.join(NAMED_KEYS)}")
    return named.get(lowered, part.strip())


async def _scroll(session: BrowserSession, command: Command) -> None:
    across, down = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[command.text("direction")]
    await session.run(session.tab.evaluate(f"window.scrollBy({across} * innerWidth, {down} * innerHeight)"))


async def _goto(session: BrowserSession, command: Command) -> None:
    url = command.text("url").strip()
    if url == BLANK:
        await session.run(session.page.goto(BLANK))
        return
    url = url if "://" in url or url.partition(":")[0].lower() in _SCHEMES else f"http://{url}"
    parts = urlsplit(url)
    known = ", ".join(sorted(session.gateway.sites))
    if parts.scheme.lower() not in ("http", "https"):
        raise ActionFailed(f"addresses of the kind {parts.scheme[:20]}: are refused; this session's sites are: {known}")
    if (parts.netloc.lower() if parts.port not in (None, 80, 443) else parts.hostname) not in session.gateway.sites:
        raise ActionFailed(f"{(parts.hostname or '')[:100]!r} is not a site of this session; its sites are: {known}")
    await session.run(session.tab.navigate(url))


_SCHEMES = frozenset(
    (
        "file",
        "data",
        "javascript",
        "blob",
        "view-source",
        "chrome",
        "about",
        "ftp",
        "ws",
        "wss",
        "devtools",
        "mailto",
        "filesystem",
    )
)


async def _history(session: BrowserSession, move: Callable[..., Awaitable[Any]]) -> Any:
    """The answer of the page before or after, by which Playwright knows whether there is one."""
    async with session.tab.reporting():
        return await move(wait_until="commit")


async def _back(session: BrowserSession, _command: Command) -> None:
    if await session.run(_history(session, session.page.go_back)) is None and not session.dialog:
        session.notes.append("There was no page to go back to, or it was empty.")


async def _forward(session: BrowserSession, _command: Command) -> None:
    if await session.run(_history(session, session.page.go_forward)) is None and not session.dialog:
        session.notes.append("There was no page to go forward to, or it was empty.")


async def _new_tab(session: BrowserSession, _command: Command) -> None:
    await session.new_tab()


async def _tab_close(session: BrowserSession, _command: Command) -> None:
    await session.close_tab()


async def _tab_focus(session: BrowserSession, command: Command) -> None:
    index = command.whole("index")
    if index >= len(session.tabs):
        raise ActionFailed(f"there is no tab {index}; {len(session.tabs)} are open, counted from 0")
    session.current = index
    await session.run(session.page.bring_to_front())


async def _dialog(session: BrowserSession, command: Command) -> None:
    await session.answer_dialog(command.text("decision") == "accept", command.text("text"))


async def _wait(session: BrowserSession, command: Command) -> None:
    seconds = min(LONGEST_WAIT, max(0.0, command.number("seconds")))
    await session.run(session.page.wait_for_timeout(seconds * 1000))


async def _tag(session: BrowserSession, node: int) -> str:
    return str(await _call(session, node, "tag"))


async def _call(session: BrowserSession, node: int, function: str, *arguments: str) -> Any:
    return await session.run(_resolved(session, node, function, arguments))


async def _resolved(session: BrowserSession, node: int, function: str, arguments: tuple[str, ...]) -> Any:
    cdp = session.tab.cdp
    backend = session.tab.element(node)
    try:
        thing = (await cdp.send("DOM.resolveNode", {"backendNodeId": backend}))["object"]["objectId"]
    except PlaywrightError as error:
        session.check_alive(error)
        raise ActionFailed(f"there is no element [{node}] on this page; look at the observation again") from error
    body = f"function (...given) {{ return ({page_function('element')})(this, {json.dumps(function)}, ...given); }}"
    reply = await cdp.send(
        "Runtime.callFunctionOn",
        {
            "objectId": thing,
            "functionDeclaration": body,
            "arguments": [{"value": item} for item in arguments],
            "returnByValue": True,
        },
    )
    return reply["result"].get("value")


async def _locator_type(session: BrowserSession, command: Command) -> None:
    await perform_locator.click(session, command)
    await _write(session, command.text("text"))


async def _locator_fill(session: BrowserSession, command: Command) -> None:
    problem = await perform_locator.call(session, command, page_function("element"), "select_content")
    if problem:
        raise ActionFailed(f"what matches `{command.text('locator')[:200]}` {problem}")
    await session.run(session.page.keyboard.press("Backspace"))
    await _write(session, command.text("text"))


async def _locator_press(session: BrowserSession, command: Command) -> None:
    await perform_locator.focus(session, command)
    await _press(session, command)


async def _locator_select(session: BrowserSession, command: Command) -> None:
    option = command.text("option")
    problem = await perform_locator.call(session, command, page_function("element"), "select_option", option)
    if problem:
        raise ActionFailed(f"what matches `{command.text('locator')[:200]}` {problem}")


async def _modify(session: BrowserSession, command: Command) -> None:
    kind = command.verb.removeprefix("modify_")
    name, value = command.text("name"), command.text("value")
    if value == "nan":
        return  # an empty cell of a spreadsheet: as published, nothing is done
    told = await session.run(session.page.evaluate(page_function("modify"), [kind, name, value]))
    if told:
        raise ActionFailed(str(told))
    session.tab.filled = name
    if kind == "text":
        await _replace_text(session, value)


async def _replace_text(session: BrowserSession, value: str) -> None:
    # The field has the focus and its content is selected.
    if not value:
        await session.run(session.page.keyboard.press("Backspace"))
        return
    await session.run(session.page.keyboard.insert_text(value))
    await session.run(session.page.keyboard.press("End"))
    await session.run(session.page.evaluate("() => document.activeElement && document.activeElement.blur()"))


async def _submit(session: BrowserSession, _command: Command) -> None:
    told = await session.run(session.page.evaluate(page_function("modify"), ["submit", session.tab.filled, ""]))
    if told:
        raise ActionFailed(str(told))


async def _scroll_to(session: BrowserSession, command: Command) -> None:
    told = await session.run(session.page.evaluate(page_function("modify"), ["show", command.text("name"), ""]))
    if told:
        raise ActionFailed(str(told))


async def _wait_for(session: BrowserSession, command: Command) -> None:
    name = command.text("name")
    field = session.page.locator(f"[name={json.dumps(name)}]").first

    async def appears() -> None:
        try:
            await field.wait_for(state="attached", timeout=LONGEST_WAIT * 1000)
        except PlaywrightTimeout as error:
            raise ActionFailed(f"there is no field named {name[:100]!r} on the page") from error

    await session.run(appears())


_DOINGS: dict[str, Doing] = {
    "noop": _nothing,
    "observe": _nothing,
    "stop": _nothing,
    "get_html": _nothing,
    "capture_screen": _nothing,
    "maximize_window": _nothing,
    "click": _click,
    "hover": _hover,
    "type": _type,
    "fill": _fill,
    "clear": _clear,
    "select_option": _select,
    "upload": _upload,
    "drag": _drag,
    "press": _press,
    "keyboard_type": _keyboard_type,
    "scroll": _scroll,
    "mouse_click": _mouse_click,
    "mouse_hover": _mouse_hover,
    "mouse_drag": _mouse_drag,
    "goto": _goto,
    "go_back": _back,
    "go_forward": _forward,
    "new_tab": _new_tab,
    "tab_focus": _tab_focus,
    "tab_close": _tab_close,
    "dialog": _dialog,
    "modify_text": _modify,
    "modify_checkbox": _modify,
    "modify_radio": _modify,
    "modify_select": _modify,
    "modify_range": _modify,
    "submit": _submit,
    "scroll_to_element": _scroll_to,
    "wait_for_element": _wait_for,
    "wait": _wait,
    "locator_type": _locator_type,
    "locator_fill": _locator_fill,
    "locator_press": _locator_press,
    "locator_select": _locator_select,
    **perform_locator.DOINGS,
}
