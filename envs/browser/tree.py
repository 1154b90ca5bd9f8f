"""A page as text: the accessibility tree in WebArena's line format, and the DOM as HTML lines."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from msgspec import UNSET

from envs.browser.protocol_types import AXNode, AXValue
from envs.browser.snapshot import ELEMENT, TEXT, Box, Snapshot

# As published: these say nothing that an agent acts on.
QUIET_PROPERTIES = frozenset(["focusable", "editable", "readonly", "level", "settable", "multiline", "invalid", "url"])
QUIET_ROLES = frozenset({"generic", "img", "image", "list", "strong", "paragraph", "banner", "navigation"})
QUIET_ROLES |= {"listitem", "none", "Section", "LabelText", "Legend"}
# What a set of marks marks, besides everything that takes the focus.
USED_ROLES = frozenset({"button", "link", "textbox", "searchbox", "combobox", "listbox", "option", "radio", "checkbox"})
USED_ROLES |= {"slider", "spinbutton", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem"}
DROPPED_ROLES = frozenset({"InlineTextBox", "MenuListPopup"})
LINES_LOOKED_BACK = 3
# It has no rectangle, and is always shown.
DOCUMENT = "RootWebArea"

Numbering = Callable[[int], int | None]
"""The number by which a node is called; None where it has none (yet), which is shown as a dash."""


@dataclass(frozen=True)
class Window:
    """What part of the page is shown: the viewport of this size in pixels, or everything.

    `published`: lines of text are left out by WebArena's rules: markers of lists, blanks, and whatever one of the three
    lines before holds.
    """

    width: int = 1280
    height: int = 720
    whole: bool = False
    published: bool = False

    def shows(self, box: Box | None) -> bool:
        """Whether a node with this rectangle is shown; one without a rectangle is not on the page."""
        if box is None:
            return False
        return (box.width > 0 and box.height > 0) if self.whole else box.touches(self.width, self.height)


@dataclass
class Lines:
    """Lines of an observation, the ids that occur in them, and which of these can be used."""

    lines: list[str] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    usable: list[int] = field(default_factory=list)

    def add(self, text: str, node: int) -> None:
        """One line and the element it is about."""
        self.lines.append(text)
        self.ids.append(node)


@dataclass(slots=True)
class _Node:
    """A node of an accessibility tree that has something to say and a place on the page: what is said of it, the
    browser's number, the innermost of these nodes that it is in (-1 for none), and whether it can be used."""

    role: str
    text: str
    backend: int
    above: int
    usable: bool
    name: str


class Accessible:
    """The accessibility trees of a snapshot, read once; their lines can be had for several windows.

    Those that were taken over from the snapshot `before` are not read again. `numbered`: whether every node that can be
    shown has got its number.
    """

    def __init__(self, snapshot: Snapshot, before: "Accessible | None" = None) -> None:
        self.snapshot = snapshot
        same = before if before and before.snapshot.trees is snapshot.trees else None
        self.numbered: bool = same.numbered if same else False
        self._nodes: dict[int, list[_Node]] = same._nodes if same else _described_all(snapshot)

    def lines(self, window: Window, number: Numbering) -> Lines:
        """`[id] role 'name' property: value`, one tab a level; a frame's tree follows the line of its element."""
        boxes = self.snapshot.boxes
        blocks = {frame: _block(nodes, boxes, window, number) for frame, nodes in self._nodes.items()}
        if len(blocks) > 1:
            return _joined(blocks, 0, 0)
        return blocks.get(0, Lines())


def _described_all(snapshot: Snapshot) -> dict[int, list[_Node]]:
    return {frame: list(_read(nodes, snapshot.boxes)) for frame, nodes in snapshot.trees.items()}


def _block(nodes: list[_Node], boxes: dict[int, Box], window: Window, number: Numbering) -> Lines:
    out = Lines()
    lines, ids, usable = out.lines, out.ids, out.usable
    said = _published_before if window.published else _said
    # By node: how deep the nodes in it stand. The last place is that of those which are in none.
    depths = [0] * (len(nodes) + 1)
    for position, node in enumerate(nodes):
        depths[position] = depth = depths[node.above]
        if not _shows(node, boxes, window) or (node.role == "StaticText" and said(node.name, lines)):
            continue
        depths[position] = depth + 1
        lines.append("\t" * depth + f"[{number(node.backend) or '-'}] {node.text}")
        ids.append(node.backend)
        if node.usable:
            usable.append(node.backend)
    return out


def _shows(node: _Node, boxes: dict[int, Box], window: Window) -> bool:
    if node.role != DOCUMENT and not window.shows(boxes.get(node.backend)):
        return False
    return not (window.published and node.role == "ListMarker")


