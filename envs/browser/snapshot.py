"""One picture of a page's structure: the DOM with its geometry, and the accessibility trees of its frames.

Three calls to the browser for a page without frames, where asking for each node's rectangle takes one call a node.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from envs.browser.line import ProtocolError, Session, read
from envs.browser.page_functions import page_function
from envs.browser.protocol_types import AXNode, Captured, Document, FullCaptured, FullNodes, Metrics, Tree

ELEMENT, TEXT = 1, 3
# A larger page is not read: it would cost the service, not the page, minutes and gigabytes.
MOST_NODES = 100_000
# What the browser says when it is asked about a frame that is no more.
GONE = "Frame with the given frameId is not found"
# Where a page is scrolled to, and what is where then, changes nothing about its tree. Whether something is visible
# does, and may change without a change of the document.
SCROLLED = re.compile(rb'"scrollOffset[XY]":[^,}]*')
BOUNDS, BOUNDS_END = b'"bounds":[[', b"]]"
STYLES = ["visibility"]
COUNT = "document.evaluate('count(//node())', document, null, 1).numberValue"


class Box(NamedTuple):
    """A rectangle in pixels from the viewport's corner."""

    x: float
    y: float
    width: float
    height: float

    def touches(self, width: float, height: float) -> bool:
        """Whether any of its area lies inside a viewport of this size."""
        return (
            self.width > 0
            and self.height > 0
            and self.x < width
            and self.y < height
            and self.x + self.width > 0
            and self.y + self.height > 0
        )


class DomNode(NamedTuple):
    """A node of the DOM: `id` is the browser's own (it lives as long as the page), `depth` counts from the document."""

    id: int
    kind: int
    name: str
    value: str
    attributes: dict[str, str]
    depth: int
    box: Box | None


@dataclass(frozen=True)
class Scroll:
    """How far the page is scrolled and how large it is, in pixels."""

    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0


@dataclass
class Snapshot:
    """`nodes` in document order, frames in their element, if they were asked for; `trees`: AX nodes by a frame's
    element, 0 is the page; `title` is the document's.

    `left_out`: how many nodes a page has that is too large to be read, else 0. `reply`: what the browser said of a page
    without frames, and all that its tree follows from, with the `sizes` of what is on it; a page of which the same is
    said has the same tree.
    """

    nodes: list[DomNode] = field(default_factory=list)
    boxes: dict[int, Box] = field(default_factory=dict)
    trees: dict[int, list[AXNode]] = field(default_factory=dict)
    scroll: Scroll = field(default_factory=Scroll)
    left_out: int = 0
    title: str = ""
    reply: bytes = b""
    sizes: list[tuple[float, float]] = field(default_factory=list)

    def as_before(self, before: "Snapshot | None") -> bool:
        """Whether its trees are those of another one."""
        return before is not None and bool(self.reply) and (self.reply, self.sizes) == (before.reply, before.sizes)


async def _size(cdp: Session) -> int:
    """How many nodes the page has, without reading them. Playwright's errors pass through.

    The browser's own count holds garbage, too, so where it is high the document is counted; where it is far too high it
    stands, because a page can tell its document's count what it likes.
    """
    metrics = (await cdp.ask("Performance.getMetrics", {}, Metrics)).metrics
    held = int(next((item.value for item in metrics if item.name == "Nodes"), 0))
    if held <= MOST_NODES or held > 10 * MOST_NODES:
        return held
    reply = await cdp.send("Runtime.evaluate", {"expression": COUNT, "returnByValue": True})
    return int(reply["result"].get("value") or held)


async def take(cdp: Session, accessibility: bool = True, before: Snapshot | None = None) -> Snapshot:
    """Look at the page once, at its accessibility trees or else at its DOM; one with more than MOST_NODES nodes is not
    read. Of a page that is as it was `before`, but for scrolling, the trees are taken over: they are most of the cost.
    The session has `Performance` enabled. Playwright's errors pass through.
    """
    nodes = await _size(cdp)
    if nodes > MOST_NODES:
        return Snapshot(left_out=nodes)
    kind: type[Captured | FullCaptured] = Captured if accessibility else FullCaptured
    # Rectangles of scrolled and inner areas say where a frame's content lies, and are half of the reply.
    reply, more = await asyncio.gather(_captured(cdp, rects=False), _unsaid(cdp) if accessibility else _nothing())
    raw = read(reply, kind)
    alone = len(raw.documents) == 1
    if not alone:
        raw = read(await _captured(cdp, rects=True), kind)
    first = raw.documents[0]
    snapshot = Snapshot(title=raw.strings[first.title] if first.title >= 0 else "")
    frames: dict[int, str] = {}
    _walk(snapshot, raw, frames, _Place(0))
    snapshot.scroll = Scroll(first.scroll_offset_x, first.scroll_offset_y, first.content_width, first.content_height)
    if not accessibility:
        return snapshot
    snapshot.reply = more + _unscrolled(bytes(reply)) if alone and more else b""
    snapshot.sizes = [(width, height) for _x, _y, width, height in first.layout.bounds]
    snapshot.trees = before.trees if before and snapshot.as_before(before) else await _trees(cdp, frames)
    return snapshot


