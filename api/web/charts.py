"""Charts as SVG made on the server: they need no script and print. Lengths are in the units of their view boxes."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from uuid import UUID

from markupsafe import Markup, escape

from api.leaderboard.repository import Point
from api.leaderboard.schemas import Interval
from api.web.labels import Box, dot, placed, stretch

_WIDTH, _HEIGHT = 560, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 20, 16, 40
_LABELLED = 6
_NAME = 22


@dataclass(frozen=True)
class _Axis:
    """From a value to a place; `ticks` are values with what is written at them."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[tuple[float, str], ...]

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 1)


def interval_bar(score: float | None, interval: Interval | None) -> Markup:
    """A score as a dot on its interval, on a line from 0 to 1; the numbers stand beside it as text."""
    if score is None or interval is None:
        return Markup()
    low, high, dot = (round(2 + 96 * value, 1) for value in (interval.low, interval.high, score))
    parts = (
        f'<path class="rail" d="M2 4H98"/><path class="span" d="M{low} 4H{high}"/><circle cx="{dot}" cy="4" r="2.6"/>'
    )
    # Numbers of ours alone.
    return Markup(f'<svg class="interval" viewBox="0 0 100 8" aria-hidden="true">{parts}</svg>')  # noqa: S704


def best_bars(points: Sequence[Point]) -> Markup:
    """The best entries of a board as bars from 0 to 1, with names and scores as text."""
    rows = []
    for number, point in enumerate(points):
        y = 4 + 22 * number
        rows.append(
            f'<rect class="rail" x="0" y="{y + 12}" width="240" height="5" rx="2.5"/>'
            f'<rect class="filled" x="0" y="{y + 12}" width="{round(240 * point.score, 1)}" height="5" rx="2.5"/>'
            f'<text x="0" y="{y + 8}">{_name(point)}</text>'
            f'<text x="240" y="{y + 8}" class="end">{point.score:.3f}</text>'
        )
    return _svg("best", 240, 22 * len(points) + 4, "best entries", rows) if points else Markup()


def against_cost(points: Sequence[Point]) -> Markup:
    """Score against reported cost (logarithmic) with the line of what no other entry beats in both; empty without
    two entries that report a cost."""
    priced = [point for point in points if point.cost is not None and point.cost > 0]
    if len(priced) < 2:
        return Markup()
    across = _logarithmic([point.cost or 0.0 for point in priced])
    front: list[Point] = []
    for point in sorted(priced, key=lambda point: (point.cost or 0.0, -point.score)):
        if not front or point.score > front[-1].score:
            front.append(point)
    return _plane(priced, front, across, lambda point: point.cost or 0.0, ("cost in US dollars", "score against cost"))


def against_date(points: Sequence[Point], records: Sequence[Point]) -> Markup:
    """Score against date with the line of the best so far (`records`); empty without two entries."""
    shown = list({point.submission_id: point for point in (*points, *records)}.values())
    if len(shown) < 2:
        return Markup()
    across = _dates([point.created_at for point in shown])
    rising = sorted(records, key=lambda point: point.created_at)
    return _plane(shown, rising, across, lambda point: point.created_at.timestamp(), ("date", "score against date"))


def _plane(
    points: Sequence[Point],
    line: Sequence[Point],
    across: _Axis,
    place: Callable[[Point], float],
    words: tuple[str, str],
) -> Markup:
    """All points as one path, those of the line as steps with links and names."""
    scores = [point.score for point in points]
    up = _scores(min(scores), max(scores))
    parts = [*_grid(across, up), f'<text class="axis" x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 4}">{words[0]}</text>']
    dots = "".join(f"M{across.at(place(point))} {up.at(point.score)}h0" for point in points)
    parts.append(f'<path class="dots" d="{dots}"/>')
    steps = "".join(
        f"{'H' if number else 'M'}{across.at(place(point))}{'V' if number else ' '}{up.at(point.score)}"
        for number, point in enumerate(line)
    )
    parts.append(f'<path class="front" d="{steps}H{across.end}"/>' if line else "")
    corners = [(across.at(place(point)), up.at(point.score)) for point in line]
    places = dict(zip((point.submission_id for point in line), corners, strict=True))
    for point, (x, y) in zip(line, corners, strict=True):
        parts.append(f'<circle class="score" cx="{x}" cy="{y}" r="4"><title>{_title(point)}</title></circle>')
    others = [dot(across.at(place(point)), up.at(point.score), 4) for point in points]
    parts += _names(line, places, [*others, *_steps(corners, across.end)])
    return _svg("plane", _WIDTH, _HEIGHT, words[1], parts)