def _said(name: str, lines: list[str]) -> bool:
    # As published but for numbers, which occur in ids, dates and prices without being said there.
    told = name.strip()
    before = lines[-LINES_LOOKED_BACK:]
    if any(map(str.isalpha, told)):
        return any(told in line for line in before)
    return any(f" {name!r}" in line or f" {told!r}" in line for line in before)


def _published_before(name: str, lines: list[str]) -> bool:
    written = repr(name)[1:-1]
    return not written or any(written in line for line in lines[-LINES_LOOKED_BACK:])


def _read(nodes: list[AXNode], boxes: dict[int, Box]) -> Iterator[_Node]:
    """What can be shown of a tree, in its order; of nodes that occur twice the first counts."""
    known: dict[str, AXNode] = {}
    for raw in nodes:
        known.setdefault(raw.node_id, raw)
    count = 0
    stack = [(raw, -1) for raw in known.values() if raw.parent_id not in known]
    stack.reverse()
    while stack:
        raw, above = stack.pop()
        if found := _described(raw, known, boxes, above):
            yield found
            above, count = count, count + 1
        for child in reversed(raw.child_ids):
            inside = known.get(child)
            if inside is not None and inside.role.value not in DROPPED_ROLES:
                stack.append((inside, above))


def _text(said: AXValue) -> str:
    return str(said.value) if said.value is not UNSET else ""


def _described(raw: AXNode, known: dict[str, AXNode], boxes: dict[int, Box], above: int) -> _Node | None:
    """None for a node that says nothing, or that is nowhere."""
    if raw.ignored or raw.backend is None:
        return None
    role = _text(raw.role)
    if role != DOCUMENT:
        box = boxes.get(raw.backend)
        if box is None or box.width <= 0 or box.height <= 0:
            return None
    name, facts = _text(raw.name), _facts(raw, role, known)
    if not name.strip() and (role == "listitem" or (not facts and role in QUIET_ROLES)):
        return None
    usable = role in USED_ROLES or (role != DOCUMENT and _focusable(raw))
    return _Node(role, f"{role} {name!r}{facts}", raw.backend, above, usable, name)


def _facts(raw: AXNode, role: str, known: dict[str, AXNode]) -> str:
    facts = ""
    if (value := raw.value.value) not in (None, "", UNSET):
        facts = f" value: {value!r}"
    for item in raw.properties:
        if item.name not in QUIET_PROPERTIES and item.value.value is not UNSET:
            facts += f" {item.name}: {item.value.value}"
    if role in ("combobox", "listbox") and (options := _options(raw, known)):
        facts += f" options: {options}"
    return facts


def _options(raw: AXNode, known: dict[str, AXNode]) -> list[str]:
    found: list[str] = []
    stack = [raw]
    while stack and len(found) < 100:
        current = stack.pop()
        if current.role.value == "option":
            found.append(_text(current.name))
        stack += [known[item] for item in reversed(current.child_ids) if item in known]
    return found


def _focusable(node: AXNode) -> bool:
    for item in node.properties:
        if item.name == "focusable":
            return bool(item.value.value)
    return False


def _joined(blocks: dict[int, Lines], frame: int, depth: int) -> Lines:
    out = Lines(usable=list(blocks[frame].usable))
    for line, node in zip(blocks[frame].lines, blocks[frame].ids, strict=True):
        out.add("\t" * depth + line, node)
        if node in blocks and node != frame and depth < 50:
            level = depth + len(line) - len(line.lstrip("\t")) + 1
            inner = _joined(blocks, node, level)
            out.lines += inner.lines
            out.ids += inner.ids
            out.usable += inner.usable
    return out


def html_lines(snapshot: Snapshot, window: Window, number: Numbering) -> Lines:
    """`[id] <TAG attribute="value"> text`, one tab a level; nodes with neither attributes nor text are left out."""
    out = Lines()
    for node in snapshot.nodes:
        value = " ".join(node.value.split())
        if node.kind not in (ELEMENT, TEXT) or not (node.attributes or value) or not window.shows(node.box):
            continue
        # Taking a picture leaves empty styles behind; the page never had them.
        shown = {name: text for name, text in node.attributes.items() if name != "style" or text}
        attributes = "".join(f' {name}="{text}"' for name, text in shown.items())
        tag = f"<{node.name}{attributes}>" if node.kind == ELEMENT else "<#text>"
        out.add("\t" * max(0, node.depth - 1) + f"[{number(node.id) or '-'}] {tag} {value}".rstrip(), node.id)
    return out


def cut(lines: list[str], limit: int) -> tuple[str, int]:
    """The lines as one text of at most `limit` characters, and how many lines were left out (said in the last line)."""
    kept: list[str] = []
    size = 0
    for line in lines:
        size += len(line) + 1
        if size > limit:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    if left:
        kept.append(f"[cut: {left} of {len(lines)} lines are not shown]")
    return "\n".join(kept), left
