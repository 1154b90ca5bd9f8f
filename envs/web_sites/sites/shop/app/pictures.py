"""Pictures: drawn for the content, shown as they are (no thumbnails are made, and none are kept)."""

import random
from pathlib import Path
from typing import Any

import tenancy
from django.core.files.storage import default_storage
from oscar.core.thumbnails import AbstractThumbnailer
from PIL import Image, ImageDraw

SIDE = 200


class AsTheyAre(AbstractThumbnailer):
    """Gives every picture at its own size."""

    def generate_thumbnail(self, source: Any, **opts: Any) -> Any:
        """The picture's file."""
        del opts
        return source if hasattr(source, "url") else _Named(str(getattr(source, "name", source)))

    def delete_thumbnails(self, source: Any) -> None:
        """There are none."""


class _Named:
    def __init__(self, name: str) -> None:
        self.name = name
        self.url: str = default_storage.url(name)

    def __str__(self) -> str:
        return self.url


def draw(draw_from: random.Random, path: Path, shape: int) -> None:
    """A flat picture of a shape that goes with the department."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ground = tuple(draw_from.randrange(200, 250) for _ in range(3))
    colour = tuple(draw_from.randrange(30, 170) for _ in range(3))
    picture = Image.new("RGB", (SIDE, SIDE), ground)
    pen = ImageDraw.Draw(picture)
    low, high = draw_from.randrange(30, 60), draw_from.randrange(140, 170)
    if shape % 4 == 0:
        pen.ellipse((low, low, high, high), fill=colour)
    elif shape % 4 == 1:
        pen.rectangle((low, low + 20, high, high - 10), fill=colour)
    elif shape % 4 == 2:
        pen.polygon(((100, low), (high, high), (low, high)), fill=colour)
    else:
        pen.rounded_rectangle((low, low, high, high), radius=30, fill=colour)
    pen.rectangle((low, high, high, high + 8), fill=tuple(value // 2 for value in colour))
    picture.quantize(8).save(path, "PNG")


def missing() -> None:
    """The picture of a product that has none; a category without one shows nothing."""
    draw(random.Random("missing"), tenancy.folder() / tenancy.MEDIA / "missing.png", 1)
