"""What is written about a product: its title, its description, and a line for each of its attributes."""

import random
from collections.abc import Sequence

_TITLES = (
    "{brand} {line} {thing}{shown}",
    "{brand} {thing} {line}{shown}",
    "{line} {thing} by {brand}{shown}",
)
_BEGINNINGS = (
    "The {line} is the {name} that {brand} makes for every day.",
    "{brand} drew the {line} anew this year: a {name} without a detail too many.",
    "A {name} should do its work and stay out of the way, and so does the {line}.",
    "For {line}, {brand} asked five hundred households what they miss in a {name}.",
    "Small series, plain forms: the {line} comes from the workshop of {brand}.",
)
_MIDDLES = (
    "What leaves the house has been looked at twice, by people who use it themselves.",
    "It goes with what you have, and it goes on for years.",
    "Measured, packed and sent within two days; the box is of paper and so is what is in it.",
    "Whoever has one mostly gets a second for somebody else.",
    "Colours and measures may differ a little from what a screen shows.",
)
_ENDS = (
    "Questions are answered by {brand} on the day they are asked.",
    "If it is not what you thought, send it back within sixty days.",
    "A leaflet with all you need to know is in the box.",
    "See the list of features for what sets this one apart from its siblings.",
)
_MADE_OF = ("It is made of {material}.", "The {material} comes from suppliers we know by name.", "We chose {material}.")
_BULLETS = (
    "{what}: what this {name} was made for",
    "{what} - tested again with every batch",
    "{what}, as you would expect of a good {name}",
    "You asked for it, here it is: {what}",
    "{what}; see the leaflet for how to keep it so",
    "Made to be {what}",
    "{what}, and no trade-off for it elsewhere",
)


def title(draw: random.Random, brand: str, line: str, material: str, name: str, shown: Sequence[str]) -> str:
    """Such as "Karlin Osna Linen Summer Dress, Machine Washable"."""
    thing = " ".join(part for part in (material, name) if part).title()
    listed = "".join(f", {attribute.title()}" for attribute in shown)
    return draw.choice(_TITLES).format(brand=brand, line=line, thing=thing, shown=listed)


def description(draw: random.Random, brand: str, line: str, material: str, name: str) -> str:
    """Three or four sentences that say nothing of the attributes."""
    parts = [draw.choice(_BEGINNINGS), draw.choice(_MIDDLES), draw.choice(_ENDS)]
    if material:
        parts.insert(1, draw.choice(_MADE_OF))
    return " ".join(parts).format(brand=brand, line=line, name=name, material=material)


def bullet(draw: random.Random, attribute: str, name: str) -> str:
    """A line on one attribute."""
    return draw.choice(_BULLETS).format(what=attribute, name=name)
