"""A page in a browser as a cleaned page in Mind2Web's form, with what can be used on it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from envs.browser.line import Session
from envs.browser.snapshot import ELEMENT
from envs.browser.snapshot import TEXT as TEXT_NODE
from envs.web_browsing.dom import ID, TEXT, Node, written

LEFT_OUT = frozenset(("head", "script", "style", "noscript", "template", "iframe", "svg", "canvas", "object", "video"))
USABLE_TAGS = frozenset(("button", "select", "textarea", "summary"))
USABLE_ROLES = frozenset(("button", "tab", "menuitem", "checkbox", "radio", "switch"))
SPOKEN = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd", "span", "div", "blockquote"))
CONTROLS = frozenset(("a", "button", "label", "option", "select", "textarea", "nav", "footer"))
KEPT = ("role", "type", "alt", "aria-label", "label", "title", "name", "placeholder")
VALUED = frozenset(("submit", "button", "reset", "radio", "checkbox"))


@dataclass
class Element:
    """An element of the page: the browser's own id of it, all its attributes, and its place in the cleaned page.

    `current` is what a field holds, `on` whether it is checked or selected.
    """

    backend: int
    tag: str
    attributes: Mapping[str, str]
    shown: bool
    node: Node
    parent: "Element | None" = field(default=None, repr=False)
    current: str = ""
    on: bool = False

    @property
    def sort(self) -> str:
        """The type of an input, else the tag."""
        return self.attributes.get("type", "text").lower() if self.tag == "input" else self.tag

    @property
    def usable(self) -> bool:
        """Whether a person would use it: a link, a button, a field."""
        if not self.shown or self.sort == "hidden" or "disabled" in self.attributes:
            return False
        linked = self.tag == "a" and "href" in self.attributes
        return linked or self.tag == "input" or self.tag in USABLE_TAGS or self.attributes.get("role") in USABLE_ROLES

    def within(self) -> "Iterator[Element]":
        """What it lies in, from the inside out."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    def text(self) -> str:
        """The texts in it, or else what stands for its pictures."""
        inside = list(self.node.walk())
        told = " ".join(one.text for one in inside if one.tag == TEXT)
        return " ".join((told or " ".join(one.attributes.get("alt", "") for one in inside)).split())


