"""The notes a scratchpad begins with, written for this project and drawn from a seed."""

import random

PLACES = ("shed", "cellar", "garage", "office", "boat", "studio", "attic", "locker", "workshop", "summer house")
GOODS = ("batteries", "lamp oil", "paint", "screws", "seed trays", "tea", "twine", "envelopes", "filters", "candles")
EVENTS = ("dentist", "choir", "club evening", "chimney sweep", "parents' meeting", "blood test", "car service")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
COLOURS = ("blue", "green", "red", "yellow", "grey", "white")


def first_notes(draw: random.Random, count: int) -> list[tuple[str, str]]:
    """Titles and texts; titles differ."""
    found: dict[str, str] = {}
    while len(found) < count:
        title, text = draw.choice((_code, _list, _date, _size))(draw)
        found.setdefault(title, text)
    return list(found.items())


def _code(draw: random.Random) -> tuple[str, str]:
    place = draw.choice(PLACES)
    return f"Code of the {place}", f"{draw.randint(1000, 9999)}, then the {draw.choice(COLOURS)} button"


def _list(draw: random.Random) -> tuple[str, str]:
    goods = draw.sample(GOODS, draw.randint(2, 5))
    lines = "\n".join(f"{draw.randint(1, 12)} x {name}" for name in goods)
    return f"To buy for the {draw.choice(PLACES)}", lines


def _date(draw: random.Random) -> tuple[str, str]:
    event = draw.choice(EVENTS)
    return f"Next {event}", f"{draw.choice(DAYS)}, {draw.randint(8, 19)}:{draw.choice(('00', '15', '30', '45'))}"


def _size(draw: random.Random) -> tuple[str, str]:
    place = draw.choice(PLACES)
    return f"Size of the {place}", f"{draw.randint(180, 620)} cm by {draw.randint(150, 480)} cm"
