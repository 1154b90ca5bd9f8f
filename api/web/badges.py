"""Badges for a README: two words side by side, drawn here, so that nothing is asked of another host."""

from html import escape

_CHARACTER, _MARGIN = 6.6, 10


def badge(label: str, value: str) -> str:
    """An SVG with `label` on grey and `value` on the service's colour; 20 units high."""
    left, right = (round(len(text) * _CHARACTER + 2 * _MARGIN) for text in (label, value))
    title = escape(f"{label}: {value}", quote=True)
    texts = "".join(
        f'<text x="{x}" y="14" textLength="{width - 2 * _MARGIN}" text-anchor="middle">{escape(text)}</text>'
        for x, width, text in ((left / 2, left, label), (left + right / 2, right, value))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<rect width="{left + right}" height="20" rx="3" fill="#3c4650"/>'
        f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{left}z" fill="#0b6e6e"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{texts}</g></svg>'
    )
