"""What the generated forms are made of: words, fields, pictures and actions."""

import base64
import io
import random
from dataclasses import dataclass, field
from typing import Any

from PIL import Image, ImageDraw

NAMES = ("Amara", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hana", "Ivo", "Jonas", "Kemi", "Lena", "Mika")
TOWNS = (
    "Alder Bay",
    "Brack",
    "Corm",
    "Dunmoor",
    "Eastwick Ferry",
    "Fell",
    "Grayling",
    "Hobb's Ford",
    "Inver",
    "Juniper",
)
THINGS = ("kettle", "lamp", "bicycle", "tent", "radio", "blanket", "ladder", "camera", "backpack", "clock", "stove")
ANIMALS = ("heron", "otter", "badger", "lynx", "magpie", "tortoise", "ferret", "marmot", "gannet", "stoat")
PLANTS = ("fern", "juniper", "thistle", "maple", "clover", "rosemary", "willow", "foxglove", "barley", "sage")
MINERALS = ("quartz", "basalt", "mica", "granite", "feldspar", "slate", "marble", "pumice", "chalk", "flint")
GOOD = ("works better every week", "was worth each coin", "has made our mornings easy", "never let us down")
BAD = ("broke on the second day", "smells of burnt rubber", "went straight back to the shop", "lost two screws at once")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November")
STYLE = (
    "<style>body{font:16px sans-serif;margin:16px}.at{position:absolute}button{padding:4px}td,th{padding:4px}</style>"
)


@dataclass
class Form:
    """One generated page: HTML, the fields with their golds, and the actions that fill it in."""

    kind: str
    title: str
    html: str
    fields: list[dict[str, Any]] = field(default_factory=list)
    acts: list[dict[str, Any]] = field(default_factory=list)

    def gives(self, name: str, kind: str, gold: str, **extra: Any) -> "Form":
        """A field whose gold the oracle sets by its name."""
        self.expects(name, kind, gold, **extra)
        verb = {"radio": "radio", "checkbox": "checkbox", "select": "select", "range": "range"}.get(kind, "text")
        self.acts.append(call(f"modify_{verb}", name=name, value=gold))
        return self

    def expects(self, name: str, kind: str, gold: str, **extra: Any) -> "Form":
        """A field whose value comes about in another way."""
        self.fields.append({"name": name, "type": kind, "gold": [gold], "required": True} | extra)
        return self


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    """An oracle's action."""
    return {"tool": {"name": tool, "arguments": arguments}}


def click(x: int, y: int) -> dict[str, Any]:
    """A click at a point of the viewport."""
    return call("mouse_click", x=x, y=y)


def drag(start: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    """A drag between points of the viewport."""
    return call("mouse_drag", x=start[0], y=start[1], to_x=end[0], to_y=end[1])


def radios(name: str, values: tuple[str, ...] | list[str]) -> str:
    """Radio buttons, one a line."""
    return "".join(f'<p><label><input type="radio" name="{name}" value="{v}"> {v}</label></p>' for v in values)


def boxes(name: str, values: tuple[str, ...] | list[str]) -> str:
    """Checkboxes, one a line."""
    return "".join(f'<p><label><input type="checkbox" name="{name}" value="{v}"> {v}</label></p>' for v in values)


def select(name: str, values: tuple[str, ...] | list[str]) -> str:
    """A list whose first entry is empty."""
    options = "".join(f"<option>{value}</option>" for value in values)
    return f'<select name="{name}"><option value="">choose</option>{options}</select>'


def picture(width: int, height: int, seed: str, shapes: int = 0, text: str = "") -> str:
    """An own PNG as an `img` element: circles on a grid, or a text among lines, placed by the seed."""
    rng = random.Random(seed)
    image = Image.new("RGB", (width, height), "#f4efe4")
    pen = ImageDraw.Draw(image)
    places = [(x, y) for x in range(30, width - 20, 50) for y in range(30, height - 20, 50)]
    for x, y in rng.sample(places, shapes):
        size = rng.randint(10, 18)
        pen.ellipse((x - size, y - size, x + size, y + size), fill=rng.choice(["#b5403a", "#2f6f8f", "#5d7f3c"]))
    for _ in range(6 if text else 0):
        y = rng.randint(0, height)
        pen.line((0, y, width, rng.randint(0, height)), fill="#d9cfb8", width=1)
    if text:
        small = Image.new("RGB", (width // 3, height // 3), "#f4efe4")
        ImageDraw.Draw(small).text((8, height // 8), text, fill="#33302a")
        image = Image.blend(image, small.resize((width, height)), 0.8)
    out = io.BytesIO()
    image.save(out, "PNG")
    content = base64.b64encode(out.getvalue()).decode()
    return f'<img alt="the picture" width="{width}" height="{height}" src="data:image/png;base64,{content}">'
