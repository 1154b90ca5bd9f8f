"""Made-up names: members, places, products. Every seed has others."""

import random
import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("names.txt")


def _parts() -> dict[str, list[str]]:
    blocks = re.findall(r"^\[(\w+)\]\n(.*?)(?=^\[|\Z)", FILE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return {name: text.split() for name, text in blocks}


PARTS = _parts()
FIRST, SECOND, HEADS, TAILS = (PARTS[name] for name in ("first", "second", "heads", "tails"))
SOUNDS, ENDINGS = PARTS["sounds"], PARTS["endings"]


@dataclass(frozen=True)
class Name:
    """A member's name for signing in and the name shown."""

    username: str
    nickname: str


def member_names(draw: random.Random, count: int) -> list[Name]:
    """Different names; the shown one is a single word, as mentions need."""
    found: dict[str, Name] = {}
    while len(found) < count:
        first, second = draw.choice(FIRST), draw.choice(SECOND)
        style = draw.randrange(5)
        number = str(draw.randint(2, 99))
        shown = (f"{first}_{second}", first.title() + second.title(), second.title() + number)[min(style, 2)]
        shown = {3: f"{first}{number}", 4: f"{first.title()}_{second.title()}"}.get(style, shown)
        found.setdefault(shown.lower(), Name(shown.lower(), shown))
    return list(found.values())


def towns(draw: random.Random, count: int) -> list[str]:
    """Different names of places."""
    return draw.sample([head + tail for head in HEADS for tail in TAILS if head[-1].lower() != tail[0]], count)


def brands(draw: random.Random, count: int) -> list[str]:
    """Different names of makers."""
    found: dict[str, None] = {}
    while len(found) < count:
        found.setdefault("".join(draw.choices(SOUNDS, k=draw.randint(1, 2))).title() + draw.choice(ENDINGS))
    return [name for name in found if len(name) > 2] or brands(draw, count)


def product(draw: random.Random, makers: list[str], thing: str) -> str:
    """A made-up product such as "Korel 40 hand grinder"."""
    model = draw.choice((str(draw.randint(2, 99) * 10), f"{draw.choice('ABCEGKMRSTX')}{draw.randint(1, 9)}", "Mark II"))
    return f"{draw.choice(makers)} {model} {thing}"


def slug(title: str) -> str:
    """A title in an address, as Django's `slugify` and Spirit's 50 characters make it of ASCII text."""
    kept = re.sub(r"[^\w\s-]", "", title.lower(), flags=re.ASCII)
    return re.sub(r"[-\s]+", "-", kept).strip("-_")[:50].strip("-")