class Captured:
    """The page in front: `elements` in the order of the document; `page` is the cleaned page."""

    def __init__(self, raw: Mapping[str, Any], url: str) -> None:
        self.url = url
        self.elements: list[Element] = []
        self._read(raw["documents"][0], raw["strings"])
        self.candidates = [element for element in self.elements if element.usable and self._named(element)]
        busy = {id(one) for element in self.candidates for one in (element, *element.within())}
        self.candidates += [element for element in self.elements if id(element) not in busy and _spoken(element)]
        self.candidates.sort(key=lambda element: int(element.node.id))
        self._tidy()
        self.page = written(self._root)

    def _read(self, document: Mapping[str, Any], strings: list[str]) -> None:
        nodes = document["nodes"]
        boxes = _shown(document, strings)
        current = _texts(nodes, ("inputValue", "textValue"), strings)
        on = {place for name in ("inputChecked", "optionSelected") for place in nodes.get(name, {}).get("index", [])}
        by_place: dict[int, Element] = {}
        for place, kind in enumerate(nodes["nodeType"]):
            parent = by_place.get(nodes["parentIndex"][place])
            name = strings[nodes["nodeName"][place]].lower()
            if kind == TEXT_NODE and parent is not None:
                value = " ".join(strings[nodes["nodeValue"][place]].split())
                if value and (place in boxes or parent.tag == "option"):
                    parent.node.add(Node(TEXT, {}, value))
            if kind != ELEMENT or name in LEFT_OUT or (parent is None and name not in ("html", "body")):
                continue
            flat = [strings[item] if item >= 0 else "" for item in nodes["attributes"][place]]
            attributes = dict(zip(flat[::2], flat[1::2], strict=True))
            listed = name in ("option", "optgroup") and parent is not None and parent.shown
            element = Element(nodes["backendNodeId"][place], name, attributes, place in boxes or listed, Node(name, {}))
            element.parent, element.current, element.on = parent, current.get(place, ""), place in on
            element.node.attributes = _kept(element)
            by_place[place] = element
            self.elements.append(element)
            if parent is not None:
                parent.node.add(element.node)
        self._root = self.elements[0].node
        for number, node in enumerate(self._root.walk(), 1):
            node.attributes = {ID: str(number)} | node.attributes

    def _named(self, element: Element) -> bool:
        return any(node.tag == TEXT or len(node.attributes) > 1 for node in element.node.walk())

    def _tidy(self) -> None:
        """Take out what is not shown, and wrappers that say nothing."""
        kept = {element.node.id for element in self.candidates}
        hidden = {element.node.id for element in self.elements if not element.shown}
        for node in reversed(list(self._root.walk())):
            if node.tag == TEXT or node.parent is None or node.id in kept:
                continue
            if node.id in hidden and not node.children:
                node.remove()
            elif len(node.attributes) == 1 and node.hollow:
                node.dissolve()

    def field(self, name: str, value: str | None = None) -> Element | None:
        """The first shown field of this name (and with this value)."""
        for element in self.elements:
            given = element.attributes
            if element.usable and given.get("name") == name and value in (None, given.get("value", "on")):
                return element
        return None

    def submit(self, inside: Element) -> Element | None:
        """The button that sends the form in which this element lies."""
        form = next((one.backend for one in inside.within() if one.tag == "form"), None)
        for element in self.elements:
            sends = element.sort in ("submit", "image") or (
                element.tag == "button" and element.attributes.get("type", "submit") == "submit"
            )
            if sends and element.usable and any(one.backend == form for one in element.within()):
                return element
        return None

    def same(self, element: Element) -> list[Element]:
        """Those that do the same: all links to one address, or the element alone."""
        links = self.links(urljoin(self.url, element.attributes["href"])) if "href" in element.attributes else []
        return links if any(one is element for one in links) else [element]

    def links(self, url: str) -> list[Element]:
        """The links that lead to an address."""
        linked = [one for one in self.candidates if one.tag == "a" and "href" in one.attributes]
        return [one for one in linked if urljoin(self.url, one.attributes["href"]) == url]

    def spoken(self) -> str:
        """What the page says besides its controls."""
        silent = {id(one.node) for one in self.elements if one.tag in CONTROLS}
        texts = [
            node.text
            for node in self._root.walk()
            if node.tag == TEXT and not any(id(above) in silent for above in node.ancestors())
        ]
        return " ".join(texts)


def _shown(document: Mapping[str, Any], strings: list[str]) -> set[int]:
    layout = document["layout"]
    return {
        place
        for place, bounds, styles in zip(layout["nodeIndex"], layout["bounds"], layout["styles"], strict=True)
        if bounds[2] > 0 and bounds[3] > 0 and not (styles and strings[styles[0]] == "hidden")
    }


def _texts(nodes: Mapping[str, Any], names: tuple[str, ...], strings: list[str]) -> dict[int, str]:
    found: dict[int, str] = {}
    for name in names:
        rare = nodes.get(name, {})
        found |= {
            place: strings[value] for place, value in zip(rare.get("index", []), rare.get("value", []), strict=True)
        }
    return found


def _kept(element: Element) -> dict[str, str]:
    """The attributes that a cleaned page keeps, under the names that it has for them."""
    names = [*KEPT, *(["value"] if element.sort in VALUED or element.tag == "option" else [])]
    found = {name.replace("-", "_"): " ".join(element.attributes.get(name, "").split()) for name in names}
    if element.attributes.get("role") in ("presentation", "none", "link"):
        found["role"] = ""
    if element.tag in ("input", "textarea") and element.sort not in VALUED:
        found["input_value"] = " ".join(element.current.split())
    if element.on:
        found["option_selected" if element.tag == "option" else "input_checked"] = "true"
    return {name: value for name, value in found.items() if value}


def _spoken(element: Element) -> bool:
    """Whether it is a piece of text that nobody would use, among the candidates for being mistaken."""
    texts = [child for child in element.node.children if child.tag == TEXT]
    inside = element.tag in CONTROLS or any(one.tag in CONTROLS for one in element.within())
    return element.shown and element.tag in SPOKEN and bool(texts) and not inside


async def capture(cdp: Session, url: str) -> Captured:
    """Look at the page in front. Playwright's errors pass through."""
    return Captured(await cdp.send("DOMSnapshot.captureSnapshot", {"computedStyles": ["visibility"]}), url)
