"""Plays the oracle of a task in the browser and writes down each use of an element, with the page as it was before."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from envs.base import Action
from envs.browser.actions import parse
from envs.browser.episode import BrowserEpisode
from envs.browser.verbs import Command
from envs.places import resolve
from envs.web_browsing.generator.captured import Captured, Element, capture
from envs.web_browsing.generator.ways import Ask, Follow, Scout

ROLES = {"a": "link", "select": "combobox", "textarea": "textbox", "submit": "button", "search": "searchbox"}
ROLES |= dict.fromkeys(("text", "email", "number", "url", "tel", "password", "date", "time"), "textbox")
QUIET = frozenset(("noop", "observe", "get_html", "capture_screen", "wait", "wait_for_element", "scroll", "dialog"))
QUIET |= {"scroll_to_element", "maximize_window"}
LONGEST_NAME = 60
MOST_WAYS = 6


@dataclass(frozen=True)
class Recorded:
    """One use of an element: what was done before, the page, its candidates (names in the cleaned page, in its order)
    and which of these do the same."""

    previous: tuple[str, ...]
    page: str
    candidates: tuple[str, ...]
    right: tuple[str, ...]
    operation: str
    value: str
    name: str


class TraceEndsError(Exception):
    """What comes next cannot be told as the use of an element; the message says why."""


class Recorder:
    """One task, from its beginning. `steps` were recorded so far; `said` is what the first page says."""

    def __init__(self, world: BrowserEpisode, scout: Callable[[], Awaitable[Scout]]) -> None:
        self.world = world
        self.steps: list[Recorded] = []
        self.done: list[str] = []
        self.first_page = ""
        self._scout = scout
        self._field: Element | None = None

    async def play(self, spec: Mapping[str, Any], seed: int, oracle: Sequence[Mapping[str, Any]]) -> str:
        """Record until the oracle ends, or until something cannot be recorded. Returns why it ended early, else "".

        Raises InfrastructureError and SpecError.
        """
        self._seen = await self.world.reset(dict(spec), seed)
        self.first_page = (await self._captured()).spoken()
        self._over = False
        for one in oracle:
            command = parse(resolve(Action.model_validate(one), self._seen))
            if command.verb == "stop" or self._over:
                break
            try:
                await self._follow(command, Action.model_validate(one))
            except TraceEndsError as error:
                return str(error)
        return ""

    async def _follow(self, command: Command, given: Action) -> None:
        if command.verb in QUIET:
            await self._act(resolve(given, self._seen))
            return
        if command.verb == "goto":
            await self._go(command.text("url"))
            return
        for element, operation, value in self._uses(await self._captured(), command):
            page = await self._captured()
            again = next((one for one in page.elements if one.backend == element.backend), None)
            await self._use(page, _found(again, command.verb), operation, value)

    def _uses(self, page: Captured, command: Command) -> list[tuple[Element, str, str]]:
        """The elements that a command uses, each with an operation and its value."""
        verb = command.verb
        if verb in ("click", "fill", "type", "select_option"):
            backend = self.world.session.tab.element(command.whole("element"))
            element = _found(next((one for one in page.elements if one.backend == backend), None), verb)
            if verb == "select_option":
                return [(element, "SELECT", _label(page, element, command.text("option")))]
            return [(element, "CLICK", "") if verb == "click" else (element, "TYPE", command.text("text"))]
        if verb == "submit":
            return [(_found(self._field and page.submit(self._field), verb), "CLICK", "")]
        if not verb.startswith("modify_") or verb == "modify_range":
            raise TraceEndsError(f"'{verb}' uses no element")
        name, value = command.text("name"), command.text("value")
        if verb in ("modify_radio", "modify_checkbox"):
            parts = value.split("|") if verb == "modify_checkbox" else [value]
            elements = [_found(page.field(name, part), verb) for part in parts if part]
            return [(element, "CLICK", "") for element in elements if not element.on]
        element = _found(page.field(name), verb)
        return [
            (element, "SELECT", _label(page, element, value)) if verb == "modify_select" else (element, "TYPE", value)
        ]

    async def _use(self, page: Captured, element: Element, operation: str, value: str) -> None:
        """Record one use of an element, and carry it out."""
        names = tuple(one.node.id for one in page.candidates)
        right = tuple(one.node.id for one in page.same(element) if one.node.id in names)
        if not right:
            raise TraceEndsError("the element is not shown")
        told = _told(page, element)
        recorded = Recorded(tuple(self.done), page.page, names, right, operation, value, told)
        if await self._act(_action(self.world, element, operation, value)):
            raise TraceEndsError("the action failed")
        self.steps.append(recorded)
        self.done.append(f"{told} -> {operation}" + (f": {value}" if operation != "CLICK" else ""))
        if operation != "CLICK" or element.sort in ("radio", "checkbox"):
            self._field = element

    async def _act(self, action: Action) -> str | None:
        result = await self.world.step(action)
        self._seen, self._over = result.observation, result.finish is not None
        return result.error

    async def _go(self, url: str) -> None:
        """Go to an address by links and forms. Where there is no way and nothing was done yet, begin there."""
        session, barred = self.world.session, set[str]()
        scout = await self._scout()
        for _ in range(MOST_WAYS):
            if _bare(session.tab.url) == _bare(url):
                return
            way = await scout.way(session.tab.url, url, barred)
            if way is None and not self.steps:
                await self._act(Action(text=f"goto [{url}]"))
                return
            if way is None:
                break
            for move in way:
                done = await self._ask(move) if isinstance(move, Ask) else await self._link(move)
                if not done or _bare(session.tab.url) != _bare(move.url):
                    # Hidden in a menu, or it leads on to somewhere else.
                    barred.add(move.url)
                    self.steps = self.steps[:-1] if done else self.steps
                    break
        raise TraceEndsError("no way leads to the next page")

    async def _link(self, move: Follow) -> bool:
        page = await self._captured()
        links = page.links(move.url)
        if links:
            await self._use(page, links[0], "CLICK", "")
        return bool(links)

    async def _ask(self, move: Ask) -> bool:
        page = await self._captured()
        for name, value in move.fields.items():
            element = _found(page.field(name), "a form")
            listed = element.tag == "select"
            text, operation = (_label(page, element, value), "SELECT") if listed else (value, "TYPE")
            await self._use(page, element, operation, text)
            page = await self._captured()
        if _bare(page.url) != _bare(move.url):
            await self._use(page, _found(self._field and page.submit(self._field), "a form"), "CLICK", "")
        return True

    async def _captured(self) -> Captured:
        session = self.world.session
        if session.dialog:
            raise TraceEndsError("a dialog is open")
        return await capture(session.tab.cdp, session.tab.url)


def _bare(url: str) -> tuple[str, str, dict[str, str]]:
    """What of an address says which page it is: fields that were sent empty say nothing."""
    parts = urlsplit(url)
    return parts.netloc, parts.path, dict(parse_qsl(parts.query))


def _found(element: Element | None, verb: str) -> Element:
    if element is None:
        raise TraceEndsError(f"the element of '{verb}' is not shown")
    return element


def _action(world: BrowserEpisode, element: Element, operation: str, value: str) -> Action:
    number = world.session.number(element.backend)
    verb = {"CLICK": "click", "TYPE": "fill", "SELECT": "select_option"}[operation]
    return Action(text=f"{verb} [{number}]" + (f" [{value}]" if operation != "CLICK" else ""))


def _label(page: Captured, element: Element, option: str) -> str:
    """What the list shows for an option that is named by its label or value."""
    options = [one for one in page.elements if one.tag == "option" and any(above is element for above in one.within())]
    for one in options:
        if option in (one.attributes.get("value"), one.text()):
            return one.text()
    raise TraceEndsError("the option is not in the list")


def _told(page: Captured, element: Element) -> str:
    """The element as what was done before names it."""
    labels = [one for one in page.elements if one.tag == "label"]
    named = {one.attributes["for"]: one.text() for one in labels if "for" in one.attributes}
    around = next((one.text() for one in element.within() if one.tag == "label"), "")
    attributes = element.attributes
    field = named.get(attributes.get("id", "")) or around
    own = "" if element.tag in ("select", "textarea") else element.text()
    rest = (attributes.get(name, "") for name in ("aria-label", "placeholder", "title", "value", "name"))
    name = next((text for text in (own, field, *rest) if text), "")
    return f"[{ROLES.get(element.sort, element.sort)}]  {' '.join(name.split())[:LONGEST_NAME]}"
