"""Set-of-marks: element ids drawn on a screenshot."""

import io

from PIL import Image, ImageDraw

from envs.browser.snapshot import Box

COLOURS = ("#d7263d", "#1b7f3b", "#1f4fd8", "#a34bd6", "#b35c00", "#007c89")


def draw(png: bytes, boxes: dict[int, Box]) -> bytes:
    """The picture with a frame and the id around each box; boxes are in pixels of the picture."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    pen = ImageDraw.Draw(picture)
    for place, (node, box) in enumerate(boxes.items()):
        colour = COLOURS[place % len(COLOURS)]
        pen.rectangle((box.x, box.y, box.x + box.width, box.y + box.height), outline=colour, width=2)
        label = str(node)
        left, top, right, bottom = pen.textbbox((max(0.0, box.x), max(0.0, box.y - 12)), label)
        pen.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill=colour)
        pen.text((max(0.0, box.x), max(0.0, box.y - 12)), label, fill="white")
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