async def _trees(cdp: Session, frames: dict[int, str]) -> dict[int, list[AXNode]]:
    trees = {0: (await cdp.ask("Accessibility.getFullAXTree", {}, Tree)).nodes}
    for element, frame in frames.items():
        try:
            trees[element] = (await cdp.ask("Accessibility.getFullAXTree", {"frameId": frame}, Tree)).nodes
        except ProtocolError as error:
            if GONE not in str(error):
                raise
            continue  # it was taken out since the snapshot
    return trees


def _unscrolled(reply: bytes) -> bytes:
    parts, begin = [], 0
    while (end := reply.find(BOUNDS, begin)) >= 0:
        parts.append(reply[begin:end])
        begin = reply.index(BOUNDS_END, end)
    return SCROLLED.sub(b"", b"".join([*parts, reply[begin:]]))


async def _captured(cdp: Session, *, rects: bool) -> msgspec.Raw:
    asked = {"computedStyles": STYLES, "includeDOMRects": rects}
    return await cdp.ask("DOMSnapshot.captureSnapshot", asked, msgspec.Raw)


async def _unsaid(cdp: Session) -> bytes:
    """What a tree follows from and a snapshot does not say; nothing where the page does not let itself be asked."""
    asked = {"expression": f"({page_function('unsaid')})(document)", "returnByValue": True}
    reply = await cdp.send("Runtime.evaluate", asked)
    return b"" if "exceptionDetails" in reply else json.dumps(reply["result"]).encode()


async def _nothing() -> bytes:
    return b""


@dataclass(frozen=True)
class _Place:
    """Which document, and where its upper left corner lies in the viewport."""

    index: int
    x: float = 0
    y: float = 0
    depth: int = 0


def _walk(snapshot: Snapshot, raw: Captured | FullCaptured, frames: dict[int, str], place: _Place) -> None:
    document = raw.documents[place.index]
    boxes, backend = _layout_boxes(document, place), document.nodes.backend_node_id
    snapshot.boxes |= {backend[position]: box for position, box in boxes.items()}
    full = document.nodes if isinstance(document.nodes, FullNodes) else None
    nodes = list(_nodes(full, raw.strings, place, boxes)) if full else []
    inner, after = _inner_corners(document), 0
    held = document.nodes.content_document_index
    for position, content in sorted(zip(held.index, held.value, strict=True)):
        box = boxes.get(position)
        if box is None or place.depth >= 200:
            continue
        frames[backend[position]] = raw.strings[raw.documents[content].frame_id]
        snapshot.nodes += nodes[after : position + 1]
        after = position + 1
        left, top = inner.get(position, (0.0, 0.0))
        corner = _Place(content, box.x + left, box.y + top, place.depth + _depth(document, position) + 1)
        _walk(snapshot, raw, frames, corner)
    snapshot.nodes += nodes[after:]


def _depth(document: Document, position: int) -> int:
    """How many nodes of its document a node is in."""
    parents, count = document.nodes.parent_index, 0
    while (position := parents[position]) >= 0:
        count += 1
    return count


def _inner_corners(document: Document) -> dict[int, tuple[float, float]]:
    """By node: how far its content lies inside its border box."""
    layout = document.layout
    rects = zip(layout.node_index, layout.client_rects, strict=False)
    return {node: (rect[0], rect[1]) for node, rect in rects if len(rect) == 4}


def _layout_boxes(document: Document, place: _Place) -> dict[int, Box]:
    left = place.x - document.scroll_offset_x
    top = place.y - document.scroll_offset_y
    # Of a node with several rectangles the first counts.
    placed = reversed(list(zip(document.layout.node_index, document.layout.bounds, strict=True)))
    return {node: Box(x + left, y + top, width, height) for node, (x, y, width, height) in placed}


def _nodes(nodes: FullNodes, strings: list[str], place: _Place, boxes: dict[int, Box]) -> Iterator[DomNode]:
    depths: list[int] = []
    for position, backend in enumerate(nodes.backend_node_id):
        parent = nodes.parent_index[position]
        depths.append(place.depth if parent < 0 else depths[parent] + 1)
        flat = [strings[item] if item >= 0 else "" for item in nodes.attributes[position]]
        value = nodes.node_value[position]
        yield DomNode(
            id=backend,
            kind=nodes.node_type[position],
            name=strings[nodes.node_name[position]],
            value=strings[value] if value >= 0 else "",
            attributes=dict(zip(flat[::2], flat[1::2], strict=True)),
            depth=depths[position],
            box=boxes.get(position),
        )
