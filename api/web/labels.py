"""Where names of points go in a chart, so that none crosses another, a point, the line or the edge. Pure geometry."""

from collections.abc import Sequence
from dataclasses import dataclass

# Of the chart's font at its size: a name of n characters is n times as wide.
_CHARACTER, _ASCENT, _DESCENT = 6.8, 10.0, 3.5
_GAP = 7.0


@dataclass(frozen=True)
class Box:
    """A rectangle in a chart's units; y goes down."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether the two share more than an edge."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def holds(self, other: "Box") -> bool:
        """Whether the other lies inside."""
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom


@dataclass(frozen=True)
class Label:
    """A text at (x, y), its baseline; `end`: it ends there instead of beginning."""

    x: float
    y: float
    end: bool

    def box(self, length: int) -> Box:
        """What a text of so many characters covers."""
        wide = length * _CHARACTER
        left = self.x - wide if self.end else self.x
        return Box(left, self.y - _ASCENT, left + wide, self.y + _DESCENT)


def around(x: float, y: float) -> list[Label]:
    """Places for the name of a point, the best first."""
    right, left = x + _GAP, x - _GAP
    heights = (y - 6, y + 15, y + 4, y - 18, y + 27)
    return [Label(side, height, side == left) for height in heights for side in (right, left)]


def placed(points: Sequence[tuple[float, float, int]], taken: Sequence[Box], frame: Box) -> list[Label | None]:
    """A place for each name (x, y and characters), in order of importance; None where there is no free one."""
    free: list[Label | None] = []
    full = list(taken)
    for x, y, length in points:
        for label in around(x, y):
            box = label.box(length)
            if frame.holds(box) and not any(box.meets(other) for other in full):
                full.append(box)
                free.append(label)
                break
        else:
            free.append(None)
    return free


def dot(x: float, y: float, radius: float) -> Box:
    """What a point covers."""
    return Box(x - radius, y - radius, x + radius, y + radius)


def stretch(x1: float, y1: float, x2: float, y2: float) -> Box:
    """What a level or upright piece of a line covers."""
    return Box(min(x1, x2) - 1, min(y1, y2) - 1, max(x1, x2) + 1, max(y1, y2) + 1)
