"""Manuals of the other sites. What they say of a site is always the same; who keeps them and since when is drawn."""

import random
from html import escape
from pathlib import Path

from .articles import MONTHS
from .book import Article, Ref, bullets
from .names import Names, Tongue

TEXTS = Path(__file__).with_name("manuals.txt")


def manuals(seed: int) -> list[Article]:
    """One for each part of `manuals.txt`, and the main page."""
    draw = random.Random(f"manuals:{seed}")
    tongue, names = Tongue(draw), Names(draw)
    parts = TEXTS.read_text(encoding="utf-8").split("\n# ")
    numbers = draw.sample(range(1000, 9999), len(parts))
    desks = draw.sample(range(200, 900), len(parts))
    made = [_manual(part.removeprefix("# ")) for part in parts]
    for place, manual in enumerate(made):
        manual.row("Document number", f"M-{numbers[place]}")
        manual.row("Edition", str(draw.randint(2, 19)))
        manual.row("Revised", f"{draw.randint(1, 28)} {draw.choice(MONTHS)} {draw.randint(2015, 2025)}")
        manual.row("Kept by", f"{draw.choice(tongue.given)} {names.fresh(tongue)}")
        manual.row("Help desk", f"extension {desks[place]}")
    front = Article("Main Page", "main", text=["Manuals of the sites that belong together here."])
    front.section("Manuals", bullets(Ref(one.title).html for one in made))
    front.section("More", bullets(['<a href="/encyclopaedia/A/Main_Page">The encyclopaedia</a>']))
    return [front, *made]


def _manual(part: str) -> Article:
    """Lines: the title, the text, headings after `## `, points after `* `."""
    title, *lines = [line for line in part.splitlines() if line]
    made = Article(f"Manual: {title}", "manual")
    points: list[str] = []
    heading = ""
    for line in [*lines, "## "]:
        if line.startswith("* "):
            points.append(escape(line.removeprefix("* ")))
        elif line.startswith("## "):
            made.section(heading, bullets(points))
            heading, points = line.removeprefix("## "), []
        else:
            made.text.append(escape(line))
    return made
