"""A cleaned page: cut down around some of its elements, and written in the compact form of the questions.

Facts: the rules of Mind2Web's multiple choice (THUDM/AgentBench v0.2): what of a page is kept around candidates, how
many words of an attribute and of a text are shown, and which choices stand in which order.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree

ID = "backend_node_id"
TEXT = "text"
DEPTH = 5
DESCENDANTS = 50
SIBLINGS = 3
WORDS_OF_ATTRIBUTE = 5
WORDS = 20
LONGEST_WORD = 15
WORDS_OF_CHOICE = 10
# In the order in which their values are shown.
SHOWN = (
    *("role", "aria_role", "type", "alt", "aria_description", "aria_label", "label", "title", "name", "text_value"),
    *("value", "placeholder", "input_checked", "input_value", "option_selected", "class"),
)
SILENT = frozenset(("hidden", "none", "presentation", "null", "undefined"))
# In the order in which they are read.
ENTITIES = (
    *(("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&ndash;", "-")),
    *(("&rsquo;", "'"), ("&lsquo;", "'"), ("&ldquo;", '"'), ("&rdquo;", '"')),
    *(("&#39;", "'"), ("&#40;", "("), ("&#41;", ")")),
)
# A character of an attribute and what is written for it; the first two also in texts.
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
ATTRIBUTE_ESCAPES = ESCAPES | str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})


@dataclass(slots=True)
class Node:
    """An element. Texts of a page are elements, too, tagged "text"; `text` and `tail` are what XML has besides."""

    tag: str
    attributes: dict[str, str]
    text: str = ""
    tail: str = ""
    children: "list[Node]" = field(default_factory=list)
    parent: "Node | None" = field(default=None, repr=False)

    @property
    def id(self) -> str:
        """The element's name in the data, "" for one without."""
        return self.attributes.get(ID, "")

    def walk(self) -> "Iterator[Node]":
        """The element and all below it, in the order of the document."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    def ancestors(self) -> "Iterator[Node]":
        """What the element lies in, from the inside out."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def add(self, child: "Node") -> None:
        """Put an element at the end of this one."""
        child.parent = self
        self.children.append(child)

    def remove(self) -> None:
        """Take the element out, with what is in it and with the text behind it."""
        if self.parent is not None:
            self.parent.children = [child for child in self.parent.children if child is not self]

    def dissolve(self) -> None:
        """Put what is in the element in its place."""
        if self.parent is not None:
            place = next(number for number, child in enumerate(self.parent.children) if child is self)
            self.parent.children[place : place + 1] = self.children
            for child in self.children:
                child.parent = self.parent

    def copy(self) -> "Node":
        """The element and all below it, once more."""
        top = Node(self.tag, dict(self.attributes), self.text, self.tail)
        pairs = [(self, top)]
        for old, new in pairs:
            for child in old.children:
                made = Node(child.tag, dict(child.attributes), child.text, child.tail)
                new.add(made)
                pairs.append((child, made))
        return top

    @property
    def hollow(self) -> bool:
        """Whether it holds no text and at most one element, so that nothing is lost without it."""
        return len(self.children) <= 1 and not any(child.tag == TEXT for child in self.children)


def parse(page: str) -> Node:
    """The root of a cleaned page. Raises ValueError where it is no XML, or declares something."""
    if "<!DOCTYPE" in page or "<!ENTITY" in page:
        raise ValueError("a cleaned page declares nothing")
    try:
        root = ElementTree.fromstring(page)  # noqa: S314 (no declarations, so no entities)
    except ElementTree.ParseError as error:
        raise ValueError(f"the page is no XML: {error}") from None
    top = _node(root)
    pairs = [(root, top)]
    for element, node in pairs:
        for child in element:
            made = _node(child)
            made.tail = child.tail or ""
            node.add(made)
            pairs.append((child, made))
    return top


def _node(element: ElementTree.Element) -> Node:
    return Node(element.tag, dict(element.attrib), element.text or "")


def written(node: Node) -> str:
    """The element as XML, with the text behind it."""
    parts: list[str] = []
    stack: list[Node | str] = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            parts.append(one)
            continue
        values = {name: value.translate(ATTRIBUTE_ESCAPES) for name, value in one.attributes.items()}
        head = one.tag + "".join(f' {name}="{value}"' for name, value in values.items())
        tail = one.tail.translate(ESCAPES)
        if not one.children and not one.text and one.tag != TEXT:
            parts.append(f"<{head}/>{tail}")
            continue
        parts.append(f"<{head}>{one.text.translate(ESCAPES)}")
        stack.append(f"</{one.tag}>{tail}")
        stack += reversed(one.children)
    return "".join(parts)


