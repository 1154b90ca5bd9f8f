"""Charts as SVG made on the server: they need no script and print."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from api.leaderboard.schemas import EntryPublic

_ROW = 26
_LEFT = 190
_WIDTH = 560
_RIGHT = 60


def _x(value: float) -> float:
    return round(_LEFT + value * _WIDTH, 1)


def intervals(entries: Sequence[EntryPublic]) -> Markup:
    """One row an entry: the score as a dot on its 95 % interval, from 0 to 1."""
    height = _ROW * len(entries) + 40
    size = f'viewBox="0 0 {_LEFT + _WIDTH + _RIGHT} {height}"'
    parts = [f'<svg class="intervals" {size} role="img" aria-label="scores with 95 % intervals">']
    for step in range(6):
        value = step / 5
        parts.append(f'<line class="grid" x1="{_x(value)}" x2="{_x(value)}" y1="8" y2="{height - 26}"/>')
        parts.append(f'<text class="axis" x="{_x(value)}" y="{height - 10}" text-anchor="middle">{value:.1f}</text>')
    for number, entry in enumerate(entries):
        y = 22 + number * _ROW
        if entry.score is None or entry.interval is None:
            raise ValueError("an entry without a score has no place in the chart")
        low, high, score = _x(entry.interval.low), _x(entry.interval.high), _x(entry.score)
        name = entry.model.name if len(entry.model.name) <= 26 else entry.model.name[:25] + "…"
        parts.append(f'<text class="name" x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<line class="interval" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>')
        parts += [f'<line class="interval" x1="{x}" x2="{x}" y1="{y - 4}" y2="{y + 4}"/>' for x in (low, high)]
        parts.append(f'<circle class="score" cx="{score}" cy="{y}" r="4.5"/>')
        parts.append(f'<text class="value" x="{_LEFT + _WIDTH + 14}" y="{y + 4}">{entry.score:.3f}</text>')
    parts.append("</svg>")
    return Markup("".join(parts))  # noqa: S704 - the names are escaped, the rest are our numbers
