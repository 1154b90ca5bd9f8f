"""Photos of lots, charts and plans of towns, drawn from facts that no page states in words."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from .facts import ACROSS, COLOURS, DOWN, MONTHS, Chart, Lot, Plan

Pen = ImageDraw.ImageDraw
Colour = tuple[int, int, int]
WHITE, INK, GREY = (255, 255, 255), (30, 30, 30), (205, 205, 205)
GROUND = (238, 233, 222)
LINES: dict[str, Colour] = {"all": (70, 110, 170), "blue": (40, 84, 190), "orange": (230, 124, 36)}
PHOTO = 240
# The thing's body, inside of which stripes or dots lie.
LEFT, TOP, RIGHT, BOTTOM = 70, 62, 170, 182
TOWN: dict[str, Colour] = {"land": (233, 240, 222), "road": WHITE, "edge": (190, 180, 160)}
STEP, EDGE = 92, 110


def saved(picture: Image.Image, path: Path) -> None:
    """Write a picture; the same picture gives the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.quantize(32).save(path, "PNG")


def photo(lot: Lot) -> Image.Image:
    """The thing, its pattern, and the tag at its lower right."""
    picture = Image.new("RGB", (PHOTO, PHOTO), GROUND)
    pen = ImageDraw.Draw(picture)
    colour = COLOURS[lot.colour]
    _shape(pen, lot.thing, colour)
    for place in range(lot.count):
        if lot.pattern == "stripes":
            middle = TOP + 22 + place * 13
            pen.rectangle((LEFT + 6, middle, RIGHT - 6, middle + 5), fill=WHITE)
        else:
            x, y = LEFT + 26 + 48 * (place % 2), TOP + 26 + 24 * (place // 2)
            pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill=WHITE)
    pen.rectangle((146, 196, 232, 230), fill=WHITE, outline=INK, width=2)
    pen.text((189, 213), lot.code, font=_font(20), fill=INK, anchor="mm")
    return picture


def _shape(pen: Pen, thing: str, colour: Colour) -> None:
    body = (LEFT, TOP, RIGHT, BOTTOM)
    if thing == "jar":
        pen.rounded_rectangle(body, radius=22, fill=colour)
        pen.rectangle((88, 40, 152, 60), fill=colour, outline=GROUND, width=2)
    elif thing == "mug":
        pen.rectangle(body, fill=colour)
        pen.arc((148, 84, 208, 154), -90, 90, fill=colour, width=12)
    elif thing == "lamp":
        pen.polygon(((76, 50), (164, 50), (204, BOTTOM), (36, BOTTOM)), fill=colour)
        pen.rectangle((114, BOTTOM, 126, 214), fill=INK)
        pen.rectangle((84, 210, 144, 220), fill=INK)
    elif thing == "bell":
        pen.pieslice((LEFT, 26, RIGHT, 130), 180, 360, fill=colour)
        pen.rectangle((LEFT, 78, RIGHT, BOTTOM), fill=colour)
        pen.rectangle((50, BOTTOM - 8, 190, BOTTOM), fill=colour)
        pen.ellipse((110, BOTTOM, 130, BOTTOM + 20), fill=INK)
    elif thing == "box":
        pen.rectangle((54, TOP - 8, 186, BOTTOM + 8), fill=colour)
        pen.rectangle((48, TOP - 26, 192, TOP - 10), fill=colour, outline=GROUND, width=2)
    else:
        pen.polygon(((120, 4), (212, 120), (120, 236), (28, 120)), fill=colour)


def chart(chart: Chart, kind: str, title: str) -> Image.Image:
    """Bars or lines over the months, with a line across for every ten."""
    picture = Image.new("RGB", (760, 560), WHITE)
    pen = ImageDraw.Draw(picture)
    pen.text((380, 18), title, font=_font(18), fill=INK, anchor="mm")
    for value in range(0, 211, 10):
        y = _height(value)
        pen.line((60, y, 740, y), fill=GREY if value % 50 else (120, 120, 120))
        pen.text((52, y), str(value), font=_font(12), fill=INK, anchor="rm")
    for place, month in enumerate(MONTHS):
        pen.text((_column(place), 530), month, font=_font(14), fill=INK, anchor="mm")
    for name, values in chart.series.items():
        points = [(_column(place), _height(value)) for place, value in enumerate(values)]
        if kind == "bars":
            for x, y in points:
                pen.rectangle((x - 16, y, x + 16, _height(0)), fill=LINES[name])
            continue
        pen.line(points, fill=LINES[name], width=3)
        for x, y in points:
            pen.ellipse((x - 5, y - 5, x + 5, y + 5), fill=LINES[name])
    return picture


def _height(value: int) -> int:
    return 512 - value * 23 // 10


def _column(place: int) -> int:
    return 92 + place * 56


def plan(plan: Plan) -> Image.Image:
    """The grid with the names along its edges; every sight is a sign of its own, explained below."""
    picture = Image.new("RGB", (EDGE + STEP * ACROSS, EDGE + STEP * DOWN + 60), TOWN["land"])
    pen = ImageDraw.Draw(picture)
    right, low = EDGE + STEP * (ACROSS - 1) + 30, EDGE + STEP * (DOWN - 1) + 30
    ways = [((EDGE + STEP * i, EDGE - 30), (EDGE + STEP * i, low)) for i in range(ACROSS)]
    ways += [((EDGE - 30, EDGE + STEP * i), (right, EDGE + STEP * i)) for i in range(DOWN)]
    for name, width in (("edge", 16), ("road", 12)):
        for way in ways:
            pen.line(way, fill=TOWN[name], width=width)
    for i, name in enumerate(plan.streets):
        pen.text((EDGE + STEP * i, 44 + 18 * (i % 2)), f"{name} Street", font=_font(13), fill=INK, anchor="mm")
    for i, name in enumerate(plan.roads):
        pen.text((4, EDGE + STEP * i - 16), f"{name} Road", font=_font(13), fill=INK, anchor="lm")
    legend = EDGE + STEP * DOWN + 30
    for i, (sight, (across, down)) in enumerate(plan.sights.items()):
        _sign(pen, sight, EDGE + STEP * across, EDGE + STEP * down)
        _sign(pen, sight, 30 + i * 108, legend)
        pen.text((50 + i * 108, legend), sight, font=_font(14), fill=INK, anchor="lm")
    pen.text((12, 14), "North is up.", font=_font(13), fill=INK, anchor="lm")
    return picture


def _sign(pen: Pen, sight: str, x: int, y: int) -> None:
    box = (x - 13, y - 13, x + 13, y + 13)
    if sight == "fountain":
        pen.ellipse(box, fill=COLOURS["blue"])
    elif sight == "church":
        pen.rectangle((x - 4, y - 15, x + 4, y + 15), fill=COLOURS["black"])
        pen.rectangle((x - 11, y - 8, x + 11, y), fill=COLOURS["black"])
    elif sight == "school":
        pen.rectangle(box, fill=COLOURS["red"])
    elif sight == "theatre":
        pen.polygon(((x, y - 15), (x + 15, y + 12), (x - 15, y + 12)), fill=COLOURS["purple"])
    elif sight == "museum":
        pen.polygon(((x, y - 15), (x + 15, y), (x, y + 15), (x - 15, y)), fill=COLOURS["green"])
    else:
        pen.ellipse(box, outline=COLOURS["orange"], width=7)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
