"""What the pictures show, and what the pages say beside them. The two are drawn from streams of their own, so that no
text follows from a picture: `tests/unit/envs/test_market.py` compares two markets that differ in their pictures alone.
"""

import random
from dataclasses import dataclass

THINGS = ("jar", "mug", "lamp", "bell", "box", "kite")
COLOURS = {
    "red": (196, 40, 40),
    "green": (44, 138, 66),
    "blue": (40, 84, 190),
    "yellow": (232, 190, 40),
    "purple": (122, 58, 160),
    "orange": (230, 124, 36),
    "brown": (120, 78, 44),
    "black": (36, 36, 36),
}
PATTERNS = ("stripes", "dots")
LETTERS = "ABCDEFHKLMNPRTUVXY"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
GIVEN = ("Abel", "Berit", "Cosmo", "Dagny", "Edvin", "Fenna", "Gaspar", "Hilda", "Ivar", "Jonna", "Kaspar", "Livia")
SURNAMES = ("Aldern", "Brakel", "Corwin", "Dunmar", "Elstad", "Farrow", "Galten", "Hasker", "Imber", "Jarvik")
TOWNS = ("Ostling", "Marrow Bay", "Tarnfield", "Ulverby", "Kestrow", "Pellham", "Sandrup", "Veldon", "Wickmoor")
COUNTED = ("Visitors", "Lots sold", "Parcels sent", "Letters received", "Repairs", "Cups of tea served")
STREETS = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Rowan")
ROADS = ("Anchor", "Bridge", "Castle", "Dairy", "Foundry", "Harbour", "Mill", "Priory", "Quarry", "Station")
SIGHTS = ("fountain", "church", "school", "theatre", "museum", "bakery")
ACROSS, DOWN = 6, 5


@dataclass(frozen=True)
class Lot:
    """What a photo shows: a thing of a colour with so many stripes or dots, and a tag with a code."""

    thing: str
    colour: str
    pattern: str
    count: int
    code: str


@dataclass(frozen=True)
class Chart:
    """What a chart shows: twelve values by month for one series (bars) or two (lines), tens throughout."""

    series: dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Plan:
    """What a plan shows: streets from north to south, roads from west to east, and a sight at some crossings."""

    streets: tuple[str, ...]
    roads: tuple[str, ...]
    sights: dict[str, tuple[int, int]]


def lots(draw: random.Random, count: int) -> list[Lot]:
    """Photos, no two alike but for the tag."""
    kinds = [(thing, colour, pattern) for thing in THINGS for colour in COLOURS for pattern in PATTERNS]
    looks = [(*kind, number) for kind in kinds for number in range(2, 8)]
    codes = draw.sample(range(100, 1000), count)
    return [
        Lot(*look, f"{draw.choice(LETTERS)}{draw.choice(LETTERS)}{code}")
        for look, code in zip(draw.sample(looks, count), codes, strict=True)
    ]


def chart(draw: random.Random, kind: str) -> Chart:
    """Values of a year; one month alone is the highest of a series."""
    names = ("all",) if kind == "bars" else ("blue", "orange")
    series: dict[str, tuple[int, ...]] = {}
    for name in names:
        values = [draw.randrange(20, 171, 10) for _ in MONTHS]
        values[draw.randrange(len(MONTHS))] = 190 + 10 * len(series)
        series[name] = tuple(values)
    if kind == "lines":
        # Where both would meet nobody could say which is above.
        first = tuple(a + 10 if a == b else a for a, b in zip(series["blue"], series["orange"], strict=True))
        series["blue"] = first
    return Chart(series)


def plan(draw: random.Random) -> Plan:
    """A town on a grid, each sight at a crossing of its own."""
    crossings = [(across, down) for across in range(ACROSS) for down in range(DOWN)]
    return Plan(
        tuple(draw.sample(STREETS, ACROSS)),
        tuple(draw.sample(ROADS, DOWN)),
        dict(zip(SIGHTS, draw.sample(crossings, len(SIGHTS)), strict=True)),
    )
