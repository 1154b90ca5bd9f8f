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
    """A node of an accessibility tree: what is said of it, the browser's number, whether it is left out where it says
    nothing (`quiet`), or always (`silent`), and whether it can be used."""

    role: str
    name: str
    text: str = ""
    backend: int = 0
    quiet: bool = False
    silent: bool = True
    usable: bool = False
    inside: list["_Node"] = field(default_factory=list)


class Accessible:
    """The accessibility trees of a snapshot, read once; their lines can be had for several windows."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._boxes = snapshot.boxes
        self._roots = {frame: _read(nodes) for frame, nodes in snapshot.trees.items()}

    def lines(self, window: Window, number: Numbering) -> Lines:
        """`[id] role 'name' property: value`, one tab a level; a frame's tree follows the line of its element."""
        blocks = {frame: self._block(roots, window, number) for frame, roots in self._roots.items()}
        return _joined(blocks, 0, 0) if 0 in blocks else Lines()

    def _block(self, roots: list[_Node], window: Window, number: Numbering) -> Lines:
        out = Lines()
        stack = [(node, 0) for node in reversed(roots)]
        while stack:
            node, depth = stack.pop()
            shown = not node.silent and self._shows(node, window, out)
            if shown:
                out.add("\t" * depth + f"[{number(node.backend) or '-'}] {node.text}", node.backend)
                if node.usable:
                    out.usable.append(node.backend)
            stack += [(child, depth + shown) for child in reversed(node.inside)]
        return out

    def _shows(self, node: _Node, window: Window, out: Lines) -> bool:
        if node.quiet or (node.role != "RootWebArea" and not window.shows(self._boxes.get(node.backend))):
            return False
        if node.role == "ListMarker" and window.published:
            return False
        return node.role != "StaticText" or not (_published_before if window.published else _said)(node.name, out)


def _said(name: str, out: Lines) -> bool:
    # As published but for numbers, which occur in ids, dates and prices without being said there.
    told = name.strip()
    before = out.lines[-LINES_LOOKED_BACK:]
    if any(letter.isalpha() for letter in told):
        return any(told in line for line in before)
    return any(f" {name!r}" in line or f" {told!r}" in line for line in before)


def _published_before(name: str, out: Lines) -> bool:
    written = repr(name)[1:-1]
    return not written or any(written in line for line in out.lines[-LINES_LOOKED_BACK:])


def _read(nodes: list[AXNode]) -> list[_Node]:
    """The roots of a tree; of nodes that occur twice the first counts."""
    known: dict[str, AXNode] = {}
    for raw in nodes:
        known.setdefault(raw.node_id, raw)
    made = {number: _described(raw, known) for number, raw in known.items()}
    for number, raw in known.items():
        inside = (made[child] for child in raw.child_ids if child in made)
        made[number].inside = [child for child in inside if child.role not in DROPPED_ROLES]
    return [made[number] for number, raw in known.items() if raw.parent_id not in known]


def _text(said: AXValue) -> str:
    return str(said.value) if said.value is not UNSET else ""


def _described(raw: AXNode, known: dict[str, AXNode]) -> _Node:
    role, name = _text(raw.role), _text(raw.name)
    if raw.ignored or raw.backend is None:
        return _Node(role, name)
    facts = list(_facts(raw, role, known))
    return _Node(
        role,
        name,
        text=" ".join([f"{role} {name!r}", *facts]),
        backend=raw.backend,
        quiet=not name.strip() and (role == "listitem" or (not facts and role in QUIET_ROLES)),
        silent=False,
        usable=role in USED_ROLES or (role != "RootWebArea" and _focusable(raw)),
    )


def _facts(raw: AXNode, role: str, known: dict[str, AXNode]) -> Iterator[str]:
    if (value := raw.value.value) not in (None, "", UNSET):
        yield f"value: {value!r}"
    for item in raw.properties:
        if item.name not in QUIET_PROPERTIES and item.value.value is not UNSET:
            yield f"{item.name}: {item.value.value}"
    if role in ("combobox", "listbox") and (options := _options(raw, known)):
        yield f"options: {options}"


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
    return any(item.name == "focusable" and item.value.value for item in node.properties)


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