def _names(line: Sequence[Point], places: dict[UUID, tuple[float, float]], taken: Sequence[Box]) -> Iterable[str]:
    """Names beside the best points, as far as there is room for them."""
    best = sorted(line, key=lambda point: -point.score)
    wanted = [(*places[point.submission_id], len(_short(point))) for point in best]
    frame = Box(_LEFT, 2, _WIDTH - 2, _HEIGHT - _BOTTOM - 2)
    found = [
        (point, label) for point, label in zip(best, placed(wanted, taken, frame), strict=True) if label is not None
    ]
    for point, label in found[:_LABELLED]:
        end = ' class="end"' if label.end else ""
        yield f'<text x="{round(label.x, 1)}" y="{round(label.y, 1)}"{end}>{_name(point)}</text>'


def _steps(corners: Sequence[tuple[float, float]], end: float) -> Iterable[Box]:
    """The pieces of the line through these corners to the right edge."""
    for (x1, y1), (x2, y2) in pairwise(corners):
        yield stretch(x1, y1, x2, y1)
        yield stretch(x2, y1, x2, y2)
    if corners:
        yield stretch(*corners[-1], end, corners[-1][1])


def _grid(across: _Axis, up: _Axis) -> Iterable[str]:
    for value, text in up.ticks:
        y = up.at(value)
        yield f'<path class="grid" d="M{_LEFT} {y}H{_WIDTH - _RIGHT}"/>'
        yield f'<text class="axis" x="{_LEFT - 6}" y="{y + 4}">{text}</text>'
    for value, text in across.ticks:
        x = across.at(value)
        yield f'<path class="grid" d="M{x} {_TOP}V{_HEIGHT - _BOTTOM}"/>'
        yield f'<text class="axis mid" x="{x}" y="{_HEIGHT - _BOTTOM + 16}">{text}</text>'


def _scores(lowest: float, highest: float) -> _Axis:
    """Tenths around the scores, at least two."""
    low, high = math.floor(lowest * 10), math.ceil(highest * 10)
    low, high = (low, high) if high > low else (max(0, low - 1), min(10, low + 1))
    ticks = tuple((tick / 10, f"{tick / 10:.1f}") for tick in range(low, high + 1))
    return _Axis(low / 10, high / 10, _HEIGHT - _BOTTOM, _TOP, ticks)


def _logarithmic(values: Sequence[float]) -> "_Axis":
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    step = max(1, math.ceil((high - low) / 6))
    ticks = tuple((10.0**power, _dollars(10.0**power)) for power in range(low, high + 1, step))
    return _LogAxis(10.0**low, 10.0**high, _LEFT, _WIDTH - _RIGHT, ticks)


class _LogAxis(_Axis):
    """Powers of ten at equal distances."""

    def at(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)


def _dates(times: Sequence[datetime]) -> _Axis:
    first, last = min(times).timestamp(), max(times).timestamp()
    # A tick a day at most.
    last = max(last, first + 4 * 86400)
    ticks = tuple(
        (at, datetime.fromtimestamp(at, UTC).date().isoformat())
        for at in (first + (last - first) * number / 4 for number in range(5))
    )
    return _Axis(first, last, _LEFT + 24, _WIDTH - _RIGHT - 24, ticks)


def _dollars(value: float) -> str:
    return f"${value:,.0f}" if value >= 1 else f"${value:g}"


def _short(point: Point) -> str:
    name = point.model_name
    return name if len(name) <= _NAME else name[: _NAME - 1] + "…"


def _name(point: Point) -> Markup:
    return escape(_short(point))


def _title(point: Point) -> Markup:
    cost = "" if point.cost is None else f", {_dollars(point.cost)}"
    return escape(f"{point.model_name} by {point.organisation}: {point.score:.3f}{cost}, {point.created_at.date()}")


def _svg(name: str, width: int, height: int, label: str, parts: Iterable[str]) -> Markup:
    opening = f'<svg class="{name}" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
    return Markup(f"{opening}{''.join(parts)}</svg>")  # noqa: S704 - names are escaped, the rest are our numbers
