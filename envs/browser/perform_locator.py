"""Commands on elements that a locator of the second action set names; see `playwright_code`."""

from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import ElementHandle, Locator

from envs.browser.errors import ActionFailed
from envs.browser.playwright_code import PROPERTIES, locator_chain
from envs.browser.session import BrowserSession
from envs.browser.verbs import Command

Point = tuple[float, float]


def _locator(session: BrowserSession, code: str) -> Locator:
    found: Any = session.page
    try:
        for link in locator_chain(code):
            # Names are those of the parser's lists and arguments are plain values.
            step = getattr(found, link.name)
            found = step if link.name in PROPERTIES else step(*link.arguments, **dict(link.keywords))
    except (TypeError, AttributeError) as error:
        raise ActionFailed(f"`{code[:200]}` is no locator: {error}") from error
    if not isinstance(found, Locator):
        raise ActionFailed(f"`{code[:200]}` names a frame; name an element in it")
    return found


async def element(session: BrowserSession, command: Command) -> ElementHandle:
    """The one element that the command's locator names. Raises ActionFailed for none and for several."""
    code = command.text("locator")
    locator = _locator(session, code)
    count = await session.run(locator.count())
    if count is None:
        raise ActionFailed("a dialog opened before the action; answer it first")
    if count == 0:
        raise ActionFailed(f"no element matches `{code[:200]}`; look at the observation again")
    if count > 1:
        raise ActionFailed(f"{count} elements match `{code[:200]}`; name one, such as with `.first` or `.nth(1)`")
    handle: ElementHandle | None = await session.run(locator.element_handle())
    if handle is None:
        raise ActionFailed("a dialog opened before the action; answer it first")
    return handle


async def middle(session: BrowserSession, command: Command) -> Point:
    """The middle of the element in the viewport, scrolled there if need be."""
    handle = await element(session, command)
    if not await session.run(handle.is_visible()):
        raise ActionFailed(f"what matches `{command.text('locator')[:200]}` is not visible")
    await session.run(handle.scroll_into_view_if_needed(timeout=session.options.timeout * 1000))
    box = await session.run(handle.bounding_box())
    if not box:
        raise ActionFailed(f"what matches `{command.text('locator')[:200]}` has no area to point at")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def call(session: BrowserSession, command: Command, source: str, *given: str) -> Any:
    """What one of our functions of the page says of the element."""
    handle = await element(session, command)
    return await session.run(handle.evaluate(f"(node, given) => ({source})(node, ...given)", list(given)))


async def click(session: BrowserSession, command: Command) -> None:
    """Click the element in its middle."""
    await session.run(session.page.mouse.click(*await middle(session, command)))


async def double_click(session: BrowserSession, command: Command) -> None:
    """Click the element twice."""
    await session.run(session.page.mouse.dblclick(*await middle(session, command)))


async def hover(session: BrowserSession, command: Command) -> None:
    """Move the pointer over the element."""
    await session.run(session.page.mouse.move(*await middle(session, command)))


async def focus(session: BrowserSession, command: Command) -> None:
    """Give the element the focus."""
    handle = await element(session, command)
    await session.run(handle.focus())


async def check(session: BrowserSession, command: Command) -> None:
    """Check a box or a radio button, unless it is checked."""
    await _set(session, command, True)


async def uncheck(session: BrowserSession, command: Command) -> None:
    """Uncheck a box, unless it is unchecked."""
    await _set(session, command, False)


async def _set(session: BrowserSession, command: Command, value: bool) -> None:
    handle = await element(session, command)
    if await session.run(handle.is_checked()) is not value:
        await click(session, command)


Doing = Callable[[BrowserSession, Command], Awaitable[None]]
DOINGS: dict[str, Doing] = {
    "locator_click": click,
    "locator_double_click": double_click,
    "locator_hover": hover,
    "locator_focus": focus,
    "locator_check": check,
    "locator_uncheck": uncheck,
}
