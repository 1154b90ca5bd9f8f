"""One picture of a page's structure: the DOM with its geometry, and the accessibility trees of its frames.

Three calls to the browser for a page without frames, where asking for each node's rectangle takes one call a node.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from playwright.async_api import CDPSession

ELEMENT, TEXT = 1, 3
# A larger page is not read: it would cost the service, not the page, minutes and gigabytes.
MOST_NODES = 100_000
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

    `left_out`: how many nodes a page has that is too large to be read, else 0.
    """

    nodes: list[DomNode] = field(default_factory=list)
    boxes: dict[int, Box] = field(default_factory=dict)
    trees: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    scroll: Scroll = field(default_factory=Scroll)
    left_out: int = 0
    title: str = ""


async def _size(cdp: CDPSession) -> int:
    """How many nodes the page has, without reading them. Playwright's errors pass through.

    The browser's own count holds garbage, too, so where it is high the document is counted; where it is far too high it
    stands, because a page can tell its document's count what it likes.
    """
    metrics = (await cdp.send("Performance.getMetrics"))["metrics"]
    held = int(next((item["value"] for item in metrics if item["name"] == "Nodes"), 0))
    if held <= MOST_NODES or held > 10 * MOST_NODES:
        return held
    reply = await cdp.send("Runtime.evaluate", {"expression": COUNT, "returnByValue": True})
    return int(reply["result"].get("value") or held)


async def take(cdp: CDPSession, accessibility: bool = True) -> Snapshot:
    """Look at the page once, at its accessibility trees or else at its DOM; one with more than MOST_NODES nodes is not
    read. The session has `Performance` enabled. Playwright's errors pass through.
    """
    nodes = await _size(cdp)
    if nodes > MOST_NODES:
        return Snapshot(left_out=nodes)
    # Rectangles of scrolled and inner areas say where a frame's content lies, and are half of the reply.
    raw = await _captured(cdp, rects=False)
    if len(raw["documents"]) > 1:
        raw = await _captured(cdp, rects=True)
    first, strings = raw["documents"][0], raw["strings"]
    snapshot = Snapshot(title=strings[first["title"]] if first.get("title", -1) >= 0 else "")
    frames: dict[int, str] = {}
    _walk(snapshot, raw, frames, _Place(0), with_nodes=not accessibility)
    snapshot.scroll = Scroll(
        first["scrollOffsetX"], first["scrollOffsetY"], first.get("contentWidth", 0), first.get("contentHeight", 0)
    )
    if accessibility:
        snapshot.trees[0] = (await _reply(cdp, "Accessibility.getFullAXTree", {}))["nodes"]
        for element, frame in frames.items():
            reply = await _reply(cdp, "Accessibility.getFullAXTree", {"frameId": frame})
            snapshot.trees[element] = reply["nodes"]
    return snapshot


async def _captured(cdp: CDPSession, *, rects: bool) -> dict[str, Any]:
    return await _reply(cdp, "DOMSnapshot.captureSnapshot", {"computedStyles": [], "includeDOMRects": rects})


async def _reply(cdp: CDPSession, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    # The public method searches every value of a reply for objects of Playwright's own, a quarter of all CPU here.
    return dict(await cdp._impl_obj.send(method, parameters, None))


@dataclass(frozen=True)
class _Place:
    """Which document, and where its upper left corner lies in the viewport."""

    index: int
    x: float = 0
    y: float = 0
    depth: int = 0


def _walk(snapshot: Snapshot, raw: dict[str, Any], frames: dict[int, str], place: _Place, *, with_nodes: bool) -> None:
    documents, strings = raw["documents"], raw["strings"]
    document = documents[place.index]
    boxes, backend = _layout_boxes(document, place), document["nodes"]["backendNodeId"]
    snapshot.boxes.update((backend[position], box) for position, box in boxes.items())
    nodes = list(_nodes(document, strings, place, boxes)) if with_nodes else []
    inner, after = _inner_corners(document), 0
    for position, content in sorted(_pairs(document["nodes"].get("contentDocumentIndex", {}))):
        box = boxes.get(position)
        if box is None or place.depth >= 200:
            continue
        frames[backend[position]] = strings[documents[content]["frameId"]]
        snapshot.nodes += nodes[after : position + 1]
        after = position + 1
        left, top = inner.get(position, (0.0, 0.0))
        corner = _Place(content, box.x + left, box.y + top, place.depth + _depth(document, position) + 1)
        _walk(snapshot, raw, frames, corner, with_nodes=with_nodes)
    snapshot.nodes += nodes[after:]


def _depth(document: dict[str, Any], position: int) -> int:
    """How many nodes of its document a node is in."""
    parents, count = document["nodes"]["parentIndex"], 0
    while (position := parents[position]) >= 0:
        count += 1
    return count


def _pairs(rare: dict[str, list[int]]) -> Iterator[tuple[int, int]]:
    return zip(rare.get("index", []), rare.get("value", []), strict=True)


def _inner_corners(document: dict[str, Any]) -> dict[int, tuple[float, float]]:
    """By node: how far its content lies inside its border box."""
    layout = document["layout"]
    rects = layout.get("clientRects", [])
    return {node: (rect[0], rect[1]) for node, rect in zip(layout["nodeIndex"], rects, strict=False) if len(rect) == 4}


def _layout_boxes(document: dict[str, Any], place: _Place) -> dict[int, Box]:
    left = place.x - document["scrollOffsetX"]
    top = place.y - document["scrollOffsetY"]
    layout = document["layout"]
    boxes: dict[int, Box] = {}
    for node, (x, y, width, height) in zip(layout["nodeIndex"], layout["bounds"], strict=True):
        boxes.setdefault(node, Box(x + left, y + top, width, height))
    return boxes


def _nodes(document: dict[str, Any], strings: list[str], place: _Place, boxes: dict[int, Box]) -> Iterator[DomNode]:
    nodes = document["nodes"]
    depths: list[int] = []
    for position, backend in enumerate(nodes["backendNodeId"]):
        parent = nodes["parentIndex"][position]
        depths.append(place.depth if parent < 0 else depths[parent] + 1)
        flat = [strings[item] if item >= 0 else "" for item in nodes["attributes"][position]]
        value = nodes["nodeValue"][position]
        yield DomNode(
            id=backend,
            kind=nodes["nodeType"][position],
            name=strings[nodes["nodeName"][position]],
            value=strings[value] if value >= 0 else "",
            attributes=dict(zip(flat[::2], flat[1::2], strict=True)),
            depth=depths[position],
            box=boxes.get(position),
        )
