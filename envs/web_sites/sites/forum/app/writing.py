"""Sentences with a board's words in them."""

import random
import re

from . import people, phrases
from .vocabulary import Subject

PLACE = re.compile(r"\{(\w+)\}")
EDGE = re.compile(r"^['\"]?[a-z]")


class Writer:
    """Fills phrases with the words of a subject and with what the forum knows: towns and makers."""

    def __init__(self, draw: random.Random, subject: Subject, towns: list[str], makers: list[str]) -> None:
        self._draw = draw
        thing, other = draw.sample(subject.things, 2)
        number = draw.randint(2, 18)
        self.words = {
            "thing": thing,
            "other": other,
            "job": draw.choice(subject.jobs),
            "trouble": draw.choice(subject.troubles),
            "town": draw.choice(towns),
            "n": str(number),
            "product": people.product(draw, makers, thing),
            "price": str(draw.randint(4, 180)),
            "rating": str(draw.randint(2, 10)),
            "hour": str(draw.randint(10, 20)),
            "venue": draw.choice(phrases.VENUES),
            "places": str(draw.randint(6, 40)),
            "code": str(draw.randint(1000, 9999)),
            "ordinal": f"{draw.randint(4, 20)}th",
        }

    def fill(self, phrase: str) -> str:
        """The phrase with every place filled; a sentence begins with a capital."""

        def word(found: re.Match[str]) -> str:
            key = found[1]
            value = self.words[key.lower()]
            return value[:1].upper() + value[1:] if key[0].isupper() else value

        return PLACE.sub(word, phrase)

    def title(self, choices: tuple[str, ...]) -> str:
        """One of the titles."""
        text = self.fill(self._draw.choice(choices))
        return text[:1].upper() + text[1:]

    def sentences(self, choices: tuple[str, ...], count: int) -> str:
        """Some of the sentences, in their order."""
        chosen = sorted(self._draw.sample(range(len(choices)), min(count, len(choices))))
        return " ".join(self._capital(self.fill(choices[place])) for place in chosen)

    @staticmethod
    def _capital(text: str) -> str:
        return text[:1].upper() + text[1:] if EDGE.match(text) else text


def letter(greeting: str, body: str, farewell: str) -> str:
    """A post as its author habitually writes it: paragraphs between empty lines."""
    return "\n\n".join(part for part in (greeting, body, farewell) if part)
