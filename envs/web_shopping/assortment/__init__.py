"""An invented assortment: products drawn from a seed, in families whose members differ in little."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from envs.web_shopping.assortment import phrases
from envs.web_shopping.assortment.vocabulary import CONTRARY, OPTIONS, SHOWN_AS, Sort, sorts
from envs.web_shopping.product import Product

VERSION = 1
_HEADS = ("ar", "bel", "cas", "dun", "el", "fen", "gar", "hol", "is", "kel", "lor", "mar", "nev", "os", "pel", "quin")
_TAILS = ("da", "en", "ira", "ko", "lin", "mo", "na", "or", "ria", "son", "ta", "ulo", "va", "wick", "ya", "zen")
_DIGITS = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"


@dataclass(frozen=True)
class _Draft:
    """What makes a product, before it is put into words."""

    sort: Sort
    brand: str
    line: str
    name: str
    material: str
    attributes: tuple[str, ...]
    options: dict[str, tuple[str, ...]]
    price: float


def products(seed: int, size: int) -> Iterator[Product]:
    """`size` products; the same for the same seed, and the first ones the same for every size."""
    draw = random.Random(f"web shopping {VERSION} {seed}")
    numbers: set[str] = set()
    made = 0
    while made < size:
        for draft in _family(draw):
            if made == size:
                return
            yield _worded(draw, draft, _number(draw, numbers))
            made += 1


def _family(draw: random.Random) -> Iterator[_Draft]:
    """A product and up to five that differ from it in one thing each."""
    sort = draw.choice(sorts())
    first = _Draft(
        sort=sort,
        brand=_name(draw),
        line=_name(draw),
        name=draw.choice(sort.names),
        material=draw.choice(sort.made_of) if sort.made_of else "",
        attributes=_attributes(draw, sort, draw.randint(3, 7)),
        options={SHOWN_AS.get(name, name): _values(draw, name) for name in sort.options},
        price=_price(draw, *sort.prices),
    )
    yield first
    for _ in range(draw.choice((0, 1, 1, 2, 3, 5))):
        yield _sibling(draw, first)


def _sibling(draw: random.Random, first: _Draft) -> _Draft:
    change = draw.choice(("attribute", "attribute", "price", "option", "name"))
    if change == "attribute":
        kept = draw.sample(first.attributes, len(first.attributes) - 1)
        others = [one for one in _attributes(draw, first.sort, 6) if one not in first.attributes]
        return replace(first, attributes=_without_contraries((*kept, *others[:1])))
    if change == "option":
        name = draw.choice(list(first.options))
        values = first.options[name]
        gone = draw.choice(values)
        return replace(first, options=first.options | {name: tuple(one for one in values if one != gone) or values})
    if change == "name":
        material = draw.choice(first.sort.made_of) if first.sort.made_of else ""
        return replace(first, name=draw.choice(first.sort.names), material=material)
    return replace(first, price=round(first.price * draw.uniform(1.2, 2.5), 2))


def _attributes(draw: random.Random, sort: Sort, count: int) -> tuple[str, ...]:
    return _without_contraries(draw.sample(sort.attributes, min(count, len(sort.attributes))))


def _without_contraries(attributes: Sequence[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for attribute in attributes:
        if not any({attribute, other} in CONTRARY for other in kept):
            kept.append(attribute)
    return tuple(kept)


def _values(draw: random.Random, option: str) -> tuple[str, ...]:
    """Colours and the like in any order, sizes from one to another."""
    values = OPTIONS[option]
    if option in ("color", "scent", "flavor"):
        return tuple(draw.sample(values, draw.randint(3, 7)))
    length = draw.randint(3, min(8, len(values)))
    start = draw.randint(0, len(values) - length)
    return values[start : start + length]


def _price(draw: random.Random, low: int, high: int) -> float:
    """More often cheap than dear, and never a round figure, so that no limit in round figures is met exactly."""
    dollars = low + (high - low) * draw.random() ** 2
    return round(int(dollars) + draw.choice((0.29, 0.49, 0.79, 0.95, 0.99)), 2)


def _name(draw: random.Random) -> str:
    return (draw.choice(_HEADS) + draw.choice(_HEADS) * (draw.random() < 0.3) + draw.choice(_TAILS)).capitalize()


def _number(draw: random.Random, taken: set[str]) -> str:
    while True:
        number = "B0" + "".join(draw.choices(_DIGITS, k=8))
        if number not in taken:
            taken.add(number)
            return number


def _worded(draw: random.Random, draft: _Draft, asin: str) -> Product:
    shown = draw.sample(draft.attributes, min(len(draft.attributes), draw.randint(0, 2)))
    return Product(
        asin=asin,
        name=phrases.title(draw, draft.brand, draft.line, draft.material, draft.name, shown),
        query=draft.sort.query,
        category=" \u203a ".join(draft.sort.category),
        attributes=draft.attributes,
        options=draft.options,
        price=draft.price,
        price_tag=f"${draft.price}",
        description=phrases.description(draw, draft.brand, draft.line, draft.material, draft.name),
        bullets=tuple(
            phrases.bullet(draw, one, draft.name) for one in draw.sample(draft.attributes, len(draft.attributes))
        ),
    )
