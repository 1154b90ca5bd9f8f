"""WebShop's raw products, read as the published shop reads them.

Facts: what a product's record holds; options in lower case with ` | ` for a slash; a price is one figure, or two
between which it lies, or 100 dollars where none is given.
"""

import hashlib
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from envs.web_shopping.product import Product

LOOKALIKE = re.compile(r"LK_[A-Z]+_(.+)")
CHANGED: Mapping[str, frozenset[str]] = {"LK_COLOR": frozenset({"color"}), "LK_SIZE": frozenset({"size"})} | {
    "LK_PCOL": frozenset({"color", "price"})
}
"""What a look-alike has in another form than its original, by the beginning of its number."""
NO_PRICE = 100.0
_NO_FIGURE = re.compile(r"[^\d.]")
PriceOf = Callable[[str, float, float], float]


def drawn_price(seed: int) -> PriceOf:
    """As published: a price is drawn between the two that are shown; here from a seed, there anew at every start."""
    return lambda asin, low, high: random.Random(f"price {seed} {asin}").uniform(low, high)


def highest_price(asin: str, low: float, high: float) -> float:
    """The higher of the two that are shown, so that no choice of options can cost more."""
    del asin
    return max(low, high)


def read_product(record: Mapping[str, Any], attributes: tuple[str, ...], price_of: PriceOf) -> Product:
    """A product of the shop. Raises KeyError, TypeError and ValueError for a record of another form."""
    asin = str(record["asin"])
    figures = _figures(record.get("pricing"))
    tag = f"${figures[0]}" if len(figures) == 1 else f"${figures[0]} to ${figures[1]}"
    bullets = record["small_description"]
    return Product(
        asin=asin.upper(),
        name=str(record["name"]),
        query=str(record["query"]).lower().strip(),
        category=str(record["product_category"]),
        attributes=attributes,
        options=_options(record.get("customization_options")),
        price=figures[0] if len(figures) == 1 else price_of(asin, figures[0], figures[1]),
        price_tag=tag,
        description=str(record["full_description"] or ""),
        bullets=tuple(str(line) for line in bullets) if isinstance(bullets, list) else (str(bullets or ""),),
    )


def _figures(pricing: object) -> list[float]:
    """One price, or the two that are shown. Raises ValueError for what is none."""
    if not pricing:
        return [NO_PRICE]
    found = [float(_NO_FIGURE.sub("", part)) for part in str(pricing).split("$")[1:]]
    if not found:
        raise ValueError(f"{pricing!r} is no price: it begins with a dollar sign")
    return found[:2]


def _options(given: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(given, dict):
        return {}
    return {
        str(name).lower(): tuple(option_value(str(one["value"])) for one in listed)
        for name, listed in given.items()
        if listed is not None
    }


def option_value(value: str) -> str:
    """An option's value as the shop shows it."""
    return value.strip().replace("/", " | ").lower()


def original(asin: str) -> str:
    """The number of the product that a look-alike looks like; of any other product its own."""
    found = LOOKALIKE.fullmatch(asin)
    return found.group(1) if found else asin


def disguised(asin: str) -> str:
    """A number for a look-alike that says nothing: ten signs, like any other."""
    return "B" + hashlib.sha256(asin.encode()).hexdigest()[:9].upper()


def restored(alikes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The original of look-alikes (by the beginnings of their numbers), put together from what each left unchanged.

    An option that all of them changed is left out: what it was cannot be known.
    """
    kinds = sorted(alikes)
    first = next((kind for kind in kinds if "price" not in CHANGED[kind]), kinds[0])
    made = dict(alikes[first]) | {"asin": original(str(alikes[first]["asin"]))}
    options: dict[str, Any] = {}
    for name in _named(alikes[first]):
        kept = [kind for kind in kinds if name.lower() not in CHANGED[kind]]
        if kept:
            options[name] = _named(alikes[kept[0]]).get(name)
    return made | {"customization_options": options}


def _named(record: Mapping[str, Any]) -> dict[str, Any]:
    options = record.get("customization_options")
    return options if isinstance(options, dict) else {}
