"""Names of an invented world: every country has sounds of its own, and no name is given twice."""

import random

ONSETS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gl",
    "h",
    "k",
    "kr",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "sk",
    "st",
    "t",
    "tr",
    "v",
)
NUCLEI = ("a", "e", "i", "o", "u", "ae", "ia", "ei", "au", "ou", "y")
CODAS = ("", "", "n", "r", "l", "s", "m", "nd", "rn", "th", "ll", "sk", "v")
# Random syllables must not spell what nobody wants to read.
UNWANTED = ("kunt", "fag", "nig", "kok", "tit", "pis", "sex", "nazi", "hitl", "rape", "slav", "kill", "dik", "penis")
ADJECTIVES = (
    *("Silent", "Amber", "Broken", "Distant", "Hollow", "Gentle", "Northern", "Painted", "Patient", "Restless"),
    *("Salt", "Second", "Seven", "Sleeping", "Unwritten", "Winter", "Burning", "Borrowed", "Crooked", "Last"),
)
NOUNS = (
    *("Harbour", "Lantern", "Orchard", "Letter", "Bridge", "Mirror", "Ferry", "Winter", "Garden", "Clockmaker"),
    *("Tide", "Shepherd", "Staircase", "Island", "Festival", "Compass", "Widow", "Quarry", "Mill", "Lighthouse"),
    *("Carriage", "Window", "Forest", "Witness", "Bell", "Voyage"),
)


class Names:
    """Gives names that nothing else in the world has."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.taken: set[str] = set()

    def fresh(self, *makers: "Tongue", syllables: tuple[int, int] = (2, 3), ending: str = "") -> str:
        """A new word in one of the tongues."""
        while True:
            word = self.draw.choice(makers).word(self.draw, self.draw.randint(*syllables)) + ending
            if self._new(word):
                return word

    def title(self, place: str) -> str:
        """A new title of a work, some of them with a place in it."""
        draw = self.draw
        while True:
            one, other = draw.sample(NOUNS, 2)
            title = draw.choice(
                (
                    f"The {draw.choice(ADJECTIVES)} {one}",
                    f"The {one} and the {other}",
                    f"The {one} of {place}",
                    f"{draw.choice(ADJECTIVES)} {one}, {draw.choice(ADJECTIVES)} {other}",
                )
            )
            if self._new(title):
                return title

    def _new(self, name: str) -> bool:
        key = name.lower()
        if len(key) < 4 or key in self.taken or any(word in key for word in UNWANTED):
            return False
        self.taken.add(key)
        return True


class Tongue:
    """The sounds of one country, and the first names that people have there."""

    def __init__(self, draw: random.Random) -> None:
        self.onsets = draw.sample(ONSETS, 9)
        self.nuclei = draw.sample(NUCLEI, 5)
        self.codas = draw.sample(CODAS, 6)
        self.given: list[str] = []
        while len(self.given) < 24:
            word = self.word(draw, 2)
            if word not in self.given and len(word) > 3 and not any(bad in word.lower() for bad in UNWANTED):
                self.given.append(word)

    def word(self, draw: random.Random, syllables: int) -> str:
        """One word, with a capital."""
        parts = [draw.choice(self.onsets) + draw.choice(self.nuclei) for _ in range(syllables)]
        return ("".join(parts) + draw.choice(self.codas)).capitalize()