@dataclass(frozen=True)
class Shown:
    """What a question shows: the page around the candidates, and each candidate with the text of its choice."""

    page: str
    choices: tuple[tuple[str, str], ...]


class Page:
    """A page whose elements are asked about. Raises ValueError as `parse` does."""

    def __init__(self, page: str) -> None:
        self.root = parse(page)
        self._by_id: dict[str, Node] = {}
        for node in self.root.walk():
            if node.id:
                self._by_id.setdefault(node.id, node)

    def node(self, id_: str) -> Node:
        """The element with a name. Raises ValueError where there is none."""
        if id_ not in self._by_id:
            raise ValueError(f"the candidate {id_} is not on the page")
        return self._by_id[id_]

    def shown(self, candidates: Sequence[str]) -> Shown:
        """The question about these candidates; choices stand in the order of the page."""
        kept = self.kept(candidates)
        tree = self.root.copy()
        for node in reversed(list(tree.walk())):
            _cut(node, kept, candidates)
        numbers: dict[str, str] = {}
        chosen = [node for node in tree.walk() if node.id]
        for node in chosen:
            numbers.setdefault(node.id, str(len(numbers)))
        choices = tuple((node.id, " ".join(compact(node, numbers).split()[:WORDS_OF_CHOICE])) for node in chosen)
        return Shown(compact(tree, numbers), choices)

    def slim(self, candidates: Sequence[str]) -> str:
        """The page without what no question about any of these candidates shows; the questions are the same."""
        kept = self.kept(candidates)
        tree = self.root.copy()
        for node in reversed(list(tree.walk())):
            owner = node.parent if node.tag == TEXT else node
            if owner is not None and owner.id not in kept:
                node.remove()
        return written(tree)

    def kept(self, candidates: Sequence[str]) -> set[str]:
        """The names of what is kept around candidates: what they lie in, what is in them, what is near."""
        kept: set[str] = set()
        for candidate in candidates:
            node = self.node(candidate)
            kept.add(candidate)
            kept.update(one.id for one in node.ancestors())
            kept.update(one.id for one in list(_descendants(node, 0))[:DESCENDANTS])
            if node.parent is not None:
                beside = [child for child in node.parent.children if child.tag != TEXT]
                place = next(number for number, child in enumerate(beside) if child is node)
                kept.update(one.id for one in beside[max(0, place - SIBLINGS) : place + SIBLINGS + 1])
        return kept


def _descendants(node: Node, depth: int) -> Iterator[Node]:
    if depth > DEPTH:
        return
    for child in node.children:
        yield child
        yield from _descendants(child, depth + 1)


def _cut(node: Node, kept: Collection[str], candidates: Collection[str]) -> None:
    """Take out what is not kept, and names and wrappers that say nothing."""
    owner = node if node.tag != TEXT else node.parent
    if node.parent is not None and owner is not None and owner.id not in kept:
        node.remove()
        return
    if node.tag == TEXT or node.id not in candidates:
        node.attributes.pop(ID, None)
    if node.tag != TEXT and not node.attributes and node.hollow and node.parent is not None:
        node.dissolve()


def compact(node: Node, numbers: Mapping[str, str]) -> str:
    """An element in the form of the questions: tags with a number (of candidates) and words, texts without tags."""
    tree = node.copy()
    for one in tree.walk():
        if one.tag == TEXT:
            one.text = " ".join(one.text.split()[:WORDS])
        else:
            number, words = numbers.get(one.id, ""), _words(one.attributes)
            one.attributes = ({"id": number} if number else {}) | ({"meta": words} if words else {})
    text = written(tree).replace('"', " ")
    text = text.replace("meta= ", "").replace("id= ", "id=").replace(" >", ">")
    text = re.sub(r"<text>(.*?)</text>", r"\1", text)
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return re.sub(r"\s+", " ", text).strip()


def _words(attributes: Mapping[str, str]) -> str:
    found: dict[str, None] = {}
    for name in SHOWN:
        value = attributes.get(name, "").lower()
        if value in SILENT or value.startswith("http"):
            continue
        words = [word for word in value.split() if len(word) < LONGEST_WORD]
        found[" ".join(words[:WORDS_OF_ATTRIBUTE])] = None
    return " ".join(" ".join(found).split()[:WORDS])
