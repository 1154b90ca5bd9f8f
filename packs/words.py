"""Names nobody has seen: made of syllables, by a seeded generator."""

import random

_HEADS = tuple("bal cor den fal gim hal jor kel lum mar nor pel qui ros sel tam ul ver wan yor zel".split())  # noqa: SIM905
_TAILS = tuple("a en ic o ula ix ar im os et une il".split())  # noqa: SIM905


def name(draw: random.Random, parts: int = 2) -> str:
    """A lower-case name such as "korenula"."""
    return "".join(draw.choice(_HEADS) for _ in range(parts - 1)) + draw.choice(_HEADS) + draw.choice(_TAILS)


def names(draw: random.Random, count: int, parts: int = 2) -> list[str]:
    """Different names."""
    found: dict[str, None] = {}
    while len(found) < count:
        found.setdefault(name(draw, parts))
    return list(found)
