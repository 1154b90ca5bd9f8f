"""What the browser tells of a page, as far as it is read: its structure and geometry, and accessibility trees."""

from typing import Any

import msgspec

Number = int | float


class AXValue(msgspec.Struct, frozen=True, gc=False):
    """A value of an accessibility tree; UNSET where the browser says none."""

    value: Any = msgspec.UNSET


class AXProperty(msgspec.Struct, frozen=True, gc=False):
    """A named value of a node of an accessibility tree."""

    name: str
    value: AXValue


NOTHING = AXValue()


class AXNode(msgspec.Struct, rename="camel", gc=False):
    """A node of an accessibility tree; `backend` is the browser's id of its node of the DOM."""

    node_id: str
    role: AXValue = NOTHING
    name: AXValue = NOTHING
    value: AXValue = NOTHING
    ignored: bool = False
    parent_id: str | None = None
    child_ids: tuple[str, ...] = ()
    properties: tuple[AXProperty, ...] = ()
    backend: int | None = msgspec.field(default=None, name="backendDOMNodeId")


class Tree(msgspec.Struct):
    """A reply of `Accessibility.getFullAXTree`."""

    nodes: list[AXNode]


class Metric(msgspec.Struct, frozen=True, gc=False):
    """A number that the browser counts of a page."""

    name: str
    value: Number


class Metrics(msgspec.Struct):
    """A reply of `Performance.getMetrics`."""

    metrics: list[Metric]


class Rare(msgspec.Struct):
    """Values of some of the nodes."""

    index: list[int] = []
    value: list[int] = []


class Nodes(msgspec.Struct, rename="camel", kw_only=True):
    """The nodes of a document by their positions: the position of each one's parent, and its id."""

    parent_index: list[int]
    backend_node_id: list[int]
    content_document_index: Rare = msgspec.field(default_factory=Rare)


class FullNodes(Nodes, rename="camel", kw_only=True):
    """Nodes with what they are; numbers of strings, -1 for none."""

    node_type: list[int]
    node_name: list[int]
    node_value: list[int]
    attributes: list[list[int]]


class Layout(msgspec.Struct, rename="camel"):
    """Rectangles of nodes, in pixels of the document."""

    node_index: list[int]
    bounds: list[tuple[Number, Number, Number, Number]]
    client_rects: list[list[Number]] = []


class Document(msgspec.Struct, rename="camel", kw_only=True):
    """The page's document, or that of one of its frames."""

    nodes: Nodes
    layout: Layout
    frame_id: int = -1
    title: int = -1
    scroll_offset_x: Number = 0
    scroll_offset_y: Number = 0
    content_width: Number = 0
    content_height: Number = 0


class FullDocument(Document, rename="camel", kw_only=True):
    """A document with what its nodes are."""

    nodes: FullNodes


class Captured(msgspec.Struct):
    """A reply of `DOMSnapshot.captureSnapshot`."""

    documents: list[Document]
    strings: list[str]


class FullCaptured(msgspec.Struct):
    """The same with what the nodes are."""

    documents: list[FullDocument]
    strings: list[str]
