"""A page that is used with the keyboard alone."""

from playwright.async_api import Locator, Page

_CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary"
_VISIBLE = f"""() => [...document.querySelectorAll("{_CONTROLS}")]
  .filter(one => one.checkVisibility() && !one.disabled && one.type !== "radio")"""
_NAMED = """one => `${one.tagName} ${one.name || one.href || one.textContent}`.slice(0, 120)"""


async def reached(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus, from where the focus is."""
    handle = await wanted.element_handle()
    for _ in range(200):
        await page.keyboard.press("Tab")
        if await page.evaluate("element => element === document.activeElement", handle):
            return
    raise AssertionError(f"no key leads to {wanted}")


async def typed(page: Page, field: Locator, text: str) -> None:
    await reached(page, field)
    await page.keyboard.press("Control+a")
    await page.keyboard.type(text)


async def pressed(page: Page, button: Locator) -> None:
    await reached(page, button)
    async with page.expect_navigation():
        await page.keyboard.press("Enter")


async def unreachable(page: Page) -> list[str]:
    """Controls that are shown and that Tab, from the top of the page to its end, does not lead to."""
    await page.evaluate(f"window.wanted = new Set(({_VISIBLE})())")
    await page.evaluate("document.activeElement.blur()")
    for _ in range(await page.evaluate("window.wanted.size") + 50):
        await page.keyboard.press("Tab")
        await page.evaluate("window.wanted.delete(document.activeElement)")
        if not await page.evaluate("window.wanted.size"):
            return []
    return list(await page.evaluate(f"[...window.wanted].map({_NAMED})"))
